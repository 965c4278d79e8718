import type { ActionRunner } from '../../../terminal/dashboard/actions/actionRunner.ts';
import type { StateFlags } from '../../stateRequest.ts';
import { runAction } from './runAction.ts';

/**
 * Plans and carries out actions in this thread.
 *
 * @param stopwatch milliseconds that have passed, from any beginning
 */
export function actionsHere(flags: StateFlags, stopwatch = () => performance.now()): ActionRunner {
  return {
    begin(action, tell) {
      const stopping = new AbortController();
      let answer: (yes: boolean) => void = () => undefined;
      let killed = false;
      stopping.signal.addEventListener('abort', () => answer(false));
      void runAction(action, {
        flags,
        stopwatch,
        signal: stopping.signal,
        tell(news) {
          if (!killed) tell(news);
        },
        ask(plan) {
          return new Promise((resolve) => {
            answer = resolve;
            if (stopping.signal.aborted) resolve(false);
            else tell({ type: 'plan', ...plan });
          });
        },
      });
      return {
        confirm: () => answer(true),
        stop: () => stopping.abort(),
        kill() {
          killed = true;
          stopping.abort();
        },
      };
    },
  };
}
