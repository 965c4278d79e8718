import { redacted } from '../../kubernetes/redaction/redacted.ts';
import { redactedData, redactedJson } from '../../kubernetes/redaction/redactedData.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { SavedSimulation } from '../../simulator/store/savedSimulation.ts';
import type { UnreadKind } from '../../karmada/world.ts';
import type { ObservedComponents } from '../componentFlags.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { shownValue } from './slim.ts';
import { redactedObjects, wholeObjects } from './snapshotRedaction.ts';
import type { DetectedVersion, LoadedState, NewestTimestamp, SavedAssumptions } from '../source.ts';

/** The contents of a snapshot besides its objects. */
export interface SnapshotHeader {
  kind: 'Snapshot';
  schemaVersion: 'v1';
  /** the instant that it shows; absent if it was saved from files without one */
  captured?: { /** RFC 3339 */ time: string; source: string };
  newestTimestamp?: { /** RFC 3339 */ time: string; object: NewestTimestamp['object'] };
  components: ObservedComponents;
  detected?: DetectedVersion;
  served?: ServedGroup[];
  unread?: readonly UnreadKind[];
  /** for a saved simulation: the user's assumptions about Karmada … */
  assumed?: SavedAssumptions;
  /** … and the state that the API does not show */
  simulation?: SavedSimulation;
  warnings: string[];
}

/** An API group and its versions, the preferred one first. */
export interface ServedGroup {
  group: string;
  versions: string[];
}

/**
 * The text of a snapshot, in pieces: a JSON document with one object per line. It leaves out potential secrets
 * (listed in docs/state.md), but gives the same answers as the state itself.
 */
export function snapshotText(state: LoadedState, served?: ServedGroup[]): Generator<string> {
  return textOf(state, redactedObjects(state.world), served);
}

/**
 * The text of the state that a simulation saves: a snapshot with complete objects, because the controllers continue
 * with them. It has no Secrets, like every snapshot.
 */
export function savedStateText(state: LoadedState): Generator<string> {
  return textOf(state, wholeObjects(state.world));
}

function* textOf(
  state: LoadedState,
  objects: Iterable<KubernetesObject>,
  served?: ServedGroup[],
): Generator<string> {
  yield '{\n';
  for (const [name, value] of Object.entries(headerOf(state, served)))
    if (value !== undefined)
      yield `"${name}": ${name === 'simulation' ? JSON.stringify(value) : redactedJson(value)},\n`;
  yield '"items": [';
  let separator = '\n';
  for (const object of objects) {
    yield `${separator}${redactedJson(object)}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** The contents of a snapshot besides its objects, without secrets. */
export function headerOf(state: LoadedState, served: ServedGroup[] | undefined): SnapshotHeader {
  const { captured, newestTimestamp: newest, components, detected, assumed, world, warnings } = state;
  return {
    kind: 'Snapshot',
    schemaVersion: 'v1',
    ...(captured ? { captured: { ...captured, time: rfc3339Milliseconds(captured.time) } } : {}),
    // `captured` has more fields
    ...(newest && !captured && { newestTimestamp: { ...newest, time: rfc3339Milliseconds(newest.time) } }),
    components: { ...components, commandLines: components.commandLines.map(withShownValues) },
    ...(detected ? { detected } : {}),
    ...(served ? { served } : {}),
    ...(world.unread ? { unread: world.unread } : {}),
    ...(assumed ? { assumed } : {}),
    ...(world.simulation ? { simulation: withoutSecrets(world.simulation) } : {}),
    warnings,
  };
}

/**
 * Redacts foreign data: copies, samples, scenarios, and messages of failures. The rest is our own data: its keys may be
 * any name, which redaction by field name would misinterpret.
 */
function withoutSecrets({
  copies,
  reported,
  events,
  assumptions,
  queues,
  ...ours
}: SavedSimulation): SavedSimulation {
  const failing = Object.entries(queues.failing).map(([key, known]) => [
    key,
    { ...known, message: redacted(known.message) },
  ]);
  return {
    ...ours,
    queues: { ...queues, failing: Object.fromEntries(failing) as typeof queues.failing },
    copies: Object.fromEntries(Object.entries(copies).map(([key, copy]) => [key, redactedData(copy)])),
    ...(reported ? { reported: redactedData(reported) } : {}),
    events: redactedData(events),
    assumptions: redactedData(assumptions),
  };
}

function withShownValues(line: ObservedComponents['commandLines'][number]) {
  return { ...line, flags: line.flags.map(({ name, value }) => ({ name, value: shownValue(name, value) })) };
}
