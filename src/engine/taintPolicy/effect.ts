import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { playScenario } from '../comparison/playedWorkload.ts';
import { workloadDifferences, type WorkloadDifference } from '../comparison/differences.ts';
import type { MemberAssumptions, ScenarioEvent } from '../scenario.ts';
import type { ResumableWorld } from '../store/savedSimulation.ts';
import { createStartingWorld, type StartingWorld } from '../store/startingWorld.ts';
import { targets } from '../taints/clusterTaintPolicy.ts';
import { lookAtCluster, type ClusterLook } from './clusterLook.ts';
import { conditionTurns, type ConditionTurn } from './conditionTurns.ts';
import { leftBehind, type LeftTaint } from './leftBehind.ts';
import { policiesAround, type ChangedPolicy, type PolicyChange } from './policyChange.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';

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
   * what Karmada does at once; nothing if no created or edited policy targets the cluster, since then it does not look
   */
  atOnce: ClusterLook;
  /** what would happen at a change of a condition, if that differs from before */
  later: ConditionTurn[];
  /** what would have happened at a change of a condition before, and no longer would */
  noLonger: ConditionTurn[];
}

/** How workloads would fare after a cluster's condition changes, compared with the policies before the change. */
export interface TurnEffect {
  cluster: string;
  turn: ConditionTurn;
  workloads: WorkloadDifference[];
}

export interface EffectOptions {
  members: MemberAssumptions;
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
  return added.some(({ taint }) => taint.effect === 'NoExecute') ? 0 : added.length > 0 ? 1 : 2;
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
  const clusters: ClusterEffect[] = [];
  const changedClusters: Cluster[] = [];
  for (const cluster of world.clusters) {
    const effect = effectOn(cluster, around, configuration, now);
    if (effect) clusters.push(effect);
    const taints = effect?.atOnce.taints;
    changedClusters.push(
      taints && taints !== cluster.spec?.taints
        ? { ...cluster, spec: { ...cluster.spec, taints: [...taints] } }
        : cluster,
    );
  }
  clusters.sort((a, b) => (a.cluster < b.cluster ? -1 : 1));
  const { members } = options;
  const start = createStartingWorld(world, admitting(configuration), { start: now, members });
  const events = eventsOf(changed, now);
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
    leftBehind: leftBehind(changedClusters, { before, after, changed }, configuration.rules),
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

function effectOn(
  cluster: Cluster,
  { before, after, changed }: ReturnType<typeof policiesAround>,
  configuration: Configuration,
  now: number,
): ClusterEffect | undefined {
  const isFor = (policy: ClusterTaintPolicy | undefined) =>
    policy !== undefined && targets(policy, cluster, configuration.rules.scheduling);
  const concerned = changed.filter((one) => isFor(one.before) || isFor(one.after));
  if (concerned.length === 0) return undefined;
  const looks = changed.some((one) => (one.verb === 'created' || one.verb === 'edited') && isFor(one.after));
  const atOnce = looks
    ? lookAtCluster(cluster, after, configuration, now)
    : lookAtCluster(cluster, [], configuration, now);
  const next = { ...cluster, spec: { ...cluster.spec, taints: [...atOnce.taints] } };
  const then = conditionTurns(next, after, configuration, now);
  const instead = conditionTurns(cluster, before, configuration, now);
  return {
    cluster: cluster.metadata.name,
    policies: concerned.filter((one) => isFor(one.after)).map(({ name }) => name),
    atOnce,
    later: then.filter((turn) => !instead.some((one) => sameTurn(one, turn))),
    noLonger: instead.filter((turn) => !then.some((one) => sameTurn(one, turn))),
  };
}

/** The changes of conditions at which a cluster fares differently, each once: those of now, and those at which nothing happens any more. */
function turnsOf({ later, noLonger }: ClusterEffect): ConditionTurn[] {
  const told = new Set(later.map(conditionName));
  return [...later, ...noLonger.filter((turn) => !told.has(conditionName(turn)))];
}

function conditionName({ condition: { type, status } }: ConditionTurn): string {
  return `${type}=${status}`;
}

function sameTurn(a: ConditionTurn, b: ConditionTurn): boolean {
  const told = ({ condition, look: { gains, loses, renews, refused } }: ConditionTurn) => [
    condition,
    ...[gains, loses, renews].map((moves) => moves.map(({ taint, undone }) => ({ taint, undone }))),
    refused,
  ];
  return deepEqual(told(a), told(b));
}

/** The events of the change: apply all policies at once, then delete. */
function eventsOf(changed: readonly ChangedPolicy[], now: number): ScenarioEvent[] {
  const objects = changed.flatMap(({ after, verb }) =>
    after && verb !== 'unchanged'
      ? [{ ...after, apiVersion: 'policy.karmada.io/v1alpha1', kind: 'ClusterTaintPolicy' }]
      : [],
  );
  return [
    ...(objects.length > 0 ? [{ at: now, action: { type: 'apply', objects } } as const] : []),
    ...changed
      .filter(({ verb }) => verb === 'deleted')
      .map(({ name }): ScenarioEvent => {
        const target = { kind: 'ClusterTaintPolicy', name };
        return { at: now, action: { type: 'delete', target } };
      }),
  ];
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
  const [a, b] = [without, events].map((own) =>
    playScenario(start, { start: start.start, members, events: own }),
  );
  const told = workloadDifferences(a!.workloads, b!.workloads);
  if (told.length === 0 || otherOrders === 0) return told;
  const [x, y] = [a!, b!].map((played) => played.inOtherOrders(otherOrders, 2));
  return workloadDifferences(x!, y!);
}
