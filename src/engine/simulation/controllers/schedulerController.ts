import type { Configuration } from '../../../karmada/configuration.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import {
  createClusterSnapshot,
  scheduleBinding,
  type ClusterSnapshot,
  type ScheduleOutcome,
} from '../../scheduling/scheduler.ts';
import { handledByScheduler, wokenByBinding, wokenByCluster } from '../../scheduling/wakeUp.ts';
import { createKeyedQueue, type Agenda } from '../agenda.ts';
import type { BindingRecord, SimulatedControlPlane } from '../controlPlane.ts';
import { latencies } from '../latencies.ts';
import { nextRetry } from '../retryBackoff.ts';

/** What the last attempt on a binding came to, where it failed. */
export interface ScheduleFailure {
  reason: string;
  message: string;
  /** epoch milliseconds of the first failure since the last success */
  since: number;
}

export interface SchedulerController {
  snapshot(): ClusterSnapshot;
  failureOf(record: BindingRecord): ScheduleFailure | undefined;
}

interface Retry {
  failure: ScheduleFailure;
  /** what the attempt saw: nothing changes its result until one of these does */
  snapshot: ClusterSnapshot;
  binding: ResourceBinding;
}

/**
 * karmada-scheduler: woken by bindings and clusters (S18–S22), one attempt per look (S23–S33), retries with
 * back-off where Karmada's queue retries (S32).
 */
export function startScheduler(
  plane: SimulatedControlPlane,
  agenda: Agenda,
  configuration: Configuration,
): SchedulerController {
  const options = {
    featureGates: configuration.featureGates,
    enableEmptyWorkloadPropagation: configuration.scheduler['enable-empty-workload-propagation'],
  };
  const schedulerName = configuration.scheduler['scheduler-name'];
  let snapshot = createClusterSnapshot([...plane.clusters.values()], options);
  const retries = new Map<BindingRecord, Retry>();

  function write(record: BindingRecord, outcome: ScheduleOutcome): void {
    const before = record.current;
    if (outcome.spec !== before.spec || outcome.annotations !== undefined)
      plane.writeBinding(
        record,
        { ...(outcome.spec === before.spec ? {} : { spec: outcome.spec }), annotations: outcome.annotations },
        outcome.spec === before.spec
          ? undefined
          : {
              controller: 'scheduler',
              type: outcome.failure ? 'ScheduleFailed' : 'Scheduled',
              reason: outcome.reason,
              message: outcome.message,
              evidence: outcome.evidence,
            },
      );
    plane.writeBindingStatus(record, outcome.status);
  }

  function attempt(record: BindingRecord): void {
    if (record.deleted || !handledByScheduler(record.current, schedulerName)) return;
    const waiting = retries.get(record);
    if (waiting && waiting.snapshot === snapshot && waiting.binding === record.current) {
      retry(record, waiting);
      return;
    }
    const outcome = scheduleBinding({ snapshot, binding: record.current, now: agenda.now(), options });
    void outcome;
    write(record, outcome);
  }

  function retry(record: BindingRecord, waiting: Retry): void {
    queue.add(record, nextRetry(waiting.failure.since, agenda.now() + 1), { background: true });
  }

  const queue = createKeyedQueue<BindingRecord>(agenda, attempt);

  plane.observe({
    clusterChanged(before, after) {
      snapshot = snapshot.with(after);
      if (!before) return;
      const at = agenda.now() + latencies.scheduler;
      for (const record of plane.bindings)
        if (wokenByCluster(before, after, record.current)) queue.add(record, at);
    },
    bindingChanged(record, before) {
      if (!wokenByBinding(before, record.current)) return;
      queue.add(record, agenda.now() + latencies.scheduler);
    },
  });

  return { snapshot: () => snapshot, failureOf: (record) => retries.get(record)?.failure };
}
