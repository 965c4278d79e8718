import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject, ResourceList } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy, PropagationPolicy } from '../../karmada/api/policy.ts';
import type { ObjectReference, ResourceBinding, ResourceHealth, Work } from '../../karmada/api/work.ts';
import type { GrownWaits } from '../detection/listsAgain.ts';

/**
 * What controllers see and write, by kind. Keys: the name of a Cluster, ClusterTaintPolicy or Member; "namespace/name" of
 * a Work, and the same for the Copy that it stands for in its member; "Kind/namespace/name" of the others
 * (`objectKey`). Objects are never changed in place, only replaced.
 */
export interface Kinds {
  Cluster: Cluster;
  /** ResourceBindings and ClusterResourceBindings; their own `kind` tells which */
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

/** A member cluster itself, whatever its Cluster object says of it yet. */
export interface Member {
  name: string;
  /** it is counted on: what runs there serves its users */
  up: boolean;
  /** whether its API server answers; absent: while it is up. It turns some time before Karmada notices it */
  answers?: boolean;
  /** of a Pull member: whether its karmada-agent runs, and since when (epoch milliseconds) */
  agent?: { running: boolean; since: number };
  /** while its API server does not answer: since when (epoch milliseconds) */
  downSince?: number;
  /** after that: what informers of the controller manager, or of its running agent, know of it until they list anew */
  stale?: StaleInformers;
  /** how far the waits of these informers have grown in its last outage */
  grown?: GrownWaits;
  /** what its pods ask for, as the next status collection reports it; absent while it is as the Cluster says */
  allocated?: ResourceList;
}

/** The caches of informers that have not found their API server again yet, though it answers. */
export interface StaleInformers {
  /** epoch milliseconds, by apiVersion and kind, see `informerOf`; all others are up to date, unless there is one for "*" */
  until: Record<string, number>;
  /** the Copies that are in these caches, by key */
  known: Record<string, boolean>;
}

/** What runs in a member of a workload. It outlives its Work if resources are preserved on deletion. */
export interface Copy {
  cluster: string;
  workload: ObjectReference;
  /** its object, as Karmada applied it last */
  object: KubernetesObject;
  /** the Work that manages it has its key; false: left there, no longer managed by Karmada */
  managed: boolean;
  /** as its object asks for */
  replicas: number;
  /** have come up and are ready, were the member reachable */
  ready: number;
  /** epoch milliseconds at which the rest is ready; absent when all is ready, or never will be */
  readyAt?: number;
  /** not ready, and nothing that is planned makes it so */
  stuck?: boolean;
  /** the member's own controllers have not reacted to what was applied last */
  unobserved?: 'new' | 'changed';
  /** deleted; gone once the member's own controllers have removed its pods */
  terminating?: boolean;
  /** replicas that Member.allocated counts; absent: all */
  counted?: number;
  /** what a replica asks for */
  request?: ResourceList;
  /** the health it reports for reasons of its own, whatever its replicas */
  health?: ResourceHealth;
  /** labels that state preservation has put onto its object */
  preservedLabels?: Record<string, string>;
  /** raw status as it was last reported */
  status?: unknown;
}
