/** The exit code for unfinished work: it was interrupted, timed out, or a part of it could not be done; run it again. */
export const EXIT_NOT_FINISHED = 3;
/** The exit code after Ctrl-C ended the process at once, as a shell reports it. */
export const EXIT_INTERRUPTED = 130;

/** The error that ends interrupted work, unless the work ends by itself. */
export class Interrupted extends Error {
  readonly exitCode = EXIT_NOT_FINISHED;
}

/** A request to stop. `done` stops listening for it. */
export interface Interrupt {
  /** aborted by the first Ctrl-C or SIGTERM, or if the terminal is gone; the reason is an Interrupted */
  signal: AbortSignal;
  done(): void;
}

/** Milliseconds after which an interrupted command is ended, whatever it waits for: two seconds, with its end. */
const ENDS_WITHIN = 1800;

/**
 * Lets a command end in its own time, but within two seconds: the first Ctrl-C (or SIGTERM) aborts the signal, a second one ends the process
 * at once with 130. Without this, the first one does. If the terminal goes (SIGHUP, which may come more than once), it
 * ends in its own time, too, and at last as a hang-up does.
 *
 * @param patient whether it ends by itself, later, when it is asked to: after what it watches over has ended
 * @param within milliseconds after which it is ended unless it is patient; 0 for what has nothing to put in order
 */
export function interruptible({
  patient = () => false,
  within = ENDS_WITHIN,
}: { patient?: () => boolean; within?: number } = {}): Interrupt {
  const controller = new AbortController();
  let isAsked = false;
  let isHungUp = false;
  let limit: NodeJS.Timeout | undefined;
  const abort = (name: NodeJS.Signals) => {
    const end = () => process.exit(EXIT_NOT_FINISHED);
    if (!patient()) limit ??= setTimeout(end, within).unref();
    controller.abort(
      new Interrupted(`stopped by ${name} before everything was done; run it again to resume`),
    );
  };
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
      clearTimeout(limit);
      process.off('SIGINT', stop).off('SIGTERM', stop);
      // a terminal that is gone may be reported again until the process ends
      if (!isHungUp) process.off('SIGHUP', hungUp);
    },
  };
}

/**
 * Ends the process as a hang-up does, once its terminal is gone. Node cannot exit by itself then: it aborts if it
 * cannot restore the terminal's mode.
 */
export function hangUp(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

type ErrorListener = (error: NodeJS.ErrnoException) => void;

/**
 * Lets work on a control plane end in its own time if its output is no longer read (| head, or a terminal that is
 * gone): instead of ending the process, as commands that only read do, it aborts the signal. `done` restores the usual end.
 */
export function abortIfUnread(stdout: NodeJS.WriteStream): Interrupt {
  const controller = new AbortController();
  const usual = stdout.listeners('error') as ErrorListener[];
  const listener: ErrorListener = (error) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') for (const one of usual) one(error);
    else controller.abort(new Interrupted('the reader of the output is gone; run it again to resume'));
  };
  stdout.removeAllListeners('error').on('error', listener);
  return {
    signal: controller.signal,
    done() {
      // the last write may still fail
      if (controller.signal.aborted) return;
      stdout.off('error', listener);
      for (const one of usual) stdout.on('error', one);
    },
  };
}
