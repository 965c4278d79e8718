import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import type { GracefulEvictionTask, ResourceBinding, TargetCluster } from '../../../src/karmada/api/work.ts';
import type { FeatureGates } from '../../../src/karmada/configuration/configuration.ts';
import type { Dialect } from '../../../src/karmada/dialects/dialects.ts';
import { possibleOutcomes } from '../../../src/karmada/scheduling/division/tie.ts';
import { createClusterSnapshot } from '../../../src/karmada/scheduling/clusterSnapshot.ts';
import { scheduleBinding, type ScheduleOutcome } from '../../../src/karmada/scheduling/scheduleBinding.ts';
import { processTaintedPair } from '../../../src/karmada/taints/taintedPair.ts';
import { withoutZeroValues, type Suite } from '../suite.ts';
import { byName, comparable, stored, type StoredBinding } from './schedule-binding.ts';

interface Input {
  now: string;
  clusters?: Cluster[];
  binding: ResourceBinding;
  addTaints?: { cluster: string; taints?: Taint[] }[];
  noExecuteTaintEvictionPurgeMode?: 'Gracefully' | 'Directly';
  enableEmptyWorkloadPropagation?: boolean;
  featureGates?: Partial<FeatureGates>;
}

interface Answer {
  first: StoredBinding;
  second: StoredBinding;
  evictions: { cluster: string; inTarget: boolean; needEviction: boolean; tolerationTimeNs: number }[];
  /** null, as Go writes empty values */
  afterEviction: { clusters?: TargetCluster[] | null; gracefulEvictionTasks?: GracefulEvictionTask[] | null };
}

/** The clusters with the taints that the case adds. */
function withTaints(clusters: readonly Cluster[], addTaints: Input['addTaints'] = []): Cluster[] {
  const addedTo = (name: string) =>
    addTaints.flatMap(({ cluster, taints = [] }) => (cluster === name ? taints : []));
  return clusters.map((cluster) => ({
    ...cluster,
    spec: {
      ...cluster.spec,
      taints: [...(cluster.spec?.taints ?? []), ...addedTo(cluster.metadata.name)],
    },
  }));
}

/** The binding after the scheduler has processed it. */
function after(binding: ResourceBinding, { annotations, spec, status }: ScheduleOutcome): ResourceBinding {
  return {
    ...binding,
    metadata: { ...binding.metadata, annotations: { ...binding.metadata.annotations, ...annotations } },
    spec,
    status,
  };
}

/** Every tainted cluster is checked in name order, including those not in the result. */
function evict(
  scheduled: ResourceBinding,
  tainted: readonly Cluster[],
  input: Input,
  { rules, defaults }: Dialect,
) {
  const configuration = {
    controllerManager: {
      'enable-no-execute-taint-eviction': true,
      'no-execute-taint-eviction-purge-mode': input.noExecuteTaintEvictionPurgeMode ?? 'Gracefully',
    },
    featureGates: { ...defaults.featureGates, ...input.featureGates },
    rules,
  };
  const now = Date.parse(input.now);
  let binding = scheduled;
  const evictions: Answer['evictions'] = [];
  for (const clusterName of (input.addTaints ?? []).map(({ cluster }) => cluster).sort()) {
    const cluster = tainted.find(({ metadata }) => metadata.name === clusterName);
    const inTarget = binding.spec.clusters?.some(({ name }) => name === clusterName) ?? false;
    const asked = inTarget
      ? binding
      : { ...binding, spec: { ...binding.spec, clusters: [{ name: clusterName }] } };
    const outcome = processTaintedPair({ clusterName, cluster, binding: asked, now, configuration });
    evictions.push({
      cluster: clusterName,
      inTarget,
      needEviction: outcome.kind === 'evict',
      tolerationTimeNs:
        outcome.kind === 'wait' ? outcome.milliseconds * 1e6 : outcome.kind === 'evict' ? 0 : -1,
    });
    if (inTarget && outcome.kind === 'evict') binding = { ...binding, spec: outcome.spec };
  }
  return { binding, evictions };
}

export default {
  answer(input: Input, dialect: Dialect): { oneOf: Answer[] } {
    const options = {
      rules: dialect.rules.scheduling,
      featureGates: {
        CustomizedClusterResourceModeling: true,
        MultiplePodTemplatesScheduling: false,
        WorkloadAffinity: false,
      },
      enableEmptyWorkloadPropagation: input.enableEmptyWorkloadPropagation ?? false,
    };
    const now = Date.parse(input.now);
    const clusters = input.clusters ?? [];
    const tainted = withTaints(clusters, input.addTaints);
    const run = (binding: ResourceBinding, over: Cluster[]) => {
      const snapshot = createClusterSnapshot(over, options);
      return possibleOutcomes((winners) => scheduleBinding({ snapshot, binding, now, winners })).outcomes;
    };
    const oneOf = run(input.binding, clusters).flatMap((first) => {
      const { binding, evictions } = evict(after(input.binding, first), tainted, input, dialect);
      const { clusters: left, gracefulEvictionTasks } = binding.spec;
      const again: ResourceBinding = {
        ...binding,
        metadata: { ...binding.metadata, generation: (binding.metadata.generation ?? 0) + 1 },
      };
      return run(again, tainted).map((second) => ({
        first: stored(input.binding, first),
        second: stored(again, second),
        evictions,
        afterEviction: { clusters: left, gracefulEvictionTasks },
      }));
    });
    return { oneOf };
  },
  difference(expected: Answer, actual: Answer) {
    // What the first scheduling leaves open continues in the second.
    const open = [actual.first, actual.second].some(({ orderStable }) => orderStable === false);
    const pair = (recorded: StoredBinding, ours: StoredBinding): [StoredBinding, StoredBinding] => {
      const [a, b] = comparable(recorded, open ? { ...ours, orderStable: false } : ours);
      return [recordedPart(a, recorded), recordedPart(b, recorded)];
    };
    const first = pair(expected.first, actual.first);
    const second = pair(expected.second, actual.second);
    const [a, b] = [expected, actual].map(({ evictions, afterEviction }, side) => {
      const { clusters, gracefulEvictionTasks } = afterEviction;
      return withoutZeroValues({
        first: first[side],
        second: second[side],
        evictions,
        afterEviction: { clusters: open ? byName(clusters ?? []) : (clusters ?? []), gracefulEvictionTasks },
      });
    });
    return isDeepStrictEqual(a, b) ? undefined : { expected: a, actual: b };
  },
} satisfies Suite;

/** Attempts are recorded only if there is more than one. */
function recordedPart(
  { lastScheduledTimeUpdated: _, attempts, ...rest }: StoredBinding,
  recorded: StoredBinding,
) {
  return { ...rest, lastScheduledTimeUpdated: false, attempts: recorded.attempts ? attempts : [] };
}
