// A loaded control plane: workloads of many kinds and placements on the test bed's members.
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import type { Api } from '../e2e/controlPlane/api.ts';
import { eventually } from '../e2e/controlPlane/processes.ts';
import { createAll, deployment, namespace, policyFor } from '../e2e/workloads.ts';
import { aggregated, byCapacity, byWeight, on, one } from '../e2e/placements.ts';

export const NAMESPACE = 'load';

/**
 * The expected result of a drain: goes: its replicas run elsewhere at the end; leaves: copies on other clusters suffice; pinned: it has no
 * other cluster; elsewhere: it is not on the drained clusters.
 */
export type Course = 'goes' | 'leaves' | 'pinned' | 'elsewhere';

export interface LoadedWorkload {
  name: string;
  /** the binding, as "namespace/name" or "name" */
  binding: string;
  /** bindings that follow it */
  dependents: string[];
  /** where it may run */
  homes: string[];
  /** how many of them at the same time */
  needs: number;
  /** a full copy on each home */
  everywhere: boolean;
  /** where Karmada places it randomly, so that only its number of replicas can be compared */
  byChance: boolean;
  /** whether members report its ready replicas */
  hasReplicas: boolean;
  objects: KubernetesObject[];
}

/** The effect of a drain of those clusters on a workload that is on `clusters` now. */
export function courseOf(
  { homes, needs, everywhere }: LoadedWorkload,
  clusters: string[],
  drained: string[],
): Course {
  if (!clusters.some((name) => drained.includes(name))) return 'elsewhere';
  const left = homes.filter((name) => !drained.includes(name)).length;
  if (left < needs) return 'pinned';
  return everywhere ? 'leaves' : 'goes';
}

interface Recipe {
  name: string;
  /** per 200 workloads */
  of200: number;
  homes: number[];
  needs?: number;
  everywhere?: boolean;
  byChance?: boolean;
  kind?: string;
  make: (name: string, members: string[]) => KubernetesObject[];
}

const oneOf = (...names: string[]): Placement => ({ ...on(...names), spreadConstraints: one });
const groups = (...names: string[]): Placement => ({
  clusterAffinities: names.map((name) => ({ affinityName: name, clusterNames: [name] })),
});
const packed = (...names: string[]): Placement => ({
  ...on(...names),
  replicaScheduling: aggregated,
});
const dynamic = (...names: string[]): Placement => ({
  ...on(...names),
  replicaScheduling: byCapacity,
});
const weighted = (weights: Record<string, number>): Placement => ({
  ...on(...Object.keys(weights)),
  replicaScheduling: byWeight(weights),
});
const twoRegions = (...names: string[]): Placement => ({
  ...on(...names),
  spreadConstraints: [
    { spreadByField: 'region', minGroups: 2, maxGroups: 2 },
    { spreadByField: 'cluster', minGroups: 2, maxGroups: 2 },
  ],
});

const ofDeployment =
  (replicas: number, place: (...names: string[]) => Placement) =>
  (name: string, members: string[]): KubernetesObject[] => {
    const object = deployment(NAMESPACE, name, replicas);
    return [object, policyFor(object, place(...members))];
  };
const evenly = (...names: string[]) => weighted(Object.fromEntries(names.map((name) => [name, 1])));
const descending = (...names: string[]) =>
  weighted(Object.fromEntries(names.map((name, i) => [name, names.length - i])));

