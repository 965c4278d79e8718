import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { bedOfSeed } from '../random/bedOfSeed.ts';
import { createChance } from '../random/chance.ts';
import { sceneOfSeed, type Incident } from '../random/incidentOfSeed.ts';
import { NAMESPACES } from '../random/workloadsOfSeed.ts';

/** The least and the most random workloads of a world, without dependents. */
const WORKLOADS = [24, 28] as const;

/** The least and the most CPU for all workloads of a namespace, in tenths of a core: slightly more than usual. */
const QUOTAS = { shop: [45, 70], desk: [5, 12] } as const;

/** Milliseconds: until a failure is noticed, and the longest toleration after it. */
const LATE_EFFECTS = 65_000;

/**
 * A world of random workloads, with a quota, in which one member after another fails and comes back, each once everything has settled: an
 * incident with a story per member.
 */
export function worldOfSeed(seed: number): Incident {
  const chance = createChance(seed);
  const given = bedOfSeed(chance);
  const bed = { ...given, featureGates: { ...given.featureGates, FederatedQuotaEnforcement: true } };
  const { members } = bed;
  const names = members.map(({ name }) => name);
  const { objects } = sceneOfSeed(chance, names, WORKLOADS, 1);
  const quotas = NAMESPACES.map((namespace) => {
    const [least, most] = QUOTAS[namespace];
    return quota(namespace, chance.between(least, most));
  });
  // before the workloads, so that the quota counts them as they are placed
  const firstWorkload = objects.findIndex(({ kind }) => kind !== 'Namespace');
  return {
    seed,
    bed,
    lateEffects: LATE_EFFECTS,
    objects: [...objects.slice(0, firstWorkload), ...quotas, ...objects.slice(firstWorkload)],
    stories: members.map(({ name, syncMode }) => [
      `${seed}-${name}`,
      [{ after: 0, deed: { kill: `${name}-${syncMode === 'Push' ? 'apiserver' : 'agent'}`, cluster: name } }],
    ]),
  };
}

/** Limits the CPU requests of all workloads of a namespace, in tenths of a core: the request of one replica. */
function quota(namespace: string, tenths: number): KubernetesObject {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'FederatedResourceQuota',
    metadata: { namespace, name: 'cpu' },
    spec: { overall: { cpu: `${tenths * 100}m` } },
  } as KubernetesObject;
}
