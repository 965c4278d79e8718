import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { isScheduled } from '../../../../karmada/eviction/replacement.ts';
import { conditionOf } from '../../../../karmada/objects/conditions.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { placedOn } from '../../../../karmada/objects/placement.ts';
import { observedAffinity } from '../../../../karmada/scheduling/affinityGroups.ts';
import { instant } from '../../../../kubernetes/time.ts';
import { finding, inBinding, some, together } from '../about.ts';
import { noClusterFits, patched, web } from '../examples.ts';
import { restart } from '../remedies.ts';
import type { StateCheck } from '../stateCheck.ts';

export const schedulingFailed: StateCheck = {
  id: 'scheduling-failed',
  severity: 'error',
  theme: 'stuck',
  title: 'the scheduler finds no place for a workload',
  help: 'Scheduled is False: the workload stays as it was placed before, or runs nowhere. Ask failover explain for every filter and every cluster.',
  needs: ['ResourceBinding'],
  symptoms: ['NoClusterFit', 'Unschedulable', 'SchedulerError', 'QuotaExceeded'],
  issues: [3586, 1857, 829, 1844],
  example: patched(web, noClusterFits('2026-05-04T09:00:00Z')),
  find: (seen) => {
    const groups = new Map<string, ResourceBinding[]>();
    for (const binding of seen.bindings) {
      const condition = conditionOf(binding.status?.conditions, 'Scheduled');
      if (condition?.status !== 'False') continue;
      const why = `${condition.reason}: ${condition.message ?? ''}`.replace(/[:. ]+$/, '');
      groups.set(why, [...(groups.get(why) ?? []), binding]);
    }
    return [...groups].flatMap(([why, bindings]) => {
      const unplaced = bindings.filter(({ spec }) => placedOn(spec).length === 0).length;
      return together(
        bindings,
        (workloads) =>
          `the scheduler finds no place for ${workloads}${unplaced > 0 ? ` (${unplaced} of ${bindings.length} on no cluster)` : ''}: ${why}`,
        (first) => inBinding(first, why, 'status.conditions[Scheduled]', 'False'),
        (workload) => ({
          text: 'see which filter rejects which cluster, and the smallest change that helps',
          next: { action: 'explain', workload, failing: [] },
          simulate: { workload, failing: [] },
        }),
      );
    });
  },
};

/** Milliseconds after which a scheduler that runs has looked at a change. */
const SCHEDULED_BY_NOW = 120_000;

export const schedulingOverdue: StateCheck = {
  id: 'scheduling-overdue',
  severity: 'error',
  theme: 'stuck',
  title: 'a rebalance that was asked for has not happened',
  help: 'A WorkloadRebalancer reports Successful once it has asked for rescheduling; only lastScheduledTime says that it happened. If that is older, karmada-scheduler does not run, or scheduling is suspended.',
  needs: ['ResourceBinding'],
  symptoms: ['WorkloadRebalancer is Successful, and nothing moved'],
  issues: [7717, 5206],
  example: patched(web, { spec: { rescheduleTriggeredAt: '2026-05-04T09:30:00Z' } }),
  find: (seen) => {
    const late = seen.bindings.filter(({ spec, status }) => {
      const asked = spec.rescheduleTriggeredAt ? instant(spec.rescheduleTriggeredAt) : undefined;
      if (asked === undefined || spec.suspension?.scheduling || seen.now - asked < SCHEDULED_BY_NOW)
        return false;
      if (conditionOf(status?.conditions, 'Scheduled')?.status === 'False') return false;
      return !status?.lastScheduledTime || instant(status.lastScheduledTime) < asked;
    });
    return together(
      late,
      (workloads) =>
        `the rebalance of ${workloads} was asked for at ${late[0]!.spec.rescheduleTriggeredAt} and has not happened: is karmada-scheduler running?`,
      (first) =>
        inBinding(
          first,
          'lastScheduledTime is older',
          'spec.rescheduleTriggeredAt',
          first.spec.rescheduleTriggeredAt,
        ),
      restart('scheduler', seen),
    );
  },
};

