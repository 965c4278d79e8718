import { LARGEST_PEM, wholeFile } from '../../input/wholeFile.ts';

/** Where Go looks for the system's certificate authorities on Linux and the BSDs; the first existing file is used. */
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
 * The system's trusted authorities as PEM, which kubectl uses if a kubeconfig has none. Undefined without such a
 * file; then Node's own list applies.
 */
export async function systemRoots(environment: NodeJS.ProcessEnv = process.env): Promise<Buffer | undefined> {
  const own = environment['SSL_CERT_FILE'];
  for (const file of own ? [own] : FILES) {
    try {
      return await wholeFile(file, LARGEST_PEM);
    } catch {
      // try the next one
    }
  }
  return undefined;
}
