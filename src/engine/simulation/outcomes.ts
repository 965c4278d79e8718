import type { Configuration } from '../../karmada/configuration.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { DEFAULT_SCHEDULER_NAME } from '../../karmada/names.ts';
import type { Certainty } from '../evidence.ts';
import { strategyOf } from '../scheduling/strategy.ts';
import { noExecuteTaints } from '../taints/noExecuteDecision.ts';
import type { Agenda } from './agenda.ts';
import { type BindingRecord, type SimulatedControlPlane } from './controlPlane.ts';
import { placementOf, wantedReplicas } from '../objects/placement.ts';
import type { SchedulerController } from './controllers/schedulerController.ts';
import { hasHealthInterpreter, INTERPRETERS, type DeclaredHooks } from '../status/healthInterpreter.ts';
import { missingKind, type World } from '../world.ts';
import { type Members } from './members.ts';
import { isReady } from '../objects/clusterReadiness.ts';
import { judge } from './outcome.ts';
import { trackGap, type GapTracker } from './readinessGap.ts';
import type { Outcome, WorkloadOutcome } from './timeline.ts';

/** Watches a simulation and says at its end what became of each workload. */
export interface Outcomes {
  /** The taint manager leaves a workload on a tainted cluster, for this reason. */
  tolerates(record: BindingRecord, reason: string): void;
  /** The scheduler has placed a workload anew. */
  placed(record: BindingRecord, before: ResourceBinding): void;
  /** The result for a workload depends on something that Karmada or the state leaves open. */
  dependsOn(record: BindingRecord, certainty: Certainty, what: string): void;
  all(end: number): WorkloadOutcome[];
  /** The outcome alone. */
  outcomeOf(record: BindingRecord): Outcome;
}

const STALE_HEALTH =
  'whether Karmada judges the eviction task on health from before the scale-up: then the old copy goes at once';

interface Notes {
  evictedFrom?: Set<string>;
  tolerated?: string;
  certainty?: Certainty;
  dependsOn?: Set<string>;
  gap?: GapTracker;
}

const none: ReadonlySet<string> = new Set();

