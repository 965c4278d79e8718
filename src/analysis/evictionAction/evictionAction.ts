import type { ResourceBinding } from '../../karmada/api/work.ts';
import { targetClusters } from '../../karmada/objects/placement.ts';
import { bindingIdentity, workloadIdentity } from '../../karmada/objects/identities.ts';
import { samePlacement } from '../explanation/schedulingDecision.ts';
import { cancelling, completeOutcome } from './cancelling.ts';
import { placementWords } from './judgement.ts';
import { holdOutcome, releaseOutcome } from './holding.ts';
import type {
  ActionOutcome,
  EvictionAction,
  EvictionActionContext,
  EvictionActionName,
  TaskToChange,
} from './actionOutcome.ts';

/**
 * The write of an action on the eviction of a workload from a cluster, and Karmada's reaction: the rules of the
 * scheduler and graceful eviction controller, applied to the binding after the write. Without a task there is nothing
 * to write; whether that is a success depends on the action.
 */
export function evictionAction(
  action: EvictionActionName,
  binding: ResourceBinding,
  fromCluster: string | undefined,
  context: EvictionActionContext,
): EvictionAction {
  const tasks = binding.spec.gracefulEvictionTasks ?? [];
  const index = tasks.findIndex((task) => task.fromCluster === fromCluster);
  const task = tasks[index];
  const outcome = binding.metadata.deletionTimestamp
    ? nothingToWrite(binding, 'impossible', 'the binding is being deleted, and all copies with it', 'deleted')
    : task
      ? ACTIONS[action]({ binding, task, index, context })
      : withoutTask(action, binding, fromCluster, context);
  return {
    action,
    binding: bindingIdentity(binding),
    workload: workloadIdentity(binding),
    fromCluster: fromCluster ?? null,
    ...outcome,
    warnings: [
      ...outcome.warnings,
      ...(action === 'cancel' ? [] : wokenScheduler(outcome)),
      ...(outcome.verdict === 'change'
        ? (context.notRunning ?? []).map(({ what }) => `depends on ${what}`)
        : []),
    ],
  };
}

/** A warning if the scheduler would reschedule the binding: every write to the spec triggers the scheduler. */
function wokenScheduler({ verdict, after, clusters }: ActionOutcome): string[] {
  if (verdict !== 'change' || samePlacement(after.clusters ?? [], clusters)) return [];
  return [`the scheduler reconciles it after any write, and places it on ${placementWords(clusters)}`];
}

const ACTIONS: Record<EvictionActionName, (question: TaskToChange) => ActionOutcome> = {
  hold: holdOutcome,
  release: releaseOutcome,
  cancel: cancelling,
  complete: completeOutcome,
};

/** The result if the task has ended, or never existed: nothing to do, or impossible. */
function withoutTask(
  action: EvictionActionName,
  binding: ResourceBinding,
  fromCluster: string | undefined,
  { works }: EvictionActionContext,
): ActionOutcome {
  const ends = action === 'release' || action === 'complete' ? 'already' : 'impossible';
  if (fromCluster === undefined) return nothingToWrite(binding, ends, 'it is not being evicted', 'gone');
  const isThere = targetClusters(binding.spec).some(({ name }) => name === fromCluster);
  if (isThere) {
    const verdict = action === 'cancel' ? 'already' : ends;
    const next = `it is on ${fromCluster}, and is not being evicted from there`;
    return nothingToWrite(binding, verdict, next, 'stays');
  }
  const left = works?.get(fromCluster);
  const rest = left ? `the copy on ${fromCluster} is being deleted` : `no copy exists on ${fromCluster}`;
  const next = `it is not being evicted from ${fromCluster}; ${rest}`;
  return nothingToWrite(binding, ends, next, left ? 'deleted' : 'gone');
}

function nothingToWrite(
  { spec }: ResourceBinding,
  verdict: 'already' | 'impossible',
  next: string,
  oldCopy: ActionOutcome['oldCopy'],
): ActionOutcome {
  return {
    verdict,
    after: spec,
    next,
    taskEnds: 'no-task',
    deadline: null,
    oldCopy,
    clusters: spec.clusters ?? [],
    warnings: [],
    evidence: [],
  };
}
