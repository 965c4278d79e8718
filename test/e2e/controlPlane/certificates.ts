import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export interface KeyPair {
  cert: string;
  key: string;
}

/** Creates one authority for all certificates in a directory: ca.crt, ca.key. */
export function createAuthority(directory: string): KeyPair {
  const pair = { cert: join(directory, 'ca.crt'), key: join(directory, 'ca.key') };
  openssl(
    ...['req', '-x509', ...KEY, '-keyout', pair.key, '-out', pair.cert, '-days', '30'],
    ...['-subj', '/CN=test-bed-ca', '-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
  );
  return pair;
}

/** A certificate for a server on this machine and, in the API server's name, for a client: NAME.crt, NAME.key. */
export async function issue(directory: string, name: string, hosts: string[]): Promise<KeyPair> {
  const pair = { cert: join(directory, `${name}.crt`), key: join(directory, `${name}.key`) };
  await run('openssl', [
    ...['req', '-x509', '-new', ...KEY, '-keyout', pair.key, '-out', pair.cert, '-days', '30'],
    ...['-CA', join(directory, 'ca.crt'), '-CAkey', join(directory, 'ca.key'), '-subj', `/CN=${name}`],
    ...['-addext', 'basicConstraints=critical,CA:FALSE', '-addext', 'extendedKeyUsage=serverAuth,clientAuth'],
    ...[
      '-addext',
      `subjectAltName=${['DNS:localhost', 'IP:127.0.0.1', ...hosts.map((host) => `DNS:${host}`)].join(',')}`,
    ],
  ]);
  return pair;
}

/** The key that signs service account tokens. */
export function createSigningKey(file: string): void {
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file);
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
