import {
  NOW,
  between,
  compact,
  count,
  instantNear,
  KINDS,
  maybe,
  resources,
  several,
  taint,
  type Random,
} from './values.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';

export const LABELS: Record<string, string[]> = {
  env: ['prod', 'staging', 'dev'],
  tier: ['gold', 'silver', ''],
  gpu: ['true'],
  'karmada.io/size': ['3', '5', '20', '020'],
};

export const PLACES = {
  provider: ['p1', 'p2', 'p3'],
  region: ['r1', 'r2', 'r3', 'r4'],
  zone: ['z1', 'z2', 'z3', 'z4', 'z5'],
};

/** Names whose byte order differs from the order of their numbers. */
export function clusterNames(random: Random, howMany: number): string[] {
  const style = random.below(4);
  const names = Array.from({ length: howMany }, (_, index) => {
    if (style === 0) return `member${index + 1}`;
    if (style === 1) return `c${String(index + 1).padStart(2, '0')}`;
    if (style === 2) return `${random.pick(['alpha', 'beta', 'mid', 'zeta', 'Z'])}-${index}`;
    return `${String.fromCharCode(97 + random.below(26))}${index}`;
  });
  return random.sample(names, names.length);
}

export function labels(random: Random, probability = 0.4): Record<string, string> | undefined {
  const chosen = Object.entries(LABELS).flatMap(([key, values]) =>
    random.chance(probability) ? [[key, random.pick(values)] as const] : [],
  );
  return chosen.length > 0 ? Object.fromEntries(chosen) : undefined;
}

export function conditions(random: Random, types: string[]) {
  return random.sample(types, random.below(types.length + 1)).map((type) => ({
    type,
    status: random.pick(['True', 'False', 'Unknown']),
    reason: 'R',
    message: '',
    lastTransitionTime: rfc3339(NOW - 3_600_000),
  }));
}

function resourceModels(random: Random) {
  const names = random.sample(['cpu', 'memory', 'ephemeral-storage'], between(random, 1, 2));
  const steps: Record<string, string[]> = {
    cpu: ['0', '1', '2', '4', '8', '1600m'],
    memory: ['0', '4Gi', '16Gi', '32Gi', '64Gi', '70G'],
    'ephemeral-storage': ['0', '1Gi', '10Gi', '50Gi', '100Gi', '1Ti'],
  };
  const grades = between(random, 1, 4);
  const resourceModels = Array.from({ length: grades }, (_, grade) => ({
    grade,
    ranges: names.map((name) => ({ name, min: steps[name]![grade]!, max: steps[name]![grade + 1]! })),
  }));
  const counts = Array.from({ length: grades }, (_, grade) => ({ grade, count: random.below(8) }));
  return { resourceModels, allocatableModelings: random.chance(0.05) ? undefined : counts };
}

export interface ClusterShape {
  /** how likely taints, labels and places are */
  taints: number;
  labels: number;
  places: number;
  models: number;
  /** how likely the kind is served */
  enabled: number;
}

/** A cluster as the scheduler sees it. */
export function cluster(random: Random, name: string, shape: ClusterShape) {
  const models = maybe(random, shape.models, () => resourceModels(random));
  const zones = maybe(random, shape.places * 0.6, () => random.sample(PLACES.zone, between(random, 1, 4)));
  const deleted = random.chance(0.04);
  const spec = compact({
    provider: maybe(random, shape.places, () => random.pick(PLACES.provider)),
    region: maybe(random, shape.places, () => random.pick(PLACES.region)),
    zone: zones
      ? maybe(random, 0.6, () => zones[0])
      : maybe(random, shape.places, () => random.pick(PLACES.zone)),
    zones,
    taints: maybe(random, shape.taints, () => several(random, 1, 3, () => taint(random, 0.2))),
    resourceModels: models?.resourceModels,
  });
  const allocatable = resources(random, {
    cpu: 0.9,
    memory: 0.9,
    pods: 0.95,
    'ephemeral-storage': 0.2,
    'nvidia.com/gpu': 0.15,
  });
  const status = compact({
    apiEnablements: random.chance(shape.enabled)
      ? KINDS.map(({ apiVersion, kind }) => ({ groupVersion: apiVersion, resources: [{ kind }] }))
      : maybe(random, 0.5, () =>
          random
            .sample(KINDS, 1 + random.below(3))
            .map(({ apiVersion, kind }) => ({ groupVersion: apiVersion, resources: [{ kind }] })),
        ),
    conditions: maybe(random, 0.25, () => conditions(random, ['CompleteAPIEnablements', 'Ready'])),
    resourceSummary: maybe(random, 0.85, () =>
      compact({
        allocatable,
        allocating: maybe(random, 0.25, () => resources(random, { cpu: 0.6, memory: 0.3, pods: 0.8 })),
        allocated: maybe(random, 0.5, () => resources(random, { cpu: 0.7, memory: 0.7, pods: 0.8 })),
        allocatableModelings: models?.allocatableModelings,
      }),
    ),
  });
  return {
    metadata: compact({
      name,
      labels: labels(random, shape.labels),
      ...(deleted
        ? { deletionTimestamp: instantNear(random, 60), finalizers: ['karmada.io/cluster-controller'] }
        : {}),
    }),
    ...(Object.keys(spec).length > 0 ? { spec } : {}),
    ...(Object.keys(status).length > 0 ? { status } : {}),
  };
}

/** Several clusters, mostly few, sometimes many. */
export function clusters(random: Random, most = 9): ReturnType<typeof cluster>[] {
  const howMany = random.chance(0.04)
    ? between(random, 12, 40)
    : between(random, random.chance(0.02) ? 0 : 1, most);
  const shape: ClusterShape = {
    taints: random.pick([0, 0.1, 0.3]),
    labels: random.pick([0.1, 0.5]),
    places: random.pick([0.1, 0.6, 0.95, 1]),
    models: random.pick([0, 0, 0.3, 0.8]),
    enabled: random.pick([0.8, 0.98, 1]),
  };
  return clusterNames(random, howMany).map((name) => cluster(random, name, shape));
}

/** A count, which may be large. */
export const replicas = (random: Random): number => count(random, 15);
