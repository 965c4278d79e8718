import type { ResourceBinding, TargetCluster } from '../../../../karmada/api/work.ts';
import { conditionOf } from '../../../../karmada/objects/conditions.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { workloadOf, objectText } from '../../../../karmada/objects/identities.ts';
import { dividesReplicas } from '../../../../karmada/objects/placement.ts';
import { availableReplicas } from '../../../../karmada/scheduling/capacity/availableReplicas.ts';
import { amountText, componentsShort } from '../../../../karmada/scheduling/capacity/componentsShort.ts';
import { strategyOf } from '../../../../karmada/scheduling/strategy.ts';
import { parseQuantity } from '../../../../kubernetes/parseQuantity.ts';
import { compareQuantities, quantityMilliValue } from '../../../../kubernetes/quantity.ts';
import { ownerOfPlacement } from '../../../explanation/changes/change.ts';
import { edit, finding, findingIn, inBinding, firstNames, firstObjectNames, jointFinding } from '../about.ts';
import type { Examined } from '../examined.ts';
import { affinitiesOf } from '../policyFindings.ts';
import { startWith } from '../remedies.ts';
import type { StateCheck } from '../stateCheck.ts';
import { losses } from './lossOfOneCluster.ts';

export const componentsWithoutCapacity: StateCheck = {
  id: 'components-without-room',
  severity: 'warning',
  theme: 'placement',
  title: 'no other cluster has capacity for all components of a workload',
  help: 'A workload of several components (FlinkDeployment, RayCluster, ...) needs capacity for all of them in one cluster. Some releases ignore capacity: its Pods then stay Pending. Free capacity; another placement does not help.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['Pods of a FlinkDeployment are Pending after a failover'],
  issues: [7554, 7550, 7580],
  find: (seen) =>
    seen.bindings.flatMap((binding) => {
      const { spec } = binding;
      const present = new Set((spec.clusters ?? []).map(({ name }) => name));
      if (present.size === 0 || !spec.components?.length) return [];
      const affinities = affinitiesOf(spec.placement ?? {});
      const { names, fleet } = seen.snapshot();
      const others = [...names.entries()].filter(
        ([, name]) =>
          !present.has(name) &&
          (affinities.length === 0 ||
            affinities.some(({ affinity }) => seen.facts().isSelected(affinity, name))),
      );
      const short = others.flatMap(([at, name]) => {
        const found = componentsShort(spec.components, name, fleet.capacities[at]!);
        return found ? [{ name, ...found }] : [];
      });
      const [best] = short.sort((a, b) => Number(b.has * a.need - a.has * b.need));
      if (!best || short.length < others.length) return [];
      const workload = workloadOf(binding);
      const isRefused = losses(seen).some((loss) => loss.binding === binding);
      return finding(
        [workload],
        `${firstObjectNames([workload])}: ${best.text}: ${isRefused ? 'no other cluster fits' : 'after a failover its Pods stay Pending'}`,
        (spec.components ?? []).map(({ name, replicas, replicaRequirements }) =>
          inBinding(
            binding,
            `component ${name}, ${replicas} times`,
            'spec.components[].replicaRequirements.resourceRequest',
            replicaRequirements?.resourceRequest,
          ),
        ),
        `free ${best.resource} ${amountText(best.resource, best.need - best.has)} on ${best.name}`,
      );
    }),
};

/** The clusters of a binding where replicas are not ready because they lack capacity. */
function fullClusters(
  { spec, status }: ResourceBinding,
  wantedOn: (cluster: TargetCluster) => number,
  seen: Examined,
): TargetCluster[] {
  const { fleet, options, index } = seen.snapshot();
  const strategy = strategyOf(spec.placement) ?? '';
  return (spec.clusters ?? []).filter((cluster) => {
    const at = index.get(cluster.name);
    const item = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster.name);
    const { readyReplicas = 0, phase } = (item?.status ?? {}) as { readyReplicas?: number; phase?: string };
    const wanted = wantedOn(cluster);
    const missing = wanted - readyReplicas;
    const capacity = at === undefined ? undefined : availableReplicas(fleet, spec, options).values[at];
    if (missing <= 0 || capacity === undefined || capacity < 0 || capacity >= missing) return false;
    const waits = phase === 'Pending' || hasPendingPods(cluster.name, spec, seen);
    return (
      waits || (strategy in WHY_THERE && (capacity === 0 || exceedsCluster(cluster.name, spec, wanted, seen)))
    );
  });
}

/**
 * Whether Pods as large as a replica wait for a node of a cluster: without such Pods, replicas fail for another reason.
 */
