import { ApiError } from '../../state/live/apiError.ts';
import type { Pause } from '../pause.ts';

const PAUSE = 1000;

/** Asks until there is an answer, even "forbidden" or "not found"; undefined if the signal aborts first. */
export async function untilAnswered<T>(
  ask: () => Promise<T>,
  { pause, stop }: { pause: Pause; stop: AbortSignal },
): Promise<T | undefined> {
  while (!stop.aborted)
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || !mayPass(error)) throw error;
      await pause(Math.max(PAUSE, (error.retryAfter ?? 0) * 1000), stop);
    }
  return undefined;
}

/** Whether a retry may succeed: there was no answer, an overload, or a server error. */
export function mayPass({ status }: ApiError): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500;
}
