import { cordoned, markOfDrain } from '../../../src/analysis/drain/cordon.ts';
import { decideDrain } from '../../../src/analysis/drain/decide/decideDrain.ts';
import type { DrainOptions } from '../../../src/analysis/drain/drainOptions.ts';
import {
  createDrainPacer,
  noteWritten,
  type DrainPacer,
} from '../../../src/analysis/drain/decide/drainPacer.ts';
import type { DrainedWorkload, DrainStep, DrainWrite } from '../../../src/analysis/drain/decide/drainStep.ts';
import { relationsAmong, type DrainView } from '../../../src/analysis/drain/decide/drainView.ts';
import { declaredHooks } from '../../../src/karmada/status/healthInterpreter.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { GracefulEvictionTask, ResourceBinding, Work } from '../../../src/karmada/api/work.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { v1_18 } from '../../dialects.ts';
import { START } from '../../simulator/simulation/controlPlane.ts';

export const defaults: Configuration = v1_18.defaults;

/** By room over all clusters. */
export const byRoom: Placement = {
  clusterAffinity: {},
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
};
export const everywhere: Placement = {
  clusterAffinity: {},
  replicaScheduling: { replicaSchedulingType: 'Duplicated' },
};
export const onlyOn = (...clusterNames: string[]): Placement => ({
  ...byRoom,
  clusterAffinity: { clusterNames },
});

/** A task of a drain, as it looks some time after the eviction. */
export function heldTask(
  fromCluster: string,
  changes: Partial<GracefulEvictionTask> = {},
): GracefulEvictionTask {
  return {
    fromCluster,
    purgeMode: 'Gracefully',
    replicas: 2,
    reason: 'ClusterDrain',
    producer: 'karmada-failover',
    suppressDeletion: true,
    creationTimestamp: new Date(START - 10_000).toISOString().replace('.000', ''),
    ...changes,
  };
}

export interface Reported {
  /** in the manifest of the Work; as many as are ready where absent */
  written?: number;
  ready?: number;
  applied?: boolean;
  health?: 'Healthy' | 'Unhealthy';
  deleting?: boolean;
  suspended?: boolean;
  status?: unknown;
}

/** A Work of a Deployment, and what its member has reported. */
export function workOf(cluster: string, reported: Reported = {}): Work {
  const { ready = 2, written = ready, applied = true, health = 'Healthy', deleting, suspended } = reported;
  const manifest: KubernetesObject & { spec: unknown } = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas: written },
  };
  const status = {
    generation: 1,
    observedGeneration: 1,
    replicas: ready,
    readyReplicas: ready,
    availableReplicas: ready,
  };
  return {
    metadata: {
      name: 'web',
      namespace: `karmada-es-${cluster}`,
      ...(deleting ? { deletionTimestamp: new Date(START).toISOString() } : {}),
    },
    spec: { workload: { manifests: [manifest] }, ...(suspended ? { suspendDispatching: true } : {}) },
    status: {
      conditions: [{ type: 'Applied', status: applied ? 'True' : 'False' }],
      manifestStatuses: [{ health, status: 'status' in reported ? reported.status : status }],
    },
  };
}

/** The Works of each workload by its cluster; those of the rest follow spec.clusters and are ready. */
export type Works = Record<string, Record<string, Reported>>;

/** A control plane that a drain acts on: what it writes is there at its next look, and nobody else acts. */
export interface Stage {
  clusters: readonly Cluster[];
  bindings: readonly ResourceBinding[];
  works?: Works;
}

export interface Drainer {
  pacer: DrainPacer;
  stage: Stage;
  /** Looks, and carries out what is due. */
  step(now?: number): DrainStep;
}

export function viewOf({ clusters, bindings, works = {} }: Stage): DrainView {
  return {
    clusters,
    bindings,
    onItsClusters: () => bindings,
    worksOf({ spec }) {
      const given = works[spec.resource.name];
      if (given) return new Map(Object.entries(given).map(([name, one]) => [name, workOf(name, one)]));
      const tasks = (spec.gracefulEvictionTasks ?? []).map(({ fromCluster, replicas }) => ({
        name: fromCluster,
        replicas,
      }));
      return new Map(
        [...(spec.clusters ?? []), ...tasks].map(({ name, replicas = 0 }) => [
          name,
          workOf(name, { ready: replicas }),
        ]),
      );
    },
    ...relationsAmong(bindings),
    templateOf: () => undefined,
    hooks: declaredHooks([], v1_18.rules),
  };
}

export function drainer(stage: Stage, options: DrainOptions, configuration = defaults): Drainer {
  const drain: Drainer = {
    pacer: createDrainPacer(),
    stage,
    step(now = START) {
      const step = decideDrain(viewOf(drain.stage), options, configuration, drain.pacer, now);
      for (const write of step.writes) {
        noteWritten(drain.pacer, write, now);
        drain.stage = written(drain.stage, write);
      }
      return step;
    },
  };
  return drain;
}

/** The stage after a write, as the API server leaves it. */
export function written(stage: Stage, write: DrainWrite): Stage {
  if ('cluster' in write) {
    const { metadata } = write.after;
    const after = { ...write.after, metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 } };
    return {
      ...stage,
      clusters: stage.clusters.map((one) => (one.metadata.name === metadata.name ? after : one)),
    };
  }
  const { binding, after } = write;
  const metadata = { ...binding.metadata, generation: (binding.metadata.generation ?? 0) + 1 };
  return {
    ...stage,
    bindings: stage.bindings.map((one) =>
      one.metadata.name === binding.metadata.name ? { ...one, metadata, spec: after } : one,
    ),
  };
}

/** Clusters that a drain with these options has cordoned already. */
export function cordonedFor(options: DrainOptions, clusters: readonly Cluster[]): Cluster[] {
  const mark = markOfDrain(options, '2026-09-01T08:00:00Z');
  return clusters.map((one) => (options.clusters.includes(one.metadata.name) ? cordoned(one, mark) : one));
}

export function workload({ workloads }: DrainStep, name: string): DrainedWorkload | undefined {
  return workloads.find((one) => one.workload.name === name);
}

/** "evict shop-deployment", "cordon east-1": the writes of a step in words. */
export function writesOf({ writes }: DrainStep): string[] {
  return writes.map((write) =>
    'binding' in write
      ? `${write.type} ${write.binding.spec.resource.name} from ${write.clusters.join(' ')}`
      : `${write.type} ${write.cluster.metadata.name}`,
  );
}
