import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { BedOptions } from '../controlPlane/bed.ts';
import { namespace, policyFor, taintWhileReadyIs } from '../workloads.ts';
import { bedOfSeed } from './bedOfSeed.ts';
import { createChance, type Chance } from './chance.ts';
import { placementOfSeed } from './placementOfSeed.ts';
import type { Plan } from './stage.ts';
import { storyOfSeed } from './storyOfSeed.ts';
import {
  batchOfSeed,
  dependentsIn,
  NAMESPACES,
  PRESSURE,
  workloadOfSeed,
  type Propagated,
} from './workloadsOfSeed.ts';

/** A random incident: where it happens, the initial objects, and the actions. */
export interface Incident {
  seed: number;
  bed: BedOptions;
  /** in the order in which they are created */
  objects: KubernetesObject[];
  /** the actions; the second story begins in the state left by the first */
  stories: [name: string, plan: Plan][];
  /** the time in milliseconds in which effects of the actions may still begin; then each story begins settled, too. Absent: the default */
  lateEffects?: number;
}

/** The initial state of a random incident. */
interface Scene {
  objects: KubernetesObject[];
  workloads: Propagated[];
  /** whether ClusterTaintPolicies taint clusters that are not ready */
  taintPolicies: boolean;
}

/** Taints clusters that have had the condition of our themes. */
const taintUnderPressure = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name: 'pressure' },
  spec: {
    addOnConditions: [{ conditionType: PRESSURE, operator: 'In', statusValues: ['True'] }],
    removeOnConditions: [{ conditionType: PRESSURE, operator: 'NotIn', statusValues: ['True'] }],
    taints: [{ key: 'disk', effect: 'NoExecute' }],
  },
} as KubernetesObject;

/**
 * Random workloads with their policies.
 *
 * @param count the least and the most workloads, without a batch
 * @param tainting how probable it is that ClusterTaintPolicies taint clusters that are not ready
 */
export function sceneOfSeed(
  chance: Chance,
  names: readonly string[],
  count: readonly [number, number],
  tainting: number,
): Scene {
  const workloads = [
    ...Array.from({ length: chance.between(...count) }, (_, i) =>
      workloadOfSeed(chance, `w${String(i + 1).padStart(2, '0')}`, names, true),
    ),
    ...(chance.happens(0.5) ? batchOfSeed(chance, names) : []),
  ];
  const ingressClass = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'edge' },
    spec: { controller: 'e2e.example/edge' },
  } as KubernetesObject;
  const taintPolicies = chance.happens(tainting)
    ? [
        taintWhileReadyIs('not-ready', 'False', 'not-ready'),
        taintWhileReadyIs('unreachable', 'Unknown', 'unreachable'),
        taintUnderPressure,
      ]
    : [];
  return {
    workloads,
    taintPolicies: taintPolicies.length > 0,
    objects: [
      ...NAMESPACES.map(namespace),
      ...taintPolicies,
      ...NAMESPACES.flatMap(dependentsIn),
      ingressClass,
      clusterWide(policyFor(ingressClass, placementOfSeed(chance, names))),
      ...new Set(workloads.flatMap(({ object, policy }) => [object, policy])),
    ],
  };
}

/** The incident of a seed, always the same. */
export function incidentOfSeed(seed: number): Incident {
  const chance = createChance(seed);
  const bed = bedOfSeed(chance);
  const names = bed.members.map(({ name }) => name);
  const { objects, workloads, taintPolicies } = sceneOfSeed(chance, names, [12, 18], 0.85);
  return {
    seed,
    bed,
    objects,
    stories: ['a', 'b'].map((chapter) => [
      `${String(seed).padStart(4, '0')}${chapter}`,
      storyOfSeed(
        chance,
        {
          members: bed.members,
          workloads,
          taintPolicies,
          wide: true,
          endsNamespaces: bed.garbageCollectionInMembers ?? false,
        },
        chapter,
      ),
    ]),
  };
}

function clusterWide({ metadata: { name }, ...policy }: KubernetesObject): KubernetesObject {
  return { ...policy, kind: 'ClusterPropagationPolicy', metadata: { name } };
}
