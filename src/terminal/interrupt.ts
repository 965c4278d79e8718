import { hangUp } from './hangUp.ts';

/** The exit code for unfinished work: it was interrupted, timed out, or a part of it could not be done; run it again. */
export const EXIT_NOT_FINISHED = 3;
/** The exit code after Ctrl-C ended the process at once, as a shell reports it. */
export const EXIT_INTERRUPTED = 130;

/** The error that ends work which was told to stop, unless the work ends by itself. */
export class Interrupted extends Error {
  readonly exitCode = EXIT_NOT_FINISHED;
}

/** A request to stop. `done` stops listening for it. */
export interface Interrupt {
  /** aborted by the first Ctrl-C or SIGTERM, or if the terminal is gone; the reason is an Interrupted */
  signal: AbortSignal;
  done(): void;
}

/**
 * Lets a command end in its own time: the first Ctrl-C (or SIGTERM) aborts the signal, a second one ends the process
 * at once with 130. Without this, the first one does. If the terminal goes (SIGHUP, which may come more than once), it
 * ends in its own time, too, and at last as a hang-up does.
 */
export function interruptible(): Interrupt {
  const controller = new AbortController();
  let isAsked = false;
  let isHungUp = false;
  const abort = (name: NodeJS.Signals) =>
    controller.abort(new Interrupted(`stopped by ${name} before everything was done; run it again to go on`));
  const stop = (name: NodeJS.Signals) => {
    if (isAsked) process.exit(EXIT_INTERRUPTED);
    isAsked = true;
    abort(name);
  };
  const hungUp = () => {
    if (isHungUp) return;
    isHungUp = true;
    process.on('exit', hangUp);
    // what is written to it now fails, which is no reason to end at once
    if (process.stdout.isTTY) process.stdout.removeAllListeners('error').on('error', () => undefined);
    abort('SIGHUP');
  };
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', hungUp);
  return {
    signal: controller.signal,
    done() {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      // a terminal that is gone may be told of again until the process ends
      if (!isHungUp) process.off('SIGHUP', hungUp);
    },
  };
}
