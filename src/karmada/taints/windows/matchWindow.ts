// When a policy's matchConditions started to match, or stopped (design optimize-cluster-failover). The design says that
// they must do so "continuously"; docs/proposal.md explains how we read that.
import type { Cluster } from '../../api/cluster.ts';
import type { ClusterTaintPolicy, MatchCondition } from '../../api/policy.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { instant } from '../../../kubernetes/time.ts';
import { matchCondition, type MatchedCondition } from '../matchConditions.ts';

/** Whether a policy's matchConditions match a cluster, and since when without interruption. */
export interface MatchWindow {
  matches: boolean;
  /** epoch milliseconds; never later than the reconcile */
  since: number;
  entries: EntryWindow[];
}

interface EntryWindow {
  wanted: MatchCondition;
  holds: boolean;
  /** epoch milliseconds */
  since: number;
  /** the conditions of the type, as seen at the reconcile */
  seen: SeenCondition[];
}

interface SeenCondition {
  status: string;
  /** lastTransitionTime, RFC 3339 */
  at?: string;
}

/** The memory of the last reconcile of a cluster. Plain JSON. */
export interface LastReconcile {
  /** epoch milliseconds */
  lookedAt: number;
  window: MatchWindow;
}

/**
 * The current window of a policy on a cluster. By lastTransitionTime, a match begins when its last condition begins to
 * hold, a mismatch when the first one stops, so that a new process gets the same result. Without one, it begins at the
 * later creation of policy and cluster. The memory of the last reconcile takes precedence. A match survives a
 * transition to another matching status, and did not begin before the second of the last observed mismatch. A condition
 * that left and returned between two reconciles interrupted it.
 *
 * @param now epoch milliseconds
 */
export function matchWindow(
  policy: ClusterTaintPolicy,
  cluster: Cluster,
  last: LastReconcile | undefined,
  now: number,
): MatchWindow {
  const wanted = policy.spec.matchConditions ?? [];
  const conditions = cluster.status?.conditions ?? [];
  const born = Math.min(laterCreation(policy, cluster) ?? now, now);
  const entries = wanted.map((one) => entryWindow(matchCondition(conditions, one), last, born, now));
  const matches = entries.every(({ holds }) => holds);
  const known = last && isSameList(last.window.entries, entries) ? last.window : undefined;
  return { matches, since: Math.min(listSince(entries, matches, known, born), now), entries };
}

function entryWindow(
  { wanted, found, holds }: MatchedCondition,
  last: LastReconcile | undefined,
  born: number,
  now: number,
): EntryWindow {
  const before = last?.window.entries.find((one) => deepEqual(one.wanted, wanted));
  const seen = found.map(({ status, lastTransitionTime }): SeenCondition => ({
    status,
    ...(lastTransitionTime && { at: lastTransitionTime }),
  }));
  const times = seen.flatMap(({ at = '' }) => (Number.isNaN(instant(at)) ? [] : [instant(at)]));
  const turned = times.length > 0 ? Math.max(...times) : undefined;
  const since = () => {
    if (!before) return turned ?? born;
    if (before.holds !== holds) return Math.max(turned ?? now, wholeSecond(last!.lookedAt));
    return leftAndCameBack(before.seen, seen) ? Math.max(turned ?? now, before.since) : before.since;
  };
  return { wanted, holds, since: Math.min(since(), now), seen };
}

/** The conditions have the same statuses as before but other times: each had another status in between. */
function leftAndCameBack(before: readonly SeenCondition[], seen: readonly SeenCondition[]): boolean {
  return (
    before.length === seen.length &&
    before.every(({ status }, index) => status === seen[index]!.status) &&
    before.some(({ at }, index) => at !== seen[index]!.at)
  );
}

/** @param known the same list's window at the last reconcile */
function listSince(
  entries: readonly EntryWindow[],
  matches: boolean,
  known: MatchWindow | undefined,
  born: number,
): number {
  if (entries.length === 0) return known?.since ?? born;
  if (matches) return Math.max(...entries.map(({ since }) => since));
  const failing = entries.filter(({ holds }) => !holds);
  const begun = Math.min(...failing.map(({ since }) => since));
  return known && !known.matches && mismatchContinues(known.entries, entries, begun) ? known.since : begun;
}

/** An entry that failed at the last reconcile kept failing until others failed: there was no match in between. */
function mismatchContinues(
  before: readonly EntryWindow[],
  entries: readonly EntryWindow[],
  begun: number,
): boolean {
  return before.some(({ holds, since }, index) => {
    if (holds) return false;
    const now = entries[index]!;
    return now.holds ? now.since >= begun : now.since === since;
  });
}

function isSameList(before: readonly EntryWindow[], entries: readonly EntryWindow[]): boolean {
  return (
    before.length === entries.length &&
    before.every(({ wanted }, index) => deepEqual(wanted, entries[index]!.wanted))
  );
}

/** Times of conditions are in whole seconds. */
const wholeSecond = (time: number) => Math.floor(time / 1000) * 1000;

function laterCreation({ metadata }: ClusterTaintPolicy, cluster: Cluster): number | undefined {
  const { creationTimestamp } = cluster.metadata;
  const times = [metadata.creationTimestamp, creationTimestamp].flatMap((time) =>
    time ? [instant(time)] : [],
  );
  return times.length > 0 ? Math.max(...times) : undefined;
}
