import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Work } from '../../karmada/api/work.ts';
import { instant } from '../../kubernetes/time.ts';
import { appliedRefusal, isUnheard, mayBeStale } from '../../karmada/controllers/works/workConditions.ts';
import type { StaleInformers } from '../../karmada/controllers/kinds.ts';
import { informerOf, POD_INFORMER } from '../../karmada/controllers/clusters/memberAccess.ts';
import { LONGEST_SILENCE } from '../../karmada/detection/listsAgain.ts';
import { readyCondition } from '../../karmada/objects/clusterReadiness.ts';
import { workKey } from '../../karmada/objects/identities.ts';

/**
 * What the controller manager's informers know of a Push member that is back, if the capture shows that some have not
 * listed it anew: an object applied long ago is not reported, or conflicts with one that has changed since. They are
 * assumed to need a quarter of the longest possible time, since the longest waits are rare.
 *
 * @param works those for the member
 * @param start epoch milliseconds
 */
export function staleAtStart(
  cluster: Cluster,
  works: () => readonly Work[],
  start: number,
): StaleInformers | undefined {
  if (!mayBeStale(cluster, start)) return undefined;
  const last = instant(readyCondition(cluster)!.lastTransitionTime!) + LONGEST_SILENCE;
  const end = start + (last - start) / 4;
  const until: StaleInformers['until'] = {};
  const known: StaleInformers['known'] = {};
  for (const work of works()) {
    const object = work.spec?.workload?.manifests?.[0];
    if (!object) continue;
    const outdated = meetsAnotherObject(work);
    if (outdated || isUnheard(work, cluster, start)) until[informerOf(object)] = end;
    if (outdated || work.status?.manifestStatuses?.length) known[workKey(work)] = true;
  }
  return Object.keys(until).length > 0 ? { until: { ...until, [POD_INFORMER]: end }, known } : undefined;
}

/** Whether Karmada's cache differs from the member's object. */
function meetsAnotherObject(work: Work): boolean {
  const refusal = appliedRefusal(work);
  return refusal === 'conflict' || refusal === 'not found';
}
