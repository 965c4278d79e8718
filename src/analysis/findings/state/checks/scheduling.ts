import type { ResourceBinding, ResourceBindingSpec } from '../../../../karmada/api/work.ts';
import { isScheduled } from '../../../../karmada/eviction/replacement.ts';
import { isReady } from '../../../../karmada/objects/clusterReadiness.ts';
import { conditionOf } from '../../../../karmada/objects/conditions.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { objectKey, workloadOf } from '../../../../karmada/objects/identities.ts';
import { placedOn } from '../../../../karmada/objects/placement.ts';
import { availableReplicas } from '../../../../karmada/scheduling/capacity/availableReplicas.ts';
import { strategyOf } from '../../../../karmada/scheduling/strategy.ts';
import { instant } from '../../../../kubernetes/time.ts';
import { finding, inBinding, firstNames, jointFinding } from '../about.ts';
import type { Examined } from '../examined.ts';
import { refusalIn, withCause } from '../refusals.ts';
import { investigateComponent } from '../remedies.ts';
import type { StateCheck } from '../stateCheck.ts';

export const schedulingFailed: StateCheck = {
  id: 'scheduling-failed',
  severity: 'error',
  theme: 'stuck',
  title: 'a workload cannot be scheduled',
  help: 'Scheduled is False: the workload stays as it was placed before, or runs nowhere. failover explain shows every filter and every cluster.',
  needs: ['ResourceBinding'],
  symptoms: ['NoClusterFit', 'Unschedulable', 'SchedulerError', 'QuotaExceeded'],
  issues: [3586, 1857, 829, 1844],
  find: (seen) => {
    const groups = new Map<string, ResourceBinding[]>();
    for (const binding of seen.bindings) {
      const condition = conditionOf(binding.status?.conditions, 'Scheduled');
      if (condition?.status !== 'False') continue;
      const why = `${condition.reason}: ${condition.message ?? ''}`.replace(/[:. ]+$/, '');
      getOrAdd(groups, why, () => []).push(binding);
    }
    return [...groups].flatMap(([why, bindings]) => {
      const unplaced = bindings.filter(({ spec }) => placedOn(spec).length === 0).length;
      const reason = otherVersion(why, bindings[0]!, seen) ?? withCause(why);
      return jointFinding(
        bindings,
        (workloads) =>
          `${workloads} cannot be scheduled${unplaced > 0 ? ` (${unplaced} of ${bindings.length} on no cluster)` : ''}: ${reason}`,
        (first) => inBinding(first, why, 'status.conditions[Scheduled]', 'False'),
        (workload) => ({
          text:
            refusalIn(why)?.remedy ??
            'check which filter rejects which cluster, and the smallest change that helps',
          next: { action: 'explain', workload, failing: [] },
          simulate: { workload, failing: [] },
        }),
      ).map((one) => ({ ...one, reason }));
    });
  },
};

/** If no cluster serves a workload's API: that clusters serve its kind in another version. */
function otherVersion(
  why: string,
  { spec: { resource } }: ResourceBinding,
  seen: Examined,
): string | undefined {
  const [group, version] = resource.apiVersion.split('/');
  if (!version || !why.includes('did not have the API resource')) return undefined;
  const served = new Set(
    seen.world.clusters.flatMap(({ status }) =>
      (status?.apiEnablements ?? []).flatMap(({ groupVersion, resources }) =>
        groupVersion.startsWith(`${group}/`) && resources?.some(({ kind }) => kind === resource.kind)
          ? groupVersion
          : [],
      ),
    ),
  );
  if (served.size === 0 || served.has(resource.apiVersion)) return undefined;
  return `clusters serve ${resource.kind} as ${[...served].join(', ')}, and the workload is ${resource.apiVersion} (${why})`;
}

/** Milliseconds within which a running scheduler processes a change. */
const SCHEDULED_BY_NOW = 120_000;

