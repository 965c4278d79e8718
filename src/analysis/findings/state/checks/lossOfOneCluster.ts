import type { ObjectIdentity } from '../../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { evictsByTaints } from '../../../../karmada/configuration/taintEviction.ts';
import { conditionOf } from '../../../../karmada/objects/conditions.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { objectKey, workloadOf } from '../../../../karmada/objects/identities.ts';
import { isWorkload } from '../../../../karmada/objects/placement.ts';
import type { ClusterSnapshot } from '../../../../karmada/scheduling/clusterSnapshot.ts';
import type { ScheduleErrorKind } from '../../../../karmada/scheduling/errors.ts';
import { tryAffinityGroups } from '../../../../karmada/scheduling/scheduleBinding.ts';
import { ownerOfPlacement } from '../../../explanation/changes/change.ts';
import { taintsOnFailure } from '../../../explanation/failoverSwitch.ts';
import { finding, inBinding, firstNames, firstObjectNames } from '../about.ts';
import { type Examined, placementText } from '../examined.ts';
import { refusalIn } from '../refusals.ts';
import type { Diagnosed, StateCheck } from '../stateCheck.ts';
import { groupedBy } from '../../../../kubernetes/nonEmpty.ts';
import { lazilyFor } from '../../../../kubernetes/lazily.ts';

/** The scheduler's error when no cluster fits after the loss of one. */
interface Loss {
  binding: ResourceBinding;
  cluster: string;
  kind: ScheduleErrorKind;
  message: string;
}

/**
 * The losses of one cluster after which the scheduler finds no cluster. A bound rather than a simulation: the
 * scheduler's own rules leave no cluster, whenever the loss happens.
 */
export const losses: (seen: Examined) => readonly Loss[] = lazilyFor((seen) => {
  const { now, failing } = seen;
  const without = new Map<string, ClusterSnapshot>();
  const snapshotWithout = (cluster: string) =>
    getOrAdd(without, cluster, () => seen.snapshot().without(cluster));
  type Refusal = { kind: ScheduleErrorKind; message: string } | undefined;
  const known = new Map<string, Map<string, Refusal>>();
  return seen.bindings.flatMap((binding): Loss[] => {
    const { spec, status, metadata } = binding;
    const { placement, clusters = [] } = spec;
    if (!placement || isAttached(spec) || metadata.deletionTimestamp || spec.gracefulEvictionTasks?.length)
      return [];
    if (conditionOf(status?.conditions, 'Scheduled')?.status === 'False') return [];
    const others = JSON.stringify([
      ...[spec.resource.apiVersion, spec.resource.kind, spec.replicas, spec.replicaRequirements],
      ...[spec.components, spec.workloadAffinityGroups, clusters, status?.schedulerObservingAffinityName],
    ]);
    const alike = getOrAdd(known, `${placementText(placement)} ${others}`, () => new Map<string, Refusal>());
    return clusters.flatMap(({ name: cluster }): Loss[] => {
      if (failing && !failing.includes(cluster)) return [];
      if (!alike.has(cluster)) {
        const left = {
          ...binding,
          spec: { ...spec, clusters: clusters.filter(({ name }) => name !== cluster) },
        };
        const { attempts } = tryAffinityGroups(
          { snapshot: snapshotWithout(cluster), binding: left, now },
          placement,
        );
        alike.set(cluster, attempts.at(-1)?.clusters ? undefined : attempts[0]?.error);
      }
      const error = alike.get(cluster);
      return error ? [{ binding, cluster, kind: error.kind, message: error.message }] : [];
    });
  });
});

/** One finding for all workloads of one policy that fit nowhere after any loss of these clusters. */
function lossFindings(
  seen: Examined,
  is: (loss: Loss) => boolean,
  message: (workloads: string, clusters: string, loss: Loss) => string,
  text: string,
  reasonOf?: (loss: Loss) => string,
): Diagnosed[] {
  const groups = groupedBy(losses(seen).filter(is), ({ binding }) => objectKey(ownerOfPlacement(binding)));
  return [...groups.values()].map((of) => {
    const objects = [...new Set(of.map(({ binding }) => binding))].map(workloadOf);
    const [first] = of;
    const next = { workload: workloadOf(first.binding), failing: [first.cluster] };
    const clusters = [...new Set(of.map(({ cluster }) => cluster))];
    const names = `${clusters.length > 1 ? 'one of ' : ''}${firstNames(clusters)}`;
    return {
      ...finding(
        objects,
        message(firstObjectNames(objects), names, first),
        inBinding(first.binding, first.message, 'spec.placement', first.cluster),
        { text, next: { action: 'explain', ...next }, simulate: next },
      ),
      ...(reasonOf && { reason: reasonOf(first) }),
    };
  });
}

