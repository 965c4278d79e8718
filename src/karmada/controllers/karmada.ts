import {
  CLUSTER_RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER,
  EVICTION_PRODUCER_TAINT_MANAGER,
  RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER,
} from '../api/names.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { KarmadaController } from '../dialects/controllerList.ts';
import type { Shape, Shaped } from '../shape.ts';
import { hasOneQueue, startsTaintManager, taintEvictionSwitches } from '../configuration/taintEviction.ts';
import { clusterHealth, conditionStatus, evictionTerms, matchWindow, noMemory } from './memories.ts';

/**
 * Everything about one of Karmada's controllers except its rule; all lists of controllers are built from this. A
 * controller that may run instead of Karmada's own has an entry of --controllers, which shows whether Karmada also runs
 * it.
 */
export type ControllerFacts = Facts & ({ readonly list: KarmadaController } | { readonly live: null });

interface Facts {
  /**
   * The component that runs it, by its manager name in managedFields. `agentsToo`: the karmada-agent of a Pull member
   * processes the keys of its own cluster.
   */
  readonly process:
    'karmada-controller-manager' | 'agentsToo' | 'karmada-scheduler' | 'kube-controller-manager' | 'member';
  /** the entry of --controllers that starts it; null: none, or agents also run it and it is assumed to run */
  readonly list: KarmadaController | null;
  /** whether gates and flags start it */
  readonly runs: 'always' | ((configuration: Configuration) => boolean);
  /** milliseconds from an event to its reconcile, see `latencies` */
  readonly reaction: number;
  /** the objects of its keys; a pair is a cluster and one of its bindings (`taintedPairKey`) */
  readonly keys: 'Cluster' | 'Binding' | 'Work' | 'pair' | 'several';
  /** its memory of a key */
  readonly memory: Shape;
  /** the form in which its queue is saved: a worker queue, or one rate for all keys */
  readonly queue: 'workers' | 'rated';
  /** the controller that it belongs to, known to users by name */
  readonly partOf: string | null;
  /** the meaning of its changes to a binding's spec, unless the changed fields show it */
  readonly respecs: 'TaskStamped' | 'DependenciesFollowed' | 'RescheduleTriggered' | 'BindingFollowed' | null;
  /** the Events that it writes */
  readonly events: EventFacts | null;
  /** the producers in its eviction tasks; empty: it evicts nothing */
  readonly producers: readonly string[];
  /** its requirements for running instead of Karmada's own; null: it cannot */
  readonly live: LiveFacts | null;
}

/** The Events of a controller. */
interface EventFacts {
  /** the Events' source for ResourceBindings and Clusters, and for ClusterResourceBindings; null: a flag sets it */
  readonly sources: readonly [string, string] | null;
  readonly reasons: readonly EventReason[];
}

/** The reasons of Events that report steps (pkg/events/events.go). */
export type EventReason =
  | 'TaintClusterSucceed'
  | 'TaintClusterFailed'
  | 'EvictWorkloadFromClusterSucceed'
  | 'EvictWorkloadFromClusterFailed'
  | 'ScheduleBindingSucceed'
  | 'ScheduleBindingFailed'
  | 'SyncWorkSucceed'
  | 'SyncWorkFailed'
  | 'CleanupWorkFailed';

/** Requirements of a controller and its parts on a live control plane. */
export interface LiveFacts {
  /** the name by which users choose the job */
  readonly job: string;
  /** the kinds that it watches besides Clusters */
  readonly reads: {
    /** it sees only the binding fields that `slimBinding` keeps */
    readonly bindings: boolean;
    readonly taintPolicies: boolean;
    readonly interpreters: boolean;
  };
  /** API fields that it requires */
  readonly fields: readonly ('evictionTasks' | 'taintPolicies' | 'clusterFailover' | 'applicationFailover')[];
  /** whether it reads or writes taint effects that the Cluster API may refuse */
  readonly taintEffects: boolean;
  /** the kind of its writes, which reveals whether Karmada's own controller runs */
  readonly writes: 'taints' | 'evictions' | 'tasks';
  /** the gates and flags that would enable it; undefined if it is enabled */
  idle(configuration: Configuration): readonly string[] | undefined;
  /** Karmada's own controller: its name in messages, and how to turn it off */
  readonly karmadas: { readonly name: string; readonly off: string };
}

/** The process that runs most controllers. */
export const MANAGER = 'karmada-controller-manager';
const taintManagerAlone = (configuration: Configuration) =>
  startsTaintManager(configuration) && !hasOneQueue(configuration.rules);
const oneQueue = (configuration: Configuration) =>
  startsTaintManager(configuration) && hasOneQueue(configuration.rules);
const taintPolicies = ({ rules, featureGates }: Configuration) =>
  rules.taints.clusterTaintPolicies && featureGates.Failover;
const gracefulEviction = ({ rules, featureGates }: Configuration) =>
  rules.eviction.taskControllers === 'always' || featureGates.GracefulEviction;
const applicationFailover = ({ rules, featureGates }: Configuration) =>
  rules.application.start === 'always' || featureGates.Failover;