export const schedulingOverdue: StateCheck = {
  id: 'scheduling-overdue',
  severity: 'error',
  theme: 'stuck',
  title: 'a requested rebalance has not happened',
  help: 'A WorkloadRebalancer reports Successful once it has requested rescheduling; only lastScheduledTime proves it. If that is older, karmada-scheduler does not run, or scheduling is suspended.',
  needs: ['ResourceBinding'],
  symptoms: ['WorkloadRebalancer is Successful, and nothing moved'],
  issues: [7717, 5206],
  find: (seen) => {
    const late = seen.bindings.filter(({ spec, status }) => {
      const asked = spec.rescheduleTriggeredAt ? instant(spec.rescheduleTriggeredAt) : undefined;
      if (asked === undefined || spec.suspension?.scheduling || seen.now - asked < SCHEDULED_BY_NOW)
        return false;
      if (conditionOf(status?.conditions, 'Scheduled')?.status === 'False') return false;
      return !status?.lastScheduledTime || instant(status.lastScheduledTime) < asked;
    });
    return jointFinding(
      late,
      (workloads) =>
        `the rebalance of ${workloads} was requested at ${late[0]!.spec.rescheduleTriggeredAt} and has not happened: is karmada-scheduler running?`,
      (first) =>
        inBinding(
          first,
          'lastScheduledTime is older',
          'spec.rescheduleTriggeredAt',
          first.spec.rescheduleTriggeredAt,
        ),
      investigateComponent('scheduler', seen),
    );
  },
};

export const generationUnseen: StateCheck = {
  id: 'binding-not-observed',
  severity: 'warning',
  theme: 'stuck',
  title: 'the scheduler has not seen the current spec of a binding',
  help: 'schedulerObservedGeneration is behind the generation of the binding although its last change is minutes old, or the binding was never scheduled. karmada-scheduler may not run, or its queue is long.',
  needs: ['ResourceBinding'],
  symptoms: ['schedulerObservedGeneration < metadata.generation'],
  find: (seen) => {
    const behind = seen.bindings.filter(
      (one) =>
        one.spec.placement &&
        !one.metadata.deletionTimestamp &&
        !one.spec.suspension?.scheduling &&
        !isAttached(one.spec) &&
        (isNeverScheduled(one, seen.now) || isOutdated(one, seen.now)),
    );
    const seenBy = ({ status }: ResourceBinding) => status?.schedulerObservedGeneration ?? 0;
    return jointFinding(
      behind,
      (workloads) =>
        `karmada-scheduler has not seen the current spec of ${workloads} (generation ${behind[0]!.metadata.generation ?? 0}, seen ${seenBy(behind[0]!)})`,
      (first) =>
        inBinding(
          first,
          'the scheduler records the generation that it has processed',
          'status.schedulerObservedGeneration',
          seenBy(first),
        ),
      investigateComponent('scheduler', seen),
    );
  },
};

/** Whether the scheduler has never acted on a binding that is minutes old. */
function isNeverScheduled({ metadata, spec, status }: ResourceBinding, now: number): boolean {
  const { creationTimestamp } = metadata;
  return (
    status !== undefined &&
    !status.lastScheduledTime &&
    !conditionOf(status.conditions, 'Scheduled') &&
    !spec.clusters?.length &&
    creationTimestamp != null &&
    now - instant(creationTimestamp) > SCHEDULED_BY_NOW
  );
}

/** Whether replicas changed minutes ago, and their placement did not. */
function isOutdated(binding: ResourceBinding, now: number): boolean {
  const { spec, status } = binding;
  return (
    status?.lastScheduledTime != null &&
    now - instant(status.lastScheduledTime) > SCHEDULED_BY_NOW &&
    conditionOf(status.conditions, 'Scheduled')?.status === 'True' &&
    (spec.replicas ?? 0) !== sumOf(binding) &&
    !isScheduled(binding) &&
    spec.placement?.replicaScheduling?.replicaSchedulingType === 'Divided'
  );
}

function sumOf({ spec }: ResourceBinding): number {
  return (spec.clusters ?? []).reduce((sum, { replicas = 0 }) => sum + replicas, 0);
}

/**
 * Whether all replicas are on one cluster, although they are divided by capacity and another cluster of its placement
 * is free.
 */
