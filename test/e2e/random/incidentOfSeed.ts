import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { BedOptions } from '../controlPlane/bed.ts';
import { namespace, policyFor, taintWhileReadyIs } from '../workloads.ts';
import { bedOfSeed } from './bedOfSeed.ts';
import { createChance } from './chance.ts';
import { placementOfSeed } from './placementOfSeed.ts';
import { storyOfSeed, type Plan } from './storyOfSeed.ts';
import { dependents, NAMESPACE, workloadOfSeed } from './workloadsOfSeed.ts';

/** A random incident: where it happens, what is there before, and what is done. */
export interface Incident {
  seed: number;
  bed: BedOptions;
  /** in the order in which they are created */
  objects: KubernetesObject[];
  /** what is done; the second story begins in what the first has left behind */
  stories: [name: string, plan: Plan][];
}

/** The incident of a seed, always the same. */
export function incidentOfSeed(seed: number): Incident {
  const chance = createChance(seed);
  const bed = bedOfSeed(chance);
  const names = bed.members.map(({ name }) => name);
  const workloads = Array.from({ length: chance.between(12, 18) }, (_, i) =>
    workloadOfSeed(chance, `w${String(i + 1).padStart(2, '0')}`, names),
  );
  const ingressClass = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'edge' },
    spec: { controller: 'e2e.example/edge' },
  } as KubernetesObject;
  const taintPolicies = chance.happens(0.85)
    ? [
        taintWhileReadyIs('not-ready', 'False', 'not-ready'),
        taintWhileReadyIs('unreachable', 'Unknown', 'unreachable'),
      ]
    : [];
  return {
    seed,
    bed,
    objects: [
      namespace(NAMESPACE),
      ...taintPolicies,
      ...dependents,
      ingressClass,
      clusterWide(policyFor(ingressClass, placementOfSeed(chance, names))),
      ...workloads.flatMap(({ object, policy }) => [object, policy]),
    ],
    stories: ['a', 'b'].map((chapter) => [
      `${String(seed).padStart(4, '0')}${chapter}`,
      storyOfSeed(
        chance,
        { members: bed.members, workloads, taintPolicies: taintPolicies.length > 0 },
        chapter,
      ),
    ]),
  };
}

function clusterWide({ metadata: { name }, ...policy }: KubernetesObject): KubernetesObject {
  return { ...policy, kind: 'ClusterPropagationPolicy', metadata: { name } };
}
