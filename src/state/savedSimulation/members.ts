import type { Shape } from '../../karmada/shape.ts';
import { health, identity, object } from './objects.ts';

/** A member cluster, as it goes on. */
export const member: Shape = {
  fields: {
    name: 'string',
    up: 'boolean',
    answers: 'boolean',
    agent: { fields: { running: 'boolean', since: 'time' } },
    downSince: 'time',
    stale: { fields: { until: { record: 'time' }, known: { record: 'boolean' } } },
    grown: { fields: { failedAt: 'time', wait: 'count' } },
    allocated: { record: 'quantity' },
  },
  optional: ['answers', 'agent', 'downSince', 'stale', 'grown', 'allocated'],
};

/** What runs on a member for one Work. */
export const copy: Shape = {
  fields: {
    cluster: 'string',
    workload: identity,
    object,
    managed: 'boolean',
    replicas: 'count',
    ready: 'count',
    readyAt: 'time',
    stuck: 'boolean',
    unobserved: { oneOf: ['new', 'changed'] },
    terminating: 'boolean',
    counted: 'count',
    request: { record: 'quantity' },
    health,
    preservedLabels: { record: 'string' },
    status: 'any',
  },
  optional: [
    'readyAt',
    'stuck',
    'unobserved',
    'terminating',
    'counted',
    'request',
    'health',
    'preservedLabels',
    'status',
  ],
};
