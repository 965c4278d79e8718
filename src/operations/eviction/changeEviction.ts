import { evictionAction } from '../../analysis/evictionAction/evictionAction.ts';
import type {
  EvictionAction,
  EvictionActionContext,
  EvictionActionName,
  EvictionActionResult,
} from '../../analysis/evictionAction/actionOutcome.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import type { Pause } from '../pause.ts';
import { CONFLICTS, retries } from '../retries.ts';
import { writeReturn } from '../writeBinding.ts';
import type { WriteOutcome } from '../writeObject.ts';
import { readWorks } from './readWorks.ts';

export interface EvictionToChange {
  binding: ResourceBinding;
  /** absent if the binding has no task and the user named no cluster */
  fromCluster?: string | undefined;
}

export interface ChangeEvictionOptions {
  /** the last ready copy may be deleted */
  allowLoss: boolean;
  dryRun: 'none' | 'client' | 'server';
  /** the shared context of all bindings, at the time of the call */
  context(): Omit<EvictionActionContext, 'works'>;
  /** stops waiting for a server that does not answer */
  signal?: AbortSignal;
  pause?: Pause;
}

/**
 * Changes one eviction: decides on the current state, and writes with its resourceVersion. After a conflict it
 * rereads the binding and its Works, and decides again.
 */
export async function changeEviction(
  server: ApiServer,
  name: EvictionActionName,
  { binding, fromCluster }: EvictionToChange,
  options: ChangeEvictionOptions,
): Promise<EvictionActionResult> {
  let newest = binding;
  const again = retries(options);
  for (;;) {
    let action: EvictionAction | undefined;
    try {
      action = decide(name, newest, fromCluster, await readWorks(server, newest, options.signal), options);
      const settled = settle(action, options);
      if (settled) return settled;
      const outcome = await write(server, newest, action, options);
      switch (outcome.result) {
        case 'written':
        case 'unchanged':
          return { action, result: 'changed' };
        case 'gone':
          return { action: goneAction(action), result: 'impossible' };
        case 'refused':
          return notAdmitted(action, outcome.message, options);
        case 'unknown':
          return { action, result: 'failed', message: outcome.message };
        case 'conflict':
          if (!(await again())) return { action, result: 'failed', message: CONFLICTS };
          newest = outcome.object;
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      action ??= decide(name, newest, fromCluster, undefined, options);
      return { action, result: 'failed', message: error.message };
    }
  }
}

/** `changeEviction` without a control plane: the planned change and its consequences. */
export function planEviction(
  name: EvictionActionName,
  { binding, fromCluster }: EvictionToChange,
  works: EvictionActionContext['works'],
  options: ChangeEvictionOptions,
): EvictionActionResult {
  const action = decide(name, binding, fromCluster, works, options);
  return settle(action, options) ?? { action, result: 'planned' };
}

function decide(
  name: EvictionActionName,
  binding: ResourceBinding,
  fromCluster: string | undefined,
  works: EvictionActionContext['works'],
  { context }: ChangeEvictionOptions,
): EvictionAction {
  return evictionAction(name, binding, fromCluster, { ...context(), works });
}

/** The result if no write is needed; undefined otherwise. */
function settle(
  action: EvictionAction,
  { allowLoss, dryRun }: ChangeEvictionOptions,
): EvictionActionResult | undefined {
  if (action.verdict === 'already') return { action, result: 'unchanged' };
  if (action.verdict === 'impossible') return { action, result: 'impossible' };
  if (action.risk !== undefined && !allowLoss) return { action, result: 'refused', message: action.risk };
  return dryRun === 'client' ? { action, result: 'planned' } : undefined;
}

function write(
  server: ApiServer,
  binding: ResourceBinding,
  { after, affinityName }: EvictionAction,
  { dryRun, pause, signal }: ChangeEvictionOptions,
): Promise<WriteOutcome<ResourceBinding>> {
  return writeReturn(
    server,
    binding,
    { spec: after, affinityName },
    { dryRun: dryRun === 'server', signal, pause },
  );
}

/** The server refused: in a dry run that is the answer, otherwise the change failed. */
function notAdmitted(
  action: EvictionAction,
  message: string,
  { dryRun }: ChangeEvictionOptions,
): EvictionActionResult {
  if (dryRun !== 'server') return { action, result: 'failed', message };
  return { action, result: 'impossible', message: `the API server would not admit it: ${message}` };
}

function goneAction(action: EvictionAction): EvictionAction {
  const next = 'the binding has been deleted, and all copies with it';
  return { ...action, verdict: 'impossible', next, taskEnds: 'no-task', oldCopy: 'gone', clusters: [] };
}
