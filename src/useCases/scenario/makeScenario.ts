import { objectKey } from '../../karmada/objects/identities.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import type { Scenario, ScenarioAction, ScenarioEvent } from '../../simulator/scenario.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import { listedTaints } from '../../karmada/taints/policyFields.ts';
import type { World } from '../../karmada/world.ts';
import type { KubernetesObject, TaintEffect } from '../../karmada/api/meta.ts';
import type { TaintChange } from '../../karmada/taints/taintChange.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import type { Moment } from '../../state/fieldReader.ts';
import { problemOfPatch } from '../../state/world/patchedObject.ts';
import { resolveScenario, type ScenarioFile } from '../../state/scenario/scenarioFile.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import type { Ports } from '../ports.ts';
import { Problem } from '../problem.ts';
import { knownCluster } from '../selection/selection.ts';
import type { OpenedScenario } from '../state/stateRequest.ts';

/** An event requested `after` this many milliseconds. */
export type RequestedEvent = { after: number } & (
  | { type: 'fail' | 'recover'; cluster: string }
  | ({ type: 'failArea' } & Area)
  | { type: 'taint'; cluster: string; taint: { key: string; value?: string; effect: TaintEffect } }
  | { type: 'untaint'; cluster: string; key: string; effect: TaintEffect }
  /** `source` names the input in messages, `file` the manifests in titles */
  | (({ type: 'apply'; objects: KubernetesObject[] } | Extract<ScenarioAction, { type: 'patch' }>) & {
      source: string;
      file: string;
    })
);

/** The common property of clusters that fail together. */
export const AREAS = ['provider', 'region', 'zone'] as const;

/** All clusters of a provider, region or zone. */
interface Area {
  property: (typeof AREAS)[number];
  value: string;
}

/** An area that fails `after` this many milliseconds. */
export interface FailingArea extends Area {
  after: number;
}

/** The request that a cluster gets or loses a taint. */
export function requestedTaintChange(
  { cluster, taint, removed }: { cluster: string } & TaintChange,
  after: number,
): RequestedEvent {
  const { key, effect } = taint;
  return removed
    ? { type: 'untaint', cluster, key, effect, after }
    : { type: 'taint', cluster, taint, after };
}

/** The requested events of a simulation in addition to a scenario file. */
export interface ScenarioRequest {
  /** in this order if at the same time */
  events: readonly RequestedEvent[];
  /** when to stop, with the text as written */
  until?: { moment: Moment; text: string } | undefined;
  /** milliseconds until new replicas are ready */
  readyAfter?: number | undefined;
}

/** The scenario of a simulation, with the names of its inputs for messages. */
export interface MadeScenario {
  scenario: Scenario;
  /** the name of the applied manifests in messages */
  files: ReadonlyMap<ScenarioAction, string>;
  /** the area that each failure of a whole area belongs to */
  areas: ReadonlyMap<ScenarioAction, Area>;
  /** the input and file of each event */
  sources: Sources;
  /** failures of members that are down and recoveries of those that are up: no effect */
  idle: ReadonlySet<ScenarioAction>;
}

/** The input and file of each action, as messages name them. */
export type Sources = ReadonlyMap<ScenarioAction, string>;

/**
 * The scenario of a world from `start` on (epoch milliseconds): first the file's events, then the requested ones. Warns
 * about events that change nothing. Throws a Problem for unknown objects, and for an end before the start.
 */
