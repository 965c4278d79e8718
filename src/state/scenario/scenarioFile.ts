import type { ConditionStatus } from '../../karmada/api/meta.ts';
import { CLUSTER_CONDITION_READY } from '../../karmada/api/names.ts';
import { type MemberAssumptions, defaultMembers } from '../../karmada/members/memberAssumptions.ts';
import {
  type Scenario,
  type ScenarioAction,
  type ScenarioEvent,
  STOPPABLE,
} from '../../simulator/scenario.ts';
import { type FieldReader, type Moment, fieldReader } from '../fieldReader.ts';
import type { Position } from '../position.ts';
import { keysOf } from '../../kubernetes/json.ts';

/** A scenario as in its file; resolveScenario fills in omitted values. */
export interface ScenarioFile {
  /** epoch milliseconds */
  start?: number;
  until?: Moment;
  /** gates and flags as written; resolveConfiguration reads them */
  assume: Record<string, unknown>;
  members: Partial<MemberAssumptions>;
  events: { at: Moment; action: ScenarioAction }[];
}

/** Fills in a scenario's start and turns its moments into instants. */
export function resolveScenario(file: ScenarioFile, start: number, members = defaultMembers): Scenario {
  const from = file.start ?? start;
  const at = (moment: Moment) => ('instant' in moment ? moment.instant : from + moment.after);
  return {
    start: from,
    ...(file.until ? { until: at(file.until) } : {}),
    members: { ...members, ...file.members },
    events: file.events.map((event): ScenarioEvent => ({ at: at(event.at), action: event.action })),
  };
}

/**
 * Reads a scenario from a parsed file. Throws a StateError that names the file, the field and the value.
 *
 * @param at returns the place of a field in the file; absent: messages name no place
 */
export function parseScenario(value: unknown, file: string, at?: (path: string) => Position): ScenarioFile {
  const reader = fieldReader(file, at);
  const { fields, only, time, moment, list } = reader;
  const root = only('', fields('scenario', value), ['start', 'until', 'assume', 'events', 'description']);
  const assume = root.assume === undefined || root.assume === null ? {} : fields('assume', root.assume);
  const { workloadReadyAfter, neverReady, ...components } = assume;
  return {
    ...(root.start === undefined ? {} : { start: time('start', root.start) }),
    ...(root.until === undefined ? {} : { until: moment('until', root.until) }),
    assume: components,
    members: readMembers(reader, workloadReadyAfter, neverReady),
    events: readEvents(reader, list('events', root.events)),
  };
}

function readMembers(
  { fields, only, text, duration, list, identity }: FieldReader,
  workloadReadyAfter: unknown,
  neverReady: unknown,
): ScenarioFile['members'] {
  return {
    ...(workloadReadyAfter !== undefined && {
      workloadReadyAfter: duration('assume.workloadReadyAfter', workloadReadyAfter),
      guessed: false,
    }),
    ...(neverReady !== undefined && {
      neverReady: list('assume.neverReady', neverReady).map((found, index) => {
        const path = `assume.neverReady[${index}]`;
        const entry = only(path, fields(path, found), ['kind', 'namespace', 'name', 'cluster']);
        return { ...identity(path, entry), cluster: text(`${path}.cluster`, entry.cluster) };
      }),
    }),
  };
}

function readEvents(reader: FieldReader, events: unknown[]): ScenarioFile['events'] {
  const { fail, fields, only, moment } = reader;
  const actions = scenarioActions(reader);
  const names = keysOf(actions);
  return events.map((found, index) => {
    const path = `events[${index}]`;
    const entry = only(path, fields(path, found), ['at', ...names]);
    const named = names.filter((one) => entry[one] !== undefined);
    const [name] = named;
    if (name === undefined || named.length > 1)
      return fail(path, `needs one of ${names.join(', ')}, has ${named.join(' and ') || 'none'}`);
    return { at: moment(`${path}.at`, entry.at), action: actions[name](`${path}.${name}`, entry[name]) };
  });
}

/** The effects that Clusters of any version accept; a version without one of them refuses it during the simulation. */
const EFFECTS = ['NoSchedule', 'NoExecute', 'PreferNoExecute'] as const;

