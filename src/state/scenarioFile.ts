import type { KubernetesObject, ObjectIdentity } from '../karmada/api/meta.ts';
import type { MemberAssumptions, Scenario, ScenarioAction, ScenarioEvent } from '../engine/scenario.ts';
import { instant, parseDuration } from '../kubernetes/time.ts';
import { StateError } from './errors.ts';

/** A scenario as a file says it: what is left open is filled in by resolveScenario. */
export interface ScenarioFile {
  /** epoch milliseconds */
  start?: number;
  until?: Moment;
  /** gates and flags, as written: the configuration is resolved elsewhere */
  assume: Record<string, unknown>;
  members: Partial<MemberAssumptions>;
  events: { at: Moment; action: ScenarioAction }[];
}

/** An RFC 3339 time, or a duration after the start; both in milliseconds. */
export type Moment = { instant: number } | { after: number };

/** How members behave where nothing is said. */
export const defaultMembers: MemberAssumptions = { workloadReadyAfter: 30_000, neverReady: [] };

/** Fills in a scenario's start and turns its moments into instants. */
export function resolveScenario(file: ScenarioFile, start: number): Scenario {
  const from = file.start ?? start;
  const at = (moment: Moment) => ('instant' in moment ? moment.instant : from + moment.after);
  return {
    start: from,
    ...(file.until ? { until: at(file.until) } : {}),
    members: { ...defaultMembers, ...file.members },
    events: file.events.map((event): ScenarioEvent => ({ at: at(event.at), action: event.action })),
  };
}

type Fields = Record<string, unknown>;

/** The effects that a Cluster admits. */
const EFFECTS = ['NoSchedule', 'NoExecute'] as const;

/**
 * Reads a scenario from a parsed file. Throws a StateError that names the file, the field and the value.
 */
