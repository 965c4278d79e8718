import type { Shape } from '../../karmada/shape.ts';

/** The values of a workload's health: those of `aggregatedStatus[].health`. */
export const health: Shape = { oneOf: ['Healthy', 'Unhealthy', 'Unknown'] };
/** Effects of taints; PreferNoExecute is from the proposal. */
export const effect: Shape = { oneOf: ['NoSchedule', 'PreferNoSchedule', 'PreferNoExecute', 'NoExecute'] };
/** Identifies an object. */
export const identity: Shape = {
  fields: { apiVersion: 'string', kind: 'string', namespace: 'string', name: 'string' },
  optional: ['apiVersion', 'namespace'],
};
const counts: Shape = {
  fields: { replicas: 'count', parallelism: 'count', completions: 'count' },
  optional: ['replicas', 'parallelism', 'completions'],
};
/** The parts of an object that a simulation keeps. */
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

/** A member cluster, with the state to continue from. */
export const member: Shape = {
  fields: {
    name: 'string',
    up: 'boolean',
    answers: 'boolean',
    agent: { fields: { running: 'boolean', since: 'time' } },
    handledSince: 'time',
    uninformed: 'boolean',
    downSince: 'time',
    stale: {
      fields: { until: { record: 'time' }, known: { record: 'boolean' }, starting: { record: 'boolean' } },
      optional: ['starting'],
    },
    grown: { fields: { failedAt: 'time', wait: 'count' } },
    allocated: { record: 'quantity' },
  },
  optional: ['answers', 'agent', 'handledSince', 'uninformed', 'downSince', 'stale', 'grown', 'allocated'],
};

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
