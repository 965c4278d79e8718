import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Condition, Taint } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { NamedTaint } from '../../karmada/evidence.ts';
import { groupByTaint, findTaint, taintIdentity } from '../../karmada/objects/sameTaint.ts';
import { targets } from '../../karmada/taints/clusterTaintPolicy.ts';
import { conditionTaints } from '../../karmada/detection/conditionTaints.ts';
import { policiesByTaint } from '../../karmada/taints/policiesByTaint.ts';
import { listedTaints, namedConditions } from '../../karmada/taints/policyFields.ts';
import { inOrderOfCreation } from '../../karmada/taints/policyOrder.ts';
import { taintWindows } from '../../karmada/taints/windows/taintWindows.ts';
import type { World } from '../../karmada/world.ts';
import { inactivePolicies, type InactivePolicies } from '../../karmada/taints/inactivePolicies.ts';
import { type TaintReconcile, changesAnything, reconcileTaints } from './taintReconcile.ts';
import {
  conditionTurn,
  type ConditionTurn,
  conditionTurns,
  type TurnedCondition,
  withCondition,
} from './conditionTurns.ts';
import { policiesByLists, policiesByWindow } from './policyOnTaint.ts';
import { explainedTaint, movesOf, type AboutTaint, type ExplainedTaint } from './explainedTaint.ts';

/** Why clusters have their taints, by ClusterTaintPolicies and other owners, and what would change them. */
export interface TaintPolicyExplanation {
  /** epoch milliseconds */
  now: number;
  clusters: ExplainedCluster[];
  /** names of the target clusters of the requested policy */
  targets?: string[];
  /** the assumed condition, if no cluster reports and no policy names its type; with the known types */
  unknownCondition?: { type: string; known: string[] };
  /** why no policy has an effect */
  dead?: InactivePolicies;
  /** it depends on an unverified default */
  deadAssumed?: true;
}

export interface ExplainedCluster {
  cluster: string;
  conditions: readonly Condition[];
  taints: ExplainedTaint[];
  /**
   * the effect of the controller's next reconcile: after a change of a condition or of a policy for the cluster, or a
   * restart
   */
  nextReconcile: TaintReconcile;
  /** the effect of each change of a condition */
  turns: ExplainedTurn[];
  /** the effect of the assumed change of a condition */
  asked?: ExplainedTurn;
}

/** The effect of a change of a condition, by policies and by Karmada itself. */
export interface ExplainedTurn extends ConditionTurn {
  /** the cluster controller's changes by the Ready condition, unless the policies make the same changes */
  ofKarmada: { gains: NamedTaint[]; loses: NamedTaint[] };
}

interface ExplainOptions {
  /** only taints and clusters of this policy */
  policy?: string | undefined;
  cluster?: string | undefined;
  /** a change of a condition to assume */
  asked?: TurnedCondition | undefined;
  /** gates and flags whose values are unverified defaults */
  unverified?: ReadonlySet<string>;
}

/**
 * Explains the taints of clusters: matching conditions and since when, the others, the policy that added a taint, the
 * one that would remove it, and the effect of each change of a condition.
 *
 * @param now epoch milliseconds
 */
export function explainTaintPolicies(
  { clusters, taintPolicies }: World,
  configuration: Configuration,
  now: number,
  { policy, cluster, asked, unverified }: ExplainOptions = {},
): TaintPolicyExplanation {
  const { rules } = configuration;
  const dead = inactivePolicies(configuration);
  const ordered = inOrderOfCreation(taintPolicies);
  const named = policy === undefined ? undefined : ordered.find(({ metadata }) => metadata.name === policy);
  const concerned = clusters
    .filter((one) => policy === undefined || (named && targets(named, one, rules.scheduling)))
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const chosen = concerned.filter(({ metadata }) => cluster === undefined || metadata.name === cluster);
  const types = asked ? conditionTypes(clusters, taintPolicies) : [];
  return {
    now,
    clusters: chosen.map((one) => explained(one, ordered, named, configuration, now, asked)),
    ...(named && { targets: concerned.map(({ metadata }) => metadata.name) }),
    ...(asked && !types.includes(asked.type) && { unknownCondition: { type: asked.type, known: types } }),
    ...(dead && { dead }),
    ...(dead && unverified?.has(dead) && { deadAssumed: true }),
  };
}

