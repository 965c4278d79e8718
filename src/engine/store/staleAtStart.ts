import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Work } from '../../karmada/api/work.ts';
import { instant } from '../../kubernetes/time.ts';
import { appliedRefusal, isUnheard, mayBeStale } from '../controllers/workConditions.ts';
import type { StaleInformers } from '../controllers/kinds.ts';
import { informerOf, POD_INFORMER } from '../controllers/memberAccess.ts';
import { LONGEST_SILENCE } from '../detection/listsAgain.ts';
import { readyCondition } from '../objects/clusterReadiness.ts';
import { workKey } from '../objects/identities.ts';

/**
 * What the informers of the controller manager know of a Push member that is back, if a capture shows that some have not listed it
 * anew: what was applied there long ago has not been reported, or runs into an object that has changed since. They are
 * taken to need a quarter of the time that they may still take: the longest waits are rare.
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

/** What Karmada has in its cache is not what the member has. */
function meetsAnotherObject(work: Work): boolean {
  const refusal = appliedRefusal(work);
  return refusal === 'conflict' || refusal === 'not found';
}
