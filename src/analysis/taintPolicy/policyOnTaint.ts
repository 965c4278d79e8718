import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Condition } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Certainty, NamedTaint } from '../../karmada/evidence.ts';
import { findTaint } from '../../karmada/objects/sameTaint.ts';
import { matchCondition, type MatchedCondition } from '../../karmada/taints/matchConditions.ts';
import type { TaintWindow } from '../../karmada/taints/windows/taintWindows.ts';
import { missingBeginning } from '../../karmada/taints/windows/missingBeginning.ts';

/** The effect of one policy on a taint of a cluster. */
export type PolicyOnTaint = PolicyByLists | PolicyByWindow;

interface PolicyBy {
  policy: string;
  /** epoch milliseconds; absent: unknown, treated as oldest */
  created?: number;
  /** the value that it would set */
  value?: string;
  /** its present intent; absent: none */
  wants?: 'adds' | 'removes';
  /** the newer policy that overrides it; with windows, the one that still matches */
  overruledBy?: string;
}

/** A policy in the shipped form. */
export interface PolicyByLists extends PolicyBy {
  add: MatchedList;
  remove: MatchedList;
}

/** A policy in the form of the design optimize-cluster-failover. */
export interface PolicyByWindow extends PolicyBy {
  match: MatchedList;
  window: ExplainedWindow;
}

export interface MatchedList {
  holds: boolean;
  entries: MatchedCondition[];
  /** epoch milliseconds since when the whole list has held, by lastTransitionTime; only if it holds */
  since?: number;
  /** the entries that do not hold yet */
  waitsFor: MatchedCondition[];
}

/** The effects of policies in the shipped form on a taint of a cluster with these conditions. */
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

/** The effects of the design's policies on a taint of a cluster, by their windows for it. */
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

/** The window of a policy for one taint of a cluster, by the conditions. */
export interface ExplainedWindow {
  /** the effect of its end */
  verb: 'adds' | 'removes';
  /** epoch milliseconds since when the conditions have matched, or not matched, without interruption */
  since: number;
  /** addOnMatchSeconds or removeOnMismatchSeconds, or their default */
  seconds: number;
  /** epoch milliseconds */
  ends: number;
  /** it has not ended yet */
  runs: boolean;
  /** estimate: the controller may remember an earlier beginning, so that the window ends sooner */
  certainty: Extract<Certainty, 'certain' | 'estimate'>;
  /** for an estimate: the input that would make it certain */
  missing?: string;
}

/** A window in an answer. An open one whose beginning depends on more than the conditions is an estimate. */
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
