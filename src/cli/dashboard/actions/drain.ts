import type { DrainProgress } from '../../../analysis/drain/decide/drainStep.ts';
import { planDrift } from '../../../analysis/drain/plan/planDrift.ts';
import type { Block } from '../../../presentation/model.ts';
import { asBad, isEmpty, lineBlocks } from '../../../presentation/words.ts';
import { reasonsAgainst, type MadePlan } from '../../../useCases/drain/makePlan.ts';
import { openState, type LiveState } from '../../../useCases/state/openState.ts';
import type { ActionResult } from '../../../views/dashboard/actions/actionShown.ts';
import { drainQuestion, planDriftText } from '../../../views/drain/beforeDrain.ts';
import { eventLine, newReasons, resultLines } from '../../../views/drain/events.ts';
import { planAnswer } from '../../../views/drain/planAnswer.ts';
import { plannedDeparture } from '../../../views/drain/phases.ts';
import { drainOptionsFromFlags } from '../../drain/drainOptions.ts';
import { plannedOrder } from '../../drain/drainOrder.ts';
import { runnerName } from '../../drain/runner.ts';
import { isExpected } from '../../errors.ts';
import { flagNames } from '../../flagNames.ts';
import { liveRequest } from '../../stateRequest.ts';
import { ACTION_OUTPUT, reportRead, type ActionContext, NOTHING_CHANGED } from './actionContext.ts';

/**
 * Drains a cluster like `drain CLUSTER`. The plan may be old when it is confirmed, so the state is read again; if the
 * plan's basis has changed, a new plan is shown and confirmed.
 */
export async function drain(cluster: string, context: ActionContext): Promise<ActionResult> {
  const { flags, ports, signal } = context;
  const { options } = drainOptionsFromFlags([cluster], {});
  let agreed: MadePlan | undefined;
  for (;;) {
    const state = await openState(liveRequest(flags), ports);
    try {
      reportRead(context, state.server);
      const drift = agreed ? planDrift(agreed.basis, options, state.world) : [];
      if (agreed && drift.length === 0) return await carryOut(agreed, state, context);
      const made = plannedOrder({ options }, state, ports);
      const { blocks } = planAnswer({ ...made, dryRun: '', names: flagNames }).presentation(ACTION_OUTPUT);
      const { refused } = reasonsAgainst(made);
      if (refused.length > 0) {
        const accepting = [...new Set(refused.map(({ risk }) => flagNames.accept[risk]))];
        return {
          outcome: 'refused',
          blocks,
          next: [['To accept that', ['drain', cluster, ...accepting]]],
        };
      }
      const changes = drift.map(planDriftText);
      const departure = plannedDeparture(made.plan);
      const yes = await context.ask({ blocks, question: drainQuestion(made.plan), changes, departure });
      if (!yes || signal.aborted) return NOTHING_CHANGED;
      agreed = made;
    } finally {
      state.server.close();
    }
  }
}

/** Milliseconds between two reported states of a drain: each contains all its workloads. */
const PROGRESS_EVERY = 500;

async function carryOut(
  { plan }: MadePlan,
  { server, configuration }: LiveState,
  { notify, signal }: ActionContext,
): Promise<ActionResult> {
  const { executeDrain } = await import('../../../operations/drain/executeDrain.ts');
  const { clusters } = plan.options;
  const isNews = newReasons();
  const progress = atMostEvery(PROGRESS_EVERY, (one: DrainProgress) =>
    notify({ type: 'drain', progress: one }),
  );
  let startedAt: number | undefined;
  notify({ type: 'begun' });
  try {
    const result = await executeDrain(server, plan.options, {
      configuration,
      runner: runnerName(),
      signal,
      onEvent(event) {
        startedAt ??= event.time;
        const words = isNews(event) ? eventLine(event, startedAt) : '';
        if (!isEmpty(words)) notify({ type: 'said', words });
      },
      onProgress: progress.next,
    });
    const staying = plan.workloads.filter(({ fate }) => fate === 'stays');
    const { blocks } = resultLines(result, clusters, staying);
    return result.outcome === 'done' ? { outcome: 'done', blocks } : unfinished(clusters, blocks);
  } catch (error) {
    if (startedAt === undefined || !isExpected(error)) throw error;
    return unfinished(clusters, lineBlocks([asBad(error.message)]));
  } finally {
    progress.end();
  }
}

function unfinished(clusters: readonly string[], blocks: readonly Block[]): ActionResult {
  return {
    outcome: 'not-finished',
    blocks,
    next: [
      ['To resume', ['drain', ...clusters]],
      ['To go back', ['drain', ...clusters, '--cancel']],
    ],
  };
}

/** Passes on the newest of many values, the first at once and then at most one per interval; `end` passes on the last. */
function atMostEvery<Value>(
  milliseconds: number,
  pass: (value: Value) => void,
): { next(value: Value): void; end(): void } {
  let waiting: { value: Value } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    if (!waiting) return;
    const { value } = waiting;
    waiting = undefined;
    pass(value);
    timer = setTimeout(flush, milliseconds);
  };
  return {
    next(value) {
      waiting = { value };
      if (!timer) flush();
    },
    end() {
      clearTimeout(timer);
      flush();
      clearTimeout(timer);
    },
  };
}
