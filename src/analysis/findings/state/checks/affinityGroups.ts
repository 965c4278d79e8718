import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { isReady } from '../../../../karmada/objects/clusterReadiness.ts';
import { conditionOf } from '../../../../karmada/objects/conditions.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { observedAffinity } from '../../../../karmada/scheduling/affinityGroups.ts';
import { instant } from '../../../../kubernetes/time.ts';
import { inBinding, firstNames, jointFinding } from '../about.ts';
import type { Examined } from '../examined.ts';
import { patchPolicies, investigateComponent } from '../remedies.ts';
import type { Remedy, StateCheck } from '../stateCheck.ts';

/** Milliseconds within which a running scheduler processes a change. */
const SCHEDULED_BY_NOW = 120_000;

export const affinityGroupGone: StateCheck = {
  id: 'affinity-group-gone',
  severity: 'warning',
  theme: 'stuck',
  title: 'the placement lacks the affinity group of a workload',
  help: 'schedulerObservingAffinityName names the group of the last successful scheduling. If the placement lacks it, the scheduler starts with the first group and writes the name on success. Either karmada-scheduler does not run, or no group has succeeded since the change.',
  needs: ['ResourceBinding'],
  symptoms: ['schedulerObservingAffinityName is not in clusterAffinities'],
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
      jointFinding(
        bindings,
        (workloads) =>
          `${workloads}: placed by the affinity group ${observed}, which the placement no longer has: not scheduled since`,
        (first) =>
          inBinding(first, 'no group has this name', 'status.schedulerObservingAffinityName', observed),
        (workload) => ({
          ...investigateComponent('scheduler', seen),
          text: 'find out why no group fits, and whether karmada-scheduler runs',
          next: { action: 'explain', workload, failing: [] },
        }),
      ),
    );
  },
};

/** The clusters of earlier affinity groups that could take a workload now, if the scheduler started over. */
export function possibleReturnClusters({ spec, status }: ResourceBinding, seen: Examined): string[] {
  const groups = spec.placement?.clusterAffinities ?? [];
  const observed = spec.placement ? observedAffinity(spec.placement, status) : -1;
  if (observed < 1 || isAttached(spec)) return [];
  const left = new Set(spec.gracefulEvictionTasks?.map(({ fromCluster }) => fromCluster));
  return [...seen.clusters()].flatMap(([name, cluster]) =>
    isReady(cluster) &&
    !cluster.spec?.taints?.length &&
    !left.has(name) &&
    groups.slice(0, observed).some((group) => seen.facts().isSelected(group, name))
      ? [name]
      : [],
  );
}

const isUnplaced = ({ spec, status }: ResourceBinding) =>
  !spec.clusters?.length && conditionOf(status?.conditions, 'Scheduled')?.status === 'False';

/** Whether a rebalancer has already rescheduled it. */
function isRebalanced({ spec: { rescheduleTriggeredAt }, status }: ResourceBinding): boolean {
  const scheduled = status?.lastScheduledTime;
  return !!rescheduleTriggeredAt && !!scheduled && instant(rescheduleTriggeredAt) <= instant(scheduled);
}

export const earlierGroupSkipped: StateCheck = {
  id: 'earlier-group-skipped',
  severity: 'warning',
  theme: 'stuck',
  title: 'the scheduler does not return to an earlier Ready affinity group',
  help: 'The scheduler tries only later affinity groups than the current one. If the current group fails, the workload is not placed, although an earlier group is Ready again. Before v1.19 a WorkloadRebalancer does not help either. Rename the group: the scheduler then starts with the first.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['NoClusterFit, and a cluster of the first affinity group is Ready', 'a rebalance moves nothing'],
  issues: [4990, 7717],
  find: (seen) => {
    const stays = seen.configuration.rules.scheduling.affinityOnRebalance === 'observed';
    const groups = new Map<string, ResourceBinding[]>();
    for (const binding of seen.bindings) {
      if (!isUnplaced(binding) && !(stays && isRebalanced(binding))) continue;
      const back = possibleReturnClusters(binding, seen);
      if (back.length === 0) continue;
      const of = `${binding.status?.schedulerObservingAffinityName ?? ''}, and the scheduler does not return to an earlier one with ${firstNames(back)}, which is up${isUnplaced(binding) ? '' : ': the rebalance has begun with the same group'}`;
      getOrAdd(groups, of, () => []).push(binding);
    }
    return [...groups].flatMap(([of, bindings]) =>
      jointFinding(
        bindings,
        (workloads) => `${workloads}: in the affinity group ${of}`,
        (first) =>
          inBinding(
            first,
            'the scheduler starts with the observed group',
            'status.schedulerObservingAffinityName',
            first.status?.schedulerObservingAffinityName,
          ),
        fromTheFirst(bindings, stays),
        isUnplaced(bindings[0]!) ? 'error' : undefined,
      ),
    );
  },
};

/** Makes the scheduler start with the first group: by renaming the observed group, or by a rebalance. */
function fromTheFirst(bindings: readonly ResourceBinding[], stays: boolean): Remedy {
  if (!stays) return { text: 'create a WorkloadRebalancer for it' };
  return {
    text: 'rename its affinity group in the policy: the scheduler then starts with the first group',
    patches: patchPolicies(bindings, ({ spec, status }) => ({
      placement: {
        clusterAffinities: spec.placement?.clusterAffinities?.map((group) =>
          group.affinityName === status?.schedulerObservingAffinityName
            ? { ...group, affinityName: `${group.affinityName}-renamed` }
            : group,
        ),
      },
    })),
  };
}
