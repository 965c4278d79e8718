import type { Evidence } from '../../karmada/evidence.ts';
import type { SchedulingDecision } from '../../analysis/explanation/schedulingDecision.ts';
import { isUnlimited } from '../../analysis/explanation/whyCluster.ts';
import type { FilterPlugin } from '../../karmada/scheduling/filters/filter.ts';
import type { AttemptTrace, ClusterTrace } from '../../karmada/scheduling/trace.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { bad, faint, good } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';

/** The columns of the filters, in their order; "if asked": a version or a gate has it. */
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

/** How many rows a matrix shows if it is not asked for in full. */
const MOST_ROWS = 25;

/** The clusters against the filters, in fixed orders, with what each gets. */
export function matrixBlocks(
  group: AttemptTrace,
  decision: SchedulingDecision,
  hasReplicas: boolean,
  { wide, noHeaders }: Shown,
): Block[] {
  const shown = wide || noHeaders ? group.clusters : mostTelling(group.clusters, decision);
  const columns = Object.entries(COLUMNS)
    .filter(([plugin, { shown: when }]) => when === undefined || isAsked(group, plugin))
    .map(([plugin, { name }]) => [plugin, name] as const);
  const rows = shown.map((cluster) => [
    cluster.name,
    ...columns.map(([plugin]) => filterCell(cluster, plugin, wide)),
    ...(hasReplicas ? [roomText(cluster)] : []),
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
      ...(hasReplicas ? [{ name: 'ROOM' }] : []),
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
      { drop: ['ROOM'] },
    ],
  };
  const hidden = group.clusters.length - shown.length;
  if (hidden === 0) return [table];
  return [table, { type: 'paragraph', words: faint(`and ${hidden} more; see -o wide`) }];
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

function filterCell(cluster: ClusterTrace, plugin: string, wide: boolean): Words {
  if (cluster.deleting) return plugin === 'APIEnablement' ? bad('being deleted') : '';
  const seen = cluster.filters.find((one) => one.plugin === plugin);
  if (!seen || seen.reason === undefined) return good('✓');
  const { reason, evidence = [] } = seen;
  if (evidence.length === 0) return bad(`✗ ${reason}`);
  const against = wide ? evidence.map(({ rule }) => rule) : brief(plugin, evidence);
  return bad(`✗ ${against.join(', ')}`);
}

/** The reason, short enough for a cell: the field that rejects the cluster, or the taints. */
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
      return ['being left'];
    case 'SpreadConstraint':
      return evidence.map(({ value }) => `no ${String(value)}`);
    case 'WorkloadAffinity':
    case 'WorkloadAntiAffinity':
      return evidence.map(({ object }) => object?.name ?? '');
    default:
      return briefTaints(evidence);
  }
}

/** Taints without Karmada's domain, those of one key together: "not-ready:NoSchedule,NoExecute". */
function briefTaints(evidence: Evidence[]): string[] {
  const effects = new Map<string, string[]>();
  for (const { value } of evidence) {
    const { key, value: own, effect } = value as Taint;
    const name = `${key.replace(/^cluster\.karmada\.io\//, '')}${own ? `=${own}` : ''}`;
    effects.set(name, [...(effects.get(name) ?? []), effect]);
  }
  return [...effects].map(([name, all]) => `${name}:${all.join(',')}`);
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
  // a group in which the scheduler found no place gives nothing: another one may have
  if (result === undefined || group.error !== undefined) return had ? replicasText(had, hasReplicas) : '';
  if (!had && !gets) return fits && !selected ? 'not chosen' : '';
  const [old, now] = [replicasText(had, hasReplicas), replicasText(gets, hasReplicas)];
  return old === now ? now : `${old} → ${now}`;
}

function replicasText(target: TargetCluster | undefined, hasReplicas: boolean): string {
  if (!hasReplicas) return target ? 'yes' : 'no';
  return String(target?.replicas ?? 0);
}