/** Defaults for facts that only a few controllers have; their entries override them. */
const few = {
  queue: 'workers',
  partOf: null,
  respecs: null,
  events: null,
  producers: [],
  live: null,
} as const satisfies Partial<ControllerFacts>;

/**
 * Karmada's failover controllers, and the members' own: one entry each. Their code is in `karmadaControllers`, since
 * most callers do not need it.
 */
export const karmada = entries({
  'cluster-status': {
    ...few,
    process: 'agentsToo',
    list: null,
    runs: 'always',
    reaction: 0,
    keys: 'Cluster',
    memory: {
      fields: {
        /** when the cluster was last probed, which starts the period */
        probedAt: 'time',
        /** `since`: when the observation last changed; absent if it has not */
        probe: { fields: { observed: conditionStatus, since: 'time' }, optional: ['since'] },
        /** when the next probe is due, if one is planned */
        probesAt: 'time',
        /** the probing process has stopped: the next one starts without memory */
        stopped: 'boolean',
        /** the part of the Cluster that triggers a probe when it changes, as of the last probe; see `probedWith` */
        seen: 'string',
        /** the Ready condition after that */
        published: conditionStatus,
      },
      optional: ['probedAt', 'probe', 'probesAt', 'stopped', 'seen', 'published'],
    },
  },
  'health-monitor': {
    ...few,
    process: MANAGER,
    list: 'cluster',
    runs: 'always',
    reaction: 0,
    keys: 'Cluster',
    memory: { fields: { health: clusterHealth, lookAt: 'time' } },
  },
  'cluster-controller': {
    ...few,
    process: MANAGER,
    list: 'cluster',
    runs: 'always',
    reaction: 60,
    keys: 'Cluster',
    memory: { fields: { begun: 'time', emptiesAt: 'time' }, optional: ['emptiesAt'] },
  },
  'cluster-taint-policy-controller': {
    ...few,
    process: MANAGER,
    list: 'clustertaintpolicy',
    runs: taintPolicies,
    reaction: 90,
    keys: 'Cluster',
    memory: { fields: { lookedAt: 'time', policies: { record: matchWindow } } },
    events: {
      sources: ['cluster-taint-policy-controller', 'cluster-taint-policy-controller'],
      reasons: ['TaintClusterSucceed', 'TaintClusterFailed'],
    },
    live: {
      job: 'cluster-taint-policy',
      reads: { bindings: false, taintPolicies: true, interpreters: false },
      fields: ['taintPolicies'],
      taintEffects: true,
      writes: 'taints',
      idle: (configuration) =>
        taintPolicies(configuration)
          ? undefined
          : configuration.rules.taints.clusterTaintPolicies
            ? ['Failover=true']
            : [],
      karmadas: { name: 'clustertaintpolicy', off: '--controllers=*,-clustertaintpolicy' },
    },
  },
  'taint-manager': {
    ...few,
    process: MANAGER,
    list: 'cluster',
    runs: startsTaintManager,
    reaction: 30,
    keys: 'Cluster',
    memory: {
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
    producers: [EVICTION_PRODUCER_TAINT_MANAGER],
    events: {
      sources: ['taint-manager', 'taint-manager'],
      reasons: ['EvictWorkloadFromClusterSucceed', 'EvictWorkloadFromClusterFailed'],
    },
    live: {
      job: 'taint-manager',
      reads: { bindings: true, taintPolicies: false, interpreters: false },
      fields: ['evictionTasks', 'clusterFailover'],
      taintEffects: true,
      writes: 'evictions',
      idle(configuration) {
        const off = taintEvictionSwitches(configuration).filter(({ on }) => !on);
        return off.length === 0 ? undefined : off.map(({ name }) => `${name}=true`);
      },
      karmadas: { name: 'the taint manager', off: '--enable-taint-manager=false' },
    },
  },
  'binding-eviction': {
    ...few,
    process: MANAGER,
    list: 'cluster',
    runs: taintManagerAlone,
    reaction: 0,
    keys: 'pair',
    memory: noMemory,
    partOf: 'taint-manager',
  },
  'cluster-binding-eviction': {
    ...few,
    process: MANAGER,
    list: 'cluster',
    runs: taintManagerAlone,
    reaction: 0,
    keys: 'pair',
    memory: noMemory,
    partOf: 'taint-manager',
  },
  /** the single queue of the design optimize-cluster-failover, which replaces those two, and its pace */
  'eviction-queue': {
    ...few,
    process: MANAGER,
    list: 'cluster',
    runs: oneQueue,
    reaction: 0,
    keys: 'pair',
    memory: { fields: { terms: evictionTerms, abandoned: 'string' }, optional: ['terms', 'abandoned'] },
    queue: 'rated',
    partOf: 'taint-manager',
  },
  'eviction-pace': {
    ...few,
    process: MANAGER,
    list: 'cluster',
    runs: oneQueue,
    reaction: 0,
    keys: 'several',
    memory: { fields: { mode: { oneOf: ['normal', 'slow', 'paused'] }, rate: 'number' } },
    partOf: 'taint-manager',
  },
  detector: {
    ...few,
    process: MANAGER,
    list: null,
    runs: 'always',
    reaction: 100,
    keys: 'several',
    memory: noMemory,
    respecs: 'BindingFollowed',
  },
  scheduler: {
    ...few,
    process: 'karmada-scheduler',
    list: null,
    runs: 'always',
    reaction: 65,
    keys: 'Binding',
    memory: noMemory,
    events: { sources: null, reasons: ['ScheduleBindingSucceed', 'ScheduleBindingFailed'] },
  },
  'binding-controller': {
    ...few,
    process: MANAGER,
    list: 'binding',
    runs: 'always',
    reaction: 10,
    keys: 'Binding',
    memory: {
      fields: {
        /** the clusters whose directly purged Works it waits for */
        waitingFor: { list: 'string' },
        /** when the last reconcile deleted Works, and the replicas that they requested, by cluster */
        deleted: { fields: { at: 'time', replicas: { record: { orNull: 'count' } } } },
      },
      optional: ['waitingFor', 'deleted'],
    },
    events: {
      sources: ['binding-controller', 'cluster-resource-binding-controller'],
      reasons: ['SyncWorkSucceed', 'SyncWorkFailed', 'CleanupWorkFailed'],
    },
  },
  'dependencies-distributor': {
    ...few,
    process: MANAGER,
    list: null,
    runs: ({ featureGates }) => featureGates.PropagateDeps,
    reaction: 100,
    keys: 'Binding',
    memory: noMemory,
    respecs: 'DependenciesFollowed',
  },
  'execution-controller': {
    ...few,
    process: 'agentsToo',
    list: null,
    runs: 'always',
    reaction: 130,
    keys: 'Work',
    memory: noMemory,
  },
  'work-status': {
    ...few,
    process: 'agentsToo',
    list: null,
    runs: 'always',
    reaction: 40,
    keys: 'Work',
    memory: noMemory,
  },
  'binding-status': {
    ...few,
    process: MANAGER,
    list: 'bindingStatus',
    runs: 'always',
    reaction: 110,
    keys: 'Binding',
    memory: noMemory,
  },
  'graceful-eviction': {
    ...few,
    process: MANAGER,
    list: 'gracefulEviction',
    runs: gracefulEviction,
    reaction: 70,
    keys: 'Binding',
    memory: noMemory,
    respecs: 'TaskStamped',
    events: {
      sources: [
        'resource-binding-graceful-eviction-controller',
        'cluster-resource-binding-graceful-eviction-controller',
      ],
      reasons: ['EvictWorkloadFromClusterSucceed'],
    },
    live: {
      job: 'graceful-eviction',
      reads: { bindings: true, taintPolicies: false, interpreters: false },
      fields: ['evictionTasks'],
      taintEffects: false,
      writes: 'tasks',
      idle: (configuration) => (gracefulEviction(configuration) ? undefined : ['GracefulEviction=true']),
      karmadas: { name: 'gracefulEviction', off: '--controllers=*,-gracefulEviction' },
    },
  },
  'application-failover': {
    ...few,
    process: MANAGER,
    list: 'applicationFailover',
    runs: applicationFailover,
    reaction: 40,
    keys: 'Binding',
    memory: { record: 'time' },
    producers: [
      RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER,
      CLUSTER_RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER,
    ],
    events: {
      sources: [
        RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER,
        CLUSTER_RESOURCE_BINDING_APPLICATION_FAILOVER_CONTROLLER,
      ],
      reasons: ['EvictWorkloadFromClusterSucceed', 'EvictWorkloadFromClusterFailed'],
    },
    live: {
      job: 'application-failover',
      reads: { bindings: true, taintPolicies: false, interpreters: true },
      fields: ['evictionTasks', 'applicationFailover'],
      taintEffects: false,
      writes: 'evictions',
      idle: (configuration) => (applicationFailover(configuration) ? undefined : ['Failover=true']),
      karmadas: { name: 'applicationFailover', off: '--controllers=*,-applicationFailover' },
    },
  },
  'workload-rebalancer': {
    ...few,
    process: MANAGER,
    list: 'workloadRebalancer',
    runs: 'always',
    reaction: 100,
    keys: 'several',
    memory: noMemory,
    respecs: 'RescheduleTriggered',
  },
  'garbage-collector': {
    ...few,
    process: 'kube-controller-manager',
    list: null,
    runs: 'always',
    reaction: 100,
    keys: 'several',
    memory: noMemory,
  },
  /** in the members: starts and removes workloads */
  kubelet: {
    ...few,
    process: 'member',
    list: null,
    runs: 'always',
    reaction: 150,
    keys: 'Work',
    memory: noMemory,
  },
});

/** The entries with their names as literal types; a part names another entry. */
function entries<const Entries extends { [Name in keyof Entries]: ControllerFacts & PartOf<keyof Entries> }>(
  given: Entries,
): Entries {
  return given;
}

interface PartOf<Name> {
  readonly partOf: Name | null;
}

/** The names of all controllers. */
export type ControllerName = keyof typeof karmada;

/** A controller's memory of a key. */
export type MemoryOf<Name extends ControllerName> = Shaped<(typeof karmada)[Name]['memory']>;
