import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type {
  GracefulEvictionTask,
  ResourceBinding,
  ResourceBindingSpec,
  TargetCluster,
  Work,
} from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import type { Evidence } from '../evidence.ts';
import type { ClusterSnapshot } from '../scheduling/clusterSnapshot.ts';
import type { DeclaredHooks } from '../status/healthInterpreter.ts';

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
  /** the binding's Works by cluster; undefined if they cannot be read */
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
  /** null if none was named and there is no task */
  fromCluster: string | null;
  /** change: `after` is to be written; already: it is so, nothing is; impossible: nothing can be, `next` says why */
  verdict: 'change' | 'already' | 'impossible';
  after: ResourceBindingSpec;
  /** the affinity group to be written to the status before, so that the scheduler goes back to it */
  affinityName?: string;
  /** what Karmada does next, in words */
  next: string;
  taskEnds: TaskEnd;
  /** RFC 3339: when the task ends at the latest; null if there is no deadline */
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
