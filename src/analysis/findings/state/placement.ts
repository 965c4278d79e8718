import { explicitPriority, policyIdentity, policyKind } from '../../../karmada/objects/policies.ts';
import { claimOf } from '../../../karmada/objects/claims.ts';
import { conditionOf } from '../../../karmada/objects/conditions.ts';
import { isAttached } from '../../../karmada/objects/dependents.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { bindingIdentity, objectKey, workloadOf } from '../../../karmada/objects/identities.ts';
import { dividesReplicas, isWorkload, placedOn } from '../../../karmada/objects/placement.ts';
import { isReady } from '../../../karmada/objects/clusterReadiness.ts';
import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { KubernetesObject, ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ClusterAffinity, Placement, PropagationPolicy } from '../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { evictsByTaints } from '../../../karmada/configuration/taintEviction.ts';
import { availableReplicas } from '../../../karmada/scheduling/capacity/availableReplicas.ts';
import { schedulerSnapshot } from '../../../karmada/scheduling/clusterSnapshot.ts';
import { tryAll } from '../../../karmada/scheduling/scheduleBinding.ts';
import type { ScheduleErrorKind } from '../../../karmada/scheduling/errors.ts';
import { closestSelector } from '../../../karmada/propagation/resourceSelector.ts';
import { templateDependencies } from '../../../karmada/propagation/templateDependencies.ts';
import { regionOf, providerOf, zonesOf } from '../../../karmada/selection/clusterAffinity.ts';
import { parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import { compareQuantities, quantityMilliValue } from '../../../kubernetes/quantity.ts';
import { ownerOfPlacement } from '../../explanation/changes/change.ts';
import { headroomOf } from '../../forecast/headroom.ts';
import { taintsOnFailure } from '../../explanation/failoverSwitch.ts';
import type { Severity } from '../finding.ts';
import { isTemplate } from './diagnose.ts';
import type { Examined } from './examined.ts';
import { count, named, some, someObjects } from './remedies.ts';
import type { Diagnosed, StateCheck } from './stateCheck.ts';

const web = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };
const webPolicy = { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' };
const placed = (placement: object, more: object = {}) => ({
  patches: [{ target: web, merge: { spec: { placement, ...more } } }],
});

/** What the scheduler says if a workload loses one of its clusters: the error, if it finds no place. */
interface Loss {
  binding: ResourceBinding;
  cluster: string;
  kind: ScheduleErrorKind;
  message: string;
}

const lossesOf = new WeakMap<Examined, Loss[]>();

/**
 * The losses of one cluster after which the scheduler finds no place. This is a bound, not a simulation: it says that no place is left,
 * by the scheduler's own rules, and leaves open when that happens.
 */
function losses(seen: Examined): Loss[] {
  let found = lossesOf.get(seen);
  if (!found) lossesOf.set(seen, (found = lossesIn(seen)));
  return found;
}

function lossesIn(seen: Examined): Loss[] {
  const { world, configuration, now } = seen;
  const without = new Map<string, ReturnType<typeof schedulerSnapshot>>();
  const snapshotWithout = (cluster: string) =>
    getOrAdd(without, cluster, () =>
      schedulerSnapshot(
        world.clusters.filter(({ metadata }) => metadata.name !== cluster),
        world.bindings,
        configuration,
      ),
    );
  const known = new Map<string, { kind: ScheduleErrorKind; message: string } | undefined>();
  return seen.bindings.flatMap((binding): Loss[] => {
    const { spec, status, metadata } = binding;
    const { placement, clusters = [] } = spec;
    if (!placement || isAttached(spec) || metadata.deletionTimestamp || spec.gracefulEvictionTasks?.length)
      return [];
    if (conditionOf(status?.conditions, 'Scheduled')?.status === 'False') return [];
    const what = JSON.stringify([
      ...[placement, spec.resource.apiVersion, spec.resource.kind, spec.replicas, spec.replicaRequirements],
      ...[spec.components, spec.workloadAffinityGroups, clusters, status?.schedulerObservingAffinityName],
    ]);
    return clusters.flatMap(({ name: cluster }): Loss[] => {
      const key = `${cluster} ${what}`;
      if (!known.has(key)) {
        const left = {
          ...binding,
          spec: { ...spec, clusters: clusters.filter(({ name }) => name !== cluster) },
        };
        const { attempts } = tryAll({ snapshot: snapshotWithout(cluster), binding: left, now }, placement);
        known.set(key, attempts.at(-1)?.clusters ? undefined : attempts[0]?.error);
      }
      const error = known.get(key);
      return error ? [{ binding, cluster, kind: error.kind, message: error.message }] : [];
    });
  });
}

/** One finding for all workloads of one policy that no loss of these clusters leaves a place. */
function lossFindings(
  seen: Examined,
  is: (loss: Loss) => boolean,
  message: (workloads: string, clusters: string, loss: Loss) => string,
  text: string,
): Diagnosed[] {
  const groups = new Map<string, Loss[]>();
  for (const loss of losses(seen)) {
    if (!is(loss)) continue;
    const owner = ownerOfPlacement(loss.binding);
    getOrAdd(groups, objectKey(owner), () => []).push(loss);
  }
  return [...groups.values()].map((of) => {
    const objects = [...new Map(of.map(({ binding }) => [binding, workloadOf(binding)])).values()];
    const [first] = of;
    const clusters = [...new Set(of.map(({ cluster }) => cluster))];
    return {
      message: message(someObjects(objects), some(clusters), first!),
      objects,
      evidence: [
        {
          rule: first!.message,
          object: bindingIdentity(first!.binding),
          field: 'spec.placement',
          value: first!.cluster,
        },
      ],
      remedy: {
        text,
        next: { action: 'explain', workload: objects[0]!, failing: [first!.cluster] },
        simulate: { workload: objects[0]!, failing: [first!.cluster] },
      },
    };
  });
}

const noSecondHome: StateCheck = {
  id: 'no-second-home',
  severity: 'warning',
  theme: 'placement',
  title: 'a workload has no other cluster to go to',
  help: 'If its cluster fails, the scheduler finds none that its placement allows: nothing replaces the copy. Widen the cluster affinity, or add an affinity group.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['NoClusterFit: … did not match the placement cluster affinity constraint'],
  issues: [7455, 5150],
  example: placed(
    { clusterAffinity: { clusterNames: ['member1'] } },
    { clusters: [{ name: 'member1', replicas: 4 }] },
  ),
  find: (seen) =>
    lossFindings(
      seen,
      ({ binding, kind }) => kind === 'FitError' && isWorkload(binding.spec),
      (workloads, clusters) => `${workloads}: no other cluster takes it if ${clusters} fails`,
      'widen its cluster affinity, or add an affinity group',
    ),
};

const pinnedConfig: StateCheck = {
  id: 'pinned-config-deleted',
  severity: 'warning',
  theme: 'placement',
  title: 'an eviction deletes an object that can be on one cluster only',
  help: 'A ConfigMap, Secret or the like that is pinned to one cluster is evicted when that fails, and deleted at the deadline of the task although nothing replaces it; whatever uses it there breaks on return. Tolerate the taint forever, or switch cluster failover off.',
  needs: ['ResourceBinding', 'Cluster', 'Configuration'],
  symptoms: ['a ConfigMap is gone from a cluster after that was NotReady'],
  issues: [5150],
  example: placed(
    { clusterAffinity: { clusterNames: ['member1'] } },
    {
      clusters: [{ name: 'member1' }],
      replicas: null,
      replicaRequirements: null,
      resource: { apiVersion: 'v1', kind: 'ConfigMap' },
    },
  ),
  find: (seen) => {
    if (!evictsByTaints(seen.configuration)) return [];
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
        `${objects}: pinned to ${clusters}, and deleted there without a replacement after it fails`,
      'tolerate the taint forever in its policy (a toleration without tolerationSeconds), or set Failover=false',
    ).map((one) => ({
      ...one,
      // to widen the placement is another wish: what a person has pinned is to stay
      remedy: { text: one.remedy!.text, patches: tolerateForever(seen, one.objects[0]!) },
    }));
  },
};

