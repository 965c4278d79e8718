import type { Shape } from '../shape.ts';

export const conditionStatus = { oneOf: ['True', 'False', 'Unknown'] } as const satisfies Shape;

/** The health monitor's memory of a cluster. */
export const clusterHealth = {
  fields: {
    heardAt: 'time',
    readyChangedAt: 'time',
    ready: {
      fields: {
        type: { oneOf: ['Ready'] },
        status: conditionStatus,
        reason: 'string',
        message: 'string',
        lastTransitionTime: { orNull: 'RFC 3339 time' },
      },
      optional: ['reason', 'message', 'lastTransitionTime'],
    },
    lease: { fields: { renewedAt: 'time' }, optional: ['renewedAt'] },
  },
  optional: ['ready', 'lease'],
} as const satisfies Shape;

/** When the conditions of a ClusterTaintPolicy started to match, or stopped. */
export const matchWindow = {
  fields: {
    matches: 'boolean',
    since: 'time',
    entries: {
      list: {
        fields: {
          wanted: {
            fields: { conditionType: 'string', operator: 'string', statusValues: { list: 'string' } },
            optional: ['statusValues'],
          },
          holds: 'boolean',
          since: 'time',
          seen: { list: { fields: { status: 'string', at: 'RFC 3339 time' }, optional: ['at'] } },
        },
      },
    },
  },
} as const satisfies Shape;

/** For a controller that remembers nothing. */
export const noMemory = { fields: {} } as const satisfies Shape;

/** The fields of a binding that decide how taints evict it. */
export const evictionTerms = {
  fields: {
    tolerations: {
      list: {
        fields: {
          key: 'string',
          operator: 'string',
          value: 'string',
          effect: 'string',
          tolerationSeconds: { orNull: 'number' },
        },
        optional: ['key', 'operator', 'value', 'effect', 'tolerationSeconds'],
      },
    },
    failover: {
      fields: {
        purgeMode: 'string',
        tolerationSeconds: 'number',
        gracePeriodSeconds: 'number',
        statePreservation: {
          fields: { rules: { list: { fields: { aliasLabelName: 'string', jsonPath: 'string' } } } },
          optional: ['rules'],
        },
      },
      optional: ['purgeMode', 'tolerationSeconds', 'gracePeriodSeconds', 'statePreservation'],
    },
  },
  optional: ['tolerations', 'failover'],
} as const satisfies Shape;
