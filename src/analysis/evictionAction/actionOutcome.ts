import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type {
  GracefulEvictionTask,
  ResourceBinding,
  ResourceBindingSpec,
  TargetCluster,
  Work,
} from '../../karmada/api/work.ts';
import type { Evidence } from '../../karmada/evidence.ts';
import type { Doubt } from '../../simulator/verdicts/doubt.ts';
import type { ReturnContext } from '../drain/back/returnOf.ts';

/**
 * A user's action on an eviction in progress. hold: the old copy stays, whatever happens; release: Karmada decides
 * again; cancel: the workload goes back; complete: the old copy is deleted now.
 */
export type EvictionActionName = 'hold' | 'release' | 'cancel' | 'complete';

/** The facts for judging the tasks of a binding. */
export interface EvictionActionContext extends ReturnContext {
  /** the binding's Works by cluster; undefined if unreadable */
  works: ReadonlyMap<string, Work> | undefined;
  /** doubts about controllers that do not run */
  notRunning?: readonly Doubt[];
  /** how to provide graceful-eviction-timeout, if it is only assumed */
  timeoutAssumed?: string;
}

/** When Karmada ends the task: at its next check, later, only if a user acts, or the task has already ended. */
type TaskEnd = 'now' | 'later' | 'never' | 'no-task';

/** An action on one task: the write, and Karmada's reaction. */
export interface EvictionAction {
  action: EvictionActionName;
  binding: ObjectIdentity;
  workload: ObjectIdentity & { apiVersion: string };
  /** null if none was named and there is no task */
  fromCluster: string | null;
  /** change: write `after`; already: nothing to write; impossible: nothing can be written, and `next` explains why */
  verdict: 'change' | 'already' | 'impossible';
  after: ResourceBindingSpec;
  /** the affinity group to write into the status first, so that the scheduler starts with it */
  affinityName?: string;
  /** what Karmada does next, in words */
  next: string;
  taskEnds: TaskEnd;
  /** RFC 3339: when the task ends at the latest; null if there is no deadline */
  deadline: string | null;
  /** what happens to the copy on fromCluster; gone: it is deleted */
  oldCopy: 'stays' | 'deleted' | 'gone';
  /** spec.clusters after the scheduler has processed the write */
  clusters: TargetCluster[];
  /** why this may lose the last ready copy; written only if the user accepts that */
  risk?: string;
  /** notes for the user, one line each */
  warnings: string[];
  evidence: Evidence[];
}

/** The result of an action without the names of its objects. */
export type ActionOutcome = Omit<EvictionAction, 'action' | 'binding' | 'workload' | 'fromCluster'>;

export interface TaskToChange {
  binding: ResourceBinding;
  task: GracefulEvictionTask;
  /** its index in spec.gracefulEvictionTasks */
  index: number;
  context: EvictionActionContext;
}

/**
 * changed: written; planned: would be written, in a dry run; unchanged: nothing to do; refused: it may lose the last
 * ready copy, and the user has not accepted that; impossible: it cannot be done; failed: the control plane did not
 * accept it.
 */
type EvictionActionVerdict = 'changed' | 'planned' | 'unchanged' | 'refused' | 'impossible' | 'failed';

export interface EvictionActionResult {
  action: EvictionAction;
  result: EvictionActionVerdict;
  /** why it was refused, or failed */
  message?: string;
}