function isOnOne({ spec, status }: ResourceBinding, seen: Examined): boolean {
  const { placement, clusters = [], replicas = 0, rescheduleTriggeredAt: asked } = spec;
  const scheduled = status?.lastScheduledTime;
  // A later scheduling is not a result of the rebalance.
  if (!asked || !scheduled || instant(scheduled) - instant(asked) > SCHEDULED_BY_NOW) return false;
  if (strategyOf(placement) !== 'DynamicWeight') return false;
  const groups = placement?.clusterAffinities ?? [];
  if (clusters.length !== 1 || replicas < 2 || groups.length > 0 || spec.gracefulEvictionTasks?.length)
    return false;
  return [...seen.clusters()].some(
    ([name, cluster]) =>
      name !== clusters[0]?.name &&
      isReady(cluster) &&
      !cluster.spec?.taints?.length &&
      seen.selects(placement, name) &&
      fits(name, spec, seen),
  );
}

function fits(name: string, spec: ResourceBindingSpec, seen: Examined): boolean {
  const { fleet, options, index } = seen.snapshot();
  const at = index.get(name);
  return at !== undefined && (availableReplicas(fleet, spec, options).values[at] ?? 0) > 0;
}

/** Whether something was created so long ago that a running controller has processed it. */
function isOld(created: string | null | undefined, { now }: Examined): boolean {
  return !!created && now - instant(created) > SCHEDULED_BY_NOW;
}

export const rebalancerFailed: StateCheck = {
  id: 'rebalancer-without-effect',
  severity: 'warning',
  theme: 'stuck',
  title: 'a finished WorkloadRebalancer has moved nothing',
  help: 'A rebalancer acts once: applying it again changes nothing. A workload without a binding has failed permanently. A cluster that was tainted or down at that time got nothing. Create a new one, with another name.',
  needs: ['WorkloadRebalancer', 'ResourceBinding'],
  symptoms: ['reason ReferencedBindingNotFound', 'workloadrebalancer unchanged'],
  issues: [5206, 6774, 7717],
  find: (seen) =>
    seen.othersOf('WorkloadRebalancer').flatMap(({ metadata: { name, creationTimestamp }, spec, status }) => {
      const { workloads = [] } = spec ?? {};
      const observed = status?.observedWorkloads ?? [];
      if (observed.length === 0 && workloads.length > 0 && isOld(creationTimestamp, seen))
        return finding(
          [{ kind: 'WorkloadRebalancer', name }, ...workloads],
          `WorkloadRebalancer ${name} was created at ${creationTimestamp}, and nothing has processed it`,
          { rule: 'its status lists its requests', field: 'status.observedWorkloads', value: [] },
          investigateComponent('controllerManager', seen),
        );
      const failed = observed.filter(({ result }) => result === 'Failed');
      const kept = observed
        .filter(({ result }) => result === 'Successful')
        .flatMap(({ workload }) =>
          seen.bindings.filter(
            (one) => objectKey(workloadOf(one)) === objectKey(workload) && isOnOne(one, seen),
          ),
        );
      if (failed.length === 0)
        return jointFinding(
          kept,
          (workloads) =>
            `WorkloadRebalancer ${name} has left ${workloads} on one cluster, and another is free: it acted only once${status?.finishTime ? `, at ${status.finishTime}` : ''}, when that cluster was perhaps tainted or down`,
          (first) =>
            inBinding(first, 'replicas are divided by capacity', 'spec.clusters', first.spec.clusters),
          'create a new WorkloadRebalancer, with another name',
          'note',
        );
      return finding(
        [{ kind: 'WorkloadRebalancer', name }],
        `WorkloadRebalancer ${name} has failed for ${firstNames(failed.map(({ workload }) => `${workload.kind} ${workload.name}`))}: ${failed[0]!.reason ?? 'no reason given'}; it acts only once`,
        { rule: 'no binding of that workload', field: 'status.observedWorkloads', value: failed },
        'create a new WorkloadRebalancer with the right names',
      );
    }),
};