function tolerateForever(seen: Examined, object: ObjectIdentity) {
  const binding = seen.bindings.find((one) => objectKey(workloadOf(one)) === objectKey(object));
  if (!binding) return [];
  const clusterTolerations = ['not-ready', 'unreachable'].map((key) => ({
    key: `cluster.karmada.io/${key}`,
    operator: 'Exists',
    effect: 'NoExecute',
  }));
  return [{ target: ownerOfPlacement(binding), merge: { spec: { placement: { clusterTolerations } } } }];
}

const lossBreaksSpread: StateCheck = {
  id: 'loss-breaks-spread',
  severity: 'warning',
  theme: 'placement',
  title: 'the loss of one cluster breaks a spread constraint',
  help: 'minGroups then asks for more groups than are left, and the scheduler places nothing. Lower minGroups, or let the placement select more clusters.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['the number of feasible clusters is less than spreadConstraint.MinGroups'],
  issues: [3243, 1258, 4617],
  example: placed(
    { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 3, maxGroups: 3 }] },
    {
      clusters: [
        { name: 'member1', replicas: 2 },
        { name: 'member2', replicas: 1 },
        { name: 'member3', replicas: 1 },
      ],
    },
  ),
  find: (seen) =>
    lossFindings(
      seen,
      ({ kind, message }) => kind !== 'FitError' && kind !== 'Panic' && /Groups|spread/i.test(message),
      (workloads, clusters, { message }) => `${workloads}: if ${clusters} fails, ${asClause(message)}`,
      'lower minGroups, or let the placement select more clusters',
    ),
};

