import type { ActionRunner } from '../../../terminal/dashboard/actions/actions.ts';
import type { StateFlags } from '../../stateRequest.ts';
import { asBad, lineBlocks } from '../../../presentation/words.ts';
import { Problem } from '../../../useCases/problem.ts';
import type { Action } from '../../../views/dashboard/actions/action.ts';
import type { ActionResult } from '../../../views/dashboard/actions/actionShown.ts';
import { problemText } from '../../problemText.ts';
import { portsOf, type ActionContext } from './actionContext.ts';

/**
 * Plans and carries out actions in this thread.
 * @param stopwatch milliseconds since any fixed instant
 */
export function actionsHere(flags: StateFlags, stopwatch = () => performance.now()): ActionRunner {
  return {
    begin(action, notify) {
      const stopping = new AbortController();
      let answer: (yes: boolean) => void = () => undefined;
      let killed = false;
      stopping.signal.addEventListener('abort', () => answer(false));
      void runAction(action, {
        flags,
        stopwatch,
        signal: stopping.signal,
        notify(news) {
          if (!killed) notify(news);
        },
        ask(plan) {
          return new Promise((resolve) => {
            answer = resolve;
            if (stopping.signal.aborted) resolve(false);
            else notify({ type: 'plan', ...plan });
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

/**
 * Plans an action, asks, and carries it out through its command's use case; reports each step and the result. Never
 * rejects: a failure is its result.
 */
async function runAction(action: Action, given: Omit<ActionContext, 'ports'>): Promise<void> {
  const context = { ...given, ports: portsOf(given.notify) };
  let result: ActionResult;
  try {
    result = await carriedOut(action, context);
  } catch (error) {
    result = { outcome: 'failed', blocks: lineBlocks([asBad(textOf(error))]) };
  }
  given.notify({ type: 'ended', ...result });
}

async function carriedOut(action: Action, context: ActionContext): Promise<ActionResult> {
  switch (action.name) {
    case 'drain':
      return (await import('./drain.ts')).drain(action.cluster, context);
    case 'take-back':
      return (await import('./cancelDrain.ts')).cancelDrainAction(action.clusters, context);
    case 'cordon':
    case 'uncordon':
      return (await import('./cordon.ts')).cordonOrUncordon(action.name, action.cluster, context);
    case 'hold':
    case 'release':
    case 'cancel':
      return (await import('./eviction.ts')).changeEviction(action, context);
    case 'apply-policies':
      return (await import('./policies.ts')).applyPolicies(action.file, context);
    case 'delete-policy':
      return (await import('./policies.ts')).deletePolicy(action.policy, context);
  }
}

function textOf(error: unknown): string {
  if (error instanceof Problem) return problemText(error.data);
  return error instanceof Error ? error.message : String(error);
}
