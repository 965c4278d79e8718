import type { Cluster } from '../api/cluster.ts';
import type { KubernetesObject, ResourceList } from '../api/meta.ts';
import type { ClusterTaintPolicy, PropagationPolicy } from '../api/policy.ts';
import type { ObjectReference, ResourceBinding, ResourceHealth, Work } from '../api/work.ts';

/**
 * What controllers see and write, by kind. Keys: the name of a Cluster, ClusterTaintPolicy or Member; "namespace/name"
 * of a Work, and the same for its Copy in the member; "Kind/namespace/name" of the others (`objectKey`). Objects are
 * never changed in place, only replaced.
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

/** A member cluster itself, whatever its Cluster object says. */
export interface Member {
  name: string;
  /** whether what runs there serves its users */
  up: boolean;
  /** whether its API server answers; absent: as `up`. This changes some time before Karmada notices */
  answers?: boolean;
  /** of a Pull member: whether its karmada-agent runs, and since when (epoch milliseconds) */
  agent?: { running: boolean; since: number };
  /** while its API server does not answer: since when (epoch milliseconds) */
  downSince?: number;
  /** after that: what the informers of the controller manager, or of its running agent, know until they relist */
  stale?: StaleInformers;
  /** how long the waits of these informers became in its last outage */
  grown?: GrownWaits;
  /** what its pods request, as the next status collection reports it; absent: as the Cluster says */
  allocated?: ResourceList;
}

/** The caches of informers that have not reconnected to their API server yet, although it answers. */
export interface StaleInformers {
  /** epoch milliseconds by apiVersion and kind, see `informerOf`; others are up to date, unless there is "*" */
  until: Record<string, number>;
  /** the Copies that are in these caches, by key */
  known: Record<string, boolean>;
  /** those that are not ready yet in these caches */
  starting?: Record<string, boolean>;
}

/** How long the waits of an informer have become. */
export interface GrownWaits {
  /** epoch milliseconds of the last failed attempt */
  failedAt: number;
  /** milliseconds of the wait after the next one */
  wait: number;
}

/** A workload's object in a member, and what runs of it. It outlives its Work with preserveResourcesOnDeletion. */
export interface Copy {
  cluster: string;
  workload: ObjectReference;
  /** the object as Karmada last applied it */
  object: KubernetesObject;
  /** whether the Work with its key manages it; false: left there, no longer managed by Karmada */
  managed: boolean;
  /** the replicas that its object asks for */
  replicas: number;
  /** replicas that are ready, or would be if the member were reachable */
  ready: number;
  /** epoch milliseconds when the other replicas are ready; absent if all are, or never will be */
  readyAt?: number;
  /** not ready, and nothing planned will change that */
  stuck?: boolean;
  /** the member's own controllers have not reacted to the last apply yet */
  unobserved?: 'new' | 'changed';
  /** deleted; gone once the member's own controllers have removed its pods */
  terminating?: boolean;
  /** of a Namespace that is deleted: epoch milliseconds when what is in it is deleted, too */
  emptiesAt?: number;
  /** the replicas in Member.allocated; absent: all */
  counted?: number;
  /** the request of a replica */
  request?: ResourceList;
  /** the health that it reports whatever its replicas, for its own reasons */
  health?: ResourceHealth;
  /** labels from state preservation on its object */
  preservedLabels?: Record<string, string>;
  /** the raw status as last reported */
  status?: unknown;
}
