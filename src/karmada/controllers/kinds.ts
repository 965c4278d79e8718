import type { Cluster } from '../api/cluster.ts';
import type { KubernetesObject, ResourceList } from '../api/meta.ts';
import type { ClusterTaintPolicy, PropagationPolicy } from '../api/policy.ts';
import type { ObjectReference, ResourceBinding, ResourceHealth, Work } from '../api/work.ts';

/**
 * The objects that controllers see and write, by kind. Keys: the name of a Cluster, ClusterTaintPolicy or Member;
 * "namespace/name" of a Work, and of its Copy in the member; "Kind/namespace/name" of the others (`objectKey`). Objects
 * are never changed in place, only replaced.
 */
export interface Kinds {
  Cluster: Cluster;
  /** ResourceBindings and ClusterResourceBindings, by their own `kind` */
  Binding: ResourceBinding;
  Work: Work;
  ClusterTaintPolicy: ClusterTaintPolicy;
  /** PropagationPolicies and ClusterPropagationPolicies */
  Policy: PropagationPolicy;
  /** all other objects of the control plane: resource templates, Leases, WorkloadRebalancers, … */
  Object: KubernetesObject;
  Member: Member;
  Copy: Copy;
}

export type Kind = keyof Kinds;

/** The real member cluster, regardless of its Cluster object. */
export interface Member {
  name: string;
  /** whether its workloads serve users */
  up: boolean;
  /** whether its API server answers; absent: same as `up`. Karmada notices changes later */
  answers?: boolean;
  /** for a Pull member: whether its karmada-agent runs, and since when (epoch milliseconds) */
  agent?: { running: boolean; since: number };
  /** for a Push member: when the controller manager started (epoch milliseconds), if the capture or scenario shows it */
  handledSince?: number;
  /** for a Push member: no probe of that controller manager has succeeded yet, so it has no informers of the member */
  uninformed?: true;
  /** while its API server does not answer: since when (epoch milliseconds) */
  downSince?: number;
  /**
   * after an outage: the stale caches of the informers of the controller manager, or of its running agent, until they
   * relist
   */
  stale?: StaleInformers;
  /** the back-off that these informers reached in the last outage */
  grown?: ReachedBackOff;
  /** the requests of its pods, as the next status collection reports them; absent: as the Cluster says */
  allocated?: ResourceList;
}

/** The caches of informers that have not reconnected to their API server yet, although it answers. */
export interface StaleInformers {
  /** epoch milliseconds by apiVersion and kind, see `informerOf`; others are up to date, unless there is "*" */
  until: Record<string, number>;
  /** the Copies that are in these caches, by key */
  known: Record<string, boolean>;
  /** the cached Copies that are not ready yet */
  starting?: Record<string, boolean>;
}

/** The back-off that an informer has reached. */
export interface ReachedBackOff {
  /** epoch milliseconds of the last failed attempt */
  failedAt: number;
  /** milliseconds of the wait after the next one */
  wait: number;
}

/** A workload's object in a member, and its running pods. It outlives its Work with preserveResourcesOnDeletion. */
export interface Copy {
  cluster: string;
  workload: ObjectReference;
  /** the object as Karmada last applied it */
  object: KubernetesObject;
  /** whether the Work with its key manages it; false: left in the member, no longer managed by Karmada */
  managed: boolean;
  /** the replicas requested by its object */
  replicas: number;
  /** replicas that are ready, or would be if the member were reachable */
  ready: number;
  /** epoch milliseconds when the other replicas become ready; absent if all are ready, or some never will be */
  readyAt?: number;
  /** not ready, and nothing will change that */
  stuck?: boolean;
  /** the member's own controllers have not reacted to the last apply yet */
  unobserved?: 'new' | 'changed';
  /** deleted; gone once the member's own controllers have removed its pods */
  terminating?: boolean;
  /** for a deleted Namespace: epoch milliseconds when its contents are deleted, too */
  emptiesAt?: number;
  /** the replicas counted in Member.allocated; absent: all */
  counted?: number;
  /** the resource request of one replica */
  request?: ResourceList;
  /** a health that it reports regardless of its replicas */
  health?: ResourceHealth;
  /** labels from state preservation on its object */
  preservedLabels?: Record<string, string>;
  /** the raw status as last reported */
  status?: unknown;
}
