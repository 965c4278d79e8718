import type { EvictionActionResult } from '../../../analysis/evictionAction/actionOutcome.ts';
import type { Block } from '../../../presentation/model.ts';
import { asBad, lineBlocks, asWarning } from '../../../presentation/words.ts';
import type { ApiServer } from '../../../state/live/apiServer.ts';
import { changeEvictions } from '../../../useCases/eviction/changeEvictions.ts';
import type { Action, EvictionActionOffered } from '../../../views/dashboard/actions/action.ts';
import type { ActionResult } from '../../../views/dashboard/actions/actionShown.ts';
import {
  evictionActionError,
  evictionActionList,
  evictionActionWarnings,
} from '../../../views/eviction/evictionActionList.ts';
import type { DryRun } from '../../flags.ts';
import { withAcceptingFlag } from '../../eviction/acceptingFlag.ts';
import { connectFromFlags } from '../../connectFromFlags.ts';
import { stateRequest } from '../../stateRequest.ts';
import { ACTION_OUTPUT, reportRead, type ActionContext, NOTHING_CHANGED } from './actionContext.ts';

type EvictionAction = Extract<Action, { name: EvictionActionOffered }>;

const QUESTIONS: Readonly<Record<EvictionActionOffered, string>> = {
  hold: 'Hold',
  release: 'Release',
  cancel: 'Cancel',
};

/**
 * Holds, releases or cancels an eviction like the commands. After confirmation it is read and checked again, and
 * refused if it would now lose a copy.
 */
export async function changeEviction(action: EvictionAction, context: ActionContext): Promise<ActionResult> {
  const { name, workload, from } = action;
  const plan = await run(action, 'client', context);
  if (plan.result !== 'planned') return resultOf(action, plan);
  const question = `${QUESTIONS[name]} the eviction of ${workload} from ${from}?`;
  if (!(await context.ask({ blocks: plan.blocks, question })) || context.signal.aborted)
    return NOTHING_CHANGED;
  context.notify({ type: 'begun' });
  return resultOf(action, await run(action, 'none', context));
}

interface Outcome {
  result: EvictionActionResult['result'] | 'stopped';
  blocks: readonly Block[];
}

/** The planned or completed change. */
async function run(
  { name, workload, from }: EvictionAction,
  dryRun: DryRun,
  context: ActionContext,
): Promise<Outcome> {
  const { flags, ports, signal } = context;
  const request = stateRequest(flags);
  let server: ApiServer | undefined;
  const source = {
    ...request.source,
    connect: async () => (server = await connectFromFlags(flags)),
  };
  const change = {
    state: { ...request, source },
    action: name,
    targets: [workload],
    selection: {},
    from,
    allowLoss: false,
    dryRun,
    signal,
  };
  const { results, ...circumstances } = await changeEvictions(change, async () => undefined, ports);
  if (server) reportRead(context, server);
  const [result] = results.map(withAcceptingFlag);
  if (!result)
    return { result: 'stopped', blocks: lineBlocks([asWarning('Stopped before anything was done.')]) };
  const error = evictionActionError(result);
  const warnings = evictionActionWarnings(result).map(asWarning);
  const { blocks } = evictionActionList({
    action: name,
    dryRun,
    results: [result],
    ...circumstances,
  }).presentation(ACTION_OUTPUT);
  return {
    result: result.result,
    blocks: [...(error === undefined ? blocks : lineBlocks([asBad(error)])), ...lineBlocks(warnings)],
  };
}

function resultOf({ name, workload, from }: EvictionAction, { result, blocks }: Outcome): ActionResult {
  switch (result) {
    case 'changed':
      return { outcome: 'done', blocks };
    case 'planned':
    case 'unchanged':
      return { outcome: 'nothing', blocks };
    case 'refused':
      return {
        outcome: 'refused',
        blocks,
        next: [['To accept that', ['eviction', name, workload, '--from', from, '--allow-loss']]],
      };
    case 'stopped':
      return { outcome: 'not-finished', blocks };
    case 'impossible':
    case 'failed':
      return { outcome: 'failed', blocks };
  }
}
