import { controllerNames, factsOf } from '../../karmada/controllers/registry.ts';
import type { ControllerName } from '../../karmada/controllers/karmada.ts';
import type { Shape } from '../../karmada/shape.ts';
import { STOPPABLE } from '../../simulator/scenario.ts';

const controller: Shape = { oneOf: controllerNames };

/** A record by controller; it may omit some. */
function byController(shapeOf: (name: ControllerName) => Shape): Shape {
  const fields = Object.fromEntries(controllerNames.map((name) => [name, shapeOf(name)]));
  return { fields, optional: controllerNames };
}

const interest: Shape = {
  fields: {
    kind: {
      oneOf: ['Cluster', 'Binding', 'Work', 'ClusterTaintPolicy', 'Policy', 'Object', 'Member', 'Copy'],
    },
    key: 'string',
    on: 'string',
    off: 'string',
  },
  optional: ['key', 'on', 'off'],
};

const waitingKeys = {
  time: 'time',
  waiting: { list: 'string' },
  delayed: { list: { tuple: ['string', 'time'] } },
  processing: { list: 'string' },
  addedAgain: { list: 'string' },
} as const satisfies Record<string, Shape>;

const bucket = { tokens: 'number', filledAt: 'time' } as const;

const workerQueue: Shape = {
  fields: {
    ...waitingKeys,
    sleepers: { list: { fields: { key: 'string', until: 'time' } } },
    limiter: {
      fields: { failures: { record: 'count' }, asleep: 'count', ...bucket },
      optional: ['filledAt'],
    },
  },
  optional: ['time'],
};

const ratedQueue: Shape = {
  fields: { ...waitingKeys, since: { list: 'time' }, lastTurn: 'time', failures: { record: 'count' } },
  optional: ['time', 'since', 'lastTurn'],
};

/** Due, parked, remembered and failing keys, and the queues of controllers with their own. */
export const queues: Shape = {
  fields: {
    now: 'time',
    due: { list: { fields: { time: 'time', controller, key: 'string' } } },
    parked: {
      list: {
        fields: {
          controller,
          key: 'string',
          interests: { list: interest },
          since: 'time',
          beat: {
            fields: {
              every: 'duration',
              backOff: {
                fields: { first: 'duration', longest: 'duration', flush: 'duration' },
                optional: ['flush'],
              },
            },
            optional: ['every', 'backOff'],
          },
          last: 'time',
        },
        optional: ['last'],
      },
    },
    memories: byController((name) => ({ record: factsOf(name).memory })),
    failing: {
      record: { fields: { since: 'time', message: 'string', first: 'duration' } },
    },
    buckets: { record: { fields: bucket, optional: ['filledAt'] } },
    paced: byController((name) => (factsOf(name).queue === 'rated' ? ratedQueue : workerQueue)),
    single: byController(() => ({ fields: { until: 'time', waiting: { list: 'string' } } })),
    ended: { list: { oneOf: STOPPABLE } },
  },
  optional: ['buckets', 'ended'],
};
