import { Interrupted, type Interrupt } from './interrupt.ts';

type ErrorListener = (error: NodeJS.ErrnoException) => void;

/**
 * Lets work on a control plane end in its own time if nobody reads its output any more (| head, or a terminal that is
 * gone): instead of ending the process, as commands that only read do, it aborts the signal. `done` restores the usual end.
 */
export function abortIfUnread(stdout: NodeJS.WriteStream): Interrupt {
  const controller = new AbortController();
  const usual = stdout.listeners('error') as ErrorListener[];
  const listener: ErrorListener = (error) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') for (const one of usual) one(error);
    else controller.abort(new Interrupted('nobody reads the output any more; run it again to go on'));
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
