import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import { instant } from '../../../kubernetes/time.ts';
import { unnoticed } from '../../detection/unnoticed.ts';
import { readyCondition } from '../../objects/clusterReadiness.ts';
import type { SeenChange } from '../history.ts';

/** A failure of a member, of which a recording shows only that Karmada noticed it. Times are epoch milliseconds. */
export interface UnseenFailure {
  cluster: string;
  /** when Karmada noticed it */
  noticed: number;
  /** the member failed between these; `earliest` is no later than `latest`, and that no later than `noticed` */
  earliest: number;
  latest: number;
  /** when its agent last renewed its Lease, of which the time of the failure is known better */
  renewed?: number;
}

/** The failures that a recording shows, and when they can have been, by the flags and the Leases of agents. */
export function unseenFailures(changes: Iterable<SeenChange>, configuration: Configuration): UnseenFailure[] {
  const renewals = new Map<string, number>();
  const failures: UnseenFailure[] = [];
  for (const { at, before, after } of changes) {
    if (!after) continue;
    const { kind, metadata } = after;
    if (kind === 'Lease') {
      const { spec } = after as unknown as { spec?: { renewTime?: string } };
      if (spec?.renewTime) renewals.set(metadata.name, instant(spec.renewTime));
    }
    if (kind !== 'Cluster' || !before) continue;
    const [had, has] = [before, after].map((one) => readyCondition(one as unknown as Cluster));
    if (had?.status !== 'True' || !has || has.status === 'True') continue;
    const isPull = (after as unknown as Cluster).spec?.syncMode === 'Pull';
    const late = (place: number) => unnoticed(has.status, isPull, place, configuration, had.status);
    const renewal = isPull && has.status === 'Unknown' ? renewals.get(metadata.name) : undefined;
    // the clock of a member may be ahead
    const renewed = renewal !== undefined && renewal <= at ? renewal : undefined;
    const latest = Math.round(at - late(0));
    failures.push({
      cluster: metadata.name,
      noticed: at,
      earliest: Math.max(Math.round(at - late(1)), renewed ?? -Infinity),
      // an agent that was heard later shows that the flags are not what they were taken for
      latest: renewed !== undefined && renewed > latest ? at : latest,
      ...(renewed === undefined ? {} : { renewed }),
    });
  }
  return failures;
}
