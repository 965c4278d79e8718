import type { SchedulingDecision } from '../../analysis/explanation/schedulingDecision.ts';
import { type ClusterReason, type WhyCluster, isUnlimited } from '../../analysis/explanation/whyCluster.ts';
import type { WorkloadExplanation } from '../../analysis/explanation/workloadExplanation.ts';
import type {
  AttemptTrace,
  ClusterTrace,
  DivisionTrace,
  SpreadTrace,
} from '../../karmada/scheduling/trace.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, asStrong, asWarning } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { listed, plural } from '../words/amounts.ts';
import { evidenceWords } from '../words/evidence.ts';
import { placementText } from '../words/names.ts';
import { offsetText } from '../words/timelineEvent.ts';
import type { Evidence } from '../../karmada/evidence.ts';
import type { FilterPlugin } from '../../karmada/scheduling/filters/filter.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';

/** The clusters and the filters, then how the choice among them was made. */
export function decisionBlocks(
  { decision, present }: WorkloadExplanation,
  now: number,
  shown: Shown,
): Block[] {
  const { wide, noHeaders } = shown;
  const { groups } = decision;
  const hasReplicas = present.replicas !== null;
  const matrices = (wide ? groups : groups.slice(-1)).flatMap((group): Block[] => [
    ...(group.affinityName !== undefined && wide && !noHeaders
      ? [{ type: 'paragraph' as const, words: `affinity group ${group.affinityName}` }]
      : []),
    ...matrixBlocks(group, decision, hasReplicas, shown),
  ]);
  if (noHeaders) return [{ type: 'section', blocks: matrices }];
  const entries: [Words, Words][] = [
    ...groupEntries(decision),
    ...groups.slice(-1).flatMap((group) => stepEntries(group, decision)),
    ...drawnEntries(decision),
  ];
  if (decision.dividedAnew)
    entries.push(['rebalance', `divided again it would be ${placementText(decision.dividedAnew)}`]);
  return [
    {
      type: 'section',
      title: asStrong(titleOf(decision, now)),
      blocks: [
        ...matrices,
        { type: 'section', detail: 'how the scheduler chose', blocks: [{ type: 'keyValues', entries }] },
      ],
    },
  ];
}

function titleOf({ time, hypothetical, trigger, groups }: SchedulingDecision, now: number): string {
  if (groups.length === 0) return 'The scheduler has no placement to apply.';
  if (hypothetical) return 'Clusters as the scheduler would see them now (no reschedule is pending):';
  const group = groups.at(-1)?.affinityName;
  const tried = group === undefined ? '' : `, affinity group ${group}`;
  return `Clusters as the scheduler sees them at ${offsetText(time, now)} (${trigger}${tried}):`;
}

function groupEntries({ groups, untried }: SchedulingDecision): [Words, Words][] {
  const named = groups.flatMap(({ affinityName, error }): [string, Words][] =>
    affinityName === undefined ? [] : [[affinityName, error === undefined ? asGood('chosen') : error]],
  );
  const others = (before: boolean) =>
    untried.flatMap(({ affinityName, earlier, why }): [string, Words][] =>
      earlier === before ? [[affinityName, `not tried: ${why}`]] : [],
    );
  const lines = [...others(true), ...named, ...others(false)];
  return lines.map(([name, text], index) => [index === 0 ? 'groups' : '', [`${name}: `, text]]);
}

function stepEntries(group: AttemptTrace, decision: SchedulingDecision): [Words, Words][] {
  const { spread, divisions = [], error, clusters } = group;
  const fitting = clusters.filter(({ fits }) => fits);
  const lines: [Words, Words][] = [['filters', `${fitting.length} of ${clusters.length} clusters pass`]];
  if (spread) lines.push(['spread', spreadWords(spread, clusters)]);
  for (const [index, division] of divisions.entries())
    lines.push([index === 0 ? 'division' : '', divisionText(division, group, decision)]);
  if (error !== undefined && group.affinityName === undefined) lines.push(['result', asBad(error)]);
  return lines;
}

/** Before Karmada v1.16, the remainder of a division goes to random clusters of equal weight. */
function drawnEntries({ drawn }: SchedulingDecision): [Words, Words][] {
  if (!drawn) return [];
  const [, ...others] = drawn.among;
  const lines = others.map((placement) => `or ${placementText(placement)}`);
  return [...lines, ...(drawn.complete ? [] : ['or another'])].map((text, index) => [
    index === 0 ? 'at random' : '',
    text,
  ]);
}

function spreadWords(spread: SpreadTrace, clusters: ClusterTrace[]): Words {
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
  if (error !== undefined) return [`${asked}: `, asBad(error)];
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
      const what = plural(replicas, 'replica');
      const weighed = strategy === 'StaticWeight' ? `by weight ${by}` : `by capacity ${by || 'nowhere'}`;
      return [[stays, `${what} ${weighed}`].filter((text) => text !== '').join('; '), gives]
        .filter((text) => text !== '')
        .join(' → ');
    }
  }
}

