import type { ControllerName } from '../../karmada/controllers/controller.ts';
import type { Shape } from '../shape.ts';
import { conditionStatus } from './objects.ts';

const clusterHealth: Shape = {
  fields: {
    heardAt: 'time',
    readyChangedAt: 'time',
    ready: {
      fields: {
        type: { oneOf: ['Ready'] },
        status: conditionStatus,
        reason: 'string',
        message: 'string',
        lastTransitionTime: 'RFC 3339 time',
      },
      optional: ['reason', 'message', 'lastTransitionTime'],
    },
    lease: { fields: { renewedAt: 'time' }, optional: ['renewedAt'] },
  },
  optional: ['ready', 'lease'],
};

const matchWindow: Shape = {
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
};

const nothing: Shape = { fields: {} };

/** The terms by which taints evict a binding. */
const evictionTerms: Shape = {
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
};

/** What each controller remembers about a key. */
export const memories: Record<ControllerName, Shape> = {
  'cluster-status': {
    fields: {
      probedAt: 'time',
      probe: { fields: { observed: conditionStatus, since: 'time' }, optional: ['since'] },
      probesAt: 'time',
      stopped: 'boolean',
      seen: 'string',
      published: conditionStatus,
    },
    optional: ['probedAt', 'probe', 'probesAt', 'stopped', 'seen', 'published'],
  },
  'health-monitor': { fields: { health: clusterHealth, lookAt: 'time' } },
  'cluster-controller': nothing,
  'cluster-taint-policy-controller': {
    fields: { lookedAt: 'time', policies: { record: matchWindow } },
  },
  'taint-manager': {
    fields: {
      tolerated: { record: { orNull: 'time' } },
      due: 'count',
      incident: {
        record: {
          fields: { uid: 'string', terms: evictionTerms, given: 'string' },
          optional: ['uid', 'given'],
        },
      },
      lookedBefore: 'time',
    },
    optional: ['incident', 'lookedBefore'],
  },
  'binding-eviction': nothing,
  'cluster-binding-eviction': nothing,
  'eviction-queue': {
    fields: { terms: evictionTerms, abandoned: 'string' },
    optional: ['terms', 'abandoned'],
  },
  'eviction-pace': { fields: { mode: { oneOf: ['normal', 'slow', 'paused'] }, rate: 'number' } },
  detector: nothing,
  scheduler: nothing,
  'binding-controller': {
    fields: {
      waitingFor: { list: 'string' },
      deleted: { fields: { at: 'time', replicas: { record: { orNull: 'count' } } } },
    },
    optional: ['waitingFor', 'deleted'],
  },
  'dependencies-distributor': nothing,
  'execution-controller': nothing,
  'work-status': nothing,
  'binding-status': nothing,
  'graceful-eviction': nothing,
  'application-failover': { record: 'time' },
  'workload-rebalancer': nothing,
  'garbage-collector': nothing,
  kubelet: nothing,
};
