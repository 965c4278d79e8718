import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import type { FeatureGates } from '../../../src/karmada/configuration.ts';
import type { Dialect } from '../../../src/karmada/dialects/dialect.ts';
import { createClusterSnapshot, scheduleBinding } from '../../../src/engine/scheduling/scheduler.ts';
import { processTaintedPair } from '../../../src/engine/taints/taintManager.ts';
import { withoutZeroValues, type Suite } from '../suite.ts';
import { comparable, stored, type StoredBinding } from './schedule-binding.ts';

interface Input {
  now: string;
  clusters?: Cluster[];
  binding: ResourceBinding;
  addTaints?: { cluster: string; taints: Taint[] }[];
  noExecuteTaintEvictionPurgeMode?: 'Gracefully' | 'Directly';
  enableEmptyWorkloadPropagation?: boolean;
  featureGates?: Partial<FeatureGates>;
}

interface Answer {
  first: StoredBinding;
  second: StoredBinding;
  evictions: { cluster: string; inTarget: boolean; needEviction: boolean; tolerationTimeNs: number }[];
  afterEviction: Pick<ResourceBindingSpec, 'clusters' | 'gracefulEvictionTasks'>;
}

export default {
  answer(input: Input, { rules, defaults }: Dialect): Answer {
    const now = Date.parse(input.now);
    const options = {
      featureGates: {
        CustomizedClusterResourceModeling: true,
        MultiplePodTemplatesScheduling: false,
        WorkloadAffinity: false,
      },
      enableEmptyWorkloadPropagation: input.enableEmptyWorkloadPropagation ?? false,
    };
    const clusters = input.clusters ?? [];
    const run = (binding: ResourceBinding, over: Cluster[]) =>
      scheduleBinding({ snapshot: createClusterSnapshot(over, options), binding, now });
    const first = run(input.binding, clusters);
    let binding: ResourceBinding = {
      ...input.binding,
      metadata: {
        ...input.binding.metadata,
        annotations: { ...input.binding.metadata.annotations, ...first.annotations },
      },
      spec: first.spec,
      status: first.status,
    };

    const added = new Map((input.addTaints ?? []).map(({ cluster, taints }) => [cluster, taints]));
    const tainted = clusters.map((cluster) => ({
      ...cluster,
      spec: {
        ...cluster.spec,
        taints: [...(cluster.spec?.taints ?? []), ...(added.get(cluster.metadata.name) ?? [])],
      },
    }));
    const configuration = {
      controllerManager: {
        'enable-no-execute-taint-eviction': true,
        'no-execute-taint-eviction-purge-mode': input.noExecuteTaintEvictionPurgeMode ?? 'Gracefully',
      },
      featureGates: { ...defaults.featureGates, ...input.featureGates },
      rules,
    };
    const evictions: Answer['evictions'] = [];
    for (const clusterName of [...added.keys()].sort()) {
      const cluster = tainted.find(({ metadata }) => metadata.name === clusterName);
      const inTarget = binding.spec.clusters?.some(({ name }) => name === clusterName) ?? false;
      // The decision is recorded for clusters out of the result too.
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
    const afterEviction = {
      clusters: binding.spec.clusters,
      gracefulEvictionTasks: binding.spec.gracefulEvictionTasks,
    };
    const again: ResourceBinding = {
      ...binding,
      metadata: { ...binding.metadata, generation: (binding.metadata.generation ?? 0) + 1 },
    };
    return {
      first: stored(input.binding, first),
      second: stored(again, run(again, tainted)),
      evictions,
      afterEviction,
    };
  },
  difference(expected: Answer, actual: Answer) {
    const strip = ({ orderStable: _, lastScheduledTimeUpdated: __, ...rest }: StoredBinding) => rest;
    const shown = (recorded: StoredBinding, ours: StoredBinding) => {
      const one = strip(comparable(recorded, ours));
      return recorded.attempts ? one : { ...one, attempts: undefined };
    };
    const a = withoutZeroValues({
      ...expected,
      first: strip(expected.first),
      second: strip(expected.second),
    });
    const b = withoutZeroValues({
      ...actual,
      first: shown(expected.first, actual.first),
      second: shown(expected.second, actual.second),
    });
    return isDeepStrictEqual(a, b) ? undefined : { expected: a, actual: b };
  },
} satisfies Suite;
