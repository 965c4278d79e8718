import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type {
  GracefulEvictionTask,
  ResourceBinding,
  ResourceBindingSpec,
  TargetCluster,
  Work,
} from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import type { Evidence } from '../../evidence.ts';
import { targetClusters } from '../../eviction/works.ts';
import type { ClusterSnapshot } from '../../scheduling/clusterSnapshot.ts';
import type { DeclaredHooks } from '../../status/healthInterpreter.ts';
import { bindingIdentity, workloadIdentity } from '../identities.ts';
import { samePlacement } from '../schedulingDecision.ts';
import { cancelling } from './cancelling.ts';
import { completing } from './completing.ts';
import { placed } from './placed.ts';
import { holding } from './holding.ts';
import { releasing } from './releasing.ts';

/**
 * What a person does with an eviction that is under way.
 * hold: the old copy stays, whatever happens; release: Karmada judges again; cancel: back to where it was;
 * complete: the old copy goes now.
 */
export type EvictionActionName = 'hold' | 'release' | 'cancel' | 'complete';

/** What the tasks of a binding are judged by. */
export interface EvictionActionContext {
  /** epoch milliseconds */
  now: number;
  configuration: Configuration;
  snapshot: ClusterSnapshot;
  clusters: ReadonlyMap<string, Cluster>;
  /** the binding's Works by cluster; undefined where they cannot be read */
  works: ReadonlyMap<string, Work> | undefined;
  hooks: DeclaredHooks;
  /** how to tell the flag graceful-eviction-timeout, where it is only assumed */
  timeoutAssumed?: string;
}

/** When Karmada ends the task: at its next look, at some later time, not by itself, or it has no task any more. */
export type TaskEnd = 'now' | 'later' | 'never' | 'no-task';

/** An action on one task: what is written, and what Karmada then does. */
export interface EvictionAction {
  action: EvictionActionName;
  binding: ObjectIdentity;
  workload: ObjectIdentity & { apiVersion: string };
  /** null where none was named and there is no task */
  fromCluster: string | null;
  /** change: `after` is to be written; already: it is so, nothing is; impossible: nothing can be, `next` says why */
  verdict: 'change' | 'already' | 'impossible';
  after: ResourceBindingSpec;
  /** what Karmada does next, in words */
  next: string;
  taskEnds: TaskEnd;
  /** RFC 3339: when the task ends at the latest; null where there is no deadline */
  deadline: string | null;
  /** what becomes of the copy on the cluster that is left; gone: there is none any more */
  oldCopy: 'stays' | 'deleted' | 'gone';
  /** the result once the scheduler has looked at what was written */
  clusters: TargetCluster[];
  /** why this may lose the last copy that is ready; it is not to be written unless that is accepted */
  risk?: string;
  /** what the user has to know, a line each */
  warnings: string[];
  evidence: Evidence[];
}

/** What the four kinds of actions find out, apart from who it is about. */
export type ActionOutcome = Omit<EvictionAction, 'action' | 'binding' | 'workload' | 'fromCluster'>;

/** A task of a binding, with what is known around it. */
export interface TaskInQuestion {
  binding: ResourceBinding;
  task: GracefulEvictionTask;
  /** in spec.gracefulEvictionTasks */
  index: number;
  context: EvictionActionContext;
}

/**
 * What an action on the eviction of a workload from a cluster writes, and what Karmada makes of it: the rules of
 * its scheduler and of its graceful eviction controller, applied to the binding as it is then. Where no task is left
 * there is nothing to write; whether that is what was wanted depends on the action.
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
    warnings: [...outcome.warnings, ...(action === 'cancel' ? [] : wokenScheduler(outcome))],
  };
}

/** Every write of a spec makes the scheduler look, which may find something else to do. */
function wokenScheduler({ verdict, after, clusters }: ActionOutcome): string[] {
  if (verdict !== 'change' || samePlacement(after.clusters ?? [], clusters)) return [];
  return [`the scheduler looks at it after any write, and puts it on ${placed(clusters)}`];
}

const ACTIONS: Record<EvictionActionName, (question: TaskInQuestion) => ActionOutcome> = {
  hold: holding,
  release: releasing,
  cancel: cancelling,
  complete: completing,
};

/** The task has ended, or never was: what then is so already, and what cannot be done any more. */
function withoutTask(
  action: EvictionActionName,
  binding: ResourceBinding,
  fromCluster: string | undefined,
  { works }: EvictionActionContext,
): ActionOutcome {
  const ends = action === 'release' || action === 'complete' ? 'already' : 'impossible';
  if (fromCluster === undefined) return nothingToWrite(binding, ends, 'no eviction is under way', 'gone');
  const isThere = targetClusters(binding.spec).some(({ name }) => name === fromCluster);
  if (isThere) {
    const verdict = action === 'cancel' ? 'already' : ends;
    const next = `it is on ${fromCluster}, and no eviction from there is under way`;
    return nothingToWrite(binding, verdict, next, 'stays');
  }
  const left = works?.get(fromCluster);
  const rest = left ? `the copy on ${fromCluster} is being deleted` : `there is no copy on ${fromCluster}`;
  const next = `no eviction from ${fromCluster} is under way any more; ${rest}`;
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
