import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ResourceBinding, TargetCluster } from '../../../src/karmada/api/work.ts';
import { possibleOutcomes } from '../../../src/karmada/scheduling/division/tie.ts';
import type { DivisionTie } from '../../../src/karmada/controllers/controller.ts';
import { createClusterSnapshot } from '../../../src/karmada/scheduling/clusterSnapshot.ts';
import { scheduleBinding, type ScheduleOutcome } from '../../../src/karmada/scheduling/scheduleBinding.ts';
import { withoutZeroValues, type Suite } from '../suite.ts';
import { whoeverWins } from './openTie.ts';
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
  /** null, as Go writes empty values */
  clusters: TargetCluster[] | null;
  schedulerObservingAffinityName?: string;
  scheduledCondition?: { status: string; reason?: string; message?: string };
  schedulerObservedGeneration?: number;
  lastScheduledTimeUpdated: boolean;
  retry: boolean;
  orderStable?: boolean;
  /** ours: it has too many outcomes to list, so the winning clusters are left open */
  openTie?: DivisionTie;
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
    ...(condition
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
    ...(outcome.attempts.at(-1)?.unordered ? { orderStable: false } : {}),
  };
}

/** Both as far as they can be compared: without a varying message, by name where the order is open. */
export function comparable(expected: StoredBinding, actual: StoredBinding): [StoredBinding, StoredBinding] {
  const { openTie } = actual;
  const anyOrder = openTie || expected.orderStable === false || actual.orderStable === false;
  const reported = (list: TargetCluster[]) => (openTie ? whoeverWins(list, openTie) : byName(list));
  const silent = expected.scheduledCondition && expected.scheduledCondition.message === undefined;
  const part = ({
    orderStable: _,
    openTie: __,
    attempts = [],
    clusters,
    scheduledCondition,
    ...rest
  }: StoredBinding) => ({
    ...rest,
    attempts: attempts.map((one) =>
      one.clusters && anyOrder ? { ...one, clusters: reported(one.clusters) } : one,
    ),
    clusters: anyOrder ? reported(clusters ?? []) : (clusters ?? []),
    ...(scheduledCondition
      ? { scheduledCondition: silent ? { ...scheduledCondition, message: undefined } : scheduledCondition }
      : {}),
  });
  return [part(expected), part(actual)];
}

export function byName(clusters: readonly TargetCluster[]): TargetCluster[] {
  return clusters.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export default {
  answer({ clusters = [], binding, enableEmptyWorkloadPropagation = false }: Input, { rules }) {
    const snapshot = createClusterSnapshot(clusters, {
      rules: rules.scheduling,
      featureGates: {
        CustomizedClusterResourceModeling: true,
        MultiplePodTemplatesScheduling: false,
        WorkloadAffinity: false,
      },
      enableEmptyWorkloadPropagation,
    });
    const { outcomes, complete } = possibleOutcomes((winners) =>
      scheduleBinding({ snapshot, binding, now: NOW, winners }),
    );
    const openTie = complete ? undefined : outcomes[0]!.tie;
    return openTie
      ? { oneOf: [{ ...stored(binding, outcomes[0]!), openTie }], beyondTrying: true }
      : { oneOf: outcomes.map((outcome) => stored(binding, outcome)) };
  },
  difference(expected: StoredBinding, actual: StoredBinding) {
    const [a, b] = comparable(expected, actual).map(withoutZeroValues);
    return isDeepStrictEqual(a, b) ? undefined : { expected: a, actual: b };
  },
} satisfies Suite;