/**
 * Everything for and against one cluster.
 * @param hypothetical the scheduler has no reason to reschedule: this is what it would do
 */
export function whyClusterBlock(why: WhyCluster, hypothetical: boolean, shown: Shown): Block {
  const blocks = why.groups.map(({ affinityName, reasons }): Block => {
    const rowsOf = (speaks: ClusterReason['speaks']) =>
      reasons.filter((one) => one.speaks === speaks).flatMap((one) => reasonRows(one, shown));
    const rows = [...rowsOf('against'), ...passedFilters(reasons), ...rowsOf('for')];
    const title = affinityName === undefined ? undefined : `affinity group ${affinityName}`;
    return { type: 'section', title, blocks: [{ type: 'rows', rows }] };
  });
  return { type: 'section', title: asStrong(whyTitle(why, hypothetical)), blocks };
}

function whyTitle({ cluster, answer, before, after }: WhyCluster, hypothetical: boolean): string {
  if (answer !== 'placed') return `Why not ${cluster}? ${ANSWERS[answer]}.`;
  const what = after ? plural(after, 'replica') : 'its copy';
  if (after === before) return `Why ${cluster}? It keeps ${what}.`;
  return hypothetical
    ? `Why ${cluster}? It would have ${what} if it were rescheduled.`
    : `Why ${cluster}? It gets ${what}.`;
}

const ANSWERS: Record<Exclude<WhyCluster['answer'], 'placed'>, string> = {
  rejected: 'It does not pass the filters',
  'not-chosen': 'It passes the filters and is not chosen',
  'no-replicas': 'It is chosen and gets no replicas',
};

function passedFilters(reasons: ClusterReason[]): Words[][] {
  const passed = reasons.flatMap(({ plugin, speaks }) => (plugin && speaks === 'for' ? [plugin] : []));
  return passed.length === 0 ? [] : [[asGood('✓'), 'filters', `${passed.join(', ')} let it pass`]];
}

function reasonRows({ step, speaks, plugin, text, evidence }: ClusterReason, { wide }: Shown): Words[][] {
  if (plugin && speaks === 'for') return [];
  const mark = speaks === 'for' ? asGood('✓') : asBad('✗');
  const [first] = evidence;
  const where: Words = speaks === 'against' && first?.field ? [' ', asFaint(`[${first.field}]`)] : '';
  return [
    [mark, plugin ?? step, wide ? text : [text, where]],
    ...(wide ? evidence.map((one): Words[] => ['', '', ['  ', evidenceWords(one, undefined)]]) : []),
  ];
}

/** The columns of the filters, in order; "if asked": only some versions or gates have it. */
const COLUMNS: Record<FilterPlugin, { name: string; shown?: 'if asked' }> = {
  APIEnablement: { name: 'API' },
  ActiveEvictionHistory: { name: 'HISTORY', shown: 'if asked' },
  ClusterAffinity: { name: 'AFFINITY' },
  ClusterEviction: { name: 'EVICTION', shown: 'if asked' },
  SpreadConstraint: { name: 'SPREAD' },
  TaintToleration: { name: 'TAINTS' },
  WorkloadAffinity: { name: 'WITH', shown: 'if asked' },
  WorkloadAntiAffinity: { name: 'APART', shown: 'if asked' },
};

/** How many rows a matrix shows unless all are requested. */
const MAX_ROWS = 25;

/** The clusters and the filters, in fixed orders, with each cluster's result. */
export function matrixBlocks(
  group: AttemptTrace,
  decision: SchedulingDecision,
  hasReplicas: boolean,
  { wide, noHeaders }: Shown,
): Block[] {
  const shown = wide || noHeaders ? group.clusters : mostInformative(group.clusters, decision);
  const columns = Object.entries(COLUMNS)
    .filter(([plugin, { shown: when }]) => when === undefined || isAsked(group, plugin))
    .map(([plugin, { name }]) => [plugin, name] as const);
  // whole sets of components are counted, too
  const hasCapacity = hasReplicas || shown.some(isLimited);
  const rows = shown.map((cluster) => [
    cluster.name,
    ...columns.map(([plugin]) => filterCell(cluster, plugin, wide)),
    ...(hasCapacity ? [capacityText(cluster)] : []),
    ...(wide
      ? [cluster.rank === undefined ? '' : String(cluster.rank + 1), String(cluster.score ?? '')]
      : []),
    resultCell(cluster, group, decision, hasReplicas),
  ]);
  const result = hasReplicas ? 'REPLICAS' : 'COPY';
  const table: Block = {
    type: 'table',
    columns: [
      { name: 'CLUSTER' },
      ...columns.map(([, name]) => ({ name, wraps: 32 })),
      ...(hasCapacity ? [{ name: hasReplicas ? 'CAPACITY' : 'SETS FIT' }] : []),
      ...(wide ? [{ name: 'RANK' }, { name: 'SCORE' }] : []),
      { name: result },
    ],
    rows,
    // a filter that all clusters pass matters least
    narrowing: [
      ...columns.filter(([plugin]) => passesAll(shown, plugin)).map(([, name]) => ({ drop: [name] })),
      ...columns.map(([, name]) => ({ wrap: name, to: 14 })),
      { fold: { RANK: 'rank', SCORE: 'score' } },
      { cut: 'CLUSTER', to: 16 },
      { drop: [hasReplicas ? 'CAPACITY' : 'SETS FIT'] },
    ],
  };
  const hidden = group.clusters.length - shown.length;
  if (hidden === 0) return [table];
  return [table, { type: 'paragraph', words: asFaint(`and ${hidden} more; see -o wide`) }];
}