export const generationUnseen: StateCheck = {
  id: 'binding-not-observed',
  severity: 'warning',
  theme: 'stuck',
  title: 'the scheduler has not seen the current spec of a binding',
  help: 'schedulerObservedGeneration is behind the generation of the binding although its last change is minutes old. karmada-scheduler may not run, or its queue is long.',
  needs: ['ResourceBinding'],
  symptoms: ['schedulerObservedGeneration < metadata.generation'],
  issues: [],
  example: patched(web, {
    metadata: { generation: 9 },
    spec: { clusters: [{ name: 'member1', replicas: 2 }] },
  }),
  find: (seen) => {
    const behind = seen.bindings.filter(
      (one) =>
        one.spec.placement &&
        !one.metadata.deletionTimestamp &&
        !one.spec.suspension?.scheduling &&
        !isAttached(one.spec) &&
        one.status?.lastScheduledTime &&
        seen.now - instant(one.status.lastScheduledTime) > SCHEDULED_BY_NOW &&
        conditionOf(one.status.conditions, 'Scheduled')?.status === 'True' &&
        (one.spec.replicas ?? 0) !== sumOf(one) &&
        !isScheduled(one) &&
        one.spec.placement.replicaScheduling?.replicaSchedulingType === 'Divided',
    );
    const seenBy = ({ status }: ResourceBinding) => status?.schedulerObservedGeneration ?? 0;
    return together(
      behind,
      (workloads) =>
        `karmada-scheduler has not seen the current spec of ${workloads} (generation ${behind[0]!.metadata.generation ?? 0}, seen ${seenBy(behind[0]!)})`,
      (first) =>
        inBinding(
          first,
          'the scheduler notes the generation that it has seen',
          'status.schedulerObservedGeneration',
          seenBy(first),
        ),
      restart('scheduler', seen),
    );
  },
};

export const affinityGroupGone: StateCheck = {
  id: 'affinity-group-gone',
  severity: 'warning',
  theme: 'stuck',
  title: 'the affinity group of a workload is no longer in its placement',
  help: 'schedulerObservingAffinityName names the group that the workload was placed by. If the placement lacks it, the scheduler begins with the first group, and writes the name once it succeeds: it does not run, or no group has worked since the change.',
  needs: ['ResourceBinding'],
  symptoms: ['schedulerObservingAffinityName is not in clusterAffinities'],
  issues: [],
  example: patched(web, {
    spec: { placement: { clusterAffinity: null, clusterAffinities: [{ affinityName: 'new' }] } },
    status: { schedulerObservingAffinityName: 'old' },
  }),
  find: (seen) => {
    const groups = new Map<string, ResourceBinding[]>();
    for (const binding of seen.bindings) {
      const { metadata, spec, status } = binding;
      const observed = status?.schedulerObservingAffinityName;
      const isFresh =
        status?.lastScheduledTime && seen.now - instant(status.lastScheduledTime) < SCHEDULED_BY_NOW;
      if (!observed || !spec.placement?.clusterAffinities?.length || isFresh) continue;
      if (isAttached(spec) || metadata.deletionTimestamp || observedAffinity(spec.placement, status) >= 0)
        continue;
      getOrAdd(groups, observed, () => []).push(binding);
    }
    return [...groups].flatMap(([observed, bindings]) =>
      together(
        bindings,
        (workloads) =>
          `${workloads}: placed by the affinity group ${observed}, which the placement no longer has: nothing was scheduled since`,
        (first) =>
          inBinding(first, 'no group has this name', 'status.schedulerObservingAffinityName', observed),
        (workload) => ({
          ...restart('scheduler', seen),
          text: 'see why no group fits, and whether karmada-scheduler runs',
          next: { action: 'explain', workload, failing: [] },
        }),
      ),
    );
  },
};

function sumOf({ spec }: ResourceBinding): number {
  return (spec.clusters ?? []).reduce((sum, { replicas = 0 }) => sum + replicas, 0);
}

export const rebalancerFailed: StateCheck = {
  id: 'rebalancer-without-effect',
  severity: 'warning',
  theme: 'stuck',
  title: 'a finished WorkloadRebalancer has moved nothing',
  help: 'A rebalancer acts once: applying it again changes nothing, and a workload without a binding has failed permanently. Create a new one, with another name.',
  needs: ['WorkloadRebalancer', 'ResourceBinding'],
  symptoms: ['reason ReferencedBindingNotFound', 'workloadrebalancer unchanged'],
  issues: [5206, 7717],
  example: patched(
    { kind: 'WorkloadRebalancer', name: 'back' },
    {
      status: {
        observedWorkloads: [
          {
            workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'webb' },
            result: 'Failed',
            reason: 'ReferencedBindingNotFound',
          },
        ],
      },
    },
  ),
  find: (seen) =>
    seen.othersOf('WorkloadRebalancer').flatMap(({ metadata: { name }, status }) => {
      const failed = (status?.observedWorkloads ?? []).filter(({ result }) => result === 'Failed');
      if (failed.length === 0) return [];
      return [
        finding(
          [{ kind: 'WorkloadRebalancer', name }],
          `WorkloadRebalancer ${name} has failed for ${some(failed.map(({ workload }) => `${workload.kind} ${workload.name}`))}: ${failed[0]!.reason ?? 'no reason given'}; it acts only once`,
          { rule: 'no binding of that workload', field: 'status.observedWorkloads', value: failed },
          'create a new WorkloadRebalancer with the right names',
        ),
      ];
    }),
};
