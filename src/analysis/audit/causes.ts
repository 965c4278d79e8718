import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { ClusterSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import type { FilterPlugin } from '../../karmada/scheduling/filters/filter.ts';
import type { AttemptTrace, ClusterTrace } from '../../karmada/scheduling/trace.ts';
import type { WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import { hypotheticalDecision } from '../explanation/schedulingDecision.ts';
import type { Trouble } from './trouble.ts';

/**
 * Why a workload is in trouble after a contingency:
 * - `no-other-cluster`: its placement allows none of the remaining ones
 * - `others-rejected`: another filter rejects the clusters that its placement allows, for example for their taints
 * - `spread-constraint`: too few groups of clusters are left for it
 * - `no-room`: the remaining clusters lack capacity for it
 * - `not-replaced`: it should be on every matching cluster, so nothing replaces a copy
 * - `tolerates`: it tolerates the taint, so nothing evicts it
 * - `not-evicted`: nothing evicts it
 * - `flaps`: it is evicted again and again
 * - `stateful`: its volumes stay on the old cluster
 * - `other`: see the outcome's reason
 */
type CauseCode =
  | 'no-other-cluster'
  | 'others-rejected'
  | 'spread-constraint'
  | 'no-room'
  | 'not-replaced'
  | 'tolerates'
  | 'not-evicted'
  | 'flaps'
  | 'stateful'
  | 'other';

export interface Cause {
  code: CauseCode;
  /** the deciding field, with its value: "minGroups 2 by region"; workloads with the same detail are grouped */
  detail?: string;
}

/**
 * The cause of a trouble, by the scheduler's own rules on the remaining clusters.
 *
 * @param left the clusters without those that fail
 * @param now epoch milliseconds
 */
export function causeOf(
  trouble: Trouble,
  outcome: Pick<WorkloadOutcome, 'outcome' | 'flapping' | 'reason'>,
  binding: ResourceBinding,
  left: ClusterSnapshot,
  now: number,
): Cause {
  if (trouble === 'without-state') return { code: 'stateful' };
  if (outcome.outcome === 'flaps')
    return { code: 'flaps', ...(outcome.flapping && { detail: outcome.flapping.cause }) };
  if (outcome.outcome === 'tolerates') return { code: 'tolerates', ...detailOf(toleratedTaint(outcome)) };
  if (outcome.outcome === 'stays') return { code: 'not-evicted' };
  const spec = { ...binding.spec };
  spec.clusters = binding.spec.clusters?.filter(({ name }) => left.index.has(name)) ?? [];
  const { groups, failure } = hypotheticalDecision({ binding: { ...binding, spec }, snapshot: left }, now);
  const cause = schedulingCause(groups);
  if (failure && cause) return cause;
  if (outcome.outcome === 'partly-moves') return { code: 'not-replaced' };
  return { code: 'other', ...detailOf(outcome.reason) };
}

/** "cluster.karmada.io/not-ready" from "tolerates cluster.karmada.io/not-ready on frankfurt forever" */
function toleratedTaint({ reason = '' }: Pick<WorkloadOutcome, 'reason'>): string | undefined {
  return /^tolerates (\S+) on /.exec(reason)?.[1];
}

function detailOf(detail: string | undefined): Pick<Cause, 'detail'> {
  return detail === undefined ? {} : { detail };
}

/** Why the scheduler cannot be scheduled: the first stage without a result, in the attempt that got furthest. */
function schedulingCause(groups: readonly AttemptTrace[]): Cause | undefined {
  const causes = groups.map(causeOfAttempt);
  const furthest = ['no-room', 'spread-constraint', 'others-rejected', 'no-other-cluster'] as const;
  for (const code of furthest) {
    const found = causes.find((cause) => cause.code === code);
    if (found) return found;
  }
  return undefined;
}

function causeOfAttempt({ clusters, spread }: AttemptTrace): Cause {
  const allowed = clusters.filter(({ deleting, filters }) => !deleting && passes(filters, 'ClusterAffinity'));
  if (allowed.length === 0) return { code: 'no-other-cluster' };
  if (!allowed.some(({ fits }) => fits))
    return { code: 'others-rejected', ...detailOf(commonest(allowed.flatMap(rejecting))) };
  if (spread?.error === undefined) return { code: 'no-room' };
  const short = spread.constraints.find(({ groups, minGroups }) => groups < minGroups);
  return {
    code: 'spread-constraint',
    ...(short && { detail: `minGroups ${short.minGroups} by ${short.field}` }),
  };
}

function passes(filters: ClusterTrace['filters'], plugin: FilterPlugin): boolean {
  return filters.every((filter) => filter.plugin !== plugin || filter.reason === undefined);
}

function rejecting({ filters }: ClusterTrace): FilterPlugin[] {
  return filters.filter(({ reason }) => reason !== undefined).map(({ plugin }) => plugin);
}

function commonest(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0];
}