const noRoomElsewhere: StateCheck = {
  id: 'no-room-elsewhere',
  severity: 'warning',
  theme: 'placement',
  title: 'the other clusters have no room for a workload',
  help: 'If its cluster fails, those that its placement allows cannot hold what it asks for: replicas are missing. Free room, or allow more clusters. Capacity is what clusters report.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['Clusters available replicas … are not enough to schedule'],
  issues: [7554, 7550, 6518],
  example: placed(
    {
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: { dynamicWeight: 'AvailableReplicas' },
      },
    },
    {
      replicas: 400,
      replicaRequirements: { resourceRequest: { cpu: '100m' } },
      clusters: [
        { name: 'member1', replicas: 200 },
        { name: 'member2', replicas: 200 },
      ],
    },
  ),
  find: (seen) =>
    lossFindings(
      seen,
      ({ kind, message }) => kind !== 'FitError' && kind !== 'Panic' && !/Groups|spread/i.test(message),
      (workloads, clusters, { message }) => `${workloads}: if ${clusters} fails, ${asClause(message)}`,
      'free room there, or allow more clusters',
    ),
};

/** The scheduler's message as the end of a sentence. */
function asClause(message: string): string {
  return message.replace(/^failed to (?:select clusters|assign replicas): /, '').replace(/\.$/, '');
}

const componentsWithoutRoom: StateCheck = {
  id: 'components-without-room',
  severity: 'warning',
  theme: 'placement',
  title: 'no other cluster has room for all components of a workload',
  help: 'A workload of several components (FlinkDeployment, RayCluster, ...) needs room for all of them in one cluster. Some releases place it without looking at room: its Pods then stay Pending. Free room; another placement alone does not help.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['Pods of a FlinkDeployment are Pending after a failover'],
  issues: [7554, 7550, 7580],
  example: {
    patches: [
      {
        target: web,
        merge: {
          spec: {
            clusters: [{ name: 'member1' }],
            components: [
              { name: 'jobmanager', replicas: 1, replicaRequirements: { resourceRequest: { cpu: '2' } } },
              { name: 'taskmanager', replicas: 40, replicaRequirements: { resourceRequest: { cpu: '8' } } },
            ],
          },
        },
      },
    ],
  },
  find: (seen) =>
    seen.bindings.flatMap((binding) => {
      const { spec } = binding;
      const present = new Set((spec.clusters ?? []).map(({ name }) => name));
      const need = componentsNeed(spec.components);
      if ((spec.components?.length ?? 0) < 2 || need === 0 || present.size === 0) return [];
      const affinities = affinitiesOf(spec.placement ?? {});
      const others = seen.world.clusters.filter(
        ({ metadata: { name } }) =>
          !present.has(name) &&
          (affinities.length === 0 ||
            affinities.some(({ affinity }) => seen.facts().isSelected(affinity, name))),
      );
      const room = others.map((cluster) => ({
        name: cluster.metadata.name,
        free: headroomOf(cluster).find(({ resource }) => resource === 'cpu')?.free,
      }));
      if (room.length === 0 || room.some(({ free }) => free === undefined || free >= need)) return [];
      const workload = workloadOf(binding);
      const [best] = room.sort((a, b) => b.free! - a.free!);
      return [
        {
          message: `${someObjects([workload])}: its components need ${need / 1000} CPU together, and ${best!.name} has ${best!.free! / 1000}: after a failover its Pods stay Pending`,
          objects: [workload],
          evidence: (spec.components ?? []).map(({ name, replicas, replicaRequirements }) => ({
            rule: `component ${name}, ${replicas} times`,
            object: bindingIdentity(binding),
            field: 'spec.components[].replicaRequirements.resourceRequest',
            value: replicaRequirements?.resourceRequest,
          })),
          remedy: { text: `free ${(need - best!.free!) / 1000} CPU on ${best!.name}` },
        },
      ];
    }),
};

/** What all components request together, in thousandths of a CPU. */
function componentsNeed(components: ResourceBinding['spec']['components']): number {
  return (components ?? []).reduce((sum, { replicas, replicaRequirements }) => {
    const cpu = replicaRequirements?.resourceRequest?.['cpu'];
    return cpu === undefined ? sum : sum + (replicas ?? 0) * Number(quantityMilliValue(parseQuantity(cpu)));
  }, 0);
}

