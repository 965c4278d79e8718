import type { Taint } from '../../api/meta.ts';
import type { Rules } from '../../dialects/rules.ts';
import { clusterTaintErrors } from '../../validation/clusterTaints.ts';
import { formatDuration, rfc3339 } from '../../../kubernetes/time.ts';
import { formatTaint } from '../../../kubernetes/tolerations.ts';
import type { Evidence } from '../../evidence.ts';
import { groupByTaint, taintIdentity } from '../../objects/sameTaint.ts';
import type { PolicyAct, TaintPolicyResult, TaintPolicyInput } from '../clusterTaintPolicy.ts';
import type { ContestedTaint } from '../contestedTaints.ts';
import { createdAt } from '../policyOrder.ts';
import { nextEnd, taintWindows, type TaintWindow, type TaintWindowMemory } from './taintWindows.ts';

export interface TaintWindowInput extends TaintPolicyInput {
  memory?: TaintWindowMemory | undefined;
  rules: Pick<Rules, 'scheduling' | 'admission'>;
}

export interface TaintWindowResult extends TaintPolicyResult {
  windows: TaintWindow[];
  /** for the next reconcile; absent if no policy targets the cluster */
  memory?: TaintWindowMemory;
  /** when to reconcile again (epoch milliseconds); absent if no window is running */
  nextEnd?: number;
}

/**
 * One pass of the ClusterTaintPolicy controller of the design optimize-cluster-failover over one cluster. A taint is
 * added once the conditions of a policy that lists it have matched for its addOnMatchSeconds, and removed, regardless of who
 * added it, once every policy for the cluster that lists it has not matched for its removeOnMismatchSeconds: as long as
 * one of them matches, or its window still runs, the taint stays. An existing taint keeps value and time. Of policies
 * that add it at the same time, the oldest sets its value. A taint that the Cluster API would refuse is not added, so
 * that a bad policy does not break the others.
 *
 * @param memory of the last reconcile; undefined in a new process
 * @param now epoch milliseconds, the timeAdded of new taints
 */
export function reconcileTaintWindows({
  cluster,
  policies,
  memory,
  now,
  rules,
  arrange,
}: TaintWindowInput): TaintWindowResult {
  const found = taintWindows(cluster, policies, memory, now, rules.scheduling, arrange);
  const { windows } = found;
  const listing = groupByTaint(windows);
  const ended = windows.filter(({ ends }) => ends <= now);
  const before = cluster.spec?.taints ?? [];
  const acts: PolicyAct[] = [];
  const evidence: Evidence[] = [];
  const act = (window: TaintWindow, taint: Taint) => {
    acts.push({ verb: window.verb, policy: window.policy, taint });
    evidence.push(windowEvidence(window));
  };
  const kept = before.filter((taint) => {
    const last = lastToRemove(listing(taint), now);
    if (last) act(last, taint);
    return !last;
  });
  const added: Taint[] = [];
  const there = new Set(kept.map(taintIdentity));
  for (const window of ended) {
    const { verb, taint, index } = window;
    if (verb === 'removes' || there.has(taintIdentity(taint))) continue;
    if (clusterTaintErrors(taint, `spec.taintsToAdd[${index}]`, rules.admission).length > 0) continue;
    const { key, value, effect } = taint;
    const next: Taint = { key, ...(value && { value }), effect, timeAdded: rfc3339(now) };
    added.push(next);
    there.add(taintIdentity(next));
    act(window, next);
  }
  const end = nextEnd(windows, now);
  return {
    taints: [...kept, ...added],
    changed: acts.length > 0,
    acts,
    evidence,
    contested: contestedValues(added, ended),
    windows,
    ...(found.memory && { memory: found.memory }),
    ...(end !== undefined && { nextEnd: end }),
  };
}

/** The window whose end removes a taint: the last to end of all policies that list it. Undefined if one keeps it. */
function lastToRemove(listing: readonly TaintWindow[], now: number): TaintWindow | undefined {
  if (!listing.every(({ verb, ends }) => verb === 'removes' && ends <= now)) return undefined;
  return listing.length === 0
    ? undefined
    : listing.reduce((last, one) => (one.ends > last.ends ? one : last));
}

/** Added taints for which policies of the same second have different values: the result is open. */
function contestedValues(added: readonly Taint[], ended: readonly TaintWindow[]): ContestedTaint[] {
  const adds = groupByTaint(ended.filter(({ verb }) => verb === 'adds'));
  return added.flatMap((taint) => {
    const adding = adds(taint);
    const first = adding[0]!;
    const equals = adding.filter(({ policy }) => createdAt(policy) === createdAt(first.policy));
    if (new Set(equals.map((one) => one.taint.value ?? '')).size < 2) return [];
    return [{ taint: first.taint, policies: equals.map(({ policy }) => policy.metadata.name) }];
  });
}

/** Why a window acts: the conditions that matched, or did not, and for how long. */
function windowEvidence({ policy, index, taint, verb, match, seconds }: TaintWindow): Evidence {
  const lasted = formatDuration(seconds * 1000);
  const field = verb === 'adds' ? 'addOnMatchSeconds' : 'removeOnMismatchSeconds';
  const did = verb === 'adds' ? 'have matched' : 'have not matched';
  return {
    rule: `the policy ${verb} ${formatTaint(taint)} because its matchConditions ${did} for ${lasted} without interruption`,
    object: { kind: 'ClusterTaintPolicy', name: policy.metadata.name },
    field: `spec.taintsToAdd[${index}].${field}`,
    value: {
      [field]: seconds,
      since: rfc3339(match.since),
      matchConditions: match.entries.map(({ wanted, holds, seen }) => ({ ...wanted, holds, seen })),
    },
    taint,
  };
}
