import type { ConditionStatus } from '../../karmada/api/meta.ts';
import { MANAGER } from '../../karmada/controllers/karmada.ts';
import type { View } from '../../karmada/controllers/view.ts';
import type { Write } from '../../karmada/controllers/write.ts';
import { unnoticed } from '../../karmada/detection/unnoticed.ts';
import { readyCondition } from '../../karmada/objects/clusterReadiness.ts';
import type { MemberTurn, ScenarioAction, ScenarioEvent } from '../scenario.ts';
import { cronScalers } from '../cronScalers.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { REACTION_WINDOW_MS, type Ordering } from '../virtualTime/ordering.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';
import { instant } from '../../kubernetes/time.ts';
import { firstWith } from '../../kubernetes/firstWith.ts';
import { handledByNewManager, memberAnswers } from './memberTurns.ts';
import {
  contentWrites,
  deletedNamespaces,
  deletingWrites,
  emptyNamespaceWrites,
  MissingObject,
  ScenarioError,
  scenarioWrites,
} from './scenarioWrites.ts';

/**
 * Plans the external events.
 *
 * @param resumed the remaining events of a saved simulation
 * @param until epoch milliseconds of the end; undefined: when it settles
 */
export function planEvents(
  events: readonly ScenarioEvent[],
  resumed: readonly ScenarioEvent[],
  start: StartingWorld,
  time: VirtualTime,
  ordering: Ordering,
  until: number | undefined,
): void {
  const planned = [...resumed, ...events];
  const isResumed = new Set(resumed);
  const effective = effectiveTimes(planned, ordering.late);
  for (const [index, event] of planned.entries()) {
    const emptied = deletedNamespace(event.action);
    const wasThere = emptied !== undefined && (isResumed.has(event) || isThere(emptied, time.view));
    time.plan(effective[index]!, () => {
      if ('component' in event.action) return turnProcess(event.action, time);
      if (emptied !== undefined && wasThere && !isThere(emptied, time.view)) return;
      if (emptied !== undefined) return planEmptying(emptied, event, time);
      for (const write of writesOf(event, start, time, isResumed.has(event), ordering.unseen))
        time.write('scenario', [write]);
    });
  }
  for (const { metadata } of deletedNamespaces(time.view)) {
    const firstCheck = instant(metadata.deletionTimestamp!) + BEFORE_EMPTYING;
    if (time.now() - firstCheck < STUCK)
      time.plan(Math.max(time.now(), firstCheck), () => emptyNamespace(metadata.name, Infinity, time));
  }
  planScaling(start, time, ordering, until);
  const news = newsOf(planned);
  for (const event of planned) planUnnoticed(event, news, start, time, ordering);
}

/**
 * When each event takes effect, in their order.
 *
 * @param late milliseconds of delay for events that closely follow another
 */
function effectiveTimes(planned: readonly ScenarioEvent[], late: number): number[] {
  const times = planned.map(({ at }) => at);
  if (late === 0) return times;
  const inTime = [...planned.keys()].sort((a, b) => times[a]! - times[b]!);
  let [previous, effective] = [-Infinity, -Infinity];
  for (const index of inTime) {
    const at = times[index]!;
    const isClose = at !== previous && at - previous < REACTION_WINDOW_MS;
    effective = Math.max(effective, isClose ? at + late : at);
    times[index] = effective;
    previous = at;
  }
  return times;
}

/**
 * Cron scaling runs until a given end, otherwise only while the simulation has other work: it does not prolong a
 * simulation.
 */
function planScaling(
  start: StartingWorld,
  time: VirtualTime,
  ordering: Ordering,
  until: number | undefined,
): void {
  for (const { target, rules } of cronScalers(start.world.others, time.now()))
    for (const { next } of rules) {
      if (!next) continue;
      const { at, replicas } = next;
      const event: ScenarioEvent = { at, action: { type: 'patch', target, merge: { spec: { replicas } } } };
      const scale = () => {
        for (const write of writesOf(event, start, time, true, ordering.unseen))
          time.write('scenario', [write]);
      };
      if (until === undefined) time.planAside(at, scale);
      else if (at <= until) time.plan(at, scale);
    }
}

/**
 * Milliseconds that kube-controller-manager waits after each change of a terminating namespace, its own included,
 * before it checks again (namespaceDeletionGracePeriod).
 */
const BEFORE_EMPTYING = 5000;

/**
 * Milliseconds between two checks of an unchanged terminating namespace: half the estimated time of a finalizer
 * (finalizerEstimateSeconds), plus one second.
 */
const CHECK_INTERVAL = 8000;

/** A namespace still present this many milliseconds after the first check is stuck, for a reason not in the state. */
const STUCK = 60_000;

function deletedNamespace(action: ScenarioAction): string | undefined {
  return action.type === 'delete' && action.target.kind === 'Namespace' ? action.target.name : undefined;
}

/** Whether a namespace exists, or anything in it. */
function isThere(namespace: string, view: View): boolean {
  return contentWrites(namespace, view).length > 0 || emptyNamespaceWrites(namespace, view).length > 0;
}

/** Deletes everything in a terminating namespace, then the namespace itself. */
function planEmptying(namespace: string, { action }: ScenarioEvent, time: VirtualTime): void {
  if (!isThere(namespace, time.view)) {
    const error = new ScenarioError(`nothing to delete in namespace ${namespace}: check its name`);
    error.action = action;
    throw error;
  }
  time.write('scenario', deletingWrites(namespace, time.view, time.now()));
  time.plan(time.now() + BEFORE_EMPTYING, () => emptyNamespace(namespace, Infinity, time));
}

