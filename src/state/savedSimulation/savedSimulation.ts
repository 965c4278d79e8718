import type { ControllerName } from '../../engine/controllers/controller.ts';
import type { ResumableWorld, SavedSimulation } from '../../engine/store/savedSimulation.ts';
import { referenceTo } from '../../engine/objects/identities.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { Copy } from '../../engine/controllers/kinds.ts';
import { executionNamespace } from '../../karmada/names.ts';
import { problemOfPatch } from '../world/patchedObject.ts';
import { show } from '../schema/check.ts';
import { first, problemIn, type Shape } from '../shape.ts';
import { validateObject } from '../world/validateObject.ts';

const health: Shape = { oneOf: ['Healthy', 'Unhealthy', 'Unknown'] };
const effect: Shape = { oneOf: ['NoSchedule', 'PreferNoSchedule', 'PreferNoExecute', 'NoExecute'] };
const conditionStatus: Shape = { oneOf: ['True', 'False', 'Unknown'] };
const identity: Shape = {
  fields: { apiVersion: 'string', kind: 'string', namespace: 'string', name: 'string' },
  optional: ['apiVersion', 'namespace'],
};
const counts: Shape = {
  fields: { replicas: 'count', parallelism: 'count', completions: 'count' },
  optional: ['replicas', 'parallelism', 'completions'],
};
const object: Shape = {
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

const member: Shape = {
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

const copy: Shape = {
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

const onCluster = { type: 'string', cluster: 'string' } as const;

/** What may happen from outside, by its type. */
const action: Shape = {
  types: {
    fail: { fields: onCluster },
    recover: { fields: onCluster },
    condition: {
      fields: {
        ...onCluster,
        condition: {
          fields: { type: 'string', status: 'string', reason: 'string', message: 'string' },
          optional: ['reason', 'message'],
        },
      },
    },
    taint: {
      fields: {
        ...onCluster,
        taint: { fields: { key: 'string', value: 'string', effect }, optional: ['value'] },
      },
    },
    untaint: { fields: { ...onCluster, key: 'string', effect }, optional: ['effect'] },
    health: { fields: { ...onCluster, workload: identity, health } },
    patch: { fields: { type: 'string', target: identity, merge: { record: 'any' } } },
    apply: { fields: { type: 'string', objects: { list: object } } },
    delete: { fields: { type: 'string', target: identity } },
    restart: { fields: { type: 'string', component: { oneOf: ['karmada-controller-manager'] } } },
  },
};

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
const memories: Record<ControllerName, Shape> = {
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
const controllers = Object.keys(memories);
const controller: Shape = { oneOf: controllers };

/** A record by controller; it need not hold all of them. */
function byController(shapeOf: (name: ControllerName) => Shape): Shape {
  const fields = Object.fromEntries(controllers.map((name) => [name, shapeOf(name as ControllerName)]));
  return { fields, optional: controllers };
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

const workerQueue: Shape = {
  fields: {
    ...waitingKeys,
    sleepers: { list: { fields: { key: 'string', until: 'time' } } },
    limiter: {
      fields: { failures: { record: 'count' }, asleep: 'count', tokens: 'number', filledAt: 'time' },
      optional: ['filledAt'],
    },
  },
  optional: ['time'],
};

const ratedQueue: Shape = {
  fields: { ...waitingKeys, since: { list: 'time' }, lastTurn: 'time', failures: { record: 'count' } },
  optional: ['time', 'since', 'lastTurn'],
};

const queues: Shape = {
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
            fields: { every: 'duration', backOff: { fields: { first: 'duration', longest: 'duration' } } },
            optional: ['every', 'backOff'],
          },
          last: 'time',
        },
        optional: ['last'],
      },
    },
    memories: byController((name) => ({ record: memories[name] })),
    failing: {
      record: { fields: { since: 'time', message: 'string', first: 'duration' }, optional: ['first'] },
    },
    paced: byController((name) => (name === 'eviction-queue' ? ratedQueue : workerQueue)),
    single: byController(() => ({ fields: { until: 'time', waiting: { list: 'string' } } })),
  },
};

const flapping: Shape = {
  fields: {
    newsAt: 'time',
    cyclesAlone: 'boolean',
    seen: {
      record: {
        fields: {
          at: { record: { list: 'time' } },
          last: 'string',
          cause: 'string',
          flapping: { fields: { period: 'duration', cause: 'string' } },
        },
        optional: ['last', 'cause', 'flapping'],
      },
    },
  },
};

