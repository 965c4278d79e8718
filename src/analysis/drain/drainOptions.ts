import type { PaceLimits } from '../../karmada/taints/evictionPace.ts';
import { DRAIN_KEY } from '../../karmada/taints/manualTaints.ts';
import type { LabelSelector } from '../../karmada/api/meta.ts';

/** Which bindings on the named clusters a drain evicts; all if empty. */
export interface DrainSelection {
  namespace?: string;
  /** by the labels of the resource template, or of the binding if the template was not read */
  labelSelector?: LabelSelector;
  /** kinds of templates, as the user typed them: "deployment", "deploy.apps" */
  kinds?: string[];
  /** "NAMESPACE/NAME" of a PropagationPolicy or "NAME" of a ClusterPropagationPolicy */
  policy?: string;
  /** KIND/NAME or NAMESPACE/KIND/NAME of workloads that stay */
  skip?: string[];
  /** in the same form: only these workloads */
  only?: string[];
}

/** The pace of evictions, as in the proposal Optimize Cluster Failover. */
export interface DrainPace extends PaceLimits {
  /** evictions in flight at the same time; absent: no limit */
  maxConcurrent?: number;
}

/** The risks that the user has accepted, each by its own flag. */
interface AcceptedRisks {
  /** the last copy may be deleted without a replacement */
  loss: boolean;
  /** start although some workloads cannot leave; they stay and are reported */
  blocked: boolean;
  /** start although the other clusters lack capacity for all */
  overcommit: boolean;
  /** start although too many clusters are faulty */
  unhealthy: boolean;
}

export interface DrainOptions {
  /** names of the clusters that are drained together */
  clusters: string[];
  method: 'evict' | 'taint';
  /** keep the old copy (suppressDeletion) until the replacement is ready */
  hold: boolean;
  purgeMode: 'Gracefully' | 'Directly';
  gracePeriodSeconds?: number;
  selection: DrainSelection;
  pace: DrainPace;
  accept: AcceptedRisks;
}

/** On a Cluster while it is drained: the DrainMark as JSON, for other drains, a repeated `drain`, and operators. */
export const DRAIN_ANNOTATION = DRAIN_KEY;

/** The mark of a drain on its clusters, in the same write as the cordon. */
export interface DrainMark {
  /** RFC 3339 */
  started: string;
  /** all clusters of this drain */
  clusters: string[];
  selection: DrainSelection;
  hold: boolean;
  /** absent in marks of earlier releases, and of evictions by binding */
  method?: 'taint';
  /** who runs it, "anna@bastion-1"; the latest one if there were several */
  by?: string;
  /** how many workloads had to leave or were leaving when it began; absent in marks of earlier releases */
  workloads?: number;
}
