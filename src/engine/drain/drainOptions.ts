import { DRAIN_KEY } from '../taints/taintsByHand.ts';
import type { LabelSelector } from '../../karmada/api/meta.ts';

/** Which bindings of the named clusters a drain is about; all where empty. */
export interface DrainSelection {
  namespace?: string;
  /** of the resource template, whose labels its binding does not carry, or else of the binding */
  labelSelector?: LabelSelector;
  /** kinds of templates, as the user typed them: "deployment", "deploy.apps" */
  kinds?: string[];
  /** "NAMESPACE/NAME" of a PropagationPolicy or "NAME" of a ClusterPropagationPolicy */
  policy?: string;
  /** KIND/NAME or NAMESPACE/KIND/NAME, workloads that are left where they are */
  skip?: string[];
  /** the same form: these alone */
  only?: string[];
}

/** Pace of evictions, as the proposal Optimize Cluster Failover has it. */
export interface DrainPace {
  /** evictions per second while few clusters are faulty; default 0.5 */
  evictionRate: number;
  /** evictions per second in a large installation with too many faulty clusters; default 0.1 */
  secondaryEvictionRate: number;
  /** share of faulty clusters above which the pace changes; default 0.55 */
  unhealthyClusterThreshold: number;
  /** up to this number of clusters an unhealthy installation is not slow but paused; default 10 */
  largeClusterNumThreshold: number;
  /** evictions in flight at one time; absent: no limit */
  maxConcurrent?: number;
}

/** The risks that the user has accepted, each by a flag of its own. */
export interface AcceptedRisks {
  /** the last copy may go without a replacement */
  loss: boolean;
  /** begin although some workloads cannot leave; they stay and are reported */
  blocked: boolean;
  /** begin although the other clusters lack capacity for all */
  overcommit: boolean;
  /** begin although too many clusters are faulty */
  unhealthy: boolean;
}

export interface DrainOptions {
  /** names of the clusters that are drained together */
  clusters: string[];
  method: 'evict' | 'taint';
  /** keep the old copy (suppressDeletion) until the replacement was seen ready */
  hold: boolean;
  purgeMode: 'Gracefully' | 'Directly';
  gracePeriodSeconds?: number;
  selection: DrainSelection;
  pace: DrainPace;
  accept: AcceptedRisks;
}

/** On a Cluster while it is drained: JSON of the DrainMark, for other drains, for `drain` again and for people. */
export const DRAIN_ANNOTATION = DRAIN_KEY;

/** What a drain leaves on the clusters that it drains, in the same write as the cordon. */
export interface DrainMark {
  /** RFC 3339 */
  started: string;
  /** all clusters of this drain */
  clusters: string[];
  selection: DrainSelection;
  hold: boolean;
  /** absent in marks of earlier releases, and of evictions by binding */
  method?: 'taint';
  /** who runs it, "anna@bastion-1": the newest one if several have */
  by?: string;
}
