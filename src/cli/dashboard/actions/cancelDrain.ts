import { isEmpty } from '../../../presentation/words.ts';
import type { CancelPlan } from '../../../analysis/drain/back/planCancel.ts';
import { openForReturn, planReturn } from '../../../useCases/drain/planReturn.ts';
import type { LiveState } from '../../../useCases/state/openState.ts';
import type { ActionResult } from '../../../views/dashboard/actions/actionShown.ts';
import { cancelAnswer, cancelResultLines } from '../../../views/drain/cancelAnswer.ts';
import { eventLine } from '../../../views/drain/events.ts';
import { flagNames } from '../../flagNames.ts';
import { liveRequest } from '../../stateRequest.ts';
import { ACTION_OUTPUT, reportRead, type ActionContext, NOTHING_CHANGED } from './actionContext.ts';

/** Cancels a drain like `drain CLUSTER... --cancel`, which reads each object again before writing it. */
export async function cancelDrainAction(
  clusters: readonly string[],
  context: ActionContext,
): Promise<ActionResult> {
  const { flags, ports, ask, signal } = context;
  const state = await openForReturn(liveRequest(flags), ports);
  try {
    reportRead(context, state.server);
    const { plan, isDone } = await planReturn(state, clusters);
    const { blocks } = cancelAnswer(plan, { now: state.now, dryRun: '' }).presentation(ACTION_OUTPUT);
    if (isDone) return { outcome: 'nothing', blocks };
    const yes = await ask({ blocks, question: `Cancel the drain of ${clusters.join(', ')}?` });
    if (!yes || signal.aborted) return NOTHING_CHANGED;
    return await carryOut([...clusters], plan, state, context);
  } finally {
    state.server.close();
  }
}

async function carryOut(
  clusters: string[],
  { restored: planned }: CancelPlan,
  { server, configuration }: LiveState,
  { notify, signal }: ActionContext,
): Promise<ActionResult> {
  const { cancelDrain } = await import('../../../operations/drain/cancelDrain.ts');
  let startedAt: number | undefined;
  notify({ type: 'begun' });
  const result = await cancelDrain(server, clusters, {
    configuration,
    planned,
    signal,
    onEvent(event) {
      startedAt ??= event.time;
      const words = eventLine(event, startedAt);
      if (!isEmpty(words)) notify({ type: 'said', words });
    },
  });
  const { blocks } = cancelResultLines(result, clusters, flagNames);
  if (result.outcome === 'done') return { outcome: 'done', blocks };
  return { outcome: 'not-finished', blocks, next: [['To resume', ['drain', ...clusters, '--cancel']]] };
}
