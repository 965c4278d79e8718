import type { SchedulingDecision } from '../../engine/explanation/schedulingDecision.ts';
import { isUnlimited } from '../../engine/explanation/whyCluster.ts';
import type { WorkloadExplanation } from '../../engine/explanation/workloadExplanation.ts';
import type {
  AttemptTrace,
  ClusterTrace,
  DivisionTrace,
  SpreadTrace,
} from '../../engine/scheduling/trace.ts';
import type { Evidence } from '../../engine/evidence.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import type { TextOptions } from '../answer.ts';
import { listed } from '../listed.ts';
import { placementText } from '../placement.ts';
import type { Style } from '../style.ts';
import { columns, table } from '../table.ts';
import { offsetText } from '../timelineEvent.ts';

/** The clusters against the filters, then how the choice among them was made. */
export function decisionText(
  { decision, present }: WorkloadExplanation,
  now: number,
  options: TextOptions,
): string {
  const { style, wide, noHeaders } = options;
  const { groups } = decision;
  const hasReplicas = present.replicas !== null;
  const shown = wide ? groups : groups.slice(-1);
  const matrices = shown.map((group) => {
    const title = group.affinityName !== undefined && wide ? `  affinity group ${group.affinityName}\n` : '';
    return `${noHeaders ? '' : title}${matrix(group, decision, hasReplicas, options)}`;
  });
  if (noHeaders) return matrices.join('\n');
  const steps = columns(
    [
      ...groupLines(decision, style),
      ...groups.slice(-1).flatMap((group) => stepLines(group, decision, style)),
      ...(decision.dividedAnew
        ? [['rebalance', `divided anew it would be ${placementText(decision.dividedAnew)}`]]
        : []),
    ],
    2,
  );
  const parts = [style.strong(titleOf(decision, now)), ...matrices, steps];
  return parts.filter((part) => part !== '').join('\n');
}

function titleOf({ time, hypothetical, trigger, groups }: SchedulingDecision, now: number): string {
  if (groups.length === 0) return 'The scheduler has no placement to go by.';
  if (hypothetical) return 'The clusters as the scheduler would see them now (nothing makes it look):';
  return `The clusters as the scheduler sees them at ${offsetText(time, now)} (${trigger}):`;
}

const FILTERS: [string, string][] = [
  ['APIEnablement', 'API'],
  ['ClusterAffinity', 'AFFINITY'],
  ['ClusterEviction', 'EVICTION'],
  ['SpreadConstraint', 'SPREAD'],
  ['TaintToleration', 'TAINTS'],
];

/** Rows of a matrix that is not asked for in full. */
const MOST_ROWS = 25;

function matrix(
  group: AttemptTrace,
  decision: SchedulingDecision,
  hasReplicas: boolean,
  options: TextOptions,
): string {
  const { wide, noHeaders, style } = options;
  const shown = wide || noHeaders ? group.clusters : mostTelling(group.clusters, decision);
  const rows = shown.map((cluster) => [
    cluster.name,
    ...FILTERS.map(([plugin]) => filterCell(cluster, plugin, options)),
    ...(hasReplicas ? [roomText(cluster)] : []),
    ...(wide
      ? [cluster.rank === undefined ? '' : String(cluster.rank + 1), String(cluster.score ?? '')]
      : []),
    resultCell(cluster, group, decision, hasReplicas),
  ]);
  const headers = [
    'CLUSTER',
    ...FILTERS.map(([, name]) => name),
    ...(hasReplicas ? ['ROOM'] : []),
    ...(wide ? ['RANK', 'SCORE'] : []),
    hasReplicas ? 'REPLICAS' : 'COPY',
  ];
  const lines = table(headers, rows, { noHeaders, indent: noHeaders ? 0 : 2 });
  const hidden = group.clusters.length - shown.length;
  return hidden > 0 ? `${lines}\n  ${style.faint(`and ${hidden} more; see -o wide`)}` : lines;
}

/** Those that matter, in the fixed order: placed or left ones, those that pass by rank, then those that fail least. */
function mostTelling(clusters: ClusterTrace[], { before, result = [] }: SchedulingDecision): ClusterTrace[] {
  if (clusters.length <= MOST_ROWS) return clusters;
  const placed = new Set([...before, ...result].map(({ name }) => name));
  const weight = ({ name, rank, filters }: ClusterTrace) => {
    const rejecting = filters.filter(({ reason }) => reason !== undefined);
    if (placed.has(name) || rejecting.some(({ plugin }) => plugin === 'ClusterEviction')) return 0;
    return rank === undefined ? clusters.length + rejecting.length : 1 + rank;
  };
  const room = ({ allocatableReplicas = 0 }: ClusterTrace) => allocatableReplicas;
  const byWeight = clusters.toSorted((a, b) => weight(a) - weight(b) || room(b) - room(a));
  const chosen = new Set(byWeight.slice(0, MOST_ROWS));
  return clusters.filter((cluster) => chosen.has(cluster));
}

function filterCell(cluster: ClusterTrace, plugin: string, { style, wide }: TextOptions): string {
  if (cluster.deleting) return plugin === 'APIEnablement' ? style.bad('being deleted') : '';
  const seen = cluster.filters.find((one) => one.plugin === plugin);
  if (!seen || seen.reason === undefined) return style.good('✓');
  const evidence = seen.evidence ?? [];
  if (evidence.length === 0) return style.bad(seen.reason);
  if (!wide && plugin === 'TaintToleration') return style.bad(`✗ ${briefTaints(evidence)}`);
  return style.bad(
    evidence
      .map(({ rule, field = '', value }) => (wide ? rule : brief(plugin, rule, field, value)))
      .join(', '),
  );
}

