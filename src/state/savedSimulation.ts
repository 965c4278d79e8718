import type { SavedSimulation } from '../engine/store/savedSimulation.ts';
import { isObject } from '../kubernetes/json.ts';

/** A field of a saved simulation and what it has to be. */
type Shape =
  | 'number'
  | 'string'
  | 'boolean'
  | 'any'
  | { list: Shape }
  | { record: Shape }
  | { fields: Record<string, Shape>; optional?: readonly string[] };

const workload: Shape = { fields: { apiVersion: 'string', kind: 'string', name: 'string' } };

const member: Shape = {
  fields: {
    name: 'string',
    up: 'boolean',
    agent: { fields: { running: 'boolean', since: 'number' } },
    allocated: 'any',
  },
  optional: ['agent', 'allocated'],
};

const copy: Shape = {
  fields: {
    cluster: 'string',
    workload,
    object: { fields: { kind: 'string', metadata: { record: 'any' } } },
    managed: 'boolean',
    replicas: 'number',
    ready: 'number',
    readyAt: 'number',
    counted: 'number',
    health: 'string',
  },
  optional: ['readyAt', 'counted', 'health'],
};

const interest: Shape = {
  fields: { kind: 'string', key: 'string', on: 'string', off: 'string' },
  optional: ['key', 'on', 'off'],
};

const backOff: Shape = { fields: { first: 'number', longest: 'number' } };

const shape: Shape = {
  fields: {
    members: { record: member },
    copies: { record: copy },
    queues: {
      fields: {
        now: 'number',
        due: { list: { fields: { time: 'number', controller: 'string', key: 'string' } } },
        parked: {
          list: {
            fields: {
              controller: 'string',
              key: 'string',
              interests: { list: interest },
              since: 'number',
              beat: { fields: { every: 'number', backOff }, optional: ['every', 'backOff'] },
            },
          },
        },
        memories: { record: { record: 'any' } },
        failing: { record: { fields: { since: 'number', message: 'string' } } },
        busyUntil: { record: 'number' },
        paced: { record: { record: 'any' } },
      },
    },
    assumptions: { fields: { workloadReadyAfter: 'number', neverReady: { list: { record: 'any' } } } },
    events: { list: { fields: { at: 'number', action: { fields: { type: 'string' } } } } },
    lastEvent: 'number',
    flapping: {
      fields: {
        newsAt: 'number',
        cyclesAlone: 'boolean',
        seen: {
          record: {
            fields: {
              at: { record: { list: 'number' } },
              flapping: { fields: { period: 'number', cause: 'string' } },
            },
            optional: ['flapping'],
          },
        },
      },
    },
  },
};

/** What a simulation has saved of itself, as far as it can be told to be one; `problem` names the first field that cannot. */
export function readSavedSimulation(value: unknown): SavedSimulation | { problem: string } {
  const problem = problemIn(value, shape, 'simulation');
  return problem === undefined ? (value as SavedSimulation) : { problem };
}

function problemIn(value: unknown, wanted: Shape, path: string): string | undefined {
  if (wanted === 'any') return undefined;
  if (typeof wanted === 'string')
    return typeof value === wanted && !(wanted === 'number' && !Number.isFinite(value))
      ? undefined
      : `${path}: ${JSON.stringify(value) ?? 'nothing'} is no ${wanted}`;
  if ('list' in wanted) {
    if (!Array.isArray(value)) return `${path}: is no list`;
    return first(value.entries(), ([at, item]) => problemIn(item, wanted.list, `${path}[${at}]`));
  }
  if (!isObject(value)) return `${path}: is no object`;
  if ('record' in wanted)
    return first(Object.entries(value), ([key, item]) =>
      problemIn(item, wanted.record, `${path}[${JSON.stringify(key)}]`),
    );
  return first(Object.entries(wanted.fields), ([name, field]) =>
    value[name] === undefined && wanted.optional?.includes(name)
      ? undefined
      : problemIn(value[name], field, `${path}.${name}`),
  );
}

function first<T>(items: Iterable<T>, problem: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = problem(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
