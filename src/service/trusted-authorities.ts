import * as tls from 'node:tls';

/** Whose certificates are believed: those that Node trusts anyway, and beside them the ones that a person named (PEM). */
export function trustedAuthorities(named: string): readonly string[] {
  // Newer versions of Node also know those of the system, where they were told to use them.
  const { getCACertificates } = tls as {
    readonly getCACertificates?: (which: 'default') => readonly string[];
  };
  return [...(getCACertificates?.('default') ?? tls.rootCertificates), named];
}