export const noSecondHome: StateCheck = {
  id: 'no-second-home',
  severity: 'warning',
  theme: 'placement',
  title: 'a workload has no other cluster to move to',
  help: 'If its cluster fails, the scheduler finds none that its placement allows: the copy has no replacement. Widen the cluster affinity, or add an affinity group.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['NoClusterFit: … did not match the placement cluster affinity constraint'],
  issues: [7455, 5150],
  find: (seen) =>
    lossFindings(
      seen,
      ({ binding, kind }) => kind === 'FitError' && isWorkload(binding.spec),
      (workloads, clusters) => `${workloads}: no other cluster takes it if ${clusters} fails`,
      'widen its cluster affinity, or add an affinity group',
    ),
};

export const pinnedConfig: StateCheck = {
  id: 'pinned-config-deleted',
  severity: 'warning',
  theme: 'placement',
  title: 'an eviction deletes an object pinned to one cluster',
  help: 'If its only cluster fails, Karmada evicts a pinned ConfigMap or Secret, and deletes it at the deadline without a replacement. Its users on that cluster then break on return. Tolerate the taint forever, or switch cluster failover off.',
  needs: ['ResourceBinding', 'Cluster', 'Configuration'],
  symptoms: ['a ConfigMap is missing on a cluster that was NotReady'],
  issues: [5150],
  find: (seen) => {
    if (!evictsByTaints(seen.configuration)) return [];
    // Without a scheduling result, a version that checks only tasks of scheduled bindings ends none.
    const isDeleted = seen.configuration.rules.eviction.taskAssessment === 'allBindings';
    return lossFindings(
      seen,
      ({ binding, cluster, kind }) => {
        const failing = seen.clusters().get(cluster);
        const evicted =
          failing &&
          taintsOnFailure(failing, seen.world.taintPolicies, seen.now, seen.configuration).taints.length > 0;
        return kind === 'FitError' && !isWorkload(binding.spec) && evicted === true;
      },
      (objects, clusters) =>
        isDeleted
          ? `${objects}: pinned to ${clusters}; deleted without a replacement if it fails`
          : `${objects}: pinned to ${clusters}, and evicted without a replacement after it fails; ${seen.karmadaVersion} keeps the copy, an upgrade deletes it`,
      'tolerate the taint forever in its policy (a toleration without tolerationSeconds), or set Failover=false',
    ).map((one) => ({
      ...one,
      // Widening the placement would change the user's intent: a pinned workload should stay.
      remedy: { text: one.remedy!.text, patches: tolerateForever(seen, one.objects[0]!) },
    }));
  },
};

function tolerateForever(seen: Examined, object: ObjectIdentity) {
  const binding = seen.byWorkload().get(objectKey(object));
  if (!binding) return [];
  const clusterTolerations = ['not-ready', 'unreachable'].map((key) => ({
    key: `cluster.karmada.io/${key}`,
    operator: 'Exists',
    effect: 'NoExecute',
  }));
  return [{ target: ownerOfPlacement(binding), merge: { spec: { placement: { clusterTolerations } } } }];
}

export const lossBreaksSpread: StateCheck = {
  id: 'loss-breaks-spread',
  severity: 'warning',
  theme: 'placement',
  title: 'the loss of one cluster breaks a spread constraint',
  help: 'minGroups then exceeds the remaining groups, and the scheduler places nothing. Lower minGroups, or let the placement select more clusters.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['the number of feasible clusters is less than spreadConstraint.MinGroups'],
  issues: [3243, 1258, 4617],
  find: (seen) =>
    lossFindings(
      seen,
      ({ kind, message }) => kind !== 'FitError' && kind !== 'Panic' && /Groups|spread/i.test(message),
      notRescheduled,
      'lower minGroups, or let the placement select more clusters',
      whyRefused,
    ),
};

export const noCapacityElsewhere: StateCheck = {
  id: 'no-room-elsewhere',
  severity: 'warning',
  theme: 'placement',
  title: 'the other clusters have no capacity for a workload',
  help: 'If its cluster fails, the other clusters of its placement cannot fit its requests: replicas are missing. Free capacity, or allow more clusters. Capacity is what clusters report.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['Clusters available replicas … are not enough to schedule'],
  issues: [7554, 7550, 6518],
  find: (seen) =>
    lossFindings(
      seen,
      ({ kind, message }) => kind !== 'FitError' && kind !== 'Panic' && !/Groups|spread/i.test(message),
      notRescheduled,
      'free capacity there, or allow more clusters',
      whyRefused,
    ),
};

/** Why the scheduler places nothing after a loss; the scheduler's message is the evidence. */
function whyRefused({ message }: Loss): string {
  return refusalIn(message)?.means ?? message.replace(/\.$/, '');
}

function notRescheduled(workloads: string, clusters: string, loss: Loss): string {
  return `${workloads}: if ${clusters} fails, no reschedule is possible: ${whyRefused(loss)}`;
}
