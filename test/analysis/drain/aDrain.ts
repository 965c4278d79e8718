import { cordoned, markOfDrain } from '../../../src/analysis/drain/cordon.ts';
import { decideRound, type DecidedRound } from '../../../src/analysis/drain/decide/decideDrain.ts';
import type { RoundGoal } from '../../../src/analysis/drain/decide/drainRound.ts';
import {
  closedRun,
  RUN_KEY,
  openRun,
  type DrainRun,
  type DrainMemory,
} from '../../../src/analysis/drain/decide/drainMemory.ts';
import type { Drain } from '../../../src/analysis/drain/decide/drainRound.ts';
import type { DrainedWorkload, DrainStep, DrainWrite } from '../../../src/analysis/drain/decide/drainStep.ts';
import type { DrainOptions } from '../../../src/analysis/drain/drainOptions.ts';
import { emptyWorld } from '../../../src/karmada/world.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import { createStore } from '../../../src/simulator/store/store.ts';
import type { View } from '../../../src/karmada/controllers/view.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { GracefulEvictionTask, ResourceBinding, Work } from '../../../src/karmada/api/work.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { v1_18 } from '../../dialects.ts';
import { START } from '../../simulator/simulation/controlPlane.ts';

export const defaults: Configuration = v1_18.defaults;

/** By capacity over all clusters. */
export const byCapacity: Placement = {
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
  ...byCapacity,
  clusterAffinity: { clusterNames },
});

/** A task of a drain, some time after the eviction. */
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
  /** in the manifest of the Work; absent: as many as are ready */
  written?: number;
  ready?: number;
  applied?: boolean;
  health?: 'Healthy' | 'Unhealthy';
  deleting?: boolean;
  suspended?: boolean;
  status?: unknown;
}

/** A Work of a Deployment, and the status that its member reported. */
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

/** A control plane for a drain: its writes are visible at its next look, and nothing else writes. */
export interface Stage {
  clusters: readonly Cluster[];
  bindings: readonly ResourceBinding[];
  works?: Works;
}

export interface Drainer {
  drain: Drain;
  remembered: Map<string, DrainMemory>;
  stage: Stage;
  /** Changes what it remembers of itself. */
  recalls(changes: Partial<DrainRun>): void;
  /** Looks at everything, and carries out what is due. */
  step(now?: number): DecidedRound;
}

export function viewOf({ clusters, bindings, works = {} }: Stage, configuration = defaults): View {
  const world = { ...emptyWorld(), clusters: [...clusters], bindings: [...bindings] };
  const members = { workloadReadyAfter: 0, neverReady: [] };
  const store = createStore(createStartingWorld(world, configuration, { start: START, members }));
  return {
    ...store,
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
  };
}

/** A drain that has not looked at anything yet. */
export function aDrain(options: DrainOptions, configuration = defaults, runner?: string): Drain {
  return { options, configuration, runner, cached: { checks: new WeakMap() } };
}

/** A look at bindings, all of the view if none are given. Nothing is written, and nothing remembered. */
export function lookOf(
  drain: Drain,
  view: View,
  {
    remembered = new Map<string, DrainMemory>(),
    now = START,
    bindings = view.all('Binding'),
    aim = { evicts: true, remembered },
  }: {
    remembered?: Map<string, DrainMemory>;
    now?: number;
    bindings?: Iterable<ResourceBinding>;
    aim?: RoundGoal;
  } = {},
): DecidedRound {
  const course = openRun(remembered.get(RUN_KEY)?.course);
  const recall = (key: string) => remembered.get(key);
  return decideRound(drain, { view, bindings, recall, course, now }, aim);
}

