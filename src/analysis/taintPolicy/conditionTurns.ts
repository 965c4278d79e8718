import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Condition } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { targets } from '../../karmada/taints/clusterTaintPolicy.ts';
import { namedConditions } from '../../karmada/taints/policyFields.ts';
import { taintWindows } from '../../karmada/taints/windows/taintWindows.ts';
import { STATUSES } from './conditionLists.ts';
import { type TaintReconcile, changesAnything, reconcileTaints, type TaintMove } from './taintReconcile.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';

export interface TurnedCondition {
  type: string;
  status: string;
}

/** Karmada's changes to a cluster's taints after a condition has changed. */
export interface ConditionTurn {
  condition: TurnedCondition;
  /** its present status; absent: the cluster has no condition of that type */
  from?: string;
  reconcile: TaintReconcile;
}

/**
 * The effect on a cluster of each change of a condition that one of its policies names: every such type with each other
 * Kubernetes status. Omits changes without an effect.
 *
 * @param now epoch milliseconds
 */
export function conditionTurns(
  cluster: Cluster,
  policies: readonly ClusterTaintPolicy[],
  configuration: Configuration,
  now: number,
): ConditionTurn[] {
  const own = policies.filter((policy) => targets(policy, cluster, configuration.rules.scheduling));
  const named = new Set(own.flatMap(namedConditions).map(({ conditionType }) => conditionType));
  return [...named].flatMap((type) =>
    STATUSES.filter((status) => statusOf(cluster, type) !== status)
      .map((status) => conditionTurn(cluster, policies, { type, status }, configuration, now))
      .filter(({ reconcile }) => changesAnything(reconcile)),
  );
}

/**
 * The effect on a cluster if one of its conditions had another status.
 *
 * @param now epoch milliseconds
 */
export function conditionTurn(
  cluster: Cluster,
  policies: readonly ClusterTaintPolicy[],
  condition: TurnedCondition,
  configuration: Configuration,
  now: number,
): ConditionTurn {
  const from = statusOf(cluster, condition.type);
  const { api, scheduling } = configuration.rules;
  // A window that is open now may outlast the change.
  const memory =
    api.taintPolicyForm === 'windows'
      ? taintWindows(cluster, policies, undefined, now, scheduling).memory
      : undefined;
  const second = Math.floor(now / 1000) * 1000;
  const turned = withCondition(cluster, condition, second);
  return {
    condition,
    ...(from !== undefined && { from }),
    reconcile: reconcileTaints(turned, policies, configuration, second, memory),
  };
}

/** Karmada's own controllers read the first condition of a type. */
function statusOf(cluster: Cluster, type: string): string | undefined {
  return conditionOf(cluster.status?.conditions, type)?.status;
}

/** A cluster with one condition changed, or new, as of `now` (epoch milliseconds). */
export function withCondition(cluster: Cluster, { type, status }: TurnedCondition, now: number): Cluster {
  const others = (cluster.status?.conditions ?? []).filter((condition) => condition.type !== type);
  const turned = { type, status: status as Condition['status'], lastTransitionTime: rfc3339(now) };
  return { ...cluster, status: { ...cluster.status, conditions: [...others, turned] } };
}

/** The effect of a condition's change with some policies and not with others. */
interface TurnDifference {
  condition: TurnedCondition;
  /** only the difference; never empty */
  reconcile: TaintReconcile;
  /** whether both also share effects */
  also: boolean;
}

/** The effects of `turns` that `others` lack, for each change of a condition. */
export function turnDifferences(
  turns: readonly ConditionTurn[],
  others: readonly ConditionTurn[],
): TurnDifference[] {
  return turns.flatMap(({ condition, reconcile }): TurnDifference | [] => {
    const other = others.find((one) => deepEqual(one.condition, condition))?.reconcile;
    if (reconcile.refused !== undefined)
      return reconcile.refused === other?.refused ? [] : { condition, reconcile, also: false };
    const [all, known] = [moves(reconcile), other ? moves(other) : []];
    const isNew = (move: Move) => !known.some((one) => deepEqual(fact(one), fact(move)));
    const only = all.filter(isNew);
    if (only.length === 0) return [];
    const of = (verb: Verb) => only.filter((move) => move.verb === verb).map(({ move }) => move);
    return {
      condition,
      reconcile: { ...reconcile, gains: of('gains'), loses: of('loses'), renews: of('renews') },
      also: only.length < all.length,
    };
  });
}

/** Whether the same change of a condition has the same effect. */
export function sameTurn(a: ConditionTurn, b: ConditionTurn): boolean {
  const covers = (one: ConditionTurn, other: ConditionTurn) => turnDifferences([other], [one]).length === 0;
  return deepEqual(a.condition, b.condition) && covers(a, b) && covers(b, a);
}

type Verb = (typeof VERBS)[number];
interface Move {
  verb: Verb;
  move: TaintMove;
}

const VERBS = ['gains', 'loses', 'renews'] as const;

/** The actual effect: none if the Cluster API refuses the write. */
function moves(reconcile: TaintReconcile): Move[] {
  if (reconcile.refused !== undefined) return [];
  return VERBS.flatMap((verb) => reconcile[verb].map((move) => ({ verb, move })));
}

/** The acting policy makes no difference to the cluster. */
const fact = ({ verb, move: { taint, after, undone } }: Move) => [verb, taint, after, undone];
