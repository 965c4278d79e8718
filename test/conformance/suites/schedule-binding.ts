import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ResourceBinding, TargetCluster } from '../../../src/karmada/api/work.ts';
import {
  createClusterSnapshot,
  scheduleBinding,
  type ScheduleOutcome,
} from '../../../src/engine/scheduling/scheduler.ts';
import { withoutZeroValues, type Suite } from '../suite.ts';
import { isDeepStrictEqual } from 'node:util';

interface Input {
  clusters?: Cluster[];
  binding: ResourceBinding;
  enableEmptyWorkloadPropagation?: boolean;
}

/** The scheduler's outcome for a binding in the form in which the cases record it. */
export interface StoredBinding {
  scheduled: boolean;
  attempts: { affinityName?: string; clusters?: TargetCluster[]; errorKind?: string }[];
  clusters: TargetCluster[];
  schedulerObservingAffinityName?: string;
  scheduledCondition?: { status: string; reason?: string; message?: string };
  schedulerObservedGeneration?: number;
  lastScheduledTimeUpdated: boolean;
  retry: boolean;
  orderStable?: boolean;
}

const NOW = Date.parse('2026-03-14T09:26:53Z');

export function stored(binding: ResourceBinding, outcome: ScheduleOutcome): StoredBinding {
  const condition = outcome.status?.conditions?.find(({ type }) => type === 'Scheduled');
  return {
    scheduled: outcome.trigger !== undefined,
    attempts: outcome.attempts.map(({ affinityName, clusters, error }) => ({
      ...(affinityName === undefined ? {} : { affinityName }),
      ...(clusters ? { clusters } : {}),
      ...(error ? { errorKind: error.kind } : {}),
    })),
    clusters: outcome.spec.clusters ?? [],
    schedulerObservingAffinityName: outcome.status?.schedulerObservingAffinityName,
    ...(condition && outcome.trigger
      ? {
          scheduledCondition: {
            status: condition.status,
            reason: condition.reason,
            message: condition.message,
          },
        }
      : {}),
    schedulerObservedGeneration: outcome.status?.schedulerObservedGeneration,
    lastScheduledTimeUpdated: outcome.status?.lastScheduledTime !== binding.status?.lastScheduledTime,
    retry: outcome.retry,
  };
}

/** Leaves out what a case does not record: a message that varies, an order that is not defined. */
export function comparable(expected: StoredBinding, actual: StoredBinding): StoredBinding {
  const ordered = (clusters: TargetCluster[] | undefined) =>
    expected.orderStable === false ? clusters?.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : clusters;
  const { orderStable: _, ...rest } = expected;
  const { scheduledCondition } = actual;
  const silent = expected.scheduledCondition && expected.scheduledCondition.message === undefined;
  return {
    ...rest,
    ...actual,
    attempts: (actual.attempts ?? []).map((one) => ({
      ...one,
      ...(one.clusters ? { clusters: ordered(one.clusters) } : {}),
    })),
    clusters: ordered(actual.clusters) ?? [],
    ...(scheduledCondition
      ? { scheduledCondition: silent ? { ...scheduledCondition, message: undefined } : scheduledCondition }
      : {}),
  };
}

export default {
  answer({ clusters = [], binding, enableEmptyWorkloadPropagation = false }: Input) {
    const snapshot = createClusterSnapshot(clusters, {
      featureGates: {
        CustomizedClusterResourceModeling: true,
        MultiplePodTemplatesScheduling: false,
        WorkloadAffinity: false,
      },
      enableEmptyWorkloadPropagation,
    });
    return stored(binding, scheduleBinding({ snapshot, binding, now: NOW }));
  },
  difference(expected: StoredBinding, actual: StoredBinding) {
    const { orderStable: _, ...recorded } = expected;
    const [a, b] = [withoutZeroValues(recorded), withoutZeroValues(comparable(expected, actual))];
    return isDeepStrictEqual(a, b) ? undefined : { expected: a, actual: b };
  },
} satisfies Suite;
