import { EXIT_BAD_INPUT, EXIT_OK } from './exitCodes.ts';
import { whyUnwritable } from '../state/systemProblem.ts';
import { endAsHangUp } from '../terminal/interrupt.ts';
import { printError } from '../terminal/messages.ts';

/**
 * Ends the process if stdout cannot be written. A closed reader (| head) is no error, a full disk is one, and a closed
 * terminal counts as a hang-up.
 */
export function endWithoutStdout(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(EXIT_OK);
  if (error.code === 'EIO' && process.stdout.isTTY) endAsHangUp();
  printError(`the answer cannot be written: ${whyUnwritable(error)}`);
  process.exit(EXIT_BAD_INPUT);
}
