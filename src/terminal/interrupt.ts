/** The exit code for unfinished work: interrupted, timed out, or partly failed; run it again. */
export const EXIT_NOT_FINISHED = 3;
/** The exit code after Ctrl-C ended the process at once, as shells report it. */
export const EXIT_INTERRUPTED = 130;

/** The error that ends interrupted work that does not end by itself. */
export class Interrupted extends Error {
  readonly exitCode = EXIT_NOT_FINISHED;
}

/** A request to stop. `done` stops listening for it. */
export interface Interrupt {
  /** aborted by the first Ctrl-C or SIGTERM, or if the terminal is gone; the reason is an Interrupted */
  signal: AbortSignal;
  done(): void;
}

/** Milliseconds after which an interrupted command is ended, whatever it waits for: two seconds in total. */
const ENDS_WITHIN = 1800;

/**
 * Lets a command finish by itself, but within two seconds: the first Ctrl-C (or SIGTERM) aborts the signal, a second
 * one ends the process at once with 130. Without this, the first one does. If the terminal is gone (SIGHUP, which may
 * repeat), it also finishes by itself, and exits as after a hang-up.
 * @param patient whether it ends by itself, after the work that it supervises
 * @param within milliseconds after which it is ended unless it is patient; 0 without cleanup
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
    controller.abort(new Interrupted(`stopped by ${name} before the end; run it again to resume`));
  };
  const stop = (name: NodeJS.Signals) => {
    if (isAsked) process.exit(EXIT_INTERRUPTED);
    isAsked = true;
    abort(name);
  };
  const hungUp = () => {
    if (isHungUp) return;
    isHungUp = true;
    process.on('exit', endAsHangUp);
    // writes to it now fail, which is not a reason to end at once
    if (process.stdout.isTTY) process.stdout.removeAllListeners('error').on('error', () => undefined);
    abort('SIGHUP');
  };
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', hungUp);
  return {
    signal: controller.signal,
    done() {
      clearTimeout(limit);
      process.off('SIGINT', stop).off('SIGTERM', stop);
      // a terminal that is gone may be reported repeatedly until the process ends
      if (!isHungUp) process.off('SIGHUP', hungUp);
    },
  };
}

/**
 * Ends the process as a hang-up does, once its terminal is gone. Node cannot exit by itself then: it aborts if it cannot restore the
 * terminal's mode.
 */
export function endAsHangUp(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

type ErrorListener = (error: NodeJS.ErrnoException) => void;

/**
 * Lets work on a control plane finish by itself when its output is closed (| head, or a terminal that is gone): instead of ending the
 * process, as for read-only commands, it aborts the signal. `done` restores the default.
 */
export function abortIfUnread(stdout: NodeJS.WriteStream): Interrupt {
  const controller = new AbortController();
  const usual = stdout.listeners('error') as ErrorListener[];
  const listener: ErrorListener = (error) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') for (const one of usual) one(error);
    else controller.abort(new Interrupted('the output is closed; run it again to resume'));
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
