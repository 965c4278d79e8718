import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { scenarioComparison } from '../../simulator/comparison/compareScenarios.ts';
import type { WorkloadDifference } from '../../simulator/comparison/differences.ts';
import type { NamedTaint } from '../../karmada/evidence.ts';
import type { MemberAssumptions } from '../../karmada/members/memberAssumptions.ts';
import type { ScenarioEvent } from '../../simulator/scenario.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import { createStartingWorld, type StartingWorld } from '../../simulator/store/startingWorld.ts';
import { targets } from '../../karmada/taints/clusterTaintPolicy.ts';
import {
  type TaintReconcile,
  conflictsIn,
  reconcileTaints,
  reconcileChange,
  type ChangeReconcile,
  newConflicts,
  type TaintConflict,
} from './taintReconcile.ts';
import { type ConditionTurn, conditionTurns, sameTurn } from './conditionTurns.ts';
import {
  leftBehind,
  type LeftTaint,
  planTaintRemoval,
  type RemovalPlan,
  withoutTaints,
} from './removalPlan.ts';
import {
  type ChangedPolicy,
  changeEvents,
  policiesAround,
  type PoliciesAround,
  type PolicyChange,
} from './policyChange.ts';
import { zip } from '../../kubernetes/nonEmpty.ts';

/** The effect of a change of ClusterTaintPolicies on the clusters and their workloads. */
export interface PolicyEffect {
  /** epoch milliseconds */
  now: number;
  policies: ChangedPolicy[];
  before: readonly ClusterTaintPolicy[];
  after: readonly ClusterTaintPolicy[];
  /** the present and former target clusters of the changed policies, by name */
  clusters: ClusterEffect[];
  leftBehind: LeftTaint[];
  /** how to remove the taints left behind, unless they have another owner */
  removal: RemovalPlan;
  /** workloads whose outcome it changes, without further events */
  workloads: WorkloadDifference[];
  /** condition changes of clusters with workloads, and their effect on these; only the most severe if there are many */
  turns: TurnEffect[];
  /** how many further changes are not simulated */
  turnsNotPlayed: number;
}

export interface ClusterEffect {
  cluster: string;
  /** names of the changed policies that target it now */
  policies: string[];
  /**
   * Karmada's reaction at once, and at the ends of windows open at that time; none if no created or edited policy
   * targets the cluster, since then it is not reconciled before a window ends
   */
  atOnce: TaintReconcile;
  /** pending changes of unchanged policies: Karmada has not acted on them yet, or waits for a change of a condition */
  outstanding: TaintMoves;
  /** actions that open windows no longer take at their ends */
  calledOff: ChangeReconcile['calledOff'];
  /** the taints removed together with the change, because no policy wants them */
  removed: Taint[];
  /** the resulting taints */
  taints: readonly Taint[];
  /** the effect of a change of a condition, if it differs from before */
  later: ConditionTurn[];
  /** former effects of condition changes */
  noLonger: ConditionTurn[];
  /** new conflicts of policies over a taint */
  fights: TaintConflict[];
}

/** The outcomes of workloads after a cluster's condition changes, compared with the policies before the change. */
export interface TurnEffect {
  cluster: string;
  turn: ConditionTurn;
  workloads: WorkloadDifference[];
}

interface EffectOptions {
  members: MemberAssumptions;
  /** also remove the taints that the change leaves behind; absent: they stay */
  withTaints?: boolean;
  /** how many other orders of Karmada's work to try for workloads that differ; absent: none */
  otherOrders?: number;
  /** for how many condition changes to simulate the workloads; absent: 8 */
  playedTurns?: number;
}

const PLAYED_TURNS = 8;

/**
 * Orders condition changes by their effect on workloads, the worst first: evicting, blocking new ones, letting them
 * return.
 */
function severityOf({ reconcile: { gains, renews, refused } }: ConditionTurn): number {
  if (refused !== undefined) return 3;
  const added = [...gains, ...renews];
  const evicts = ({ effect }: NamedTaint) => effect === 'NoExecute' || effect === 'PreferNoExecute';
  return added.some(({ taint }) => evicts(taint)) ? 0 : added.length > 0 ? 1 : 2;
}

/**
 * The effect of a change of ClusterTaintPolicies: at once, at each change of a condition, and on workloads; and the
 * taints left behind. A webhook that refuses NoExecute is a risk, not an effect: the effect assumes that it accepts.
 * Throws a ScenarioError for a policy that the webhook refuses for another reason, InvalidQuantity for a cluster's
 * invalid quantities.
 *
 * @param now epoch milliseconds
 */
