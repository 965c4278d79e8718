import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import type { Evidence } from '../../evidence.ts';
import { scheduleBinding, type ClusterSnapshot } from '../../scheduling/scheduler.ts';
import type { ScheduleOutcome } from '../../scheduling/scheduleBinding.ts';
import type { ScheduleTrace } from '../../scheduling/trace.ts';
import {
  clusterEventObjects,
  handledByScheduler,
  wokenByBinding,
  wokenByCluster,
} from '../../scheduling/wakeUp.ts';
import type { TracedAttempt } from '../timeline.ts';
import { createKeyedQueue, type Agenda } from '../agenda.ts';
import type { BindingRecord, SimulatedControlPlane } from '../controlPlane.ts';
import { latencies } from '../../latencies.ts';
import { liveWorkloadGroups } from '../liveWorkloadGroups.ts';
import { nextPriorityRetry, nextRetry } from '../../controllers/retryBackoff.ts';
import { schedulerSnapshot } from '../simulationStart.ts';

export interface SchedulerController {
  /** the scheduler's last word on a binding, where it was a failure */
  failureOf(record: BindingRecord): { reason: string; message: string } | undefined;
}

/** Who is told of what the scheduler does, and the binding whose attempts are traced. */
export interface SchedulerListener {
  traced: BindingRecord | undefined;
  attempted(attempt: TracedAttempt): void;
  /** another placement has been written */
  placed(record: BindingRecord, before: ResourceBinding): void;
}

interface Failure {
  reason: string;
  message: string;
  /** epoch milliseconds of the first failure since the last success */
  since: number;
  /** undefined where the queue does not repeat the attempt */
  seen?: { snapshot: ClusterSnapshot; binding: ResourceBinding };
}

/**
 * karmada-scheduler: woken by bindings and clusters, one attempt per look. Failed attempts
 * that Karmada's queue repeats are repeated here once something has changed that they depend on, at
 * the instant of the back-off.
 *
 * @param seen the clusters as it sees them at first, where that is known already
 */
