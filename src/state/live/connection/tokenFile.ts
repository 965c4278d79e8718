import { StateError } from '../../errors.ts';
import { MIB, wholeFile } from '../../input/wholeFile.ts';
import { whyUnreadable } from '../../systemProblem.ts';
import type { ClientCertificate, Credentials } from './credential.ts';
import type { Timing } from '../mirrors/timing.ts';

/** How long a token is used before its file is reread: client-go's minute, less its leeway of 10 s. */
const READ_AGAIN_AFTER = 50_000;
const LARGEST = MIB;

/**
 * A bearer token from a file that is rotated. If the file cannot be read, the last token is used; initially the
 * kubeconfig's own, if it has one.
 */
export function tokenFileCredentials(
  file: string,
  ownToken: string | undefined,
  certificate: ClientCertificate | undefined,
  timing: Timing,
): Credentials {
  let token = ownToken;
  let readAt = -Infinity;
  const read = async () => {
    try {
      const text = (await wholeFile(file, LARGEST)).toString('utf8').trim();
      if (text === '') throw new Error('is empty; write the token into it');
      token = text;
      readAt = timing.now();
    } catch (error) {
      if (token === undefined)
        throw new StateError(`token file ${file} cannot be used: ${whyUnreadable(error)}`);
    }
  };
  return {
    async current() {
      if (timing.now() - readAt >= READ_AGAIN_AFTER) await read();
      return { certificate, authorization: `Bearer ${token}` };
    },
    async refused({ authorization }) {
      await read();
      return authorization !== `Bearer ${token}`;
    },
  };
}