function hasPendingPods(
  name: string,
  { replicaRequirements }: ResourceBinding['spec'],
  seen: Examined,
): boolean {
  const { allocating = {} } = seen.clusters().get(name)?.status?.resourceSummary ?? {};
  return Object.entries({ pods: '1', ...replicaRequirements?.resourceRequest }).every(
    ([resource, needed]) =>
      compareQuantities(parseQuantity(allocating[resource] ?? '0'), parseQuantity(needed)) >= 0,
  );
}

/** Whether a cluster is too small for the replicas, even if nothing else ran there. */
function exceedsCluster(
  name: string,
  { replicaRequirements }: ResourceBinding['spec'],
  wanted: number,
  seen: Examined,
): boolean {
  const { allocatable = {} } = seen.clusters().get(name)?.status?.resourceSummary ?? {};
  return Object.entries(replicaRequirements?.resourceRequest ?? {}).some(
    ([resource, needed]) =>
      quantityMilliValue(parseQuantity(needed)) * BigInt(wanted) >
      quantityMilliValue(parseQuantity(allocatable[resource] ?? '0')),
  );
}

/** By strategy, why a full cluster has been chosen; absent: it was not full then. */
const WHY_THERE: Readonly<Record<string, string>> = {
  Duplicated: 'Duplicated ignores capacity',
  StaticWeight: 'static weights ignore capacity',
};

export const fullClusterChosen: StateCheck = {
  id: 'full-cluster-chosen',
  severity: 'warning',
  theme: 'stuck',
  title: 'replicas stay Pending on a cluster without capacity',
  help: 'Duplicated and static weights ignore capacity; with the other divisions other workloads may have used it since. Either way the scheduler keeps the clusters of a workload: replicas stay Pending there. Divide the replicas by dynamic weights, trigger a reschedule with a WorkloadRebalancer, or free capacity. karmada-descheduler moves replicas that stay Pending if karmada-scheduler-estimator runs for the cluster.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['Pods are Pending in a cluster whose resourceSummary is used up'],
  issues: [2843, 1385],
  find: (seen) =>
    seen.bindings.flatMap((binding) => {
      const { spec, status } = binding;
      const because = WHY_THERE[strategyOf(spec.placement) ?? ''];
      const unhealthy = status?.aggregatedStatus?.filter(({ health }) => health === 'Unhealthy') ?? [];
      if (!spec.replicas || unhealthy.length === 0 || isAttached(spec)) return [];
      if ((spec.placement?.clusterAffinities?.length ?? 0) > 1) return [];
      const wanted = ({ replicas }: TargetCluster) => replicas ?? spec.replicas ?? 0;
      const full = fullClusters(binding, wanted, seen).filter(({ name }) =>
        unhealthy.some(({ clusterName }) => clusterName === name),
      );
      const names = firstNames(full.map(({ name }) => name));
      return jointFinding(
        full.length > 0 ? [binding] : [],
        (workload) =>
          `${workload}: ${names} ${full.length === 1 ? 'has' : 'have'} no capacity for its replicas, and ${because ?? 'the scheduler keeps current clusters'}`,
        inBinding(binding, 'the replicas that are not ready exceed the capacity', 'spec.clusters', full),
        because
          ? 'divide the replicas by dynamic weights, which respect capacity, or free capacity there'
          : 'trigger a reschedule with a WorkloadRebalancer, or free capacity there',
      );
    }),
};

export const duplicatedIgnoresCapacity: StateCheck = {
  id: 'duplicated-ignores-room',
  severity: 'error',
  theme: 'placement',
  title: 'a full cluster group is kept, since Duplicated ignores capacity',
  help: 'The scheduler tries the next affinity group only if the first takes nothing. Duplicated ignores capacity, so copies stay Pending in a full group. Divide the replicas by dynamic weight, which respects capacity.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['Pods are Pending in the first affinity group, the next group is not tried'],
  issues: [4569],
  find: (seen) => {
    return seen.bindings.flatMap((binding) => {
      const { spec } = binding;
      const groups = spec.placement?.clusterAffinities ?? [];
      const { replicas = 0 } = spec;
      if (groups.length < 2 || replicas === 0 || dividesReplicas(spec) || isAttached(spec)) return [];
      const full = fullClusters(binding, () => replicas, seen);
      if (full.length === 0) return [];
      const workload = workloadOf(binding);
      const later = groups.slice(1).map(({ affinityName }) => affinityName);
      return finding(
        [workload],
        `${firstObjectNames([workload])}: ${firstNames(full.map(({ name }) => name))} ${full.length === 1 ? 'has' : 'have'} no capacity for its replicas, and Duplicated ignores capacity: affinity group ${firstNames(later)} is not tried`,
        inBinding(
          binding,
          'Duplicated gives each cluster all replicas and ignores capacity',
          'spec.placement.replicaScheduling.replicaSchedulingType',
          'Duplicated',
        ),
        {
          text: 'divide the replicas by dynamic weights, which respect capacity',
          patches: [
            {
              target: ownerOfPlacement(binding),
              merge: {
                spec: {
                  placement: {
                    replicaScheduling: {
                      replicaSchedulingType: 'Divided',
                      replicaDivisionPreference: 'Weighted',
                      weightPreference: { dynamicWeight: 'AvailableReplicas' },
                    },
                  },
                },
              },
            },
          ],
        },
      );
    });
  },
};

