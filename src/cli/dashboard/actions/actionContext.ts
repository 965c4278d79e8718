import type { ApiServer } from '../../../state/live/apiServer.ts';
import type { Ports } from '../../../useCases/ports.ts';
import { asWarning, lineBlocks } from '../../../presentation/words.ts';
import type { ActionNews, ActionPlan, ActionResult } from '../../../views/dashboard/actions/actionShown.ts';
import { flagNames } from '../../flagNames.ts';
import type { StateFlags } from '../../stateRequest.ts';

/** The context of a dashboard action: the control plane, and the user. */
export interface ActionContext {
  flags: StateFlags;
  ports: Ports;
  notify(news: ActionNews): void;
  /** Shows a plan and resolves with the user's answer. Nothing is written before. */
  ask(plan: ActionPlan): Promise<boolean>;
  /** stops between two writes */
  signal: AbortSignal;
  /** milliseconds since any fixed instant */
  stopwatch: () => number;
}

/** How answers are shown on a page of a dashboard. */
export const ACTION_OUTPUT = { wide: false, noHeaders: false, names: flagNames };

/** Reports which control plane was read, and when. */
export function reportRead({ notify }: Pick<ActionContext, 'notify'>, server: ApiServer): void {
  notify({ type: 'read', context: server.context, server: server.url, now: server.now() });
}

/** Ports that report everything on the action's page. */
export function portsOf(notify: ActionContext['notify']): Ports {
  return {
    warn: (text) => notify({ type: 'said', words: asWarning(text) }),
    note: (text) => notify({ type: 'said', words: text }),
    startProgress: () => ({
      report: (text) => notify({ type: 'doing', text }),
      done: () => undefined,
    }),
    names: flagNames,
  };
}

export const NOTHING_CHANGED: ActionResult = {
  outcome: 'nothing',
  blocks: lineBlocks(['Nothing was changed.']),
};