type ReadAction = (path: string, found: unknown) => ScenarioAction;

/** The readers of a scenario's actions, by name. */
function scenarioActions({
  fail,
  fields,
  only,
  text,
  optionalText,
  oneOf,
  identity,
  manifest,
}: FieldReader): Record<ScenarioAction['type'] | 'unjoin', ReadAction> {
  /** "" counts as text here: it empties the message of a condition. */
  const maybeEmpty = (path: string, found: unknown) => (found === '' ? '' : optionalText(path, found));
  const ofComponent =
    (type: 'restart' | 'stop' | 'start'): ReadAction =>
    (path, found) => ({ type, component: oneOf(path, found, STOPPABLE) });
  return {
    fail: (path, found) => ({ type: 'fail', cluster: text(path, found) }),
    recover: (path, found) => ({ type: 'recover', cluster: text(path, found) }),
    condition(path, found) {
      const entry = only(path, fields(path, found), ['cluster', 'type', 'status', 'reason', 'message']);
      const type = text(`${path}.type`, entry.type);
      const status = typeof entry.status === 'boolean' ? (entry.status ? 'True' : 'False') : entry.status;
      const reason = maybeEmpty(`${path}.reason`, entry.reason);
      const message = maybeEmpty(`${path}.message`, entry.message);
      return {
        type: 'condition',
        cluster: text(`${path}.cluster`, entry.cluster),
        condition: {
          type,
          // Karmada writes Ready itself; for other conditions the API takes any status.
          status:
            type === CLUSTER_CONDITION_READY
              ? oneOf(`${path}.status`, status, ['True', 'False', 'Unknown'])
              : (text(`${path}.status`, status) as ConditionStatus),
          ...(reason === undefined ? {} : { reason }),
          ...(message === undefined ? {} : { message }),
        },
      };
    },
    taint(path, found) {
      const entry = only(path, fields(path, found), ['cluster', 'key', 'value', 'effect']);
      const value = optionalText(`${path}.value`, entry.value);
      return {
        type: 'taint',
        cluster: text(`${path}.cluster`, entry.cluster),
        taint: {
          key: text(`${path}.key`, entry.key),
          ...(value ? { value } : {}),
          effect: oneOf(`${path}.effect`, entry.effect, EFFECTS),
        },
      };
    },
    untaint(path, found) {
      const entry = only(path, fields(path, found), ['cluster', 'key', 'value', 'effect']);
      return {
        type: 'untaint',
        cluster: text(`${path}.cluster`, entry.cluster),
        key: text(`${path}.key`, entry.key),
        ...(entry.effect === undefined ? {} : { effect: oneOf(`${path}.effect`, entry.effect, EFFECTS) }),
      };
    },
    health(path, found) {
      const entry = only(path, fields(path, found), ['kind', 'namespace', 'name', 'cluster', 'status']);
      return {
        type: 'health',
        workload: identity(path, entry),
        cluster: text(`${path}.cluster`, entry.cluster),
        health: oneOf(`${path}.status`, entry.status, ['Healthy', 'Unhealthy', 'Unknown']),
      };
    },
    patch(path, found) {
      const entry = only(path, fields(path, found), ['kind', 'namespace', 'name', 'merge']);
      return { type: 'patch', target: identity(path, entry), merge: fields(`${path}.merge`, entry.merge) };
    },
    apply(path, found) {
      const objects = Array.isArray(found) ? found : [found];
      if (objects.length === 0) return fail(path, 'has no manifest; list one');
      return { type: 'apply', objects: objects.map((one, index) => manifest(`${path}[${index}]`, one)) };
    },
    delete: (path, found) => ({
      type: 'delete',
      target: identity(path, only(path, fields(path, found), ['apiVersion', 'kind', 'namespace', 'name'])),
    }),
    unjoin: (path, found) => ({
      type: 'delete',
      target: { kind: 'Cluster', name: text(path, found) },
    }),
    restart: ofComponent('restart'),
    stop: ofComponent('stop'),
    start: ofComponent('start'),
  };
}
