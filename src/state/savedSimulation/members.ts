import type { Shape } from '../../karmada/shape.ts';

/** How a workload's health is reported: the values of `aggregatedStatus[].health`. */
export const health: Shape = { oneOf: ['Healthy', 'Unhealthy', 'Unknown'] };
/** Effects of taints; PreferNoExecute is the proposal's. */
export const effect: Shape = { oneOf: ['NoSchedule', 'PreferNoSchedule', 'PreferNoExecute', 'NoExecute'] };
/** Which object is meant. */
export const identity: Shape = {
  fields: { apiVersion: 'string', kind: 'string', namespace: 'string', name: 'string' },
  optional: ['apiVersion', 'namespace'],
};
const counts: Shape = {
  fields: { replicas: 'count', parallelism: 'count', completions: 'count' },
  optional: ['replicas', 'parallelism', 'completions'],
};
/** What a simulation keeps of an object. */
export const object: Shape = {
  fields: {
    apiVersion: 'string',
    kind: 'string',
    metadata: {
      fields: {
        namespace: 'string',
        name: 'string',
        generation: 'count',
        labels: { record: 'string' },
        annotations: { record: 'string' },
      },
      optional: ['namespace', 'generation', 'labels', 'annotations'],
    },
    spec: counts,
  },
  optional: ['spec'],
};

/** A member cluster, as it continues. */
export const member: Shape = {
  fields: {
    name: 'string',
    up: 'boolean',
    answers: 'boolean',
    agent: { fields: { running: 'boolean', since: 'time' } },
    downSince: 'time',
    stale: {
      fields: { until: { record: 'time' }, known: { record: 'boolean' }, starting: { record: 'boolean' } },
      optional: ['starting'],
    },
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
    emptiesAt: 'time',
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
    'emptiesAt',
    'counted',
    'request',
    'health',
    'preservedLabels',
    'status',
  ],
};