/** The federated quotas with a resource whose usage and limit pass the test, and these resources in words. */
function quotasWhere(holds: (usedToLimit: number) => boolean, seen: Examined) {
  return seen.othersOf('FederatedResourceQuota').flatMap(({ kind, metadata, spec, status }) => {
    const texts = Object.entries(spec.overall).flatMap(([name, most]) => {
      const used = status?.overallUsed?.[name];
      const isFull = used !== undefined && holds(compareQuantities(parseQuantity(used), parseQuantity(most)));
      return isFull ? [`${name} ${used} of ${most}`] : [];
    });
    const object = { kind, namespace: metadata.namespace ?? '', name: metadata.name };
    return texts.length > 0 ? [{ object, texts, spec, status }] : [];
  });
}

export const quotaUsedUp: StateCheck = {
  id: 'quota-used-up',
  severity: 'warning',
  theme: 'placement',
  title: 'a federated quota is used up',
  help: 'With gate FederatedQuotaEnforcement karmada-webhook refuses a scheduling result that exceeds the quota (QuotaExceeded): the result stays unchanged, and is retried. A failover that needs one replica more than the quota has left is refused, too. Raise the quota.',
  needs: ['FederatedResourceQuota', 'Configuration'],
  flags: ['FederatedQuotaEnforcement'],
  versions: 'from v1.14.0 on',
  symptoms: ['QuotaExceeded', 'FederatedResourceQuota … exceeded'],
  issues: [6467, 6937],
  find: (seen) => {
    if (!seen.configuration.featureGates.FederatedQuotaEnforcement) return [];
    const refused = new Set(
      seen.bindings
        .filter(({ status }) => {
          const { reason, message = '' } = conditionOf(status?.conditions, 'Scheduled') ?? {};
          // some releases give another reason (#7086)
          return reason === 'QuotaExceeded' || /FederatedResourceQuota.* exceeded/.test(message);
        })
        .map(({ metadata }) => metadata.namespace),
    );
    return quotasWhere((used) => used >= 0, seen).map(({ object, texts, status }) =>
      finding(
        [object],
        `${objectText(object)} is used up (${texts.join(', ')}): karmada-webhook refuses every scheduling result that needs more (QuotaExceeded)`,
        { rule: 'used is not below the limit', field: 'status.overallUsed', value: status?.overallUsed },
        edit('raise the quota above what a failover or a scaling needs', object),
        refused.has(object.namespace) ? 'error' : undefined,
      ),
    );
  },
};

export const quotaNotEnforced: StateCheck = {
  id: 'quota-not-enforced',
  severity: 'warning',
  theme: 'placement',
  title: 'a federated quota is exceeded, and nothing enforces it',
  help: 'spec.overall limits only with the gate FederatedQuotaEnforcement of karmada-webhook (from v1.14.0 on, off by default); before, and without it, only staticAssignments limit, each in its cluster.',
  needs: ['FederatedResourceQuota', 'Configuration'],
  flags: ['FederatedQuotaEnforcement'],
  symptoms: ['overallUsed is above overall'],
  issues: [1420],
  find: (seen) =>
    seen.configuration.featureGates.FederatedQuotaEnforcement
      ? []
      : quotasWhere((used) => used > 0, seen)
          .filter(({ spec }) => !spec.staticAssignments?.length)
          .map(({ object, texts, spec }) =>
            findingIn(
              object,
              (name) =>
                `${name} is exceeded (${firstNames(texts)}), and nothing enforces it: FederatedQuotaEnforcement=false on karmada-webhook`,
              { rule: 'the gate is off by default', field: 'spec.overall', value: spec.overall },
              startWith('webhook', '--feature-gates=FederatedQuotaEnforcement=true', seen),
            ),
          ),
};
