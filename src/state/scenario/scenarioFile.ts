import { defaultMembers, type MemberAssumptions } from '../../karmada/members/memberAssumptions.ts';
import type { Scenario, ScenarioAction, ScenarioEvent } from '../../simulator/scenario.ts';
import { fieldReader, type FieldReader, type Moment } from '../fieldReader.ts';
import type { Position } from '../position.ts';
import { scenarioActions } from './scenarioActions.ts';

/** A scenario as a file gives it; resolveScenario fills in what it leaves open. */
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
 * @param at tells where in the file the field at a path is; absent: messages name no place
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
  };
}

function readEvents(reader: FieldReader, events: unknown[]): ScenarioFile['events'] {
  const { fail, fields, only, moment } = reader;
  const actions = scenarioActions(reader);
  const names = Object.keys(actions) as ScenarioAction['type'][];
  return events.map((found, index) => {
    const path = `events[${index}]`;
    const entry = only(path, fields(path, found), ['at', ...names]);
    const named = names.filter((name) => entry[name] !== undefined);
    if (named.length !== 1)
      fail(path, `needs one of ${names.join(', ')}, has ${named.join(' and ') || 'none'}`);
    const name = named[0]!;
    return { at: moment(`${path}.at`, entry.at), action: actions[name](`${path}.${name}`, entry[name]) };
  });
}
