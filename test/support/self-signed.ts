import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const openssl = 'openssl';

/** Tests that need a certificate are skipped by name where nothing can make one. */
export function hasOpenssl(): boolean {
  try {
    execFileSync(openssl, ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A certificate that vouches for itself, and so is its own authority, with its key, as PEM. */
export function selfSigned(host = 'IP:127.0.0.1'): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const about = ['-subj', '/CN=payrun-test', '-addext', `subjectAltName=${host}`, '-days', '1', '-nodes'];
    const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    execFileSync(openssl, [...kind, ...about, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
