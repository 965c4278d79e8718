import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { formatQuantity } from '../../../kubernetes/quantity.ts';
import { parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import { readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import { formatTaint } from '../../../kubernetes/tolerations.ts';
import { readyIn } from '../../../karmada/status/copyReadiness.ts';

/** The inputs of Karmada's controllers for a workload, other than its spec. */
export type FactKind = 'ready' | 'taints' | 'room' | 'health' | 'stamp';

/** One fact of one cluster; equal facts have equal texts. */
interface DecidingFact {
  kind: FactKind;
  cluster: string;
  text: string;
}

/** A binding and the clusters at one instant, of a recording or of a simulation. */
export interface Moment {
  binding: ResourceBinding | undefined;
  clusters: Iterable<Cluster>;
}

/** The facts about a binding at an instant, by kind and cluster. */
export function decidingFacts({ binding, clusters }: Moment): Map<string, DecidingFact> {
  const facts = new Map<string, DecidingFact>();
  const put = (kind: FactKind, cluster: string, text: string) =>
    void facts.set(`${kind} ${cluster}`, { kind, cluster, text });
  for (const cluster of clusters) {
    const { name } = cluster.metadata;
    put('ready', name, `Ready=${readyCondition(cluster)?.status ?? 'Unknown'}`);
    put('taints', name, (cluster.spec?.taints ?? []).map(formatTaint).sort().join(' ') || 'no taints');
    put('room', name, capacityText(cluster, binding));
  }
  for (const { clusterName, health, status } of binding?.status?.aggregatedStatus ?? []) {
    const ready = readyIn(binding!.spec.resource, status);
    put('health', clusterName, `${health ?? 'no health'}${ready === undefined ? '' : `, ${ready} ready`}`);
  }
  for (const { fromCluster, creationTimestamp } of binding?.spec.gracefulEvictionTasks ?? [])
    put('stamp', fromCluster, creationTimestamp ?? 'no creationTimestamp yet');
  return facts;
}

/** The allocated amounts of the resources that a workload requests, and of pods. */
function capacityText({ status }: Cluster, binding: ResourceBinding | undefined): string {
  const { allocatable = {}, allocated = {} } = status?.resourceSummary ?? {};
  const names = ['pods', ...Object.keys(binding?.spec.replicaRequirements?.resourceRequest ?? {})];
  const known = names.filter((name) => allocatable[name] !== undefined);
  return known
    .map((name) => `${amountText(allocated[name] ?? 0)} of ${amountText(allocatable[name]!)} ${name}`)
    .join(', ');
}

/** The same text for equal amounts: a simulation counts 59 as 59000m. */
function amountText(amount: string | number): string {
  const { unscaled, exponent, precision, format } = parseQuantity(amount);
  return formatQuantity({ unscaled, exponent, precision, format });
}

/** The facts of these kinds that differ between two moments, in the order of the kinds. */
export function differingFacts(
  real: ReadonlyMap<string, DecidingFact>,
  ours: ReadonlyMap<string, DecidingFact>,
  kinds: readonly FactKind[],
): { kind: FactKind; cluster: string; recorded: string; predicted: string }[] {
  const keys = new Set([...real.keys(), ...ours.keys()]);
  return [...keys]
    .map((key) => ({
      one: real.get(key) ?? ours.get(key)!,
      recorded: real.get(key),
      predicted: ours.get(key),
    }))
    .filter(({ one, recorded, predicted }) => kinds.includes(one.kind) && recorded?.text !== predicted?.text)
    .map(({ one: { kind, cluster }, recorded, predicted }) => ({
      kind,
      cluster,
      recorded: recorded?.text ?? 'nothing',
      predicted: predicted?.text ?? 'nothing',
    }))
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}