/** As short as a cell can say it. */
function brief(plugin: string, rule: string, field: string, value: unknown): string {
  switch (plugin) {
    case 'APIEnablement':
      return 'not served';
    case 'ClusterAffinity':
      return `✗ ${/(clusterNames|exclude|labelSelector|fieldSelector)/.exec(field)?.[1] ?? rule}`;
    case 'ClusterEviction':
      return '✗ being left';
    case 'SpreadConstraint':
      return `✗ no ${String(value)}`;
    default:
      return `✗ ${rule}`;
  }
}

/** Taints without Karmada's domain, those of one key together: "not-ready:NoSchedule,NoExecute". */
function briefTaints(evidence: Evidence[]): string {
  const effects = new Map<string, string[]>();
  for (const { value } of evidence) {
    const { key, value: own, effect } = value as Taint;
    const name = `${key.replace(/^cluster\.karmada\.io\//, '')}${own ? `=${own}` : ''}`;
    effects.set(name, [...(effects.get(name) ?? []), effect]);
  }
  return [...effects].map(([name, all]) => `${name}:${all.join(',')}`).join(' ');
}

function roomText({ deleting, availableReplicas, allocatableReplicas }: ClusterTrace): string {
  if (deleting || allocatableReplicas === undefined) return '';
  return isUnlimited(allocatableReplicas) ? 'no limit' : String(availableReplicas);
}

function resultCell(
  { name, fits, selected }: ClusterTrace,
  group: AttemptTrace,
  { before, result }: SchedulingDecision,
  hasReplicas: boolean,
): string {
  const had = before.find((target) => target.name === name);
  const gets = result?.find((target) => target.name === name);
  if (result === undefined) return had ? replicasText(had, hasReplicas) : '';
  if (!had && !gets) return fits && !selected && !group.error ? 'not chosen' : '';
  const [old, now] = [replicasText(had, hasReplicas), replicasText(gets, hasReplicas)];
  return old === now ? now : `${old} → ${now}`;
}

function replicasText(target: TargetCluster | undefined, hasReplicas: boolean): string {
  if (!hasReplicas) return target ? 'yes' : 'no';
  return String(target?.replicas ?? 0);
}

function groupLines({ groups, untried }: SchedulingDecision, style: Style): string[][] {
  const named = groups.flatMap(({ affinityName, error }) =>
    affinityName === undefined ? [] : [[affinityName, error === undefined ? style.good('chosen') : error]],
  );
  const others = (before: boolean) =>
    untried.flatMap(({ affinityName, earlier, why }) =>
      earlier === before ? [[affinityName, `not tried: ${why}`]] : [],
    );
  const lines = [...others(true), ...named, ...others(false)];
  return lines.map(([name, text], index) => [index === 0 ? 'groups' : '', `${name}: ${text}`]);
}

function stepLines(group: AttemptTrace, decision: SchedulingDecision, style: Style): string[][] {
  const { spread, divisions = [], error, clusters } = group;
  const fitting = clusters.filter(({ fits }) => fits);
  const lines = [['filters', `${fitting.length} of ${clusters.length} clusters pass`]];
  if (spread) lines.push(['spread', spreadText(spread, clusters, style)]);
  for (const [index, division] of divisions.entries())
    lines.push([index === 0 ? 'division' : '', divisionText(division, group, decision)]);
  if (error !== undefined && group.affinityName === undefined) lines.push(['result', style.bad(error)]);
  return lines;
}

function spreadText(spread: SpreadTrace, clusters: ClusterTrace[], style: Style): string {
  const { rule, constraints, regions = [], error } = spread;
  const asked = constraints
    .map(
      ({ field, minGroups, maxGroups, groups }) =>
        `${field} ${minGroups}..${maxGroups || '∞'} (of ${groups})`,
    )
    .join(', ');
  if (rule === 'all')
    return asked
      ? `${asked}: ignored, static weights take every cluster that passes`
      : 'no constraints, all of them are taken';
  if (error !== undefined) return `${asked}: ${style.bad(error)}`;
  const chosen = clusters.filter(({ selected }) => selected).map(({ name }) => name);
  const byRegion = regions.map(
    ({ name, score, chosen: taken }) => `${taken ? '' : 'not '}${name} (score ${score})`,
  );
  return `${asked}: ${byRegion.length > 0 ? `${byRegion.join(', ')}; ` : ''}${listed(chosen)} chosen`;
}

function divisionText(
  division: DivisionTrace,
  { result }: AttemptTrace,
  { strategy }: SchedulingDecision,
): string {
  const { mode, replicas, weights, kept } = division;
  const stays = kept.length > 0 ? `keeps ${placementText(kept)}` : '';
  const gives = result ? placementText(result) : '';
  const by = listed(weights.map(({ name, weight }) => `${name} ${weight}`));
  switch (mode) {
    case 'every cluster gets all':
      return `Duplicated, each gets ${replicas}`;
    case 'unchanged':
      return `${stays}: as many replicas as wanted`;
    default: {
      const what = `${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`;
      const weighed = strategy === 'StaticWeight' ? `by weight ${by}` : `by room ${by || 'nowhere'}`;
      return [[stays, `${what} ${weighed}`].filter((text) => text !== '').join('; '), gives]
        .filter((text) => text !== '')
        .join(' → ');
    }
  }
}