export function createOutcomes(
  plane: SimulatedControlPlane,
  members: Members,
  agenda: Agenda,
  scheduler: SchedulerController,
  configuration: Configuration,
  unconfirmed: ReadonlySet<string>,
  { unread, hooks }: { unread?: World['unread']; hooks?: DeclaredHooks } = {},
): Outcomes {
  const notes = new Map<BindingRecord, Notes>();
  const notesOf = (record: BindingRecord): Notes => {
    let found = notes.get(record);
    if (!found) notes.set(record, (found = {}));
    return found;
  };
  const troubledClusters = new Set<string>();
  const everTainted = new Set<string>();
  const watch = (cluster: Cluster) => {
    if (noExecuteTaints(cluster.spec?.taints).length > 0) everTainted.add(cluster.metadata.name);
  };

  plane.observe({
    clusterChanged(before, after) {
      watch(after);
      const lostReady = isReady(before) && !isReady(after);
      if (lostReady || noExecuteTaints(after.spec?.taints).length > 0)
        troubledClusters.add(after.metadata.name);
    },
    bindingChanged(record, before) {
      const known = new Set(before?.spec.gracefulEvictionTasks?.map((task) => task.fromCluster));
      for (const { fromCluster } of record.current.spec.gracefulEvictionTasks ?? [])
        if (!known.has(fromCluster)) (notesOf(record).evictedFrom ??= new Set()).add(fromCluster);
    },
  });
  for (const cluster of plane.clusters.values()) watch(cluster);
  for (const cluster of plane.clusters.values())
    if (!isReady(cluster) || noExecuteTaints(cluster.spec?.taints).length > 0)
      troubledClusters.add(cluster.metadata.name);

  members.onReadiness((record) => {
    if ((record.initial.spec.replicas ?? 0) === 0) return;
    const own = notesOf(record);
    own.gap ??= trackGap(Math.min(members.readyAtStart(record), wantedReplicas(record.initial)));
    own.gap.observe(agenda.now(), members.readyReplicas(record));
  });

  const dependsOn: Outcomes['dependsOn'] = (record, certainty, what) => {
    const own = notesOf(record);
    if (own.certainty !== 'unknown') own.certainty = certainty;
    (own.dependsOn ??= new Set()).add(what);
  };

  function placed(record: BindingRecord, before: ResourceBinding): void {
    const { spec, status } = record.current;
    const strategy = strategyOf(spec.placement);
    if (strategy === 'Aggregated' || strategy === 'DynamicWeight')
      for (const what of estimates(configuration)) dependsOn(record, 'estimate', what);
    // A task that suppresses deletion is not judged by health.
    if (!spec.gracefulEvictionTasks?.some(({ suppressDeletion }) => suppressDeletion !== true)) return;
    const had = new Map(before.spec.clusters?.map(({ name, replicas }) => [name, replicas ?? 0]));
    const grows = (spec.clusters ?? []).filter(
      ({ name, replicas }) => (replicas ?? 0) > (had.get(name) ?? 0),
    );
    const healthy = (cluster: string) =>
      status?.aggregatedStatus?.some(
        ({ clusterName, health }) => clusterName === cluster && health === 'Healthy',
      );
    // All were healthy before some of them were asked for more: judged on that, the task ends at once.
    if (grows.length > 0 && spec.clusters?.every(({ name }) => healthy(name)))
      dependsOn(record, 'estimate', STALE_HEALTH);
  }

  const evictionOff = evictionSwitchedOff(configuration);
  const unreadPolicies = missingKind({ unread }, 'ClusterTaintPolicy');
  const unreadWorks = missingKind({ unread }, 'Work');
  const unreadInterpreters = missingKind({ unread }, ...INTERPRETERS);

  function dependOnUnread(record: BindingRecord): void {
    const { resource } = record.initial.spec;
    if (unreadWorks !== undefined)
      dependsOn(
        record,
        'estimate',
        `Works, which could not be read (${unreadWorks}): copies and their replicas are inferred from what the binding reports`,
      );
    if (unreadInterpreters !== undefined && !hasHealthInterpreter(resource, hooks))
      dependsOn(
        record,
        'estimate',
        `whether Karmada can tell the health of a ${resource.kind}: its interpreters could not be read (${unreadInterpreters})`,
      );
  }
  const guessed = EVICTION_SWITCHES.filter((name) => unconfirmed.has(name));

  const troubledOf = ({ initial }: BindingRecord): ReadonlySet<string> => {
    const troubled = initial.spec.clusters?.filter(({ name }) => troubledClusters.has(name));
    return troubled?.length ? new Set(troubled.map(({ name }) => name)) : none;
  };

  function judgeOne(record: BindingRecord, troubled: ReadonlySet<string>): ReturnType<typeof judge> {
    const own = notes.get(record);
    return judge({
      before: record.initial.spec,
      after: record.current.spec,
      evictedFrom: own?.evictedFrom ?? none,
      scheduleFailure: scheduler.failureOf(record),
      troubled,
      untainted: [...troubled].filter((name) => !everTainted.has(name)),
      tolerated: own?.tolerated,
      evictionOff,
    });
  }

  function one(record: BindingRecord, end: number): WorkloadOutcome {
    const { initial, current } = record;
    const own = notes.get(record);
    const { resource, schedulerName = DEFAULT_SCHEDULER_NAME } = initial.spec;
    const before = placementOf(initial.spec).clusters;
    const troubled = troubledOf(record);
    const verdict = judgeOne(record, troubled);
    if (evictionOff && guessed.length > 0 && troubled.size > 0)
      dependsOn(
        record,
        'unknown',
        `${guessed.join(', ')}, taken as the default: give what karmada-controller-manager was started with, by its Deployment (--host-context, or in the state) or by --assume`,
      );
    const noTaint = !evictionOff && [...troubled].some((name) => !everTainted.has(name));
    if (noTaint && unreadPolicies !== undefined)
      dependsOn(record, 'unknown', `ClusterTaintPolicies, which could not be read: ${unreadPolicies}`);
    else if (noTaint && plane.taintPolicies.size === 0 && unread === undefined)
      dependsOn(
        record,
        'unknown',
        'ClusterTaintPolicies, of which the state has none: add them to it if there are any',
      );
    if (troubled.size > 0 || own?.evictedFrom) dependOnUnread(record);
    const foreign = schedulerName !== configuration.scheduler['scheduler-name'];
    if (foreign && own?.evictedFrom)
      dependsOn(record, 'unknown', `the scheduler "${schedulerName}", which decides by rules of its own`);
    const marked = notes.get(record);
    const gap = own?.gap?.result(end);
    const workload: ObjectIdentity = {
      kind: resource.kind,
      ...(resource.namespace ? { namespace: resource.namespace } : {}),
      name: resource.name,
    };
    return {
      ...workload,
      binding: record.identity,
      before,
      after: placementOf(current.spec).clusters,
      evicting: placementOf(current.spec).evicting,
      outcome: verdict.outcome,
      ...(verdict.reason ? { reason: verdict.reason } : {}),
      certainty: marked?.certainty ?? 'certain',
      ...(marked?.dependsOn ? { dependsOn: [...marked.dependsOn] } : {}),
      ...(gap ? { gap } : {}),
    };
  }

  return {
    tolerates: (record, reason) => void (notesOf(record).tolerated = reason),
    dependsOn,
    placed,
    all: (end) =>
      plane.bindings
        .filter((record) => !record.deleted)
        .map((record) => one(record, end))
        .sort(asKubectlLists),
    outcomeOf: (record) => judgeOne(record, troubledOf(record)).outcome,
  };
}

/** By namespace and name, as kubectl lists them. */
export function asKubectlLists(a: NamespacedName, b: NamespacedName): number {
  const [x, y] = [a.namespace ?? '', b.namespace ?? ''];
  if (x !== y) return x < y ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

type NamespacedName = Pick<ObjectIdentity, 'namespace' | 'name'>;

/** What the room for replicas is an estimate by. */
function estimates({ scheduler, featureGates }: Configuration): string[] {
  return [
    scheduler['enable-scheduler-estimator']
      ? 'the answers of the scheduler estimators, which are not in the state'
      : 'the room that clusters report, taken as captured and followed from there',
    ...(featureGates.SchedulingOvercommitProtection
      ? [
          'what the scheduler keeps free for workloads that are not healthy yet (SchedulingOvercommitProtection)',
        ]
      : []),
  ];
}

/** What has to be on for a taint to evict (Karmada v1.14 and later). */
const EVICTION_SWITCHES = ['Failover', 'enable-taint-manager', 'enable-no-execute-taint-eviction'];

/** Why no taint evicts anything, where a gate or flag sees to that (Karmada v1.14 and later). */
function evictionSwitchedOff({ featureGates, controllerManager }: Configuration): string | undefined {
  if (!featureGates.Failover) return 'nothing is evicted: feature gate Failover=false';
  if (!controllerManager['enable-taint-manager']) return 'nothing is evicted: --enable-taint-manager=false';
  if (!controllerManager['enable-no-execute-taint-eviction'])
    return 'nothing is evicted: --enable-no-execute-taint-eviction=false';
  return undefined;
}
