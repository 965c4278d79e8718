import type { Cluster } from '../../api/cluster.ts';
import type { ClusterTaintPolicy, TaintToAdd } from '../../api/policy.ts';
import type { NamedTaint } from '../../evidence.ts';
import type { AffinityRules } from '../../selection/clusterAffinity.ts';
import { targets } from '../clusterTaintPolicy.ts';
import { windowSeconds } from '../policyFields.ts';
import { inOrderOfCreation } from '../policyOrder.ts';
import type { Arrange } from '../../controllers/controller.ts';
import { matchWindow, type MatchWindow } from './matchWindow.ts';

/** The ClusterTaintPolicy controller's memory of a cluster between two reconciles. Plain JSON. */
export interface TaintWindowMemory {
  /** epoch milliseconds */
  lookedAt: number;
  /** by policy name: those that targeted the cluster */
  policies: Record<string, MatchWindow>;
}

/** The window of one of a policy's taints on a cluster: it runs until `ends`; then the taint is added or removed. */
export interface TaintWindow {
  policy: ClusterTaintPolicy;
  /** index in the policy's taintsToAdd */
  index: number;
  taint: NamedTaint;
  /** whether its end adds or removes: the conditions match, or they do not */
  verb: 'adds' | 'removes';
  match: MatchWindow;
  /** addOnMatchSeconds or removeOnMismatchSeconds, or their default */
  seconds: number;
  /** epoch milliseconds */
  ends: number;
}

interface WindowsOfCluster {
  /** in the order of the policies' creation and of their lists */
  windows: TaintWindow[];
  /** for the next reconcile; absent if no policy targets the cluster */
  memory?: TaintWindowMemory;
}

/**
 * The windows of all policies for a cluster.
 *
 * @param memory of the last reconcile; undefined in a new process
 * @param now epoch milliseconds
 */
export function taintWindows(
  cluster: Cluster,
  policies: readonly ClusterTaintPolicy[],
  memory: TaintWindowMemory | undefined,
  now: number,
  rules: AffinityRules,
  arrange?: Arrange,
): WindowsOfCluster {
  const acting = inOrderOfCreation(policies, arrange).filter((policy) => targets(policy, cluster, rules));
  if (acting.length === 0) return { windows: [] };
  const matches = acting.map((policy) => {
    const window = memory?.policies[policy.metadata.name];
    return matchWindow(policy, cluster, window && { lookedAt: memory.lookedAt, window }, now);
  });
  return {
    windows: acting.flatMap((policy, at) =>
      (policy.spec.taintsToAdd ?? []).map((one, index) => taintWindow(policy, index, one, matches[at]!)),
    ),
    memory: {
      lookedAt: now,
      policies: Object.fromEntries(acting.map(({ metadata }, at) => [metadata.name, matches[at]!])),
    },
  };
}

function taintWindow(
  policy: ClusterTaintPolicy,
  index: number,
  listed: TaintToAdd,
  match: MatchWindow,
): TaintWindow {
  const { key, effect, value } = listed;
  const seconds = windowSeconds(listed)[match.matches ? 'add' : 'remove'];
  return {
    policy,
    index,
    taint: { key, ...(value && { value }), effect },
    verb: match.matches ? 'adds' : 'removes',
    match,
    seconds,
    ends: match.since + seconds * 1000,
  };
}

/** When the next window ends (epoch milliseconds); undefined if all have ended. */
export function nextEnd(windows: readonly TaintWindow[], now: number): number | undefined {
  const next = windows.reduce((first, { ends }) => (ends > now ? Math.min(first, ends) : first), Infinity);
  return next === Infinity ? undefined : next;
}
