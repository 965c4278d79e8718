import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { factsOf, isController, isEvictionQueue } from '../../karmada/controllers/registry.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { bindingKey, snapshotKey } from '../../karmada/objects/identities.ts';
import { evictingFrom, placedOn } from '../../karmada/objects/placement.ts';
import { parseTaintedPairKey } from '../../karmada/taints/taintedPair.ts';
import type { Scenario, ScenarioAction, ScenarioEvent } from '../../simulator/scenario.ts';
import {
  ordersInBudget,
  type PlacementSteps,
  placementSteps,
  ordersToTry,
  withOtherOrders,
} from '../../simulator/simulation/otherOrders.ts';
import { setStage, type SetStage, type StageOptions } from '../../simulator/simulation/stage.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import { createStartingWorld, type StartingWorld } from '../../simulator/store/startingWorld.ts';
import { cronScalers } from '../../simulator/cronScalers.ts';
import type { VirtualTime } from '../../simulator/virtualTime/virtualTime.ts';
import type { SimulationEnd, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import { lossesOf, type Losses } from './costOfLoss.ts';

/** Forecasts the outcome of workloads if these clusters fail at the same time. */
export type LossForecast = (...clusters: readonly string[]) => Losses;

export interface ForecastOptions extends Pick<StageOptions, 'unverified'> {
  /** how many other processing orders to try: fewer in a large world, none with too many forecasts; absent: none */
  otherOrders?: number;
  /** how many forecasts share the budget for other processing orders */
  forecasts?: number;
  /** the start shared with other simulations of this world, configuration and instant; absent: computed */
  starting?: StartingWorld;
}

/** Forecasts of one world from one instant on. Parts that do not depend on the events are computed once. */
export interface EventForecast {
  /** the keys of all bindings */
  readonly bindings: readonly string[];
  /** the keys of the bindings with a copy on a cluster: placed or attached there, or kept there by tasks */
  on(cluster: string): readonly string[];
  /**
   * the outcomes of bindings by key, with these actions at the start, simulated with all bindings like `simulate`.
   *
   * @param among absent: only of `keys`; otherwise also of affected ones among these: dependents, competitors for
   *   capacity
   */
  outcomes(
    actions: readonly ScenarioAction[],
    keys: readonly string[],
    among?: ReadonlySet<string>,
  ): Pick<ForecastTimeline, 'outcomes' | 'orders'>;
  /** the outcomes with the course of events */
  course(
    actions: readonly ScenarioAction[],
    keys: readonly string[],
    among: ReadonlySet<string>,
  ): ForecastTimeline;
  /** the course without further events */
  calm(): ForecastWithoutFailures;
  /**
   * the outcomes of a few bindings by key, as if no others moved. Others still use their turns in the eviction queues.
   */
  alone(
    actions: readonly ScenarioAction[],
    keys: ReadonlySet<string>,
  ): Pick<ForecastTimeline, 'outcomes' | 'turns'>;
  /** the start that all forecasts share */
  readonly start: StartingWorld;
}

/** The forecast without failures. */
export interface ForecastWithoutFailures {
  /** the outcomes of these bindings */
  outcomes(keys: readonly string[]): WorkloadOutcome[];
  /** nothing is written or waits for time to pass: every later start has the same outcome */
  atRest: boolean;
  /** keys of the bindings that controllers reconcile, directly or through Works */
  reconciled: ReadonlySet<string>;
}

/** A forecast with the course of events, all by key of the binding. */
interface ForecastTimeline {
  outcomes: WorkloadOutcome[];
  /** the steps of bindings that move, or whose Works change, as one text each */
  steps: ReadonlyMap<string, string>;
  /** the clusters that these bindings were on since they first moved, including temporary ones */
  visited: ReadonlyMap<string, ReadonlySet<string>>;
  /** when evictions had their first turn (epoch milliseconds), by `taintedPairKey` */
  turns: ReadonlyMap<string, number>;
  /** how many other orders were tried */
  orders: number;
}

/** Prepares forecasts. Throws InvalidQuantity for a cluster's invalid quantities. */
export function forecastEvents(
  world: ResumableWorld,
  { start, members }: Pick<Scenario, 'start' | 'members'>,
  configuration: Configuration,
  {
    unverified,
    otherOrders = 0,
    forecasts = 1,
    starting: common = createStartingWorld(world, configuration, { start, members }),
  }: ForecastOptions = {},
): EventForecast {
  function stageOf(events: ScenarioEvent[], options: StageOptions): SetStage {
    return setStage(
      common,
      { start, members, events },
      { outcomesAlone: true, ...options, ...(unverified && { unverified }) },
    );
  }

  function play(
    actions: readonly ScenarioAction[],
    keys: Iterable<string>,
    { among, follow, ...options }: Played = {},
  ): Pick<ForecastTimeline, 'outcomes' | 'orders'> & { steps: PlacementSteps } {
    const events = actions.map((action) => ({ at: start, action }));
    const stageIn = (ordering?: StageOptions['ordering']) =>
      stageOf(events, { ...options, ...(ordering && { ordering }) });
    const stage = stageIn();
    const steps = placementSteps(stage.time);
    follow?.(stage.time);
    const ended = stage.play();
    const outcomes = outcomesOf(stage, ended, new Set(keys), among);
    if (otherOrders === 0) return { outcomes, orders: 0, steps };
    const orders = options.alone ? 0 : ordersInBudget(otherOrders, stage.time.reconciles(), forecasts);
    return {
      outcomes: withOtherOrders(
        { workloads: outcomes, steps },
        ordersToTry(orders, events, world.simulation?.events),
        stageIn,
        false,
      ),
      orders,
      steps,
    };
  }

  return {
    start: common,
    bindings: [...common.bindings.keys()],
    on: common.entitled,
    outcomes: (actions, keys, among) => play(actions, keys, { ...(among && { among }) }),
    course(actions, keys, among) {
      const turns = createTurnList();
      const visited = new Map<string, Set<string>>();
      const { steps, ...played } = play(actions, keys, {
        among,
        beforeReconcile: turns.note,
        follow: (time) => followVisits(time, visited),
      });
      const moved = [...steps.keys()].filter(steps.moved);
      return {
        ...played,
        visited,
        turns: turns.first,
        steps: new Map(moved.map((key) => [key, steps.get(key) ?? ''])),
      };
    },
    calm() {
      const reconciled = new Set<string>();
      let atRest =
        cronScalers(world.others, start).length === 0 &&
        // An eviction history blocks a cluster only temporarily.
        world.bindings.every(({ spec }) => !spec.activeEvictionHistory?.length);
      const { time, outcomes, play } = stageOf([], {
        beforeReconcile(controller, key, _view, now) {
          const binding = reconciledBinding(controller, key, common);
          if (binding !== undefined) reconciled.add(binding);
          atRest &&= now - start < AT_ONCE;
        },
      });
      time.follow(({ changes }) => void (atRest &&= changes.length === 0));
      const ended = play();
      return { outcomes: (keys) => outcomes.of(keys, ended), atRest, reconciled };
    },
    alone(actions, keys) {
      const turns = createTurnList();
      const { outcomes } = play(actions, keys, { alone: keys, beforeReconcile: turns.note });
      return { outcomes, turns: turns.first };
    },
  };
}

/** Controllers that resume reconcile within this many milliseconds; later ones wait for time to pass. */
const AT_ONCE = 1000;

type Played = Pick<StageOptions, 'alone' | 'beforeReconcile'> & {
  among?: ReadonlySet<string>;
  follow?: (time: VirtualTime) => void;
};

/** The outcomes of some bindings, and of others that the simulation has touched; each is judged once. */
function outcomesOf(
  { outcomes }: SetStage,
  ended: SimulationEnd,
  keys: ReadonlySet<string>,
  among: ReadonlySet<string> | undefined,
): WorkloadOutcome[] {
  if (!among) return outcomes.of([...keys], ended);
  const touched = outcomes.touched(ended);
  const left = [...keys].filter((key) => !touched.has(key));
  const others = [...touched].flatMap(([key, found]) =>
    found && (keys.has(key) || among.has(key)) ? found.outcome : [],
  );
  return left.length > 0 ? [...outcomes.of(left, ended), ...others] : others;
}

function reconciledBinding(controller: string, key: string, start: StartingWorld): string | undefined {
  if (!isController(controller)) return undefined;
  const { keys } = factsOf(controller);
  if (keys === 'Work') return start.ownerOf(key);
  return keys === 'pair' ? parseTaintedPairKey(key).binding : key;
}

/** Records the first turn of each eviction. */
function createTurnList() {
  const first = new Map<string, number>();
  return {
    first,
    note(controller: string, key: string, _view: unknown, now: number): void {
      if (isEvictionQueue(controller) && !first.has(key)) first.set(key, now);
    },
  };
}

/** Records the clusters that bindings are on, or are leaving. */
function followVisits(time: VirtualTime, visited: Map<string, Set<string>>): void {
  time.follow(({ changes }) => {
    for (const change of changes) {
      if (change.kind !== 'Binding' || !change.after) continue;
      const { spec } = change.after;
      if (
        change.before?.spec.clusters === spec.clusters &&
        change.before?.spec.gracefulEvictionTasks === spec.gracefulEvictionTasks &&
        change.before?.spec.requiredBy === spec.requiredBy
      )
        continue;
      const own = getOrAdd(visited, change.key, () => new Set<string>());
      for (const { name } of placedOn(spec)) own.add(name);
      for (const name of evictingFrom(spec)) own.add(name);
    }
  });
}

/** Forecasts the failure of clusters of a world at the instant `start`, but reports only those of `bindings`. */
export function forecastLosses(
  world: ResumableWorld,
  bindings: readonly ResourceBinding[],
  when: Pick<Scenario, 'start' | 'members'>,
  configuration: Configuration,
  options: ForecastOptions = {},
): LossForecast {
  const forecast = forecastEvents(world, when, configuration, options);
  const asked = new Set(bindings.map(bindingKey));
  const known = new Set(world.clusters.map(({ metadata }) => metadata.name));
  return (...clusters) => {
    const failing = clusters.filter((cluster) => known.has(cluster));
    const own = bindingsOn(forecast, failing, asked);
    if (own.length === 0) return lossesOf([]);
    return lossesOf(
      forecast.outcomes(
        failing.map((cluster) => ({ type: 'fail', cluster })),
        own,
      ).outcomes,
    );
  };
}

/** The requested bindings on some clusters, in the order of the world. */
export function bindingsOn(
  forecast: EventForecast,
  clusters: readonly string[],
  asked: ReadonlySet<string>,
): string[] {
  const there = new Set(clusters.flatMap((cluster) => forecast.on(cluster)).filter((key) => asked.has(key)));
  return clusters.length > 1 ? forecast.bindings.filter((key) => there.has(key)) : [...there];
}

/** The outcome of a workload if a cluster fails, in the form of answers. */
export type ForecastOfBinding = Pick<
  WorkloadOutcome,
  'outcome' | 'after' | 'certainty' | 'dependsOn' | 'possibleEnds' | 'down' | 'reason'
>;

/** A forecast outcome in the form used by `failover status`, `failover explain` and the dashboard. */
export function forecastOf(found: WorkloadOutcome): ForecastOfBinding {
  const { outcome, after, certainty, dependsOn, possibleEnds, down, reason } = found;
  return {
    outcome,
    after,
    certainty,
    ...(dependsOn && { dependsOn }),
    ...(possibleEnds && { possibleEnds }),
    ...(down && { down }),
    ...(reason && { reason }),
  };
}

/** The outcome of a workload, as overviews keep it for each cluster. */
export interface WorkloadVerdict extends ForecastOfBinding {
  /** the result of `bindingKey` */
  key: string;
}

/** The result of the failure of one cluster, as overviews keep it. */
export interface ClusterForecast extends Losses<WorkloadVerdict> {
  cluster: string;
}

/**
 * Forecasts the failure of each cluster, one after the other: each step is one simulation. Clusters with the most
 * workloads come first.
 */
export function* forecastEachCluster(
  world: ResumableWorld,
  when: Pick<Scenario, 'start' | 'members'>,
  configuration: Configuration,
  options: Omit<ForecastOptions, 'forecasts'>,
): Generator<ClusterForecast> {
  const counts = new Map<string, number>();
  for (const { spec } of world.bindings)
    for (const { name } of placedOn(spec)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = world.clusters
    .map(({ metadata }) => metadata.name)
    .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const forecast = forecastLosses(world, world.bindings, when, configuration, {
    ...options,
    forecasts: names.length,
  });
  for (const cluster of names) {
    const { workloads, ...losses } = forecast(cluster);
    const verdicts = workloads.map((one) => ({ key: snapshotKey(one.binding), ...forecastOf(one) }));
    yield { cluster, ...losses, workloads: verdicts };
  }
}
