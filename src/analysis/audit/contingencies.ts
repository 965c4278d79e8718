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
  /** sorted by name */
  clusters: readonly string[];
}

/** The result of one contingency. Workloads already in trouble count only if it gets worse. */
export interface AuditedContingency extends Contingency {
  /** its clusters are all down already, and stay down */
  down?: true;
  /**
   * combined from single failures: workloads affected by only one of the two clusters keep the outcome of its failure,
   * and only the rest was simulated; absent: fully simulated
   */
  combined?: true;
  /** workloads on its clusters */
  workloads: number;
  /** how many of them have each outcome */
  outcomes: Partial<Record<Outcome, number>>;
  /** how many of them get into each kind of trouble */
  troubles: Partial<Record<Trouble, number>>;
  uncertain: number;
  cost: CostOfLoss;
}

/** What happens to a cluster in a contingency: it fails, or gets the audited taint. */
export function actionOn(cluster: string, taint: ContingencyTaint | undefined): ScenarioAction {
  return taint ? { type: 'taint', cluster, taint } : { type: 'fail', cluster };
}

export type ContingencyTaint = (ScenarioAction & { type: 'taint' })['taint'];

/** The kinds of contingencies that are audited by default. */
export const USUAL_CONTINGENCIES = ['cluster', 'provider', 'region', 'zone'] as const;

export type UsualContingency = (typeof USUAL_CONTINGENCIES)[number];

interface ContingencyOptions {
  /** restricts the default kinds to these; absent: all */
  only?: readonly UsualContingency[] | undefined;
  /** labels of Clusters: clusters with the same value also fail together */
  groupBy?: readonly string[];
  /** also every pair of clusters */
  pairs?: boolean;
}

/**
 * The contingencies of a fleet: each cluster; all clusters of each provider, region and zone, or only the requested
 * kinds; those with each value of the labels; each pair. Of contingencies with the same clusters, only the first is
 * kept.
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
