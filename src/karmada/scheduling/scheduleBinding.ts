import { setCondition } from '../objects/conditions.ts';
import type { Placement } from '../api/policy.ts';
import type {
  ResourceBinding,
  ResourceBindingSpec,
  ResourceBindingStatus,
  TargetCluster,
} from '../api/work.ts';
import { APPLIED_PLACEMENT_ANNOTATION } from '../api/names.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Evidence } from '../evidence.ts';
import { hasCluster } from '../selection/clusterSet.ts';
import { withBlocksAt } from './filters/clusterEviction.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import type { ScheduleError } from './errors.ts';
import type { DivisionTie } from '../controllers/controller.ts';
import { schedule } from './schedule.ts';
import { countsAsWorkload, isDuplicated, rescheduleRequired } from './strategy.ts';
import type { AttemptTrace, ScheduleTrace } from './trace.ts';

/** Why the scheduler runs for a binding, in order of precedence. */
type ScheduleTrigger =
  | 'placement changed'
  | 'replicas changed'
  | 'rescheduling requested'
  | 'always rescheduled'
  | 'a target cluster is being deleted';

/** One attempt, with an affinity group if there are groups. */
export interface Attempt {
  affinityName?: string;
  clusters?: TargetCluster[];
  error?: ScheduleError;
  /** random choices of Karmada in the result */
  tie?: DivisionTie;
  /** Karmada lists some of the clusters of the result in any order (before v1.16) */
  unordered?: true;
}

export interface ScheduleOutcome {
  /** undefined: nothing to schedule; at most the observed generation is written */
  trigger?: ScheduleTrigger;
  attempts: Attempt[];
  /** the same object if spec.clusters is not written */
  spec: ResourceBindingSpec;
  /** the applied-placement annotation, if it is written */
  annotations?: Record<string, string>;
  /** the same object if the status is not written */
  status: ResourceBindingStatus | undefined;
  /** the reason and message of the Scheduled condition, if the attempt failed */
  failure?: { reason: string; message: string };
  /** the queue retries the attempt with back-off */
  retry: boolean;
  /** random choices of Karmada: this outcome is one of several, see `possibleOutcomes` */
  tie?: DivisionTie;
}

export interface ScheduleRequest {
  snapshot: ClusterSnapshot;
  binding: ResourceBinding;
  /** epoch milliseconds */
  now: number;
  trace?: ScheduleTrace | undefined;
  evidence?: Evidence[] | undefined;
  /** the winners of random ties; absent: the first names */
  winners?: ReadonlySet<string> | undefined;
}

const SUCCESS = 'Binding has been scheduled successfully.';

/**
 * Processes a binding like karmada-scheduler: whether it acts at all, the affinity groups that it tries, and its
 * writes. The writes are not applied; a changed spec raises the generation, while the observed generation is the
 * previous one.
 */
export function scheduleBinding(request: ScheduleRequest): ScheduleOutcome {
  const { snapshot, binding, now } = request;
  const { metadata, spec, status } = binding;
  const idle: ScheduleOutcome = { attempts: [], spec, status, retry: false };
  if (metadata.deletionTimestamp) return idle;
  if (!spec.placement) return { ...idle, retry: true };

  const trigger = scheduleTrigger(snapshot, binding, spec.placement);
  if (!trigger) {
    if ((metadata.generation ?? 0) === (status?.schedulerObservedGeneration ?? 0)) return idle;
    return { ...idle, status: { ...status, schedulerObservedGeneration: metadata.generation } };
  }
  request.evidence?.push({ rule: `the scheduler runs: ${trigger}`, field: triggerField[trigger] });
  const { attempts, affinityName } = tryAffinityGroups(request, spec.placement);
  const last = attempts.at(-1);
  if (last?.clusters) {
    const written = writeResult(snapshot, spec, last.clusters);
    return {
      trigger,
      attempts,
      spec: written.spec,
      annotations: written.annotations,
      status: succeeded(binding, affinityName, now),
      retry: false,
      tie: last.tie,
    };
  }
  // The first group's error decides.
  const error = attempts[0]?.error;
  if (!error) {
    // With an empty list of groups nothing is tried, and without an error Karmada reports success.
    return { ...idle, trigger, status: succeeded(binding, undefined, now) };
  }
  // When the scheduler crashes, a deferred function still reports that there was no error.
  if (last?.error?.kind === 'Panic')
    return {
      ...idle,
      trigger,
      attempts,
      status: succeeded(binding, undefined, now),
      failure: { reason: 'Panic', message: last.error.message },
      retry: true,
    };
  const reason = reasonOf(error);
  const failure = { reason, message: error.message };
  return {
    ...idle,
    trigger,
    attempts,
    ...(error.kind === 'FitError' ? writeResult(snapshot, spec, []) : {}),
    status: {
      ...status,
      conditions: setCondition(
        status?.conditions,
        { type: 'Scheduled', status: 'False', reason, message: error.message },
        now,
      ),
    },
    failure,
    retry: error.kind !== 'FitError',
  };
}

const triggerField: Record<ScheduleTrigger, string> = {
  'placement changed': 'spec.placement',
  'replicas changed': 'spec.replicas',
  'rescheduling requested': 'spec.rescheduleTriggeredAt',
  'always rescheduled': 'spec.placement.replicaScheduling',
  'a target cluster is being deleted': 'spec.clusters',
};

