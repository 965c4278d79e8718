import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { sayError } from '../../terminal/messages.ts';

/** As a shell reports a command that it cannot find, and one that it may not run. */
const NOT_FOUND = 127;
const NOT_RUN = 126;
/** A shell adds the number of the signal that ended a command. */
const BY_SIGNAL = 128;

/** Runs a command on this terminal, without a shell. Resolves to its exit code, as a shell reports it. */
export function runCommand([program = '', ...words]: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const failed = ({ code }: NodeJS.ErrnoException): number => {
      const isMissing = code === 'ENOENT' || program === '';
      sayError(
        `${program || '""'} ${isMissing ? 'is not found' : 'cannot be run'}; check the command after --`,
      );
      return isMissing ? NOT_FOUND : NOT_RUN;
    };
    let child: ChildProcess;
    try {
      child = spawn(program, words, { stdio: 'inherit' });
    } catch (error) {
      // Node throws some errors of the system, such as ENOTDIR, and emits the others
      return resolve(failed(error as NodeJS.ErrnoException));
    }
    // Ctrl-C reaches it by the terminal
    const terminate = () => void child.kill('SIGTERM');
    process.on('SIGTERM', terminate);
    const end = (code: number) => {
      process.off('SIGTERM', terminate);
      resolve(code);
    };
    child.on('error', (error) => end(failed(error)));
    child.on('exit', (code, signal) =>
      end(code ?? BY_SIGNAL + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}
