import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** What is signed: a signature for the one is none for the other. */
export type SignedKind = 'plan' | 'approval';

/** A person's key, opened. */
export interface Signer {
  /** The public half, as configurations and logs name it. */
  readonly key: string;
  sign(kind: SignedKind, text: string): string;
}

const prefix = 'ed25519:';
const keyBytes = 32;
const signatureBytes = 64;

/** A new pair: the private half as PEM that only the passphrase opens. */
export function newSigningKey(passphrase: string): { readonly key: string; readonly pem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase });
  return { key: keyText(publicKey), pem: String(pem) };
}

/** Undefined where it is no such key, is not encrypted, or the passphrase is another. */
export function openSigningKey(pem: string, passphrase: string): Signer | undefined {
  if (!isEncryptedKey(pem)) return undefined;
  let opened: KeyObject;
  try {
    opened = createPrivateKey({ key: pem, format: 'pem', passphrase });
  } catch {
    return undefined;
  }
  if (opened.asymmetricKeyType !== 'ed25519') return undefined;
  return {
    key: keyText(createPublicKey(opened)),
    sign: (kind, text) => sign(null, bytesOf(kind, text), opened).toString('base64url'),
  };
}

const begin = '-----BEGIN ENCRYPTED PRIVATE KEY-----';

/** One that anybody can open who finds it is not taken. */
export function isEncryptedKey(pem: string): boolean {
  return pem.includes(begin);
}

/** Whether a text is a public key in its one spelling: in another one it would pass for a second person. */
export function isPublicKey(text: string): boolean {
  return text.startsWith(prefix) && isCanonical(text.slice(prefix.length), keyBytes);
}

export function isSignedBy(key: string, kind: SignedKind, text: string, signature: string): boolean {
  if (!isPublicKey(key) || !isCanonical(signature, signatureBytes)) return false;
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.slice(prefix.length) };
    const opened = createPublicKey({ key: jwk, format: 'jwk' });
    return verify(null, bytesOf(kind, text), opened, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

function keyText(publicKey: KeyObject): string {
  return `${prefix}${publicKey.export({ format: 'jwk' }).x}`;
}

function bytesOf(kind: SignedKind, text: string): Buffer {
  return Buffer.from(`payrun ${kind} 1\n${text}`);
}

/** Base64url has spare bits at its end: several texts would be the same bytes. */
function isCanonical(text: string, length: number): boolean {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === text;
}