function explained(
  cluster: Cluster,
  policies: readonly ClusterTaintPolicy[],
  only: ClusterTaintPolicy | undefined,
  configuration: Configuration,
  now: number,
  asked: TurnedCondition | undefined,
): ExplainedCluster {
  const acting = policies.filter((policy) => targets(policy, cluster, configuration.rules.scheduling));
  const conditions = cluster.status?.conditions ?? [];
  const there = cluster.spec?.taints ?? [];
  const listed = acting.flatMap(listedTaints);
  const all: Pick<Taint, 'key' | 'value' | 'effect'>[] = [...there];
  const known = new Set(there.map(taintIdentity));
  for (const taint of listed) {
    if (known.has(taintIdentity(taint))) continue;
    known.add(taintIdentity(taint));
    all.push(taint);
  }
  const shown = all.filter((taint) => lists(only, taint));
  const nextReconcile = reconcileTaints(cluster, policies, configuration, now);
  const { api, scheduling } = configuration.rules;
  const windows =
    api.taintPolicyForm === 'windows'
      ? taintWindows(cluster, acting, undefined, now, scheduling).windows
      : undefined;
  const listing = policiesByTaint(acting);
  const windowsOf = windows && groupByTaint(windows);
  const moves = movesOf(nextReconcile);
  const aboutTaint = (taint: NamedTaint): AboutTaint => {
    const own = windowsOf?.(taint);
    return {
      acting: listing(taint),
      onTaint: own ? policiesByWindow(cluster, own, now) : policiesByLists(taint, listing(taint), conditions),
      windows: own ?? [],
    };
  };
  return {
    cluster: cluster.metadata.name,
    conditions,
    taints: shown.map((taint) => explainedTaint(taint, cluster, aboutTaint(taint), moves, configuration)),
    nextReconcile: partOf(only, nextReconcile),
    turns: conditionTurns(cluster, policies, configuration, now)
      .map((turn) => explainedTurn(turn, cluster, only, configuration, now))
      .filter(({ reconcile }) => changesAnything(reconcile)),
    ...(asked && {
      asked: explainedTurn(
        conditionTurn(cluster, policies, asked, configuration, now),
        cluster,
        only,
        configuration,
        now,
      ),
    }),
  };
}

function conditionTypes(clusters: readonly Cluster[], policies: readonly ClusterTaintPolicy[]): string[] {
  const reported = clusters.flatMap(({ status }) => status?.conditions?.map(({ type }) => type) ?? []);
  const named = policies.flatMap(namedConditions).map(({ conditionType }) => conditionType);
  return [...new Set([...reported, ...named])].sort();
}

const lists = (policy: ClusterTaintPolicy | undefined, taint: NamedTaint): boolean =>
  !policy || findTaint(listedTaints(policy), taint) !== undefined;

/** The part of a reconcile about a policy's taints, from any writer; without a policy, the whole reconcile. */
function partOf(only: ClusterTaintPolicy | undefined, reconcile: TaintReconcile): TaintReconcile {
  const own = <Entry extends { taint: NamedTaint }>(list: readonly Entry[]) =>
    list.filter(({ taint }) => lists(only, taint));
  const { refused, ...rest } = reconcile;
  const [gains, loses, renews] = [own(reconcile.gains), own(reconcile.loses), own(reconcile.renews)];
  const isRefused = refused !== undefined && gains.length + loses.length + renews.length > 0;
  return {
    ...rest,
    gains,
    loses,
    renews,
    contested: own(reconcile.contested),
    ...(isRefused && { refused }),
  };
}

function explainedTurn(
  { reconcile, ...turn }: ConditionTurn,
  cluster: Cluster,
  only: ClusterTaintPolicy | undefined,
  { rules }: Configuration,
  now: number,
): ExplainedTurn {
  const before = cluster.spec?.taints ?? [];
  const after = conditionTaints(withCondition(cluster, turn.condition, now), now, rules).taints;
  const moved = (
    reconcile.refused === undefined ? [...reconcile.gains, ...reconcile.loses, ...reconcile.renews] : []
  ).map(({ taint }) => taint);
  const beyond = (some: readonly Taint[], others: readonly Taint[]): NamedTaint[] =>
    some
      .filter((taint) => !findTaint(others, taint))
      .filter((taint) => lists(only, taint) && !findTaint(moved, taint))
      .map(({ key, value, effect }) => ({ key, ...(value && { value }), effect }));
  const ofKarmada = { gains: beyond(after, before), loses: beyond(before, after) };
  return { ...turn, reconcile: partOf(only, reconcile), ofKarmada };
}