export function parseScenario(value: unknown, file: string): ScenarioFile {
  const fail = (path: string, problem: string): never => {
    throw new StateError(`${file}: ${path}: ${problem}`);
  };
  const show = (found: unknown) => JSON.stringify(found) ?? String(found);

  const fields = (path: string, found: unknown): Fields =>
    found !== null && typeof found === 'object' && !Array.isArray(found)
      ? (found as Fields)
      : fail(path, `${show(found)} is not a mapping`);
  const only = (path: string, found: Fields, known: string[]): Fields => {
    for (const key of Object.keys(found))
      if (!known.includes(key))
        fail(path === '' ? key : `${path}.${key}`, `is not known here; known are ${known.join(', ')}`);
    return found;
  };
  const text = (path: string, found: unknown): string =>
    typeof found === 'string' && found !== '' ? found : fail(path, `${show(found)} is not a text`);
  const optionalText = (path: string, found: unknown) =>
    found === undefined || found === null ? undefined : text(path, found);
  const time = (path: string, found: unknown): number => {
    const parsed = typeof found === 'string' ? instant(found) : Number.NaN;
    return Number.isNaN(parsed) ? fail(path, `${show(found)} is not an RFC 3339 time`) : parsed;
  };
  const duration = (path: string, found: unknown): number => {
    const parsed = typeof found === 'string' ? parseDuration(found) : undefined;
    return parsed === undefined ? fail(path, `${show(found)} is not a duration such as 90s or 5m`) : parsed;
  };
  const moment = (path: string, found: unknown): Moment => {
    const after = typeof found === 'string' ? parseDuration(found) : undefined;
    if (after !== undefined) return { after };
    const parsed = typeof found === 'string' ? instant(found) : Number.NaN;
    return Number.isNaN(parsed)
      ? fail(path, `${show(found)} is neither an RFC 3339 time nor a duration after the start`)
      : { instant: parsed };
  };
  const oneOf = <T extends string>(path: string, found: unknown, values: readonly T[]): T =>
    values.includes(found as T) ? (found as T) : fail(path, `${show(found)} is none of ${values.join(', ')}`);
  const list = (path: string, found: unknown): unknown[] =>
    found === undefined || found === null
      ? []
      : Array.isArray(found)
        ? found
        : fail(path, `${show(found)} is not a list`);

  const identity = (path: string, found: Fields): ObjectIdentity => {
    const namespace = optionalText(`${path}.namespace`, found.namespace);
    return {
      kind: text(`${path}.kind`, found.kind),
      ...(namespace ? { namespace } : {}),
      name: text(`${path}.name`, found.name),
    };
  };
  const manifest = (path: string, found: unknown): KubernetesObject => {
    const object = fields(path, found);
    text(`${path}.apiVersion`, object.apiVersion);
    text(`${path}.kind`, object.kind);
    text(`${path}.metadata.name`, fields(`${path}.metadata`, object.metadata).name);
    return object as unknown as KubernetesObject;
  };

  const actions: Record<ScenarioAction['type'], (path: string, found: unknown) => ScenarioAction> = {
    fail: (path, found) => ({ type: 'fail', cluster: text(path, found) }),
    recover: (path, found) => ({ type: 'recover', cluster: text(path, found) }),
    condition(path, found) {
      const entry = only(path, fields(path, found), ['cluster', 'type', 'status', 'reason', 'message']);
      const reason = optionalText(`${path}.reason`, entry.reason);
      const message = optionalText(`${path}.message`, entry.message);
      return {
        type: 'condition',
        cluster: text(`${path}.cluster`, entry.cluster),
        condition: {
          type: text(`${path}.type`, entry.type),
          status: oneOf(
            `${path}.status`,
            typeof entry.status === 'boolean' ? (entry.status ? 'True' : 'False') : entry.status,
            ['True', 'False', 'Unknown'],
          ),
          ...(reason ? { reason } : {}),
          ...(message ? { message } : {}),
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
    apply: (path, found) => ({
      type: 'apply',
      objects: (Array.isArray(found) ? found : [found]).map((object, index) =>
        manifest(`${path}[${index}]`, object),
      ),
    }),
    delete: (path, found) => ({
      type: 'delete',
      target: identity(path, only(path, fields(path, found), ['apiVersion', 'kind', 'namespace', 'name'])),
    }),
  };
  const actionNames = Object.keys(actions) as ScenarioAction['type'][];

  const root = only('', fields('scenario', value), ['start', 'until', 'assume', 'events', 'description']);
  const assume = root.assume === undefined || root.assume === null ? {} : fields('assume', root.assume);
  const { workloadReadyAfter, neverReady, ...components } = assume;
  return {
    ...(root.start === undefined ? {} : { start: time('start', root.start) }),
    ...(root.until === undefined ? {} : { until: moment('until', root.until) }),
    assume: components,
    members: {
      ...(workloadReadyAfter === undefined
        ? {}
        : { workloadReadyAfter: duration('assume.workloadReadyAfter', workloadReadyAfter) }),
      ...(neverReady === undefined
        ? {}
        : {
            neverReady: list('assume.neverReady', neverReady).map((found, index) => {
              const path = `assume.neverReady[${index}]`;
              const entry = only(path, fields(path, found), ['kind', 'namespace', 'name', 'cluster']);
              return { ...identity(path, entry), cluster: text(`${path}.cluster`, entry.cluster) };
            }),
          }),
    },
    events: list('events', root.events).map((found, index) => {
      const path = `events[${index}]`;
      const entry = only(path, fields(path, found), ['at', ...actionNames]);
      const named = actionNames.filter((name) => entry[name] !== undefined);
      if (named.length !== 1)
        fail(path, `needs one of ${actionNames.join(', ')}, has ${named.join(' and ') || 'none'}`);
      const name = named[0]!;
      return { at: moment(`${path}.at`, entry.at), action: actions[name](`${path}.${name}`, entry[name]) };
    }),
  };
}
