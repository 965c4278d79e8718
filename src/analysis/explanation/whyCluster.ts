import type { Evidence } from '../../karmada/evidence.ts';
import { MAX_INT32 } from '../../karmada/scheduling/capacity/replicaEstimate.ts';
import type { AttemptTrace, ClusterTrace, DivisionTrace } from '../../karmada/scheduling/trace.ts';
import { rejections, type SchedulingDecision } from './schedulingDecision.ts';

/** The steps of a scheduling attempt, in their order. */
type SchedulingStep = 'filters' | 'ranking' | 'spread' | 'division';

export interface ClusterReason {
  step: SchedulingStep;
  speaks: 'for' | 'against';
  /** the filter, for reasons of the filter step */
  plugin?: string;
  text: string;
  evidence: Evidence[];
}

export interface WhyCluster {
  cluster: string;
  /** `placed`: it has or gets the workload; others name the step that rejects it */
  answer: 'placed' | 'rejected' | 'not-chosen' | 'no-replicas';
  /** replicas before and after the decision; absent if it has none */
  before?: number;
  after?: number;
  /** for each affinity group tried */
  groups: { affinityName?: string; reasons: ClusterReason[] }[];
}

/**
 * Every reason for and against a cluster in a decision: runs all filters instead of stopping at the first rejection.
 */
export function whyCluster(decision: SchedulingDecision, cluster: string): WhyCluster {
  const had = decision.before.find(({ name }) => name === cluster);
  const gets = decision.result?.find(({ name }) => name === cluster);
  const seen = decision.groups.at(-1)?.clusters.find(({ name }) => name === cluster);
  return {
    cluster,
    answer: gets ? 'placed' : !seen?.fits ? 'rejected' : seen.selected ? 'no-replicas' : 'not-chosen',
    ...(had ? { before: had.replicas ?? 0 } : {}),
    ...(gets ? { after: gets.replicas ?? 0 } : {}),
    groups: decision.groups.map((group) => ({
      ...(group.affinityName === undefined ? {} : { affinityName: group.affinityName }),
      reasons: reasonsOf(group, cluster, decision),
    })),
  };
}

function reasonsOf(group: AttemptTrace, name: string, decision: SchedulingDecision): ClusterReason[] {
  const seen = group.clusters.find((cluster) => cluster.name === name);
  if (!seen) return [];
  if (seen.deleting)
    return [
      {
        step: 'filters',
        speaks: 'against',
        text: 'is being deleted',
        evidence: [{ rule: 'clusters in deletion are skipped', field: 'metadata.deletionTimestamp' }],
      },
    ];
  return [
    ...filterReasons(group, seen),
    ...(seen.fits ? [rankReason(group, seen), ...spreadReason(group, seen)] : []),
    ...(seen.selected ? divisionReason(group, seen, decision) : []),
  ];
}

function filterReasons(group: AttemptTrace, { name, filters }: ClusterTrace): ClusterReason[] {
  const rejecting = new Map(rejections(group, name).map(({ plugin, evidence }) => [plugin, evidence]));
  return filters.flatMap(({ plugin }): ClusterReason[] => {
    const against = rejecting.get(plugin);
    if (!against) return [{ step: 'filters', speaks: 'for', plugin, text: 'passes', evidence: [] }];
    return against.map((evidence) => ({
      step: 'filters',
      speaks: 'against',
      plugin,
      text: evidence.rule,
      evidence: [evidence],
    }));
  });
}

function rankReason(group: AttemptTrace, seen: ClusterTrace): ClusterReason {
  const { rank = 0, score = 0, availableReplicas = 0, allocatableReplicas = 0 } = seen;
  const fitting = group.clusters.filter(({ fits }) => fits).length;
  const local = score > 0 ? 'already has the workload (score 100)' : 'does not have it yet (score 0)';
  const capacity = isUnlimited(allocatableReplicas) ? 'no limit' : `capacity for ${availableReplicas}`;
  return {
    step: 'ranking',
    speaks: 'for',
    text: `rank ${rank + 1} of ${fitting}: ${local}, ${capacity}`,
    evidence: [{ rule: 'score, then capacity, then name', value: { score, availableReplicas } }],
  };
}

/** Whether the estimator reports no limit of replicas. */
export function isUnlimited(replicas: number): boolean {
  return replicas === MAX_INT32;
}

function spreadReason(group: AttemptTrace, seen: ClusterTrace): ClusterReason[] {
  const { spread } = group;
  if (!spread || spread.rule === 'all') return [];
  const evidence: Evidence[] = [
    { rule: 'spread constraints', field: 'spec.placement.spreadConstraints', value: spread.constraints },
  ];
  const reason = (speaks: 'for' | 'against', text: string): ClusterReason[] => [
    { step: 'spread', speaks, text, evidence },
  ];
  if (spread.error !== undefined) return reason('against', `nothing is chosen: ${spread.error}`);
  if (seen.selected) return reason('for', 'chosen');
  const limit = spread.constraints.find(({ field }) => field === 'cluster')?.maxGroups;
  if (spread.rule === 'cluster')
    return reason(
      'against',
      `not chosen: at most ${limit} clusters, and others rank before it or have more capacity`,
    );
  const region = spread.regions?.find(({ chosen, name }) => !chosen && name === seen.region);
  if (!region) return reason('against', `not chosen: at most ${limit} clusters, and others rank before it`);
  const chosen = (spread.regions ?? []).filter((one) => one.chosen);
  const others = chosen.map(({ name, score }) => `${name} (score ${score})`).join(', ');
  return reason('against', `its region ${region.name} (score ${region.score}) is not chosen, but ${others}`);
}

function divisionReason(
  group: AttemptTrace,
  { name }: ClusterTrace,
  { strategy }: SchedulingDecision,
): ClusterReason[] {
  const divisions = group.divisions ?? [];
  if (divisions.length === 0) return [];
  const evidence = divisions.map(({ mode, replicas, weights }): Evidence => ({
    rule: `${mode}: ${replicas} replicas`,
    value: Object.fromEntries(weights.map((one) => [one.name, one.weight])),
  }));
  if (group.error !== undefined)
    return [{ step: 'division', speaks: 'against', text: `nothing is divided: ${group.error}`, evidence }];
  const gets = group.result?.find((target) => target.name === name);
  if (gets)
    return [
      {
        step: 'division',
        speaks: 'for',
        text: `gets ${gets.replicas ?? 0}`,
        evidence,
      },
    ];
  const division =
    divisions.find(({ weights }) => weights.some((one) => one.name === name)) ?? divisions.at(-1)!;
  return [
    {
      step: 'division',
      speaks: 'against',
      text: `gets 0: ${whyNothing(division, name, strategy)}`,
      evidence,
    },
  ];
}

/** Why the division gives a chosen cluster nothing. */
function whyNothing(division: DivisionTrace, name: string, strategy: SchedulingDecision['strategy']): string {
  const { mode, replicas, weights } = division;
  const own = weights.find((one) => one.name === name)?.weight;
  if (mode === 'unchanged') return 'the number of replicas already matches, and they keep their clusters';
  if (mode === 'scale down') return 'fewer replicas are wanted, and it has none';
  if (strategy === 'StaticWeight' && own === undefined) return 'staticWeightList has no weight for it';
  if (own === undefined) return `${replicas} replicas fit on the clusters before it, which are taken first`;
  if (own === 0) return 'it has no capacity';
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  return `its weight of ${own} in ${total} is too small for a share of ${replicas}`;
}