const duplicatedIgnoresRoom: StateCheck = {
  id: 'duplicated-ignores-room',
  severity: 'error',
  theme: 'placement',
  title: 'a full cluster group is kept, since Duplicated never looks at room',
  help: 'The scheduler tries the next affinity group only if the first takes nothing. With Duplicated it does not look at room, so that copies stay Pending in a full group. Divide the replicas with dynamic weights: then room counts.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['Pods are Pending in the first affinity group, the next group is not tried'],
  issues: [4569],
  example: placed(
    {
      clusterAffinity: null,
      clusterAffinities: [
        { affinityName: 'local', clusterNames: ['member1'] },
        { affinityName: 'cloud', clusterNames: ['member2'] },
      ],
      replicaScheduling: { replicaSchedulingType: 'Duplicated' },
    },
    {
      replicas: 400,
      replicaRequirements: { resourceRequest: { cpu: '1' } },
      clusters: [{ name: 'member1', replicas: 400 }],
    },
  ),
  find: (seen) => {
    const { fleet, options, index } = seen.snapshot();
    return seen.bindings.flatMap((binding) => {
      const { spec, status } = binding;
      const groups = spec.placement?.clusterAffinities ?? [];
      const { replicas = 0 } = spec;
      if (groups.length < 2 || replicas === 0 || dividesReplicas(spec) || isAttached(spec)) return [];
      const full = (spec.clusters ?? []).filter(({ name }) => {
        const at = index.get(name);
        const item = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === name);
        const ready = (item?.status as { readyReplicas?: number } | undefined)?.readyReplicas ?? 0;
        const room = at === undefined ? undefined : availableReplicas(fleet, spec, options).values[at];
        return ready < replicas && room !== undefined && room >= 0 && room < replicas - ready;
      });
      if (full.length === 0) return [];
      const workload = workloadOf(binding);
      const later = groups.slice(1).map(({ affinityName }) => affinityName);
      return [
        {
          message: `${someObjects([workload])}: ${some(full.map(({ name }) => name))} ${full.length === 1 ? 'has' : 'have'} no room for its replicas, and Duplicated never looks at room: affinity group ${some(later)} is not tried`,
          objects: [workload],
          evidence: [
            {
              rule: 'Duplicated gives each cluster all replicas, whatever its room',
              object: bindingIdentity(binding),
              field: 'spec.placement.replicaScheduling.replicaSchedulingType',
              value: 'Duplicated',
            },
          ],
          remedy: {
            text: 'divide the replicas by dynamic weights, which count room',
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
        },
      ];
    });
  },
};

/** The affinities of a placement, each with its field. */
export function affinitiesOf(placement: Placement): { affinity: ClusterAffinity; field: string }[] {
  const groups = placement.clusterAffinities ?? [];
  if (groups.length > 0)
    return groups.map((affinity, at) => ({ affinity, field: `spec.placement.clusterAffinities[${at}]` }));
  return placement.clusterAffinity
    ? [{ affinity: placement.clusterAffinity, field: 'spec.placement.clusterAffinity' }]
    : [];
}

/** A finding for each policy where something is found, at a field. */
export function policyFindings(
  seen: Examined,
  find: (policy: PropagationPolicy) => { text: string; field: string; value: unknown; severity?: Severity }[],
  fix: string,
): Diagnosed[] {
  return seen.world.policies.flatMap((policy) => {
    const found = policy.metadata.deletionTimestamp ? [] : find(policy);
    const object = policyIdentity(policy);
    return found.map(({ text, field, value, severity }) => ({
      ...(severity && { severity }),
      message: `${named(object)}: ${text}`,
      objects: [object],
      evidence: [{ rule: text, object, field, value }],
      remedy: {
        text: fix,
        commands: [
          [
            ...['kubectl', 'edit', object.kind.toLowerCase(), object.name],
            ...(object.namespace ? ['-n', object.namespace] : []),
          ],
        ],
      },
    }));
  });
}

const selectsNoCluster: StateCheck = {
  id: 'placement-selects-no-cluster',
  lints: 'clusters',
  severity: 'error',
  theme: 'placement',
  title: 'the cluster affinity of a policy selects no cluster',
  help: 'No joined cluster matches names, labels or fields: the workloads of the policy are placed nowhere, or the affinity group is useless. Check names and labels.',
  needs: ['PropagationPolicy', 'Cluster'],
  symptoms: [
    '0/3 clusters are available: 3 cluster(s) did not match the placement cluster affinity constraint',
  ],
  issues: [3586],
  example: {
    patches: [
      {
        target: webPolicy,
        merge: { spec: { placement: { clusterAffinity: { clusterNames: ['memberX'] } } } },
      },
    ],
  },
  find: (seen) =>
    policyFindings(
      seen,
      ({ spec }) =>
        affinitiesOf(spec.placement ?? {}).flatMap(({ affinity, field }) => {
          if ([...seen.clusters().keys()].some((name) => seen.facts().isSelected(affinity, name))) return [];
          return [
            {
              text: `${field.replace('spec.placement.', '')} selects none of the ${count(seen.world.clusters.length, 'cluster')}`,
              field,
              value: affinity,
            },
          ];
        }),
      'correct names and labels',
    ),
};

const clusterNameUnknown: StateCheck = {
  id: 'cluster-name-unknown',
  lints: 'clusters',
  severity: 'warning',
  theme: 'placement',
  title: 'a policy names a cluster that does not exist',
  help: 'The name has no effect: a home that was counted on is missing. Correct it, or join the cluster.',
  needs: ['PropagationPolicy', 'Cluster'],
  symptoms: ['fewer clusters are candidates than the policy names'],
  issues: [],
  example: {
    patches: [
      {
        target: webPolicy,
        merge: {
          spec: { placement: { clusterAffinity: { clusterNames: ['member1', 'member2', 'membre3'] } } },
        },
      },
    ],
  },
  find: (seen) =>
    policyFindings(
      seen,
      ({ spec }) =>
        affinitiesOf(spec.placement ?? {}).flatMap(({ affinity, field }) => {
          const unknown = (affinity.clusterNames ?? []).filter((name) => !seen.clusters().has(name));
          const all = affinity.clusterNames?.length ?? 0;
          if (unknown.length === 0 || unknown.length === all) return [];
          return [
            { text: `there is no cluster ${some(unknown)}`, field: `${field}.clusterNames`, value: unknown },
          ];
        }),
      'correct the name, or join the cluster',
    ),
};