export function drainer(
  stage: Stage,
  options: DrainOptions,
  configuration = defaults,
  runner?: string,
): Drainer {
  const one: Drainer = {
    drain: aDrain(options, configuration, runner),
    remembered: new Map(),
    stage,
    recalls(changes) {
      const course = { ...closedRun(openRun(one.remembered.get(RUN_KEY)?.course)), ...changes };
      one.remembered.set(RUN_KEY, { course });
    },
    step(now = START) {
      const { drain, remembered } = one;
      const before = remembered.get(RUN_KEY)?.course;
      const course = openRun(before);
      const view = viewOf(one.stage, configuration);
      const recall = (key: string) => remembered.get(key);
      const look = { view, bindings: view.all('Binding'), recall, course, now };
      const step = decideRound(drain, look, { evicts: true, remembered });
      if (step.evicts !== undefined) {
        course.evictions.push(step.evicts);
        course.lastEvictionAt = now;
      }
      for (const [key, leaver] of step.leavers) remembered.set(key, { leaver });
      remembered.set(RUN_KEY, { course: closedRun(course, before) });
      for (const write of step.writes) one.stage = written(one.stage, write);
      return step;
    },
  };
  return one;
}

/** The stage after a write, as the API server stores it. */
export function written(stage: Stage, write: DrainWrite): Stage {
  const raised = ({ generation = 0, ...metadata }: ResourceBinding['metadata']) => ({
    ...metadata,
    generation: generation + 1,
  });
  if (write.kind === 'Cluster') {
    const after = { ...write.object, metadata: raised(write.object.metadata) };
    return {
      ...stage,
      clusters: stage.clusters.map((one) => (one.metadata.name === write.key ? after : one)),
    };
  }
  const after = { ...write.object, metadata: raised(write.base.metadata) };
  const { name } = after.metadata;
  return { ...stage, bindings: stage.bindings.map((one) => (one.metadata.name === name ? after : one)) };
}

/** Clusters that a drain with these options has already cordoned. */
export function cordonedFor(options: DrainOptions, clusters: readonly Cluster[]): Cluster[] {
  const mark = markOfDrain(options, '2026-09-01T08:00:00Z');
  return clusters.map((one) => (options.clusters.includes(one.metadata.name) ? cordoned(one, mark) : one));
}

export function workload({ workloads }: DrainStep, name: string): DrainedWorkload | undefined {
  return workloads.find((one) => one.workload.name === name);
}

/** "evict web from east-1", "cordon east-1": the writes of a step in words. */
export function writesOf({ writes }: DrainStep): string[] {
  return writes.map((write) => {
    if (write.kind === 'Cluster') {
      const [before, after] = [write.base, write.object].map(({ spec }) => spec?.taints ?? []);
      const isTaint = after!.some((one) => one.effect === 'NoExecute' && !before!.includes(one));
      return `${isTaint ? 'taint' : 'cordon'} ${write.key}`;
    }
    const { type, clusters } = changeOf(write);
    return `${type} ${write.base.spec.resource.name} from ${clusters.join(' ')}`;
  });
}

/** The effect of a write on a binding, and for which clusters. */
export function changeOf({ base, object }: Extract<DrainWrite, { kind: 'Binding' }>): {
  type: 'evict' | 'release' | 'hold-dependent' | 'release-dependent';
  clusters: string[];
} {
  const after = new Set(object.spec.clusters?.map(({ name }) => name));
  const left = (base.spec.clusters ?? []).map(({ name }) => name).filter((name) => !after.has(name));
  if (left.length > 0) return { type: 'evict', clusters: left };
  const [had, has] = [base, object].map(({ spec }) => spec.gracefulEvictionTasks ?? []);
  const added = has!.filter((task) => !had!.some(({ fromCluster }) => fromCluster === task.fromCluster));
  if (added.length > 0)
    return { type: 'hold-dependent', clusters: added.map(({ fromCluster }) => fromCluster) };
  const clusters = had!.filter((task) => !has!.includes(task)).map(({ fromCluster }) => fromCluster);
  return { type: base.spec.requiredBy ? 'release-dependent' : 'release', clusters };
}
