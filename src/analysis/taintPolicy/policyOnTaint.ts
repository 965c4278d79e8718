import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Condition } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Certainty, NamedTaint } from '../../karmada/evidence.ts';
import { findTaint } from '../../karmada/objects/sameTaint.ts';
import { matchCondition, type MatchedCondition } from '../../karmada/taints/matchConditions.ts';
import type { TaintWindow } from '../../karmada/taints/windows/taintWindows.ts';
import { missingBeginning } from '../../karmada/taints/windows/missingBeginning.ts';

/** What one policy does to a taint of a cluster. */
export type PolicyOnTaint = PolicyByLists | PolicyByWindow;

interface PolicyBy {
  policy: string;
  /** epoch milliseconds; absent: unknown, which counts as oldest */
  created?: number;
  /** the value that it would set */
  value?: string;
  /** what it wants now; absent: nothing */
  wants?: 'adds' | 'removes';
  /** the newer policy that overrides it; with windows, the one that still matches */
  overruledBy?: string;
}

/** A policy of the form that is shipped. */
export interface PolicyByLists extends PolicyBy {
  add: MatchedList;
  remove: MatchedList;
}

/** A policy of the design optimize-cluster-failover. */
export interface PolicyByWindow extends PolicyBy {
  match: MatchedList;
  window: ExplainedWindow;
}

/** A list of conditions on a cluster. */
export interface MatchedList {
  holds: boolean;
  entries: MatchedCondition[];
  /** since when (epoch milliseconds) the whole list has held, by lastTransitionTime; only if it holds */
  since?: number;
  /** the entries that do not hold yet */
  waitsFor: MatchedCondition[];
}

/** What policies of the form that is shipped do to a taint of a cluster with these conditions. */
export function policiesByLists(
  taint: NamedTaint,
  acting: readonly ClusterTaintPolicy[],
  conditions: readonly Condition[],
): PolicyByLists[] {
  return acting.flatMap((policy) => {
    const listed = findTaint(policy.spec.taints, taint);
    if (!listed) return [];
    const { addOnConditions, removeOnConditions } = policy.spec;
    const add = matchedList(addOnConditions, conditions);
    const remove = matchedList(removeOnConditions, conditions);
    const wants = remove.holds ? 'removes' : add.holds ? 'adds' : undefined;
    return [{ ...policyBy(policy, listed), add, remove, ...(wants && { wants }) }];
  });
}

/** What policies of the design do to a taint of a cluster, by their windows for it. */
export function policiesByWindow(
  cluster: Cluster,
  windows: readonly TaintWindow[],
  now: number,
): PolicyByWindow[] {
  const conditions = cluster.status?.conditions ?? [];
  return windows.map((window) => ({
    ...policyBy(window.policy, window.taint),
    match: {
      ...matchedList(window.policy.spec.matchConditions, conditions),
      holds: window.match.matches,
      ...(window.match.matches && { since: window.match.since }),
    },
    window: explainedWindow(window, cluster, now),
    wants: window.verb,
  }));
}

function policyBy({ metadata }: ClusterTaintPolicy, { value }: NamedTaint): PolicyBy {
  return {
    policy: metadata.name,
    ...(metadata.creationTimestamp && { created: instant(metadata.creationTimestamp) }),
    ...(value && { value }),
  };
}

function matchedList(
  wanted: ClusterTaintPolicy['spec']['addOnConditions'],
  conditions: readonly Condition[],
): MatchedList {
  const entries = (wanted ?? []).map((one) => matchCondition(conditions, one));
  const waitsFor = entries.filter((one) => !one.holds);
  const holds = entries.length > 0 && waitsFor.length === 0;
  const times = entries.flatMap(({ found }) =>
    found.flatMap(({ lastTransitionTime }) => (lastTransitionTime ? [instant(lastTransitionTime)] : [])),
  );
  return { holds, entries, ...(holds && times.length > 0 && { since: Math.max(...times) }), waitsFor };
}

/** The window of a policy for one taint of a cluster, as the conditions show it. */
export interface ExplainedWindow {
  /** what its end does */
  verb: 'adds' | 'removes';
  /** since when the conditions have matched, or not matched, without a break (epoch milliseconds) */
  since: number;
  /** addOnMatchSeconds or removeOnMismatchSeconds, or their default */
  seconds: number;
  /** epoch milliseconds */
  ends: number;
  /** it has not ended yet */
  runs: boolean;
  /** estimate: the controller may remember an earlier beginning, so that the window ends sooner */
  certainty: Extract<Certainty, 'certain' | 'estimate'>;
  /** of an estimate: what would settle it */
  missing?: string;
}

/** A window for answers. A running one whose beginning conditions alone do not show is an estimate. */
export function explainedWindow(
  { verb, match, seconds, ends }: TaintWindow,
  cluster: Cluster,
  now: number,
): ExplainedWindow {
  const runs = ends > now;
  const missing = runs ? missingBeginning(match, cluster.metadata.name) : undefined;
  return {
    verb,
    since: match.since,
    seconds,
    ends,
    runs,
    certainty: missing === undefined ? 'certain' : 'estimate',
    ...(missing !== undefined && { missing }),
  };
}