const recipes: Recipe[] = [
  { name: 'one', of200: 40, homes: [1, 2], make: ofDeployment(2, oneOf) },
  { name: 'grouped', of200: 26, homes: [1, 3], make: ofDeployment(2, groups) },
  { name: 'pulled', of200: 10, homes: [1, 4], make: ofDeployment(2, groups) },
  { name: 'weighted', of200: 24, homes: [1, 2], make: ofDeployment(4, evenly) },
  { name: 'descending', of200: 16, homes: [1, 2, 3], make: ofDeployment(12, descending) },
  { name: 'packed', of200: 16, homes: [1, 3], make: ofDeployment(4, packed) },
  { name: 'dynamic', of200: 10, homes: [1, 2, 3], byChance: true, make: ofDeployment(7, dynamic) },
  { name: 'regions', of200: 8, homes: [1, 2, 3], needs: 2, make: ofDeployment(2, twoRegions) },
  { name: 'copied', of200: 10, homes: [1, 2, 3], everywhere: true, make: ofDeployment(2, on) },
  {
    name: 'stateful',
    of200: 12,
    homes: [1, 2],
    kind: 'StatefulSet',
    make(name, members) {
      const { spec, ...rest } = deployment(NAMESPACE, name, 2) as KubernetesObject & { spec: object };
      const object = { ...rest, kind: 'StatefulSet', spec: { ...spec, serviceName: name } };
      return [object, policyFor(object, groups(...members))];
    },
  },
  {
    name: 'config',
    of200: 8,
    homes: [1, 2],
    kind: 'ConfigMap',
    make(name, members) {
      const object = configMap(name);
      return [object, policyFor(object, oneOf(...members))];
    },
  },
  {
    name: 'dependent',
    of200: 8,
    homes: [1, 3],
    make(name, members) {
      const object = deployment(NAMESPACE, name, 2) as KubernetesObject & {
        spec: { template: { spec: { volumes?: object[] } } };
      };
      object.spec.template.spec.volumes = [{ name: 'settings', configMap: { name: `${name}-settings` } }];
      const policy = policyFor(object, groups(...members), { propagateDeps: true });
      return [configMap(`${name}-settings`), object, policy];
    },
  },
  { name: 'pinned', of200: 4, homes: [1], make: ofDeployment(2, on) },
  { name: 'elsewhere', of200: 8, homes: [2, 3], make: ofDeployment(4, evenly) },
];

function configMap(name: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: NAMESPACE },
    data: { a: 'b' },
  } as KubernetesObject;
}

/** The workloads of a load of this size, proportional to one of 200, the kinds mixed. */
export function loadOf(workloads: number): LoadedWorkload[] {
  const made = recipes.flatMap((recipe) => {
    const { name: recipeName, of200, make, kind = 'Deployment' } = recipe;
    const many = Math.max(1, Math.round((of200 * workloads) / 200));
    const homes = recipe.homes.map((number) => `member${number}`);
    return Array.from({ length: many }, (_, i) => {
      const name = `${recipeName}-${i}`;
      const workload: LoadedWorkload = {
        name,
        binding: `${NAMESPACE}/${name}-${kind.toLowerCase()}`,
        dependents: recipeName === 'dependent' ? [`${NAMESPACE}/${name}-settings-configmap`] : [],
        homes,
        needs: recipe.needs ?? 1,
        everywhere: recipe.everywhere ?? false,
        byChance: recipe.byChance ?? false,
        hasReplicas: kind !== 'ConfigMap',
        objects: make(name, homes),
      };
      return { at: i / many, workload };
    });
  });
  return made.sort((a, b) => a.at - b.at).map(({ workload }) => workload);
}

/** Creates them, a few at a time, and waits until all are applied and ready. */
export async function createLoad(api: Api, load: LoadedWorkload[]): Promise<void> {
  await createAll(api, [namespace(NAMESPACE)]);
  for (let i = 0; i < load.length; i += 10)
    await Promise.all(load.slice(i, i + 10).map(({ objects }) => createAll(api, objects)));
  await eventually('a load that is ready', () => isReady(api, load), { within: 900_000, every: 1000 });
}

async function isReady(api: Api, load: LoadedWorkload[]): Promise<boolean> {
  const { items } = await api.list('/apis/work.karmada.io/v1alpha2/resourcebindings');
  const bindings = new Map(
    (items as unknown as ResourceBinding[]).map((binding) => [
      `${binding.metadata.namespace}/${binding.metadata.name}`,
      binding,
    ]),
  );
  return load.every(({ binding, dependents, hasReplicas }) => {
    const { spec, status } = bindings.get(binding) ?? {};
    const copies = status?.aggregatedStatus ?? [];
    return (
      spec?.clusters?.length &&
      copies.length === spec.clusters.length &&
      copies.every(({ applied, health }) => applied && (!hasReplicas || health === 'Healthy')) &&
      dependents.every((name) => bindings.get(name)?.status?.aggregatedStatus?.[0]?.applied)
    );
  });
}