const weightWithoutCluster: StateCheck = {
  id: 'weight-without-cluster',
  lints: 'clusters',
  severity: 'warning',
  theme: 'placement',
  title: 'a weight is for clusters that do not exist',
  help: 'An entry of staticWeightList selects no cluster: its share goes to the others. Correct names and labels.',
  needs: ['PropagationPolicy', 'Cluster'],
  symptoms: ['replicas are divided otherwise than the weights say'],
  issues: [2769],
  example: {
    patches: [
      {
        target: webPolicy,
        merge: {
          spec: {
            placement: {
              replicaScheduling: {
                replicaSchedulingType: 'Divided',
                replicaDivisionPreference: 'Weighted',
                weightPreference: {
                  staticWeightList: [
                    { targetCluster: { clusterNames: ['member1'] }, weight: 1 },
                    { targetCluster: { clusterNames: ['gone'] }, weight: 2 },
                  ],
                },
              },
            },
          },
        },
      },
    ],
  },
  find: (seen) =>
    policyFindings(
      seen,
      ({ spec }) =>
        (spec.placement?.replicaScheduling?.weightPreference?.staticWeightList ?? []).flatMap((one, at) =>
          [...seen.clusters().keys()].some((name) => seen.facts().isSelected(one.targetCluster, name))
            ? []
            : [
                {
                  text: `weight ${one.weight} is for no cluster (${some(one.targetCluster.clusterNames ?? ['by labels'])})`,
                  field: `spec.placement.replicaScheduling.weightPreference.staticWeightList[${at}]`,
                  value: one,
                },
              ],
        ),
      'correct names and labels of the entry',
    ),
};

const GROUPS: Record<string, (cluster: Cluster) => readonly string[]> = {
  cluster: ({ metadata }) => [metadata.name],
  region: (cluster) => [regionOf(cluster) ?? ''],
  provider: (cluster) => [providerOf(cluster) ?? ''],
  zone: zonesOf,
};

const spreadUnsatisfiable: StateCheck = {
  id: 'spread-unsatisfiable',
  lints: 'clusters',
  severity: 'error',
  theme: 'placement',
  title: 'a spread constraint asks for more groups than there are',
  help: 'minGroups is greater than the number of regions, zones, providers or clusters that the placement selects: nothing can be scheduled. Lower it, or set the fields on the Clusters.',
  needs: ['PropagationPolicy', 'Cluster'],
  symptoms: ['the number of feasible region is less than spreadConstraint.MinGroups'],
  issues: [3243, 1258, 4617],
  example: {
    patches: [
      {
        target: webPolicy,
        merge: { spec: { placement: { spreadConstraints: [{ spreadByField: 'region', minGroups: 5 }] } } },
      },
    ],
  },
  find: (seen) =>
    policyFindings(
      seen,
      ({ spec }) => {
        const affinities = affinitiesOf(spec.placement ?? {});
        return (spec.placement?.spreadConstraints ?? []).flatMap(({ spreadByField, minGroups = 0 }, at) => {
          const groupsOf = GROUPS[spreadByField ?? ''];
          if (!groupsOf) return [];
          const most = Math.max(
            ...(affinities.length > 0 ? affinities : [{ affinity: {} }]).map(({ affinity }) => {
              const groups = seen.world.clusters
                .filter(({ metadata }) => seen.facts().isSelected(affinity, metadata.name))
                .flatMap(groupsOf);
              return new Set(groups.filter((one) => one !== '')).size;
            }),
          );
          if (minGroups <= most) return [];
          return [
            {
              text: `minGroups ${minGroups} by ${spreadByField}, and its clusters are in ${most}`,
              field: `spec.placement.spreadConstraints[${at}].minGroups`,
              value: minGroups,
            },
          ];
        });
      },
      'lower minGroups, or set region, zone or provider of the Clusters',
    ),
};

const selectsNothing: StateCheck = {
  id: 'policy-selects-nothing',
  severity: 'note',
  theme: 'placement',
  title: 'no workload belongs to a policy',
  help: 'Nothing matches its resourceSelectors, or other policies claim it all. Check apiVersion, kind, name and namespace of the selectors.',
  needs: ['PropagationPolicy', 'ResourceBinding'],
  symptoms: ['a workload has no ResourceBinding'],
  issues: [],
  example: {
    adds: [
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: {
          namespace: 'shop',
          name: 'typo',
          labels: { 'propagationpolicy.karmada.io/permanent-id': 'p9' },
        },
        spec: {
          resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'wbe' }],
          placement: { clusterAffinity: { clusterNames: ['member1', 'member2', 'member3'] } },
        },
      },
    ],
  },
  find: (seen) => {
    const claimed = new Set(
      seen.world.bindings.flatMap(({ metadata }) => {
        const claim = claimOf(metadata);
        return claim ? [objectKey(claim)] : [];
      }),
    );
    return policyFindings(
      seen,
      (policy) =>
        claimed.has(objectKey(policyIdentity(policy)))
          ? []
          : [
              {
                text: 'no workload belongs to it',
                field: 'spec.resourceSelectors',
                value: policy.spec.resourceSelectors,
              },
            ],
      'check apiVersion, kind, namespace and name of its selectors',
    );
  },
};

