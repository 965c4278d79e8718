import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ScenarioFile } from '../../src/state/scenario/scenarioFile.ts';
import type { Change, Recording } from './recording.ts';

const MOVES = /^((cluster)?resourcebindings|works)$/;

/** Milliseconds until an external action appears in the watch. */
const UNTIL_SEEN = 500;

/**
 * Moments (epoch milliseconds) at which no binding or Work changed for a second, at least this many seconds apart: a state assembled from
 * the watch is consistent there. Nor was there a recent action whose writes the watch has not reported yet.
 */
export function quietMoments({ changes, scenario, start, until }: Recording, everySeconds: number): number[] {
  const moves = changes.filter(({ resource }) => MOVES.test(resource)).map(({ time }) => time);
  const deeds = scenario.events.map((event) => instantOf(event.at, start));
  const moments: number[] = [];
  for (let at = start + 5000, last = start; at < until - 3000; at += 1000) {
    if (at - last < everySeconds * 1000) continue;
    if (moves.some((time) => at - 1000 < time && time < at + 200)) continue;
    if (deeds.some((time) => at - UNTIL_SEEN < time && time <= at)) continue;
    moments.push((last = at));
  }
  return moments;
}

/** All objects as they were at a moment, each as last served by the API. */
export function objectsAt({ before, changes }: Recording, at: number): KubernetesObject[] {
  const objects = new Map(before.map((object) => [identity(object), object]));
  for (const change of changes) {
    if (change.time > at) break;
    const object = withType(change, objects);
    if (change.type === 'DELETED') objects.delete(identity(object));
    else objects.set(identity(object), object);
  }
  return [...objects.values()];
}

/** The scenario as it continues from a moment. */
export function scenarioFrom({ scenario, start, until }: Recording, at: number): ScenarioFile {
  const timed = scenario.events.map((event) => ({ ...event, at: { instant: instantOf(event.at, start) } }));
  return {
    ...scenario,
    start: at,
    until: { instant: until },
    events: [
      ...stoppedAt(timed, at).map((event) => ({ ...event, at: { instant: at } })),
      ...timed.filter((event) => at === start || event.at.instant > at),
    ],
  };
}

/** The events that stopped a component which was not restarted before an instant after the start. */
function stoppedAt<T extends { at: { instant: number }; action: ScenarioFile['events'][number]['action'] }>(
  timed: readonly T[],
  at: number,
): T[] {
  const stopped = new Map<string, T>();
  for (const event of timed) {
    const { action } = event;
    if (event.at.instant > at || !('component' in action)) continue;
    if (action.type === 'stop') stopped.set(action.component, event);
    else stopped.delete(action.component);
  }
  return [...stopped.values()].filter((event) => event.at.instant < at);
}

/**
 * The same with what a scenario of noticed failures omits: when API servers and agents were really stopped and restarted. Undefined if that
 * is unknown, or there is nothing of that kind.
 */
export function scenarioWithFailures(recording: Recording, at: number): ScenarioFile | undefined {
  const { failures, start } = recording;
  const clusters = new Set(objectsAt(recording, at).map(identity));
  const real = (failures?.events ?? [])
    .map((event) => ({ ...event, at: { instant: instantOf(event.at, start) } }))
    .filter(({ action: { type } }) => type === 'fail' || type === 'recover')
    // a member that has left Karmada fails unnoticed
    .filter((event) => clusters.has(`Cluster /${clusterOf(event)}`));
  if (real.length === 0) return undefined;
  const scenario = scenarioFrom(recording, at);
  const last = new Map(
    real.filter((event) => event.at.instant <= at).map((event) => [clusterOf(event), event]),
  );
  const stillDown = [...last.values()].filter(({ action }) => action.type === 'fail');
  const events = [
    ...stillDown.map((event) => ({ ...event, at: { instant: at } })),
    ...real.filter((event) => event.at.instant > at),
    ...scenario.events,
  ];
  return { ...scenario, events: events.sort((a, b) => instantOf(a.at, start) - instantOf(b.at, start)) };
}

type ScenarioEvent = ScenarioFile['events'][number];

function clusterOf({ action }: ScenarioEvent): string {
  return 'cluster' in action ? action.cluster : '';
}

/** Epoch milliseconds of a moment in a scenario that starts at `start`. */
export function instantOf(moment: ScenarioEvent['at'], start: number): number {
  return 'instant' in moment ? moment.instant : start + moment.after;
}

function identity({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return `${kind} ${namespace ?? ''}/${name}`;
}

/** Older recordings omit apiVersion and kind. */
const types: Record<string, [apiVersion: string, kind: string]> = {
  clusters: ['cluster.karmada.io/v1alpha1', 'Cluster'],
  resourcebindings: ['work.karmada.io/v1alpha2', 'ResourceBinding'],
  clusterresourcebindings: ['work.karmada.io/v1alpha2', 'ClusterResourceBinding'],
  works: ['work.karmada.io/v1alpha1', 'Work'],
  propagationpolicies: ['policy.karmada.io/v1alpha1', 'PropagationPolicy'],
  clusterpropagationpolicies: ['policy.karmada.io/v1alpha1', 'ClusterPropagationPolicy'],
  clustertaintpolicies: ['policy.karmada.io/v1alpha1', 'ClusterTaintPolicy'],
  deployments: ['apps/v1', 'Deployment'],
  statefulsets: ['apps/v1', 'StatefulSet'],
};

function withType({ resource, object }: Change, known: Map<string, KubernetesObject>): KubernetesObject {
  const [apiVersion, kind] = types[resource] ?? [];
  if (object.kind && object.apiVersion) return object;
  const typed = {
    ...object,
    kind: object.kind ?? kind ?? '',
    apiVersion: object.apiVersion ?? apiVersion ?? '',
  };
  return { ...typed, apiVersion: known.get(identity(typed))?.apiVersion ?? typed.apiVersion };
}
