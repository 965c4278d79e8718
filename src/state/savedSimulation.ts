import type { SavedSimulation } from '../engine/store/savedSimulation.ts';
import { problemIn, type Shape } from './shape.ts';

const workload: Shape = { fields: { apiVersion: 'string', kind: 'string', name: 'string' } };

const member: Shape = {
  fields: {
    name: 'string',
    up: 'boolean',
    agent: { fields: { running: 'boolean', since: 'number' } },
    allocated: { record: 'quantity' },
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
        failing: {
          record: { fields: { since: 'number', message: 'string', first: 'number' }, optional: ['first'] },
        },
        paced: { record: { record: 'any' } },
        single: { record: { fields: { until: 'number', waiting: { list: 'string' } } } },
      },
    },
    assumptions: { fields: { workloadReadyAfter: 'number', neverReady: { list: { record: 'any' } } } },
    events: { list: { fields: { at: 'number', action: { fields: { type: 'string' } } } } },
    lastEvent: 'number',
    told: 'number',
    flapping: {
      fields: {
        newsAt: 'number',
        cyclesAlone: 'boolean',
        seen: {
          record: {
            fields: {
              at: { record: { list: 'number' } },
              last: 'string',
              flapping: { fields: { period: 'number', cause: 'string' } },
            },
            optional: ['last', 'flapping'],
          },
        },
        tolerated: { record: 'number' },
      },
      optional: ['tolerated'],
    },
  },
};

/** What a simulation has saved of itself, as far as it can be told to be one; `problem` names the first field that cannot. */
export function readSavedSimulation(value: unknown): SavedSimulation | { problem: string } {
  const problem = problemIn(value, shape, 'simulation');
  return problem === undefined ? (value as SavedSimulation) : { problem };
}