function isAsked({ clusters }: AttemptTrace, plugin: string): boolean {
  return clusters.some(({ filters }) => filters.some((one) => one.plugin === plugin));
}

function passesAll(clusters: ClusterTrace[], plugin: string): boolean {
  return clusters.every(({ deleting, filters }) => {
    const seen = filters.find((one) => one.plugin === plugin);
    return !deleting && seen?.reason === undefined;
  });
}

/**
 * The clusters that matter most: those that the workload gains or leaves, then those that pass, by rank, then those
 * that fail the fewest filters.
 */
function mostInformative(
  clusters: ClusterTrace[],
  { before, result = [] }: SchedulingDecision,
): ClusterTrace[] {
  if (clusters.length <= MAX_ROWS) return clusters;
  const placed = new Set([...before, ...result].map(({ name }) => name));
  const weight = ({ name, rank, filters }: ClusterTrace) => {
    const rejecting = filters.filter(({ reason }) => reason !== undefined);
    if (placed.has(name) || rejecting.some(({ plugin }) => plugin === 'ClusterEviction')) return 0;
    return rank === undefined ? clusters.length + rejecting.length : 1 + rank;
  };
  const capacity = ({ allocatableReplicas = 0 }: ClusterTrace) => allocatableReplicas;
  const byWeight = clusters.toSorted((a, b) => weight(a) - weight(b) || capacity(b) - capacity(a));
  const chosen = new Set(byWeight.slice(0, MAX_ROWS));
  return clusters.filter((cluster) => chosen.has(cluster));
}

function filterCell(cluster: ClusterTrace, plugin: string, wide: boolean): Words {
  if (cluster.deleting) return plugin === 'APIEnablement' ? asBad('being deleted') : '';
  const seen = cluster.filters.find((one) => one.plugin === plugin);
  if (seen?.spared !== undefined) return asWarning('not checked: runs there');
  if (!seen || seen.reason === undefined) return asGood('✓');
  const { reason, evidence = [] } = seen;
  if (evidence.length === 0) return asBad(`✗ ${reason}`);
  const against = wide ? evidence.map(({ rule }) => rule) : brief(plugin, evidence);
  return asBad(`✗ ${against.join(', ')}`);
}

/** The reason, short enough for a cell: the field that excludes the cluster, or the taints. */
function brief(plugin: string, evidence: Evidence[]): string[] {
  switch (plugin) {
    case 'APIEnablement':
      return ['not served'];
    case 'ClusterAffinity':
      return evidence.map(
        ({ rule, field = '' }) =>
          /(clusterNames|exclude|labelSelector|fieldSelector)/.exec(field)?.[1] ?? rule,
      );
    case 'ActiveEvictionHistory':
      return ['failed there'];
    case 'ClusterEviction':
      return ['evicting'];
    case 'SpreadConstraint':
      return evidence.map(({ value }) => `no ${String(value)}`);
    case 'WorkloadAffinity':
    case 'WorkloadAntiAffinity':
      return evidence.map(({ object }) => object?.name ?? '');
    default:
      return briefTaints(evidence);
  }
}

/** Taints without Karmada's prefix, grouped by key: "not-ready:NoSchedule,NoExecute". */
function briefTaints(evidence: Evidence[]): string[] {
  const effects = new Map<string, string[]>();
  for (const { value } of evidence) {
    const { key, value: own, effect } = value as Taint;
    const name = `${key.replace(/^cluster\.karmada\.io\//, '')}${own ? `=${own}` : ''}`;
    effects.set(name, [...(effects.get(name) ?? []), effect]);
  }
  return [...effects].map(([name, all]) => `${name}:${all.join(',')}`);
}

function isLimited({ deleting, allocatableReplicas }: ClusterTrace): boolean {
  return !deleting && allocatableReplicas !== undefined && !isUnlimited(allocatableReplicas);
}

function capacityText({ deleting, availableReplicas, allocatableReplicas }: ClusterTrace): string {
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
  // an affinity group without a place gives nothing: another group may give one
  if (result === undefined || group.error !== undefined) return had ? replicasText(had, hasReplicas) : '';
  if (!had && !gets) return fits && !selected ? 'not chosen' : '';
  const [old, now] = [replicasText(had, hasReplicas), replicasText(gets, hasReplicas)];
  return old === now ? now : `${old} → ${now}`;
}

function replicasText(target: TargetCluster | undefined, hasReplicas: boolean): string {
  if (!hasReplicas) return target ? 'yes' : 'no';
  return String(target?.replicas ?? 0);
}