/** The first trigger that applies. */
function scheduleTrigger(
  snapshot: ClusterSnapshot,
  { metadata, spec, status }: ResourceBinding,
  placement: Placement,
): ScheduleTrigger | undefined {
  const annotation = metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION];
  if (snapshot.placements.changed(placement, annotation, status?.schedulerObservingAffinityName))
    return 'placement changed';
  if (replicasChanged(snapshot, spec, placement)) return 'replicas changed';
  if (rescheduleRequired(spec, status)) return 'rescheduling requested';
  if (!countsAsWorkload(spec, snapshot.rules) || isDuplicated(placement)) return 'always rescheduled';
  if (spec.clusters?.some(({ name }) => isBeingDeleted(snapshot, name)))
    return 'a target cluster is being deleted';
  return undefined;
}

/** Whether the scheduler skips a cluster because it is being deleted; versions before v1.14 do not. */
function isBeingDeleted(snapshot: ClusterSnapshot, name: string): boolean {
  const at = snapshot.index.get(name);
  return at !== undefined && !hasCluster(snapshot.candidates(), at);
}

/** Whether spec.clusters has other replicas than the workload asks for. */
function replicasChanged(
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  placement: Placement,
): boolean {
  const scheduling = placement.replicaScheduling;
  if (!scheduling) return false;
  const { clusters = [], replicas = 0, components = [] } = spec;
  const { rules, featureGates } = snapshot.options;
  if (
    featureGates.MultiplePodTemplatesScheduling &&
    components.length >= rules.componentReschedule &&
    clusters.length === 0
  )
    return true;
  if (scheduling.replicaSchedulingType === 'Duplicated')
    return clusters.some((target) => (target.replicas ?? 0) !== replicas);
  if (scheduling.replicaSchedulingType === 'Divided')
    return clusters.reduce((sum, target) => (sum + (target.replicas ?? 0)) | 0, 0) !== replicas;
  return false;
}

/**
 * Tries the affinity groups from the observed one on, only forwards, until one succeeds; without groups only the
 * placement. Since v1.19 a rebalance starts with the first group. Runs even if nothing triggers the scheduler.
 */
export function tryAffinityGroups(
  { snapshot, binding, now, trace, winners }: Omit<ScheduleRequest, 'evidence'>,
  placement: Placement,
): { attempts: Attempt[]; affinityName?: string } {
  const { status } = binding;
  const spec = withBlocksAt(binding.spec, now);
  const attempt = (tried: ResourceBindingStatus | undefined, affinityName?: string): Attempt => {
    const seen: AttemptTrace | undefined = trace && {
      ...(affinityName === undefined ? {} : { affinityName }),
      clusters: [],
    };
    const result = schedule(snapshot, spec, tried, seen, winners);
    if (seen) {
      if ('error' in result) seen.error = result.error.message;
      else seen.result = result.clusters;
      trace!.attempts.push(seen);
    }
    return affinityName === undefined ? result : { affinityName, ...result };
  };
  if (!placement.clusterAffinities) return { attempts: [attempt(status)] };

  const observed = status?.schedulerObservingAffinityName;
  const startsOver = snapshot.rules.affinityOnRebalance === 'first' && rescheduleRequired(spec, status);
  const known = placement.clusterAffinities.findIndex(({ affinityName }) => affinityName === observed);
  const first = startsOver || !observed ? 0 : Math.max(known, 0);
  const attempts: Attempt[] = [];
  for (const { affinityName } of placement.clusterAffinities.slice(first)) {
    const tried = attempt({ ...status, schedulerObservingAffinityName: affinityName }, affinityName);
    attempts.push(tried);
    if (tried.clusters) return { attempts, affinityName };
    if (tried.error?.kind === 'Panic') break;
  }
  return { attempts };
}

function succeeded(
  { metadata, status }: ResourceBinding,
  affinityName: string | undefined,
  now: number,
): ResourceBindingStatus {
  return {
    ...status,
    conditions: setCondition(
      status?.conditions,
      { type: 'Scheduled', status: 'True', reason: 'Success', message: SUCCESS },
      now,
    ),
    ...(affinityName !== undefined && { schedulerObservingAffinityName: affinityName }),
    schedulerObservedGeneration: metadata.generation,
    lastScheduledTime: rfc3339(now),
  };
}

function reasonOf({ kind }: ScheduleError): string {
  switch (kind) {
    case 'FitError':
      return 'NoClusterFit';
    case 'UnschedulableError':
      return 'Unschedulable';
    case 'Panic':
    case 'Error':
      return 'SchedulerError';
  }
}

/** The patch of a result: spec.clusters if it differs, and the applied placement. */
function writeResult(
  { placements }: ClusterSnapshot,
  spec: ResourceBindingSpec,
  clusters: TargetCluster[],
): Pick<ScheduleOutcome, 'spec' | 'annotations'> {
  return {
    spec: sameTargets(spec.clusters ?? [], clusters) ? spec : { ...spec, clusters },
    annotations: { [APPLIED_PLACEMENT_ANNOTATION]: placements.text(spec.placement!) },
  };
}

function sameTargets(a: TargetCluster[], b: TargetCluster[]): boolean {
  return (
    a.length === b.length &&
    a.every((target, i) => {
      const other = b[i]!;
      return (
        target.name === other.name &&
        (target.replicas ?? 0) === (other.replicas ?? 0) &&
        deepEqual(target.components ?? [], other.components ?? [])
      );
    })
  );
}