/**
 * Empties a namespace. Objects with finalizers keep the namespace until a later check finds fewer of them.
 *
 * @param before how many objects the previous check found
 */
function emptyNamespace(namespace: string, before: number, time: VirtualTime): void {
  const content = contentWrites(namespace, time.view);
  for (const write of content) time.write('scenario', [write]);
  if (!content.some(({ base }) => base.metadata.finalizers?.length)) {
    for (const write of emptyNamespaceWrites(namespace, time.view)) time.write('scenario', [write]);
  } else if (content.length < before) {
    time.plan(time.now() + BEFORE_EMPTYING, () => emptyNamespace(namespace, content.length, time));
  } else planOnceLess(namespace, content.length, time);
}

/** Checks a namespace periodically, without end; only a check that finds fewer objects does anything. */
function planOnceLess(namespace: string, left: number, time: VirtualTime): void {
  const since = time.now();
  let waits = true;
  time.follow(({ changes }) => {
    if (!waits || !changes.some(({ after }) => !after)) return;
    if (contentWrites(namespace, time.view).length >= left) return;
    waits = false;
    const checks = Math.ceil((time.now() - since) / CHECK_INTERVAL);
    time.plan(since + checks * CHECK_INTERVAL, () => emptyNamespace(namespace, left, time));
  });
}

/** Stops, starts or replaces the process of a component. */
function turnProcess(
  { type, component }: Extract<ScenarioAction, { component: string }>,
  time: VirtualTime,
): void {
  if (type === 'stop') return time.isEnded(component) ? undefined : time.end(component);
  if (type === 'start' && !time.isEnded(component))
    throw new ScenarioError(`${component} is not stopped: "start" needs a "stop" before it`);
  // The informers of a new process list their members at once.
  if (component === MANAGER) time.write('scenario', handledByNewManager(time.view, time.now()));
  time.begin(component);
}

/** The writes of an event: none if its object no longer exists. */
function writesOf(
  { action }: ScenarioEvent,
  start: StartingWorld,
  time: VirtualTime,
  resumed: boolean,
  unseen: Ordering['unseen'],
): readonly Write[] {
  try {
    return scenarioWrites(action, time.view, start.configuration, time.now(), unseen);
  } catch (error) {
    if (error instanceof MissingObject && (resumed || start.get(error.kind, error.key))) return [];
    if (error instanceof ScenarioError) error.action = action;
    throw error;
  }
}

/**
 * A Ready condition in a scenario is Karmada's observation: the member itself changed earlier, by Karmada's detection
 * time, unless the scenario sets the time.
 */
function planUnnoticed(
  { at, action }: ScenarioEvent,
  news: ReadonlyMap<string, ClusterNews>,
  { configuration, start }: StartingWorld,
  time: VirtualTime,
  { unseen }: Ordering,
): void {
  const change = readyChange(action);
  if (!change) return;
  const { cluster, status, turned: known } = change;
  const { turnsFrom, changes } = news.get(cluster)!;
  if (turnsFrom < at) return;
  const captured = time.view.get('Cluster', cluster);
  const last = changes[firstWith(changes, (one) => one.at >= at) - 1];
  const before = last ? readyChange(last.action)!.status : readyCondition(captured)?.status;
  const isPull = captured?.spec?.syncMode === 'Pull';
  const place = unseen(`${cluster} ${at}`);
  const turned = Math.max(
    last?.at ?? 0,
    known
      ? turnAt(known, place)
      : Math.round(at - unnoticed(status, isPull, place ?? 0.5, configuration, before)),
  );
  if (turned >= at) return;
  time.plan(Math.max(start, turned), () => {
    if (time.view.get('Cluster', cluster))
      time.write('scenario', memberAnswers(time.view, cluster, status === 'True', { now: turned, unseen }));
  });
}

/** @param place from 0, the latest possible instant, to 1, the earliest; undefined: the likeliest */
function turnAt({ taken, earliest, latest }: MemberTurn, place: number | undefined): number {
  return place === undefined ? taken : Math.round(latest - place * (latest - earliest));
}

interface ClusterNews {
  /** when its first event makes the member fail or recover */
  turnsFrom: number;
  /** its Ready conditions, in the order of time */
  changes: ScenarioEvent[];
}

function newsOf(planned: readonly ScenarioEvent[]): ReadonlyMap<string, ClusterNews> {
  const news = new Map<string, ClusterNews>();
  for (const event of planned) {
    const { action, at } = event;
    if (!('cluster' in action)) continue;
    const known = news.get(action.cluster) ?? { turnsFrom: Infinity, changes: [] };
    news.set(action.cluster, known);
    if (readyChange(action)) known.changes.push(event);
    if (action.type === 'fail' || action.type === 'recover') known.turnsFrom = Math.min(known.turnsFrom, at);
  }
  for (const { changes } of news.values()) changes.sort((a, b) => a.at - b.at);
  return news;
}

interface ReadyChange {
  cluster: string;
  status: ConditionStatus;
  turned?: MemberTurn | undefined;
}

function readyChange(action: ScenarioAction): ReadyChange | undefined {
  if (action.type !== 'condition' || action.condition.type !== 'Ready') return undefined;
  return { cluster: action.cluster, status: action.condition.status, turned: action.turned };
}
