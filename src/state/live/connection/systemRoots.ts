import { LARGEST_PEM, wholeFile } from '../../input/wholeFile.ts';

/** Where Go looks for a system's certificate authorities on Linux and the BSDs; the first one that exists counts. */
const FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
  '/usr/local/share/certs/ca-root-nss.crt',
  '/etc/openssl/certs/ca-certificates.crt',
];

/**
 * The authorities that this system trusts, as PEM; kubectl trusts them if a kubeconfig names none. Undefined if there
 * is no such file; then Node's own list applies.
 */
export async function systemRoots(environment: NodeJS.ProcessEnv = process.env): Promise<Buffer | undefined> {
  const own = environment['SSL_CERT_FILE'];
  for (const file of own ? [own] : FILES) {
    try {
      return await wholeFile(file, LARGEST_PEM);
    } catch {
      // the next one
    }
  }
  return undefined;
}
