import type { Shape } from '../../karmada/shape.ts';

/** How a workload's health is told: the values of `aggregatedStatus[].health`. */
export const health: Shape = { oneOf: ['Healthy', 'Unhealthy', 'Unknown'] };
/** Effects of taints; PreferNoExecute is the proposal's. */
export const effect: Shape = { oneOf: ['NoSchedule', 'PreferNoSchedule', 'PreferNoExecute', 'NoExecute'] };
/** The status of a condition. */
export const conditionStatus: Shape = { oneOf: ['True', 'False', 'Unknown'] };
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