export function makeScenario(
  request: ScenarioRequest,
  opened: OpenedScenario | undefined,
  world: ResumableWorld,
  start: number,
  ports: Ports,
): MadeScenario {
  const file = opened?.file;
  const source = opened?.source ?? '';
  const events = [...(file?.events ?? [])];
  const sources = new Map(events.map(({ action }) => [action, source]));
  checkPatches(events, world, source);
  const files = new Map<ScenarioAction, string>();
  const areas = new Map<ScenarioAction, Area>();
  for (const wish of request.events)
    for (const action of actionsOf(wish, world)) {
      events.push({ at: { after: wish.after }, action });
      if (wish.type === 'failArea') areas.set(action, wish);
      if (wish.type === 'patch') checkPatches([{ action }], world, wish.source);
      if (wish.type !== 'apply' && wish.type !== 'patch') continue;
      files.set(action, wish.file);
      sources.set(action, wish.source);
    }
  const until = request.until?.moment ?? file?.until;
  const { readyAfter } = request;
  const merged: ScenarioFile = {
    assume: {},
    ...file,
    ...(until ? { until } : {}),
    members: {
      ...file?.members,
      ...(readyAfter === undefined ? {} : { workloadReadyAfter: readyAfter, guessed: false }),
    },
    events,
  };
  const scenario = remainingEvents(resolveScenario(merged, start, usualMembers(world)), world);
  if (scenario.until !== undefined && scenario.until < scenario.start)
    throw new Problem({
      code: 'until-before-start',
      given: request.until?.text,
      source,
      start: scenario.start,
    });
  const idle = [...eventsWithoutEffect(scenario, world)];
  for (const warning of [
    ...eventsAfterEnd(scenario),
    ...idle.map(({ warning }) => warning),
    ...idleUntaints(scenario, world),
    ...unknownNeverReady(scenario.members, world),
  ])
    ports.warn(warning);
  return { scenario, files, areas, sources, idle: new Set(idle.map(({ action }) => action)) };
}

function actionsOf(wish: RequestedEvent, world: World): ScenarioAction[] {
  switch (wish.type) {
    case 'fail':
    case 'recover':
      return [{ type: wish.type, cluster: knownCluster(wish.type, wish.cluster, world) }];
    case 'failArea':
      return clustersIn(wish, world).map((cluster) => ({ type: 'fail', cluster }));
    case 'taint':
      return [{ type: 'taint', cluster: knownCluster('taint', wish.cluster, world), taint: wish.taint }];
    case 'untaint': {
      const { key, effect } = wish;
      return [{ type: 'untaint', cluster: knownCluster('taint', wish.cluster, world), key, effect }];
    }
    case 'apply':
      return [{ type: 'apply', objects: wish.objects }];
    case 'patch':
      return [{ type: 'patch', target: wish.target, merge: wish.merge }];
  }
}

/** The clusters of a provider, region or zone, by name. Throws a Problem if there are none. */
export function clustersIn({ property, value }: Area, world: World): string[] {
  const valuesOf = ({ spec }: World['clusters'][number]) =>
    [...(property === 'zone' ? (spec?.zones ?? []) : []), spec?.[property] ?? ''].filter(Boolean);
  const found = world.clusters.filter((cluster) => valuesOf(cluster).includes(value));
  if (found.length > 0) return found.map(({ metadata }) => metadata.name).sort();
  const known = [...new Set(world.clusters.flatMap(valuesOf))].sort();
  throw new Problem({ code: 'unknown-area', property, value, known });
}

/** One line for each event that the simulation does not reach. */
function* eventsAfterEnd({ start, until = Infinity, events }: Scenario): Generator<string> {
  for (const { at, action } of events)
    if (at > until)
      yield `at T+${formatDuration(at - start)} ${eventText(action)}, but the simulation ends at T+${formatDuration(until - start)}: no effect`;
}

function eventText(action: ScenarioAction): string {
  if (action.type === 'fail') return `${action.cluster} fails`;
  if (action.type === 'recover') return `${action.cluster} recovers`;
  if (action.type === 'apply') return 'manifests are applied';
  if ('component' in action) return `${action.component} ${action.type}s`;
  const subject = 'target' in action ? `${action.target.kind} ${action.target.name}` : action.cluster;
  return `the ${action.type} of ${subject} is due`;
}