const shape: Shape = {
  fields: {
    members: { record: member },
    copies: { record: copy },
    queues,
    assumptions: {
      fields: {
        workloadReadyAfter: 'duration',
        neverReady: {
          list: {
            fields: { kind: 'string', namespace: 'string', name: 'string', cluster: 'string' },
            optional: ['namespace'],
          },
        },
      },
    },
    events: { list: { fields: { at: 'time', action } } },
    lastEvent: 'time',
    reported: { record: 'any' },
    told: 'count',
    flapping,
  },
  optional: ['reported'],
};

/** Checks the saved part of a simulation; `problem` names the first field that is wrong. */
export function readSavedSimulation(value: unknown): SavedSimulation | { problem: string } {
  const problem = problemIn(value, shape, 'simulation') ?? strangerIn(value as SavedSimulation);
  return problem === undefined ? (value as SavedSimulation) : { problem };
}

/** The first field that names a member that the simulation lacks, or that contradicts its own object. */
function strangerIn(saved: SavedSimulation): string | undefined {
  const {
    members,
    copies,
    events,
    assumptions,
    queues: { failing, parked },
  } = saved;
  const nobody = (path: string, cluster: string) =>
    Object.hasOwn(members, cluster)
      ? undefined
      : `simulation.${path}: ${show(cluster)} is not a member of the simulation`;
  return (
    first(Object.entries(members), ([name, own]) =>
      own.name === name
        ? undefined
        : `simulation.members[${JSON.stringify(name)}].name: ${show(own.name)} is another member`,
    ) ??
    first(Object.entries(copies), ([key, one]) => {
      const path = `copies[${JSON.stringify(key)}]`;
      return nobody(`${path}.cluster`, one.cluster) ?? strangeCopy(key, one, `simulation.${path}`);
    }) ??
    // an event about the health of a missing copy does nothing
    first(events.entries(), ([at, { action: one }]) =>
      'cluster' in one && one.type !== 'health'
        ? nobody(`events[${at}].action.cluster`, one.cluster)
        : undefined,
    ) ??
    first(assumptions.neverReady.entries(), ([at, { cluster }]) =>
      nobody(`assumptions.neverReady[${at}].cluster`, cluster),
    ) ??
    first(Object.keys(failing), (key) =>
      controllers.includes(key.split(' ')[0]!)
        ? undefined
        : `simulation.queues.failing[${JSON.stringify(key)}]: is of no controller`,
    ) ??
    first(parked.entries(), ([at, { beat }]) =>
      'every' in beat || 'backOff' in beat
        ? undefined
        : `simulation.queues.parked[${at}].beat: has neither every nor backOff`,
    )
  );
}

function strangeCopy(
  key: string,
  { cluster, workload, object: own, replicas, ready }: Copy,
  path: string,
): string | undefined {
  if (!key.startsWith(`${executionNamespace(cluster)}/`))
    return `${path}.cluster: ${show(cluster)} is not where its Work is`;
  if (!deepEqual(workload, referenceTo(own))) return `${path}.workload: ${show(workload)} is not its object`;
  return ready > replicas ? `${path}.ready: ${ready} is more than its ${replicas} replicas` : undefined;
}

/** What in a saved simulation does not fit the world of its file; undefined if all does. */
export function problemOfSaved(world: ResumableWorld): string | undefined {
  const { clusters, simulation } = world;
  if (!simulation) return undefined;
  const missing = clusters.find(({ metadata: { name } }) => !Object.hasOwn(simulation.members, name));
  if (missing) return `simulation.members: has no ${missing.metadata.name}, which is a Cluster of the state`;
  return first(simulation.events.entries(), ([at, { action: one }]) => {
    const path = `simulation.events[${at}].action`;
    if (one.type === 'patch') {
      const problem = problemOfPatch(world, one.target, one.merge);
      return problem && `${path}.merge: ${problem}`;
    }
    if (one.type !== 'apply') return undefined;
    return first(one.objects.entries(), ([position, applied]) => {
      const verdict = validateObject(structuredClone(applied));
      return 'problem' in verdict ? `${path}.objects[${position}]: ${verdict.problem}` : undefined;
    });
  });
}