const priorityCannotTakeOver: StateCheck = {
  id: 'priority-cannot-take-over',
  severity: 'warning',
  theme: 'placement',
  title: 'a policy of higher priority does not get the workload of another one',
  help: 'A claimed workload changes its policy only if the new one has preemption: Always, and karmada-controller-manager runs with the gate PropagationPolicyPreemption. Otherwise the edit has no effect until the old policy is deleted.',
  needs: ['PropagationPolicy', 'Template', 'Configuration'],
  flags: ['PropagationPolicyPreemption'],
  symptoms: ['a new policy has no effect on running workloads'],
  issues: [1857],
  example: {
    adds: [
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: {
          namespace: 'shop',
          name: 'urgent',
          labels: { 'propagationpolicy.karmada.io/permanent-id': 'p8' },
        },
        spec: {
          priority: 10,
          preemption: 'Never',
          resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
          placement: { clusterAffinity: { clusterNames: ['member1', 'member2', 'member3'] } },
        },
      },
    ],
  },
  find: (seen) => {
    const high = seen.world.policies.filter(
      (one) => explicitPriority(one) > 0 && !one.metadata.deletionTimestamp,
    );
    if (high.length === 0) return [];
    const byKey = new Map(seen.world.policies.map((one) => [objectKey(policyIdentity(one)), one]));
    const gate = seen.configuration.featureGates.PropagationPolicyPreemption;
    const blocked = new Map<PropagationPolicy, ObjectIdentity[]>();
    for (const template of seen.world.others) {
      const claim = isTemplate(template.kind) ? claimOf(template.metadata) : undefined;
      const owner = claim && byKey.get(objectKey(claim));
      if (!owner) continue;
      for (const policy of high) {
        const sameKind = policyKind(policy) === policyKind(owner);
        const namespace = policy.metadata.namespace;
        if (policy === owner || !sameKind || (namespace && namespace !== template.metadata.namespace))
          continue;
        if (explicitPriority(policy) <= explicitPriority(owner)) continue;
        if (gate && policy.spec.preemption === 'Always') continue;
        if (!closestSelector(template, policy.spec.resourceSelectors)) continue;
        getOrAdd(blocked, policy, () => []).push(identityOf(template));
      }
    }
    return [...blocked].map(([policy, objects]) => {
      const why =
        policy.spec.preemption === 'Always' ? 'PropagationPolicyPreemption=false' : 'its preemption is Never';
      return {
        message: `${named(policyIdentity(policy))} has the higher priority and does not get ${someObjects(objects)}: ${why}`,
        objects: [policyIdentity(policy), ...objects],
        evidence: [
          {
            rule: why,
            object: policyIdentity(policy),
            field: 'spec.preemption',
            value: policy.spec.preemption ?? 'Never',
          },
        ],
        remedy: {
          text: 'set preemption: Always in it, with gate PropagationPolicyPreemption=true',
          patches: [
            {
              target: { apiVersion: 'policy.karmada.io/v1alpha1', ...policyIdentity(policy) },
              merge: { spec: { preemption: 'Always' } },
            },
          ],
        },
      };
    });
  },
};

export function identityOf({ kind, metadata: { namespace, name } }: KubernetesObject): ObjectIdentity {
  return { kind, ...(namespace && { namespace }), name };
}