/** Each failure of a member that is down, or recovery of one that is up, with a message. */
export function* eventsWithoutEffect(
  { start, until = Infinity, events }: Scenario,
  { clusters, simulation }: ResumableWorld,
): Generator<{ action: ScenarioAction; warning: string }> {
  const up = new Map(
    clusters.map((cluster): [string, boolean] => {
      const { name } = cluster.metadata;
      return [name, simulation?.members[name]?.up ?? isReady(cluster)];
    }),
  );
  for (const { at, action } of [...(simulation?.events ?? []), ...events].sort((a, b) => a.at - b.at)) {
    if (at > until) return;
    if (action.type === 'condition' && action.condition.type === 'Ready')
      up.set(action.cluster, action.condition.status === 'True');
    if (action.type !== 'fail' && action.type !== 'recover') continue;
    const turnsUp = action.type === 'recover';
    if (up.get(action.cluster) === turnsUp)
      yield {
        action,
        warning: `at T+${formatDuration(at - start)} ${action.cluster} ${turnsUp ? 'recovers, but has not failed by then' : 'fails, but is down already'}: no effect`,
      };
    up.set(action.cluster, turnsUp);
  }
}

/**
 * One line for each removed taint that was never added: it may be misspelled. Skips keys of Karmada and of taint
 * policies, and everything after a changed object: such taints may come and go in between.
 */
function* idleUntaints(
  { start, until = Infinity, events }: Scenario,
  { clusters, taintPolicies, simulation }: ResumableWorld,
): Generator<string> {
  if (simulation) return;
  const there = new Map(clusters.map(({ metadata, spec }) => [metadata.name, [...(spec?.taints ?? [])]]));
  const ofPolicies = new Set(taintPolicies.flatMap((policy) => listedTaints(policy).map(({ key }) => key)));
  for (const { at, action } of [...events].sort((a, b) => a.at - b.at)) {
    if (at > until) return;
    if (action.type === 'taint') there.get(action.cluster)?.push(action.taint);
    if (action.type === 'apply' || action.type === 'patch') return;
    if (action.type !== 'untaint') continue;
    const { cluster, key, effect } = action;
    if (key.startsWith('cluster.karmada.io/') || ofPolicies.has(key)) continue;
    const has = there
      .get(cluster)
      ?.some((taint) => taint.key === key && (effect === undefined || taint.effect === effect));
    if (!has)
      yield `at T+${formatDuration(at - start)} ${cluster} has no taint ${key}${effect ? `:${effect}` : ''} to remove: no effect`;
  }
}

/** One line for each entry of neverReady that matches no workload or cluster of the world. */
function* unknownNeverReady(
  { neverReady }: Scenario['members'],
  { bindings, clusters }: World,
): Generator<string> {
  const workloads = new Set(bindings.map(({ spec }) => objectKey(spec.resource)));
  const names = new Set(clusters.map(({ metadata }) => metadata.name));
  for (const { cluster, ...workload } of neverReady) {
    const { kind, namespace, name } = workload;
    if (!workloads.has(objectKey(workload)))
      yield `neverReady: there is no workload ${kind} ${namespace ? `${namespace}/` : ''}${name} in the state: no effect`;
    if (!names.has(cluster)) yield `neverReady: there is no cluster ${cluster} in the state: no effect`;
  }
}

/** Throws a Problem for a patch that would make an object of the world invalid. */
export function checkPatches(
  events: readonly { action: ScenarioAction }[],
  world: World,
  source: string,
): void {
  for (const { action } of events) {
    if (action.type !== 'patch') continue;
    const message = problemOfPatch(world, action.target, action.merge);
    if (message !== undefined) throw new Problem({ code: 'scenario', source, message });
  }
}

/**
 * The events of a scenario that a saved simulation still needs: earlier ones have already happened, and the saved world
 * contains the later ones of its own scenario.
 */
function remainingEvents(scenario: Scenario, { simulation }: ResumableWorld): Scenario {
  if (!simulation) return scenario;
  const { now } = simulation.queues;
  if (scenario.start >= now) return { ...scenario, start: now };
  const kept = (event: ScenarioEvent) => simulation.events.some((one) => deepEqual(one, event));
  return { ...scenario, start: now, events: scenario.events.filter((one) => one.at > now && !kept(one)) };
}
