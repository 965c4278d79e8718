import type { Controller, EvictionPace, ReconcileRequest, Step } from '../controllers/controller.ts';
import type { View } from '../controllers/view.ts';
import type { Change } from '../controllers/write.ts';
import type { Cluster } from '../api/cluster.ts';
import type { Configuration, ControllerManagerFlags } from '../configuration/configuration.ts';
import type { Evidence } from '../evidence.ts';
import { isFaulty } from './evictingTaints.ts';

/** The settings of the eviction pace, by their names in the design optimize-cluster-failover. */
export interface PaceLimits {
  /** resource-eviction-rate: evictions per second while few clusters are faulty */
  evictionRate: number;
  /** secondary-resource-eviction-rate: evictions per second in a large installation with too many faulty clusters */
  secondaryEvictionRate: number;
  /** unhealthy-cluster-threshold: the fraction of faulty clusters above which the pace changes */
  unhealthyClusterThreshold: number;
  /** large-cluster-num-threshold: up to this many clusters evictions stop, with more they slow down */
  largeClusterNumThreshold: number;
}

/** The flags of karmada-controller-manager that set the pace of the eviction queue. */
export const PACE_FLAGS = [
  'resource-eviction-rate',
  'secondary-resource-eviction-rate',
  'unhealthy-cluster-threshold',
  'large-cluster-num-threshold',
] as const;

/**
 * The pace by the fraction of faulty clusters: too many means strictly more than the threshold, large means strictly
 * more clusters than the other one. Design optimize-cluster-failover, "Multiple rate configuration".
 */
export function evictionPace(faulty: string[], clusters: number, limits: PaceLimits): EvictionPace {
  const { unhealthyClusterThreshold: threshold, largeClusterNumThreshold: large } = limits;
  const base = { faulty, clusters };
  const state = `${faulty.length} of ${clusters} clusters ${faulty.length === 1 ? 'is' : 'are'} faulty`;
  const share = clusters === 0 ? 0 : faulty.length / clusters;
  if (share <= threshold) return { ...base, mode: 'normal', rate: limits.evictionRate, reason: state };
  const over = `${state}, more than ${percent(threshold)}`;
  if (clusters > large) return { ...base, mode: 'slow', rate: limits.secondaryEvictionRate, reason: over };
  return { ...base, mode: 'paused', rate: 0, reason: `${over}, in a control plane of at most ${large}` };
}

/** The pace of the eviction queue of the design optimize-cluster-failover, by the current taints of all clusters. */
export function queuePace(clusters: Iterable<Cluster>, flags: QueueFlags): EvictionPace {
  const faulty: string[] = [];
  let count = 0;
  for (const cluster of clusters) {
    count++;
    if (isFaulty(cluster)) faulty.push(cluster.metadata.name);
  }
  return evictionPace(faulty, count, limitsOf(flags));
}

type QueueFlags = Pick<ControllerManagerFlags, (typeof PACE_FLAGS)[number]>;

function limitsOf(flags: QueueFlags): PaceLimits {
  return {
    evictionRate: flags['resource-eviction-rate'],
    secondaryEvictionRate: flags['secondary-resource-eviction-rate'],
    unhealthyClusterThreshold: flags['unhealthy-cluster-threshold'],
    largeClusterNumThreshold: flags['large-cluster-num-threshold'],
  };
}

/** Why the eviction queue has its pace. */
export function paceEvidence({ mode, rate, reason }: EvictionPace): Evidence {
  const field = mode === 'slow' ? 'secondary-resource-eviction-rate' : 'resource-eviction-rate';
  return {
    rule: `the eviction queue ${paceInWords({ mode, rate })}: ${reason}`,
    field: mode === 'paused' ? 'unhealthy-cluster-threshold' : field,
    value: rate,
  };
}

/** "evicts 0.5 workloads per second", "is paused". */
export function paceInWords({ rate }: Pick<EvictionPace, 'mode' | 'rate'>): string {
  return rate > 0 ? `evicts ${rate} workloads per second` : 'is paused';
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}

/** The pace, cached by its list of clusters, since every turn reads it. Lists are immutable. */
const paces = new WeakMap<object, { flags: Configuration['controllerManager']; pace: EvictionPace }>();

/** The current pace of the queue. */
export function paceIn(view: View, { controllerManager: flags }: Configuration): EvictionPace {
  const clusters = view.all('Cluster');
  const known = paces.get(clusters);
  if (known?.flags === flags) return known.pace;
  const pace = queuePace(clusters, flags);
  paces.set(clusters, { flags, pace });
  return pace;
}

/** Whether a change may alter the pace: a cluster was added, was removed, became faulty or recovered. */
export function setsPace({ kind, before, after }: Change): boolean {
  if (kind !== 'Cluster') return false;
  return !before || !after || isFaulty(before) !== isFaulty(after);
}

/** The pace that was last reported. */
type ReportedPace = Pick<EvictionPace, 'mode' | 'rate'>;

/** The only key: the pace is the same for all clusters. */
const ALL = 'all clusters';

/**
 * Reports when the eviction queue of the design optimize-cluster-failover changes its pace. The queue itself reads the
 * pace before each turn.
 */
export const evictionPaceReporter: Controller<ReportedPace> = {
  wakes: { Cluster: (change) => (setsPace(change) ? [{ key: ALL }] : []) },
  resumes: () => [{ key: ALL }],
  reconcile: report,
};

function report({
  view,
  memory,
  configuration,
  evidence,
}: ReconcileRequest<ReportedPace>): Step<ReportedPace> {
  const pace = paceIn(view, configuration);
  const { mode, rate } = pace;
  const before = memory ?? {
    mode: 'normal',
    rate: configuration.controllerManager['resource-eviction-rate'],
  };
  if (before.mode === mode && before.rate === rate) return { memory: { mode, rate } };
  evidence?.push(paceEvidence(pace));
  return { memory: { mode, rate }, notes: [{ type: 'EvictionPace', pace }] };
}