const siblingStays: StateCheck = {
  id: 'sibling-stays-behind',
  severity: 'warning',
  theme: 'placement',
  title: 'a Service or the like does not move along with its workload',
  help: 'Objects of one policy are scheduled each for itself: when application failover moves a workload, those without health stay where they are. Only what the workload depends on (propagateDeps) follows. Propagate such an object to all clusters.',
  needs: ['ResourceBinding'],
  symptoms: ['the Pods are in the new cluster, the Service in the old one'],
  issues: [7324, 6205, 4285],
  example: {
    patches: [
      {
        target: web,
        merge: {
          spec: {
            propagateDeps: true,
            failover: {
              application: { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Gracefully' },
            },
          },
        },
      },
      {
        target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-service' },
        merge: { spec: { clusters: [{ name: 'member1' }, { name: 'member2' }] } },
      },
    ],
  },
  find: (seen) => {
    const byPolicy = new Map<string, ResourceBinding[]>();
    for (const binding of seen.bindings) {
      const claim = claimOf(binding.metadata);
      if (claim) getOrAdd(byPolicy, objectKey(claim), () => []).push(binding);
    }
    const fleet = seen.world.clusters.length;
    return [...byPolicy.values()].flatMap((bindings) => {
      const moving = bindings.filter(({ spec }) => spec.failover?.application && isWorkload(spec));
      const staying = bindings.filter(
        ({ spec }) => !isWorkload(spec) && !spec.requiredBy?.length && placedOn(spec).length < fleet,
      );
      if (moving.length === 0 || staying.length === 0) return [];
      const objects = staying.map(workloadOf);
      return [
        {
          message: `${someObjects(objects)} ${objects.length === 1 ? 'stays' : 'stay'} on ${some([...new Set(staying.flatMap(({ spec }) => placedOn(spec).map(({ name }) => name)))])} when application failover moves ${someObjects(moving.map(workloadOf))}`,
          objects,
          evidence: [
            {
              rule: 'it has no health by which it could move, and the workload does not depend on it',
              object: bindingIdentity(staying[0]!),
              field: 'spec.requiredBy',
              value: null,
            },
          ],
          remedy: { text: 'propagate it to all clusters by a policy of its own' },
        },
      ];
    });
  },
};

const siblingsParted: StateCheck = {
  id: 'siblings-parted',
  severity: 'warning',
  theme: 'placement',
  title: 'a workload runs on clusters that lack an object it depends on',
  help: 'The object that its template refers to is propagated, but not to all clusters of the workload: new Pods there do not start. Set propagateDeps, or give both the same placement.',
  needs: ['ResourceBinding', 'Template'],
  symptoms: ['CreateContainerConfigError', 'configmap "…" not found'],
  issues: [6205, 4285],
  example: {
    patches: [
      {
        target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-config-configmap' },
        merge: { spec: { clusters: [{ name: 'member1' }], requiredBy: null } },
      },
    ],
  },
  find: (seen) => {
    const byResource = new Map(seen.world.bindings.map((one) => [objectKey(workloadOf(one)), one]));
    return seen.world.others.flatMap((template) => {
      const binding = isTemplate(template.kind) ? byResource.get(objectKey(identityOf(template))) : undefined;
      if (!binding || !seen.bindings.includes(binding)) return [];
      const homes = placedOn(binding.spec).map(({ name }) => name);
      const missing = (templateDependencies(template) ?? []).flatMap((one) => {
        const other = byResource.get(objectKey(one));
        if (!other) return [];
        const there = new Set(placedOn(other.spec).map(({ name }) => name));
        const without = homes.filter((name) => !there.has(name));
        return without.length > 0
          ? [
              {
                object: {
                  kind: one.kind,
                  ...(one.namespace && { namespace: one.namespace }),
                  name: one.name,
                },
                without,
              },
            ]
          : [];
      });
      if (missing.length === 0) return [];
      return [
        {
          message: `${someObjects([identityOf(template)])} runs on ${some(missing[0]!.without)}, where ${someObjects(missing.map(({ object }) => object))} is missing`,
          objects: [identityOf(template), ...missing.map(({ object }) => object)],
          evidence: missing.map(({ object, without }) => ({
            rule: 'its template refers to it',
            object,
            field: 'spec.clusters',
            value: without,
          })),
          remedy: { text: 'set propagateDeps: true in the policy of the workload' },
        },
      ];
    });
  },
};

const dependencyStays: StateCheck = {
  id: 'dependency-not-propagated',
  severity: 'note',
  theme: 'placement',
  title: 'nothing propagates an object that a workload depends on',
  help: 'Its template refers to a ConfigMap, Secret or the like for which there is no binding: in a new cluster the Pods start only if somebody else puts it there. Set propagateDeps, or propagate it by a policy.',
  needs: ['ResourceBinding', 'Template'],
  symptoms: ['CreateContainerConfigError after a failover'],
  issues: [6205, 4285],
  example: {
    patches: [
      { target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-config-configmap' }, merge: null },
    ],
  },
  find: (seen) => {
    const byResource = new Map(seen.world.bindings.map((one) => [objectKey(workloadOf(one)), one]));
    const lacking = seen.world.others.flatMap((template) => {
      const binding = isTemplate(template.kind) ? byResource.get(objectKey(identityOf(template))) : undefined;
      if (!binding || binding.spec.propagateDeps) return [];
      const missing = (templateDependencies(template) ?? []).filter((one) => !byResource.has(objectKey(one)));
      return missing.length > 0 ? [{ object: identityOf(template), missing }] : [];
    });
    if (lacking.length === 0) return [];
    return [
      {
        message: `${someObjects(lacking.map(({ object }) => object))}: nothing propagates ${some(lacking[0]!.missing.map(({ kind, name }) => `${kind} ${name}`))}`,
        objects: lacking.map(({ object }) => object),
        evidence: lacking.slice(0, 5).map(({ object, missing }) => ({
          rule: 'its template refers to it, and no binding is for it',
          object,
          field: 'spec.template',
          value: missing.map(({ kind, name }) => `${kind}/${name}`),
        })),
        remedy: { text: 'set propagateDeps: true in its policy' },
      },
    ];
  },
};

const quotaUsedUp: StateCheck = {
  id: 'quota-used-up',
  severity: 'warning',
  theme: 'placement',
  title: 'a federated quota has no room for a new scheduling result',
  help: 'With gate FederatedQuotaEnforcement karmada-webhook refuses a scheduling result that exceeds the quota (QuotaExceeded): the result stays unchanged, and is retried. A failover that needs one replica more than the quota has left is refused, too. Raise the quota.',
  needs: ['FederatedResourceQuota', 'Configuration'],
  flags: ['FederatedQuotaEnforcement'],
  versions: 'from v1.14.0 on',
  symptoms: ['QuotaExceeded', 'FederatedResourceQuota … exceeded'],
  issues: [6467, 6937],
  example: {
    flags: { webhook: ['--feature-gates=FederatedQuotaEnforcement=true'] },
    patches: [
      {
        target: { kind: 'FederatedResourceQuota', namespace: 'shop', name: 'quota' },
        merge: {
          status: { overall: { cpu: '2' }, overallUsed: { cpu: '2' } },
          spec: { overall: { cpu: '2' } },
        },
      },
    ],
  },
  find: (seen) => {
    if (!seen.configuration.featureGates.FederatedQuotaEnforcement) return [];
    const refused = new Set(
      seen.bindings
        .filter(({ status }) => conditionOf(status?.conditions, 'Scheduled')?.reason === 'QuotaExceeded')
        .map(({ metadata }) => metadata.namespace),
    );
    return seen.ofKind('FederatedResourceQuota').flatMap((object) => {
      const { spec, status } = object as {
        spec?: { overall?: Record<string, string> };
        status?: { overallUsed?: Record<string, string> };
      };
      const full = Object.entries(spec?.overall ?? {}).filter(([name, most]) => {
        const used = status?.overallUsed?.[name];
        return used !== undefined && compareQuantities(parseQuantity(used), parseQuantity(most)) >= 0;
      });
      if (full.length === 0) return [];
      const { namespace = '', name } = object.metadata;
      const text = full.map(([what, most]) => `${what} ${status?.overallUsed?.[what]} of ${most}`).join(', ');
      return [
        {
          ...(refused.has(namespace) && { severity: 'error' as const }),
          message: `FederatedResourceQuota ${namespace}/${name} is used up (${text}): karmada-webhook refuses every scheduling result that needs more (QuotaExceeded)`,
          objects: [{ kind: 'FederatedResourceQuota', namespace, name }],
          evidence: [
            { rule: 'used is not below the limit', field: 'status.overallUsed', value: status?.overallUsed },
          ],
          remedy: {
            text: 'raise the quota above what a failover or a scaling needs',
            commands: [['kubectl', 'edit', 'federatedresourcequota', name, '-n', namespace]],
          },
        },
      ];
    });
  },
};

const serviceToFailed: StateCheck = {
  id: 'service-points-to-failed-cluster',
  severity: 'warning',
  theme: 'placement',
  title: 'a MultiClusterService still has endpoints in a cluster that is not Ready',
  help: 'EndpointSlices of a cluster that failed stay in its consumers until somebody removes them: requests go to Pods that do not answer. Take the cluster out of providerClusters while it is down.',
  needs: ['MultiClusterService', 'Cluster'],
  symptoms: ['connection refused for a part of the requests after a failover'],
  issues: [6434],
  example: {
    patches: [
      {
        target: { kind: 'MultiClusterService', namespace: 'shop', name: 'web' },
        merge: { spec: { providerClusters: [{ name: 'member1' }, { name: 'gone' }] } },
      },
    ],
  },
  find: (seen) =>
    seen.ofKind('MultiClusterService').flatMap((object) => {
      const { providerClusters, serviceProvisionClusters } =
        (object as { spec?: { providerClusters?: { name: string }[]; serviceProvisionClusters?: string[] } })
          .spec ?? {};
      const providers = [
        ...(providerClusters ?? []).map(({ name }) => name),
        ...(serviceProvisionClusters ?? []),
      ];
      const down = providers.filter((name) => !isReady(seen.clusters().get(name)));
      if (down.length === 0) return [];
      const identity = identityOf(object);
      return [
        {
          message: `${named(identity)} takes endpoints from ${some(down)}, which ${down.length === 1 ? 'is' : 'are'} not Ready`,
          objects: [identity],
          evidence: [
            {
              rule: 'its endpoints stay in the consumers',
              object: identity,
              field: 'spec.providerClusters',
              value: down,
            },
          ],
          remedy: { text: 'take the cluster out of providerClusters while it is down' },
        },
      ];
    }),
};

/** Placement: what is wrong now first, then what one loss breaks. */
export const placementChecks: readonly StateCheck[] = [
  duplicatedIgnoresRoom,
  selectsNoCluster,
  spreadUnsatisfiable,
  componentsWithoutRoom,
  noRoomElsewhere,
  noSecondHome,
  lossBreaksSpread,
  pinnedConfig,
  quotaUsedUp,
  siblingStays,
  siblingsParted,
  clusterNameUnknown,
  weightWithoutCluster,
  priorityCannotTakeOver,
  serviceToFailed,
  dependencyStays,
  selectsNothing,
];