export function startScheduler(
  plane: SimulatedControlPlane,
  agenda: Agenda,
  configuration: Configuration,
  { traced, attempted, placed }: SchedulerListener,
  seen: ClusterSnapshot = schedulerSnapshot([...plane.clusters.values()], configuration),
): SchedulerController {
  let snapshot = seen.fork(
    configuration.featureGates.WorkloadAffinity ? liveWorkloadGroups(plane) : undefined,
  );
  const changedClusters = new Map<string, Cluster>();
  const snapshotNow = () => {
    if (changedClusters.size > 0) snapshot = snapshot.with(...changedClusters.values());
    changedClusters.clear();
    return snapshot;
  };
  const failures = new Map<BindingRecord, Failure>();
  /** bindings whose next attempt could only end as the last one did */
  const waitingForChange = new Set<BindingRecord>();
  /** while Karmada's queue works off other bindings, one just scheduled waits for its second look */
  const secondLookAt = new Map<BindingRecord, number>();

  function attempt(record: BindingRecord): void {
    if (record.deleted || !handledByScheduler(record.current, configuration)) return;
    const snapshot = snapshotNow();
    const seen = failures.get(record)?.seen;
    if (seen && seen.snapshot === snapshot && seen.binding === record.current) {
      waitingForChange.add(record);
      return;
    }
    const evidence = plane.evidence();
    const trace: ScheduleTrace | undefined = record === traced ? { attempts: [] } : undefined;
    const outcome = scheduleBinding({
      snapshot,
      binding: record.current,
      now: agenda.now(),
      ...(evidence ? { evidence } : {}),
      ...(trace ? { trace } : {}),
    });
    if (trace && outcome.trigger)
      attempted({ time: agenda.now(), binding: record.current, snapshot, outcome, trace });
    remember(record, outcome);
    write(record, outcome, evidence);
    const failure = failures.get(record);
    if (!failure?.seen) return;
    failure.seen = { snapshot, binding: record.current };
    waitingForChange.add(record);
  }

  function remember(record: BindingRecord, { trigger, failure, retry }: ScheduleOutcome): void {
    if (!failure) {
      if (trigger) failures.delete(record);
      return;
    }
    const since = failures.get(record)?.since ?? agenda.now();
    failures.set(record, {
      ...failure,
      since,
      ...(retry ? { seen: { snapshot, binding: record.current } } : {}),
    });
  }

  function write(record: BindingRecord, outcome: ScheduleOutcome, evidence: Evidence[] | undefined): void {
    const before = record.current;
    const { spec, status } = before;
    const { failure } = outcome;
    const news =
      failure && status?.conditions?.find(({ type }) => type === 'Scheduled')?.message !== failure.message;
    const clustersChanged = outcome.spec !== spec;
    const affinityName = outcome.status?.schedulerObservingAffinityName;
    const message =
      failure?.message ??
      (affinityName && affinityName !== status?.schedulerObservingAffinityName
        ? `by affinity group ${affinityName}`
        : undefined);
    const note = {
      controller: 'scheduler',
      type: failure ? ('ScheduleFailed' as const) : ('Scheduled' as const),
      ...(failure ? { reason: failure.reason } : { reason: 'Success' }),
      ...(message ? { message } : {}),
      evidence,
    };
    if (clustersChanged) secondLookAt.set(record, agenda.now() + latencies.schedulerSecondLook);
    // a patch that changes nothing is no event
    const annotations = changed(before.metadata.annotations, outcome.annotations);
    if (clustersChanged || annotations)
      plane.writeBinding(
        record,
        {
          ...(clustersChanged ? { spec: outcome.spec } : {}),
          ...(annotations ? { annotations } : {}),
        },
        clustersChanged ? note : undefined,
      );
    if (clustersChanged && !failure) placed(record, before);
    if (!clustersChanged && news) plane.note({ ...note, object: record.identity });
    if (outcome.status && outcome.status !== status) plane.writeBindingStatus(record, outcome.status);
  }

  const queue = createKeyedQueue<BindingRecord>(agenda, attempt);
  const retries = createKeyedQueue<'all'>(agenda, () => {
    for (const record of waitingForChange) {
      const failure = failures.get(record);
      if (failure?.seen) queue.add(record, retryAt(failure, agenda.now() + 1));
    }
    waitingForChange.clear();
  });
  const retryAt = ({ since, reason }: Failure, now: number) =>
    configuration.featureGates.PriorityBasedScheduling
      ? nextPriorityRetry(since, now, reason === 'Unschedulable')
      : nextRetry(since, now);
  const wake = (record: BindingRecord) =>
    queue.add(record, Math.max(agenda.now() + latencies.scheduler, secondLookAt.get(record) ?? 0));

  plane.observe({
    clusterChanged(before, after) {
      changedClusters.set(after.metadata.name, after);
      if (waitingForChange.size > 0) retries.add('all', agenda.now());
      const objects = before ? clusterEventObjects(before, after, configuration) : [];
      if (objects.length === 0) return;
      for (const record of plane.bindings)
        if (!record.deleted && wokenByCluster(objects, record.current, configuration, snapshot.affinities))
          wake(record);
    },
    bindingChanged(record, before) {
      if (wokenByBinding(before, record.current, configuration)) wake(record);
    },
  });
  // What the scheduler had not got round to when the state was captured, it does now.
  for (const record of plane.bindings) {
    const { metadata, status } = record.current;
    const behind = (status?.schedulerObservedGeneration ?? 0) !== (metadata.generation ?? 0);
    const failing = status?.conditions?.some(
      ({ type, status: value }) => type === 'Scheduled' && value !== 'True',
    );
    if (behind || failing) wake(record);
  }

  return { failureOf: (record) => failures.get(record) };
}

/** The annotations to write, if one of them is not there already. */
function changed(
  before: Record<string, string> | undefined,
  written: Record<string, string> | undefined,
): Record<string, string> | undefined {
  for (const key in written) if (before?.[key] !== written[key]) return written;
  return undefined;
}
