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
  type ClusterLook,
  fightsIn,
  lookAtCluster,
  lookOfChange,
  type LookOfChange,
  newFights,
  type TaintFight,
} from './clusterLook.ts';
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
import { paired } from '../../kubernetes/nonEmpty.ts';

/** What a change of ClusterTaintPolicies does to the clusters and to what runs there. */
export interface PolicyEffect {
  /** epoch milliseconds */
  now: number;
  policies: ChangedPolicy[];
  /** all policies before and after */
  before: readonly ClusterTaintPolicy[];
  after: readonly ClusterTaintPolicy[];
  /** the present and former target clusters of the changed policies, by name */
  clusters: ClusterEffect[];
  leftBehind: LeftTaint[];
  /** how to remove what is left behind, unless somebody else owns it */
  removal: RemovalPlan;
  /** the workloads that fare differently because of it, if nothing else happens */
  workloads: WorkloadDifference[];
  /**
   * changes of conditions of clusters that run something, with the effect on workloads; only the gravest, if there are
   * very many
   */
  turns: TurnEffect[];
  /** how many further changes are not simulated */
  turnsNotPlayed: number;
}

/** What a change of policies does to one cluster. */
export interface ClusterEffect {
  cluster: string;
  /** names of the changed policies that target it now */
  policies: string[];
  /**
   * what Karmada does at once, and at the ends of windows that run then; nothing if no created or edited policy targets
   * the cluster, since then it does not look before a window ends
   */
  atOnce: ClusterLook;
  /**
   * what applied policies that stay as they are want and the cluster does not have: Karmada has not acted on them yet,
   * or waits for a change of a condition
   */
  outstanding: TaintMoves;
  /** what windows that run would have done at their ends, and no longer do */
  calledOff: LookOfChange['calledOff'];
  /** the taints that are removed together with the change, because no policy wants them */
  removed: Taint[];
  /** the taints right after all of this */
  taints: readonly Taint[];
  /** what would happen at a change of a condition, if that differs from before */
  later: ConditionTurn[];
  /** what would have happened at a change of a condition before, and would not now */
  noLonger: ConditionTurn[];
  /** the policies that want different things for a taint, and did not before */
  fights: TaintFight[];
}

/** How workloads would fare after a cluster's condition changes, compared with the policies before the change. */
export interface TurnEffect {
  cluster: string;
  turn: ConditionTurn;
  workloads: WorkloadDifference[];
}

interface EffectOptions {
  members: MemberAssumptions;
  /** also remove the taints that the change leaves behind; absent: they stay */
  withTaints?: boolean;
  /** how many other orders of Karmada to try for differing workloads; absent: none */
  otherOrders?: number;
  /** for how many changes of conditions to simulate the workloads; absent: 8 */
  playedTurns?: number;
}

const PLAYED_TURNS = 8;

/**
 * The lower, the graver the change of a condition for workloads: it evicts, keeps others away, or lets them come back.
 */
function gravity({ look: { gains, renews, refused } }: ConditionTurn): number {
  if (refused !== undefined) return 3;
  const added = [...gains, ...renews];
  const evicts = ({ effect }: NamedTaint) => effect === 'NoExecute' || effect === 'PreferNoExecute';
  return added.some(({ taint }) => evicts(taint)) ? 0 : added.length > 0 ? 1 : 2;
}

/**
 * What a change of ClusterTaintPolicies does: at once, at each change of a condition, to what runs there; and which
 * taints it leaves behind. A webhook that refuses NoExecute is a risk, not an effect: the effect is what would happen
 * if it accepted. Throws a ScenarioError for a policy that the webhook refuses otherwise, InvalidQuantity for a
 * cluster's invalid quantities.
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
  const looks = new Map(
    world.clusters.map((cluster) => [cluster, lookAt(cluster, around, configuration, now)]),
  );
  const looked = world.clusters.map((cluster) => withTaints(cluster, looks.get(cluster)?.atOnce.taints));
  const left = leftBehind(looked, around, configuration.rules);
  const removal = planTaintRemoval(left, world.clusters);
  const removed = new Map(
    (options.withTaints ? removal.steps : []).map(({ cluster, taints }) => [cluster, taints]),
  );
  const clusters = paired(world.clusters, looked).flatMap(([cluster, atLook]): ClusterEffect[] => {
    const look = looks.get(cluster);
    if (!look) return [];
    const { name } = cluster.metadata;
    const gone = removed.get(name) ?? [];
    const taints = withoutTaints(atLook.spec?.taints ?? [], gone);
    const then = conditionTurns(withTaints(cluster, taints), after, configuration, now);
    const instead = conditionTurns(cluster, before, configuration, now);
    const fought = (now: ClusterLook, turns: ConditionTurn[]) =>
      fightsIn([now, ...turns.map((turn) => turn.look)]);
    const known = fought(lookAtCluster(cluster, before, configuration, now), instead);
    return [
      {
        cluster: name,
        ...look,
        removed: gone,
        taints,
        later: then.filter((turn) => !instead.some((one) => sameTurn(one, turn))),
        noLonger: instead.filter((turn) => !then.some((one) => sameTurn(one, turn))),
        fights: newFights(known, fought(look.atOnce, then)),
      },
    ];
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
    .sort((a, b) => gravity(a.turn) - gravity(b.turn) || carries(b.cluster) - carries(a.cluster))
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

/** What Karmada does to a cluster at once; undefined if no changed policy is or was for it. */
function lookAt(
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
  const looks = changed.some((one) => (one.verb === 'created' || one.verb === 'edited') && isFor(one.after));
  return {
    policies: concerned.filter((one) => isFor(one.after)).map(({ name }) => name),
    ...lookOfChange(cluster, around, looks, configuration, now),
    outstanding: looks
      ? { gains: [], loses: [] }
      : movesOf(unchanged, lookAtCluster(cluster, after, configuration, now)),
  };
}

type TaintMoves = Pick<ClusterLook, 'gains' | 'loses'>;

/** What some of the policies do in a look that writes something. */
function movesOf(policies: ReadonlySet<string>, { gains, loses }: ClusterLook): TaintMoves {
  const own = (moves: ClusterLook['gains']) => moves.filter(({ policy }) => policies.has(policy));
  return { gains: own(gains), loses: own(loses) };
}

function withTaints(cluster: Cluster, taints: readonly Taint[] | undefined): Cluster {
  if (!taints || taints === cluster.spec?.taints) return cluster;
  return { ...cluster, spec: { ...cluster.spec, taints: [...taints] } };
}

/**
 * The changes of conditions at which a cluster fares differently, each once: the present ones, and those at which
 * nothing happens from now on.
 */
function turnsOf({ later, noLonger }: ClusterEffect): ConditionTurn[] {
  const listed = new Set(later.map(conditionName));
  return [...later, ...noLonger.filter((turn) => !listed.has(conditionName(turn)))];
}

function conditionName({ condition: { type, status } }: ConditionTurn): string {
  return `${type}=${status}`;
}

/** Milliseconds from the change of policies to that of a condition: by then Karmada has acted on the policies. */
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
