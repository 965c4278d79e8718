import type { ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { isStale } from '../../../karmada/objects/clusterReadiness.ts';
import { dividesReplicas } from '../../../karmada/objects/placement.ts';
import { hasRunToItsEnd } from '../../../karmada/status/copyReadiness.ts';
import type { ClustersByName } from './drainSituation.ts';

/** Why a binding is not evicted. */
export interface EvictionRefusal {
  verdict: 'stays' | 'blocked';
  reason: string;
  evidence: Evidence[];
}

/** The refusal of an eviction that nothing would fully replace. */
export function blocked(reason: string, field?: string, value?: unknown): EvictionRefusal {
  return {
    verdict: 'blocked',
    reason,
    evidence: [{ rule: reason, ...(field ? { field } : {}), ...(value === undefined ? {} : { value }) }],
  };
}

/** What the scheduler would do with a binding after an eviction. */
export interface SchedulerAnswer {
  binding: ResourceBinding;
  /** names of the clusters that it leaves */
  leave: readonly string[];
  /** where the scheduler would put it, and the same as replicas by cluster */
  to: readonly TargetCluster[];
  placed: ReadonlyMap<string, number>;
  /** replicas by cluster before */
  had: ReadonlyMap<string, number>;
  /** the targets that would get more than they have */
  gaining: readonly TargetCluster[];
  /** what it has on clusters that it does not leave */
  remaining: readonly TargetCluster[];
  /** all clusters by name */
  clusters: ClustersByName;
}

/** The scheduler's answer; `to` is where it would place the binding. */
export function schedulerAnswer(
  binding: ResourceBinding,
  leave: readonly string[],
  to: readonly TargetCluster[],
  clusters: ClustersByName,
): SchedulerAnswer {
  const before = binding.spec.clusters ?? [];
  const had = replicasBy(before);
  return {
    binding,
    leave,
    to,
    placed: replicasBy(to),
    had,
    gaining: to.filter(({ name, replicas = 0 }) => !had.has(name) || replicas > had.get(name)!),
    remaining: before.filter(({ name }) => !leave.includes(name)),
    clusters,
  };
}

/** Why not to evict with this answer; the first check that refuses decides. */
export function refusalOf(answer: SchedulerAnswer): EvictionRefusal | undefined {
  for (const check of checks) {
    const refusal = check(answer);
    if (refusal) return refusal;
  }
  return undefined;
}

type AnswerCheck = (answer: SchedulerAnswer) => EvictionRefusal | undefined;

const placedNowhere: AnswerCheck = ({ binding: { spec }, to }) => {
  if (to.length > 0) return undefined;
  return (spec.replicas ?? 0) === 0
    ? blocked('it has no replicas to place, so nothing would be left of it', 'spec.replicas', 0)
    : blocked('the scheduler would place it nowhere', 'spec.clusters');
};

const putBack: AnswerCheck = ({ leave, to }) => {
  const again = to.find(({ name }) => leave.includes(name));
  return again && blocked(`the scheduler would put it back on ${again.name}`, 'spec.placement');
};

const fewerReplicas: AnswerCheck = ({ binding: { spec }, had, placed }) => {
  const [before, after] = [sum(had), sum(placed)];
  if (!dividesReplicas(spec) || after >= before) return undefined;
  return blocked(`only ${after} of ${before} replicas would find a place`, 'spec.replicas', spec.replicas);
};

const runsAgain: AnswerCheck = ({ binding, leave, gaining }) => {
  const ended = gaining.length > 0 ? leave.find((name) => hasRunToItsEnd(binding, name)) : undefined;
  if (ended === undefined) return undefined;
  const reason = `it has run to its end on ${ended}: elsewhere it would run again`;
  return { verdict: 'stays', reason, evidence: [{ rule: reason, field: 'status.aggregatedStatus' }] };
};

const ontoUnready: AnswerCheck = ({ gaining, clusters }) => {
  const notReady = gaining.find(({ name }) => isStale(clusters.get(name)));
  return notReady && blocked(`it would go to ${notReady.name}, which is not Ready`, 'spec.clusters');
};

const leftOnUnready: AnswerCheck = ({ to, clusters }) =>
  to.every(({ name }) => isStale(clusters.get(name)))
    ? blocked(`it would be left only on ${namesOf(to)}, not Ready`, 'spec.clusters', to)
    : undefined;

const dispatchingSuspended: AnswerCheck = ({ binding: { spec }, gaining }) => {
  const suspended = spec.suspension?.dispatchingOnClusters?.clusterNames ?? [];
  const held = gaining.find(({ name }) => suspended.includes(name));
  if (!held) return undefined;
  const reason = `it would go to ${held.name}, where its dispatching is suspended`;
  return blocked(reason, 'spec.suspension.dispatchingOnClusters', suspended);
};

const takenAtOnce: AnswerCheck = ({ binding: { spec }, remaining, placed, to }) => {
  if (!dividesReplicas(spec)) return undefined;
  const shrunk = remaining.find(({ name, replicas = 0 }) => placed.has(name) && placed.get(name)! < replicas);
  if (!shrunk) return undefined;
  const taken = (shrunk.replicas ?? 0) - placed.get(shrunk.name)!;
  const some = taken === 1 ? 'a replica' : `${taken} replicas`;
  const reason = `the scheduler would take ${some} from ${shrunk.name} at once, before others are ready`;
  return blocked(reason, 'spec.clusters', to);
};

const checks: readonly AnswerCheck[] = [
  placedNowhere,
  putBack,
  fewerReplicas,
  runsAgain,
  ontoUnready,
  leftOnUnready,
  dispatchingSuspended,
  takenAtOnce,
];

/** "east-1, west-1" */
export function namesOf(targets: readonly TargetCluster[]): string {
  return targets.map(({ name }) => name).join(', ');
}

function replicasBy(targets: readonly TargetCluster[]): ReadonlyMap<string, number> {
  return new Map(targets.map(({ name, replicas }) => [name, replicas ?? 0]));
}

function sum(replicas: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const one of replicas.values()) total += one;
  return total;
}
