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
  /** aborted by the first Ctrl-C or SIGTERM; the reason is an Interrupted */
  signal: AbortSignal;
  done(): void;
}

/**
 * Lets a command end in its own time: the first Ctrl-C (or SIGTERM) aborts the signal, a second one ends the process
 * at once with 130. Without this, the first one does.
 */
export function interruptible(): Interrupt {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
    controller.abort(new Interrupted(`stopped by ${name} before everything was done; run it again to go on`));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return {
    signal: controller.signal,
    done: () => void process.off('SIGINT', stop).off('SIGTERM', stop),
  };
}
