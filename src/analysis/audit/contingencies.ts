import type { Cluster } from '../../karmada/api/cluster.ts';
import { providerOf, regionOf, zonesOf } from '../../karmada/selection/clusterAffinity.ts';
import type { ScenarioAction } from '../../simulator/scenario.ts';
import type { Outcome } from '../../simulator/verdicts/outcome.ts';
import type { CostOfLoss } from '../forecast/costOfLoss.ts';
import type { Trouble } from './trouble.ts';
import { labelValue } from '../../kubernetes/labelSelector.ts';

/** Clusters that may fail at the same time. */
export interface Contingency {
  /** what they have in common: "frankfurt", "region eu", "rack=a", "frankfurt+dublin" */
  name: string;
  kind: 'cluster' | 'provider' | 'region' | 'zone' | 'label' | 'pair';
  /** in the order of their names */
  clusters: readonly string[];
}

/** What one contingency leads to. Workloads that are in trouble already count with what gets worse. */
export interface AuditedContingency extends Contingency {
  /**
   * what only one of its two clusters touches is known from that one's failure, and only the rest was simulated; absent: all was
   */
  combined?: true;
  /** workloads on its clusters */
  workloads: number;
  /** how many of them have each outcome */
  outcomes: Partial<Record<Outcome, number>>;
  /** how many of them get into each trouble */
  troubles: Partial<Record<Trouble, number>>;
  uncertain: number;
  cost: CostOfLoss;
}

/** What happens to a cluster of a contingency: it fails, or gets the taint that is audited instead. */
export function actionOn(cluster: string, taint: ContingencyTaint | undefined): ScenarioAction {
  return taint ? { type: 'taint', cluster, taint } : { type: 'fail', cluster };
}

export type ContingencyTaint = (ScenarioAction & { type: 'taint' })['taint'];

/** The kinds of contingencies that are audited unless only some of them are asked for. */
export const USUAL_CONTINGENCIES = ['cluster', 'provider', 'region', 'zone'] as const;

export type UsualContingency = (typeof USUAL_CONTINGENCIES)[number];

export interface ContingencyOptions {
  /** of the usual kinds only these; absent: all */
  only?: readonly UsualContingency[] | undefined;
  /** labels of Clusters by whose values they fail together, too */
  groupBy?: readonly string[];
  /** every two clusters, too */
  pairs?: boolean;
}

/**
 * The contingencies of a fleet: each cluster; all clusters of each provider, region and zone, unless only some of these are asked
 * for; all of each value of the labels; each pair. Of several with the same clusters the first one is kept.
 */
export function contingenciesOf(
  clusters: readonly Cluster[],
  { only = USUAL_CONTINGENCIES, groupBy = [], pairs = false }: ContingencyOptions = {},
): Contingency[] {
  const names = clusters.map(({ metadata }) => metadata.name).sort();
  const singles = names.map((name): Contingency => ({ name, kind: 'cluster', clusters: [name] }));
  const usual: Record<UsualContingency, () => Contingency[]> = {
    cluster: () => singles,
    provider: () => grouped(clusters, 'provider', (cluster) => [providerOf(cluster)]),
    region: () => grouped(clusters, 'region', (cluster) => [regionOf(cluster)]),
    zone: () => grouped(clusters, 'zone', zonesOf),
  };
  const groups: Contingency[] = [
    ...USUAL_CONTINGENCIES.flatMap((kind) => (only.includes(kind) ? usual[kind]() : [])),
    ...groupBy.flatMap((label) =>
      grouped(clusters, 'label', ({ metadata }) => [labelValue(metadata.labels, label)], `${label}=`),
    ),
  ];
  const couples = pairs
    ? names.flatMap((one, at) =>
        names.slice(at + 1).map((other): Contingency => ({
          name: `${one}+${other}`,
          kind: 'pair',
          clusters: [one, other],
        })),
      )
    : [];
  const seen = new Set<string>();
  return [...groups, ...couples].filter((one) => {
    const key = one.clusters.join('\n');
    return seen.has(key) ? false : seen.add(key);
  });
}

function grouped(
  clusters: readonly Cluster[],
  kind: Contingency['kind'],
  valuesOf: (cluster: Cluster) => readonly (string | undefined)[],
  prefix = `${kind} `,
): Contingency[] {
  const groups = new Map<string, string[]>();
  for (const cluster of clusters)
    for (const value of new Set(valuesOf(cluster)))
      if (value) groups.set(value, [...(groups.get(value) ?? []), cluster.metadata.name]);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, members]) => ({ name: `${prefix}${value}`, kind, clusters: members.sort() }));
}
