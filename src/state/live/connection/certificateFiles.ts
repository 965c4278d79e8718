import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { ClientCertificate, Credentials } from './credential.ts';
import type { Timing } from '../mirrors/timing.ts';

/** How long a pair is used before its files are reread, in milliseconds; after a 401 they are reread at once. */
const READ_AGAIN_AFTER = 50_000;

/**
 * A client certificate from files that are rotated, which are reread as in client-go. While they are unreadable, or
 * do not match because one is just being replaced, the last pair is used.
 */
export function certificateFileCredentials(
  first: ClientCertificate,
  read: () => Promise<ClientCertificate | undefined>,
  timing: Timing,
): Credentials {
  let certificate = first;
  let readAt = timing.now();
  const readAgain = async () => {
    readAt = timing.now();
    const found = await read().catch(() => undefined);
    if (found && !isSame(found, certificate) && belongTogether(found)) certificate = found;
  };
  return {
    async current() {
      if (timing.now() - readAt >= READ_AGAIN_AFTER) await readAgain();
      return { certificate };
    },
    async refused({ certificate: refused }) {
      if (refused === certificate) await readAgain();
      return refused !== certificate;
    },
  };
}

function isSame(one: ClientCertificate, other: ClientCertificate): boolean {
  return String(one.cert) === String(other.cert) && String(one.key) === String(other.key);
}

function belongTogether({ cert, key }: ClientCertificate): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