export function effectOf(
  world: ResumableWorld,
  change: PolicyChange,
  configuration: Configuration,
  now: number,
  options: EffectOptions,
): PolicyEffect {
  const around = policiesAround(world.taintPolicies, change, now);
  const { before, after, changed } = around;
  const effects = new Map(
    world.clusters.map((cluster) => [cluster, effectOn(cluster, around, configuration, now)]),
  );
  const tainted = world.clusters.map((cluster) => withTaints(cluster, effects.get(cluster)?.atOnce.taints));
  const left = leftBehind(tainted, around, configuration.rules);
  const removal = planTaintRemoval(left, world.clusters);
  const removed = new Map(
    (options.withTaints ? removal.steps : []).map(({ cluster, taints }) => [cluster, taints]),
  );
  const clusters = zip(world.clusters, tainted).flatMap(([cluster, atOnce]): ClusterEffect | [] => {
    const effect = effects.get(cluster);
    if (!effect) return [];
    const { name } = cluster.metadata;
    const gone = removed.get(name) ?? [];
    const taints = withoutTaints(atOnce.spec?.taints ?? [], gone);
    const then = conditionTurns(withTaints(cluster, taints), after, configuration, now);
    const instead = conditionTurns(cluster, before, configuration, now);
    const fought = (now: TaintReconcile, turns: ConditionTurn[]) =>
      conflictsIn([now, ...turns.map((turn) => turn.reconcile)]);
    const known = fought(reconcileTaints(cluster, before, configuration, now), instead);
    return {
      cluster: name,
      ...effect,
      removed: gone,
      taints,
      later: then.filter((turn) => !instead.some((one) => sameTurn(one, turn))),
      noLonger: instead.filter((turn) => !then.some((one) => sameTurn(one, turn))),
      fights: newConflicts(known, fought(effect.atOnce, then)),
    };
  });
  clusters.sort((a, b) => (a.cluster < b.cluster ? -1 : 1));
  const { members } = options;
  const start = createStartingWorld(world, admitting(configuration), { start: now, members });
  const written = {
    applied: changed.flatMap((one) => (one.after && one.verb !== 'unchanged' ? [one.after] : [])),
    deleted: changed.flatMap(({ name, verb }) => (verb === 'deleted' ? [name] : [])),
  };
  const events = changeEvents(written, options.withTaints ? removal.steps : [], now);
  const turning = clusters.flatMap((one) => turnsOf(one).map((turn) => ({ cluster: one.cluster, turn })));
  const carries = (name: string) => start.on(name).length;
  const played = turning
    .filter(({ cluster }) => carries(cluster) > 0)
    .sort((a, b) => severityOf(a.turn) - severityOf(b.turn) || carries(b.cluster) - carries(a.cluster))
    .slice(0, options.playedTurns ?? PLAYED_TURNS);
  return {
    now,
    policies: changed,
    before,
    after,
    clusters,
    leftBehind: left,
    removal,
    workloads: differences(start, [], events, options),
    turns: played.map(({ cluster, turn }) => {
      const turned = turnEvent(cluster, turn, now);
      return { cluster, turn, workloads: differences(start, [turned], [...events, turned], options) };
    }),
    turnsNotPlayed: turning.filter(({ cluster }) => carries(cluster) > 0).length - played.length,
  };
}

function admitting(configuration: Configuration): Configuration {
  const webhook = { ...configuration.webhook, 'allow-no-execute-taint-policy': true };
  return { ...configuration, webhook };
}

/** Karmada's reaction on a cluster at once; undefined if no changed policy targets or targeted it. */
function effectOn(
  cluster: Cluster,
  around: PoliciesAround,
  configuration: Configuration,
  now: number,
): Pick<ClusterEffect, 'policies' | 'atOnce' | 'outstanding' | 'calledOff'> | undefined {
  const { after, changed } = around;
  const isFor = (policy: ClusterTaintPolicy | undefined) =>
    policy !== undefined && targets(policy, cluster, configuration.rules.scheduling);
  const concerned = changed.filter((one) => isFor(one.before) || isFor(one.after));
  if (concerned.length === 0) return undefined;
  const unchanged = new Set(concerned.flatMap(({ name, verb }) => (verb === 'unchanged' ? [name] : [])));
  const reconciles = changed.some(
    (one) => (one.verb === 'created' || one.verb === 'edited') && isFor(one.after),
  );
  return {
    policies: concerned.filter((one) => isFor(one.after)).map(({ name }) => name),
    ...reconcileChange(cluster, around, reconciles, configuration, now),
    outstanding: reconciles
      ? { gains: [], loses: [] }
      : movesOf(unchanged, reconcileTaints(cluster, after, configuration, now)),
  };
}

type TaintMoves = Pick<TaintReconcile, 'gains' | 'loses'>;

/** The changes by some of the policies in a reconcile that writes something. */
function movesOf(policies: ReadonlySet<string>, { gains, loses }: TaintReconcile): TaintMoves {
  const own = (moves: TaintReconcile['gains']) => moves.filter(({ policy }) => policies.has(policy));
  return { gains: own(gains), loses: own(loses) };
}

function withTaints(cluster: Cluster, taints: readonly Taint[] | undefined): Cluster {
  if (!taints || taints === cluster.spec?.taints) return cluster;
  return { ...cluster, spec: { ...cluster.spec, taints: [...taints] } };
}

/** Condition changes whose effect on a cluster differs: those with a new effect, and those that lose theirs. */
function turnsOf({ later, noLonger }: ClusterEffect): ConditionTurn[] {
  const listed = new Set(later.map(conditionName));
  return [...later, ...noLonger.filter((turn) => !listed.has(conditionName(turn)))];
}

function conditionName({ condition: { type, status } }: ConditionTurn): string {
  return `${type}=${status}`;
}

/** Milliseconds from the policy change to the condition change, so that Karmada has acted on the policies. */
const LATER = 60_000;

function turnEvent(cluster: string, { condition }: ConditionTurn, now: number): ScenarioEvent {
  const { type, status } = condition;
  return {
    at: now + LATER,
    action: { type: 'condition', cluster, condition: { type, status: status as 'True' } },
  };
}

function differences(
  start: StartingWorld,
  without: ScenarioEvent[],
  events: ScenarioEvent[],
  { members, otherOrders = 0 }: EffectOptions,
): WorkloadDifference[] {
  if (events.length === without.length) return [];
  const scenario = (own: ScenarioEvent[]) => ({ start: start.start, members, events: own });
  const compare = scenarioComparison({ from: start, to: start, members });
  return compare({ from: scenario(without), to: scenario(events) }, { orders: otherOrders, share: 2 });
}
