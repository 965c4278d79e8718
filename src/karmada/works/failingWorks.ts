import type { Work } from '../api/work.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Failure, Look } from '../controllers/controller.ts';
import { readyCondition } from '../objects/clusterReadiness.ts';
import { electionWait } from '../detection/memberAccess.ts';
import { nextRetry, pendingRetry, STANDARD_BACK_OFF } from '../queues/retryBackoff.ts';

/** Since when a process has failed, and with which delays it tries again; empty: not for long. */
type Failing = Pick<Failure, 'since' | 'backOff'>;
type Seen = Pick<Look<unknown>, 'view' | 'now' | 'configuration'>;

/** Milliseconds: an older failure is not recent. */
const LONG_AGO = 2000;

/** The next retry (epoch milliseconds) of a failed Work of a Ready cluster; `now` if the Work is new. */
export function nextTry(seen: Seen, work: Work, cluster: string): number {
  const { since, backOff }: Failing = work.metadata.deletionTimestamp
    ? failingToRemove(seen, work, cluster)
    : failingSince(seen, cluster, notApplied(work)?.lastTransitionTime);
  if (since !== undefined && isLate(seen, work, cluster, { since, backOff })) return seen.now;
  return nextRetry(since ?? seen.now, seen.now, backOff);
}

/**
 * Whether the retry that deletes a leftover in a member should have come since the cluster is Ready again: all
 * retries of an outage share a token bucket of 10 per second, and wait for their turn.
 */
function isLate(
  { view, now }: Seen,
  { metadata, spec }: Work,
  cluster: string,
  { since, backOff }: { since: number; backOff: Failing['backOff'] },
): boolean {
  const back = readyCondition(view.get('Cluster', cluster))?.lastTransitionTime;
  if (!metadata.deletionTimestamp || spec?.preserveResourcesOnDeletion || !back) return false;
  // Times are in whole seconds.
  const ready = instant(back) + 1000;
  return ready > since && nextRetry(since, ready, backOff) < now;
}

function notApplied(work: Work) {
  return work.status?.conditions?.find(({ type, status }) => type === 'Applied' && status === 'False');
}

/** Since when (epoch milliseconds) a process has failed on a Work, if the capture shows that it was long ago. */
export function failingSince(
  { view, now, configuration }: Seen,
  cluster: string,
  begun: string | null | undefined,
): Failing {
  const agent = view.get('Member', cluster)?.agent;
  const started = agent ? agent.since + electionWait(configuration) : 0;
  const since = Math.max(begun ? instant(begun) : now, started);
  return now - since > LONG_AGO ? { since } : {};
}

/** The same for a Work that is being deleted: earlier failures keep their delays. */
export function failingToRemove(seen: Seen, work: Work, cluster: string): Failing {
  const { since } = failingSince(seen, cluster, work.metadata.deletionTimestamp);
  const before = failingSince(seen, cluster, notApplied(work)?.lastTransitionTime).since;
  if (since === undefined) return {};
  if (before === undefined || before >= since) return { since };
  const { next } = pendingRetry(before, since);
  return { since, backOff: { ...STANDARD_BACK_OFF, first: next } };
}
