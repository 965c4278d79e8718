import type { Cluster } from '../../../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import type { ClusterAffinity, PropagationPolicy } from '../../../../karmada/api/policy.ts';
import { isReady } from '../../../../karmada/objects/clusterReadiness.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { objectKey } from '../../../../karmada/objects/identities.ts';
import { isWorkload, placedOn } from '../../../../karmada/objects/placement.ts';
import { policyIdentity } from '../../../../karmada/objects/policies.ts';
import { listsAllApis, listsApi } from '../../../../karmada/scheduling/filters/apiEnablement.ts';
import { groupedBy } from '../../../../kubernetes/nonEmpty.ts';
import { conditionOf } from '../../../../karmada/objects/conditions.ts';
import { ignoresSpreadConstraints, strategyOf } from '../../../../karmada/scheduling/strategy.ts';
import { providerOf, regionOf, zonesOf } from '../../../../karmada/selection/clusterAffinity.ts';
import { clusterObject, count, inBinding, firstNames, jointFinding } from '../about.ts';
import { affinitiesOf, namesOf, policyFindings } from '../policyFindings.ts';
import { parseLabelSelector } from '../../../../kubernetes/labelSelector.ts';
import type { LabelSelector } from '../../../../kubernetes/schema/meta.ts';
import type { StateCheck } from '../stateCheck.ts';

export const selectsNoCluster: StateCheck = {
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
  find: (seen) =>
    policyFindings(
      seen,
      ({ spec }) =>
        affinitiesOf(spec.placement ?? {}).flatMap(({ affinity, field }) => {
          if ([...seen.clusters().keys()].some((name) => seen.facts().isSelected(affinity, name))) return [];
          return {
            text: `${field.replace('spec.placement.', '')} selects none of the ${count(seen.world.clusters.length, 'cluster')}`,
            field,
            value: affinity,
          };
        }),
      'correct names and labels',
    ),
};

export const labelSelectorInvalid: StateCheck = {
  id: 'label-selector-invalid',
  lints: 'manifests',
  severity: 'error',
  theme: 'placement',
  title: 'a label selector of a policy is invalid, and selects nothing',
  help: 'Karmada accepts it when the policy is written. Its operators are In, NotIn, Exists and DoesNotExist; the first two need values, the others have none. Keys and values have to be valid labels.',
  needs: ['PropagationPolicy'],
  symptoms: ['a policy with a labelSelector selects nothing', 'is not a valid label selector operator'],
  issues: [],
  find: (seen) =>
    policyFindings(
      seen,
      ({ spec }) =>
        labelSelectorsOf(spec).flatMap(({ selector, field }) => {
          const why = whyInvalid(selector);
          return why ? [{ text: `the label selector selects nothing: ${why}`, field, value: selector }] : [];
        }),
      'correct the label selector',
    ),
};

function labelSelectorsOf({ resourceSelectors = [], placement = {} }: PropagationPolicy['spec']) {
  const weights = placement.replicaScheduling?.weightPreference?.staticWeightList ?? [];
  return [
    ...resourceSelectors.map((one, at) => ({ ...one, field: `spec.resourceSelectors[${at}]` })),
    ...affinitiesOf(placement).map(({ affinity, field }) => ({ ...affinity, field })),
    ...weights.map(({ targetCluster }, at) => ({
      ...targetCluster,
      field: `spec.placement.replicaScheduling.weightPreference.staticWeightList[${at}].targetCluster`,
    })),
  ].flatMap(({ labelSelector: selector, field }) =>
    selector ? [{ selector, field: `${field}.labelSelector` }] : [],
  );
}

/** The first part of a label selector that Kubernetes refuses, in words. */
function whyInvalid({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string | undefined {
  const label = Object.entries(matchLabels).find(
    ([key, value]) => !parseLabelSelector({ matchLabels: { [key]: value } }),
  );
  if (label) return `${label.join('=')} is not a valid label`;
  const expression = matchExpressions.find((one) => !parseLabelSelector({ matchExpressions: [one] }));
  if (!expression) return undefined;
  const { key, operator, values = [] } = expression;
  if (!OPERATORS.has(operator))
    return `operator ${operator} of ${key} is none of ${[...OPERATORS.keys()].join(', ')}`;
  if (OPERATORS.get(operator) !== values.length > 0)
    return `operator ${operator} of ${key} ${values.length > 0 ? 'has no values' : 'needs values'}`;
  return `${key} with ${firstNames(values)} is not a valid label`;
}

/** Whether each operator of label selectors needs values. */
const OPERATORS = new Map([
  ['In', true],
  ['NotIn', true],
  ['Exists', false],
  ['DoesNotExist', false],
]);

export const clusterNameUnknown: StateCheck = {
  id: 'cluster-name-unknown',
  lints: 'clusters',
  severity: 'warning',
  theme: 'placement',
  title: 'a policy names a cluster that does not exist',
  help: 'The name has no effect: an expected failover target is missing. Correct it, or join the cluster.',
  needs: ['PropagationPolicy', 'Cluster'],
  symptoms: ['fewer clusters are candidates than the policy names'],
  find: (seen) =>
    policyFindings(
      seen,
      ({ spec }) =>
        affinitiesOf(spec.placement ?? {}).flatMap(({ affinity, field }) => {
          const unknown = (affinity.clusterNames ?? []).filter((name) => !seen.clusters().has(name));
          const all = affinity.clusterNames?.length ?? 0;
          if (unknown.length === 0 || unknown.length === all) return [];
          return {
            text: `there is no cluster ${firstNames(unknown)}`,
            field: `${field}.clusterNames`,
            value: unknown,
          };
        }),
      'correct the name, or join the cluster',
    ),
};

export const weightWithoutCluster: StateCheck = {
  id: 'weight-without-cluster',
  lints: 'clusters',
  severity: 'warning',
  theme: 'placement',
  title: 'a weight selects no existing cluster',
  help: 'An entry of staticWeightList selects no cluster: the others get its share. Correct names and labels.',
  needs: ['PropagationPolicy', 'Cluster'],
  symptoms: ['the division of replicas differs from the weights'],
  issues: [2769],
  find: (seen) =>
    policyFindings(
      seen,
      ({ spec }) =>
        (spec.placement?.replicaScheduling?.weightPreference?.staticWeightList ?? []).flatMap((one, at) =>
          [...seen.clusters().keys()].some((name) => seen.facts().isSelected(one.targetCluster, name))
            ? []
            : {
                text: `weight ${one.weight} is for no cluster (${firstNames(one.targetCluster.clusterNames ?? ['by labels'])})`,
                field: `spec.placement.replicaScheduling.weightPreference.staticWeightList[${at}]`,
                value: one,
              },
        ),
      'correct names and labels of the entry',
    ),
};

export const weightsLeaveOut: StateCheck = {
  id: 'weights-leave-out-cluster',
  lints: 'clusters',
  severity: 'note',
  theme: 'placement',
  title: 'static weights leave out a selected cluster',
  help: 'A cluster without a weight in staticWeightList gets no replicas while another one has a weight; if none has one, they share equally. Give it a weight, or take it out of the affinity.',
  needs: ['PropagationPolicy', 'Cluster'],
  symptoms: ['a cluster that the policy selects gets no replicas'],
  issues: [2769],
  find: (seen) =>
    policyFindings(
      seen,
      ({ spec: { placement = {} } }) => {
        const { staticWeightList: list = [] } = placement.replicaScheduling?.weightPreference ?? {};
        if (list.length === 0 || strategyOf(placement) !== 'StaticWeight') return [];
        const all = [...seen.clusters().keys()];
        const isSelected = (affinity: ClusterAffinity, name: string) =>
          seen.facts().isSelected(affinity, name);
        const hasWeight = (name: string) =>
          list.some(({ targetCluster, weight }) => weight > 0 && isSelected(targetCluster, name));
        const affinities = affinitiesOf(placement);
        const groups =
          affinities.length === 0
            ? [all]
            : affinities.map(({ affinity }) => all.filter((name) => isSelected(affinity, name)));
        // The scheduler chooses from each group separately: a group without any weight is divided equally, as for a
        // backup.
        const mixed = groups.length === 1 ? groups : groups.filter((names) => names.some(hasWeight));
        const without = [...new Set(mixed.flat())].filter((name) => !hasWeight(name));
        if (without.length === 0) return [];
        const field = 'spec.placement.replicaScheduling.weightPreference.staticWeightList';
        const isEach = list.every(({ weight }) => weight <= 0);
        const text = isEach
          ? 'each weight is 0: the clusters share the replicas equally'
          : `no weight is for ${firstNames(without)}: no replicas there while a cluster with a weight can be chosen`;
        return [{ text, field, value: list }];
      },
      'give each cluster a weight, or take it out of the affinity',
    ),
};

export const apiNotServed: StateCheck = {
  id: 'api-not-served',
  severity: 'warning',
  theme: 'placement',
  title: 'a cluster that a policy names does not serve the kind of a workload',
  help: 'The scheduler leaves out clusters whose status.apiEnablements lack the kind: an expected failover target is missing. Install the CustomResourceDefinition there, or find out why its APIs could not be read (condition CompleteAPIEnablements).',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['cluster(s) did not have the API resource'],
  find: (seen) => {
    const lacking = new Map<string, Map<string, ResourceBinding[]>>();
    const without = new Map<string, ReadonlyMap<string, Cluster>>();
    const { apiEnablementExemption: exemption } = seen.configuration.rules.scheduling;
    /** Whether copies on the cluster may stay there. */
    const spares = (cluster: Cluster) =>
      exemption === 'always' || (exemption === 'whileListIncomplete' && !listsAllApis(cluster));
    for (const binding of seen.bindings) {
      const { resource, placement } = binding.spec;
      if (!placement || isAttached(binding.spec)) continue;
      const { apiVersion, kind } = resource;
      const api = `${apiVersion} ${kind}`;
      const clusters = getOrAdd(without, api, () => {
        const found = seen.world.clusters.filter(
          // A group that lists nothing is reported for the cluster.
          (one) => isReady(one) && one.status?.apiEnablements?.length && !listsApi(one, apiVersion, kind),
        );
        // The scheduler reports a kind that no cluster serves.
        return new Map(
          found.length < seen.world.clusters.length ? found.map((one) => [one.metadata.name, one]) : [],
        );
      });
      if (clusters.size === 0) continue;
      const names = new Set(affinitiesOf(placement).flatMap(({ affinity }) => namesOf(affinity) ?? []));
      const there = new Set(placedOn(binding.spec).map(({ name }) => name));
      for (const name of names) {
        const cluster = clusters.get(name);
        if (!cluster || (there.has(name) && spares(cluster))) continue;
        const apis = getOrAdd(lacking, name, () => new Map<string, ResourceBinding[]>());
        getOrAdd(apis, api, () => []).push(binding);
      }
    }
    return [...lacking].flatMap(([name, apis]) =>
      [...apis].flatMap(([api, bindings]) =>
        jointFinding(
          bindings,
          (workloads) => `${workloads}: the scheduler leaves out ${name}, which does not serve ${api}`,
          {
            rule: 'the API is not among its enablements',
            object: clusterObject(name),
            field: 'status.apiEnablements',
          },
          { text: `serve ${api} in ${name}`, commands: [['kubectl', 'describe', 'cluster', name]] },
        ),
      ),
    );
  },
};

const GROUPS: Record<string, (cluster: Cluster) => readonly string[]> = {
  cluster: ({ metadata }) => [metadata.name],
  region: (cluster) => [regionOf(cluster) ?? ''],
  provider: (cluster) => [providerOf(cluster) ?? ''],
  zone: zonesOf,
};

export const spreadUnsatisfiable: StateCheck = {
  id: 'spread-unsatisfiable',
  lints: 'clusters',
  severity: 'error',
  theme: 'placement',
  title: 'a spread constraint asks for more groups than there are',
  help: 'minGroups is greater than the number of regions, zones, providers or clusters that the placement selects: nothing can be scheduled. Lower it, or set the fields on the Clusters.',
  needs: ['PropagationPolicy', 'Cluster'],
  symptoms: ['the number of feasible region is less than spreadConstraint.MinGroups'],
  issues: [3243, 1258, 4617],
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
          return {
            text: `minGroups ${minGroups} by ${spreadByField}, and its clusters are in ${most}`,
            field: `spec.placement.spreadConstraints[${at}].minGroups`,
            value: minGroups,
          };
        });
      },
      'lower minGroups, or set region, zone or provider of the Clusters',
    ),
};

export const spreadIgnored: StateCheck = {
  id: 'spread-ignored',
  lints: 'manifests',
  severity: 'note',
  theme: 'placement',
  title: 'spread constraints have no effect with static weights',
  help: 'Static weights take each cluster that the affinity selects: spreadConstraints are ignored, with minGroups and maxGroups. Use dynamicWeight, or let the affinity select as many clusters as you want.',
  needs: ['PropagationPolicy'],
  symptoms: ['more clusters than maxGroups have replicas'],
  issues: [3184],
  find: (seen) =>
    policyFindings(
      seen,
      ({ spec: { placement } }) =>
        placement?.spreadConstraints?.length && ignoresSpreadConstraints(placement)
          ? {
              text: 'static weights ignore its spreadConstraints',
              field: 'spec.placement.spreadConstraints',
              value: placement.spreadConstraints,
            }
          : [],
      'use dynamicWeight, or select as many clusters as you want',
    ),
};

export const spreadNotMet: StateCheck = {
  id: 'spread-not-met',
  severity: 'warning',
  theme: 'placement',
  title: 'a workload is on fewer or more clusters than its spread constraint allows',
  help: 'minGroups and maxGroups limit the number of chosen clusters. Replicas are then divided among them by weight or capacity, and some may get none. A result from before a change of the policy stays until the workload is rescheduled.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['a cluster that was chosen has no replica'],
  issues: [5986, 1323],
  find: (seen) => {
    const unmet = seen.bindings.flatMap((binding) => {
      const { spec, status, metadata } = binding;
      const { placement } = spec;
      const constraints = placement?.spreadConstraints ?? [];
      const own = spec.clusters ?? [];
      if (constraints.length === 0 || own.length === 0 || !isWorkload(spec) || isAttached(spec)) return [];
      const isDone =
        conditionOf(status?.conditions, 'Scheduled')?.status === 'True' &&
        !spec.gracefulEvictionTasks?.length &&
        !metadata.deletionTimestamp;
      if (!isDone) return [];
      const text = constraints.flatMap(
        ({ spreadByField = 'cluster', minGroups = 1, maxGroups = Infinity }) => {
          const groupsOf = GROUPS[spreadByField];
          const clusters = own.flatMap(({ name }) => seen.clusters().get(name) ?? []);
          if (!groupsOf || clusters.length < own.length) return [];
          const groups = new Set(clusters.flatMap(groupsOf)).size;
          const why = ignoresSpreadConstraints(placement) ? ': static weights ignore it' : '';
          const where = `it is on ${count(groups, spreadByField)}${why}`;
          if (groups < Math.min(minGroups, spec.replicas ?? 0))
            return [`minGroups is ${minGroups}, and ${where}`];
          return groups > Math.max(maxGroups, 1) ? [`maxGroups is ${maxGroups}, and ${where}`] : [];
        },
      )[0];
      return text ? [{ binding, text }] : [];
    });
    return [...groupedBy(unmet, ({ text }) => text)].flatMap(([text, alike]) =>
      jointFinding(
        alike.map(({ binding }) => binding),
        (workloads) => `${workloads}: ${text}`,
        (first) =>
          inBinding(first, text, 'spec.placement.spreadConstraints', first.spec.placement?.spreadConstraints),
        'give each cluster a weight or capacity for a replica, or reschedule it with a WorkloadRebalancer',
      ),
    );
  },
};

const WITH_REPLICAS = new Set(['Deployment', 'StatefulSet', 'ReplicaSet', 'Job']);

export const noSpareCluster: StateCheck = {
  id: 'no-spare-cluster',
  lints: 'manifests',
  severity: 'warning',
  theme: 'placement',
  title: 'a policy names no spare cluster',
  help: 'It names one cluster, or exactly minGroups clusters: if one fails, it has no replacement, or the scheduler places nothing. Name one more, or lower minGroups.',
  needs: ['PropagationPolicy'],
  symptoms: ['the number of feasible clusters is less than spreadConstraint.MinGroups', 'NoClusterFit'],
  issues: [3243, 1258, 7455],
  find: (seen) => {
    // For running workloads, the checks of losses report more.
    const isPlaced = (policy: PropagationPolicy) =>
      seen
        .byPolicy()
        .get(objectKey(policyIdentity(policy)))
        ?.some(({ spec }) => spec.clusters?.length);
    return policyFindings(
      seen,
      (policy) => (isPlaced(policy) ? [] : tightness(policy)),
      'name one more cluster, or lower minGroups',
    );
  },
};

function tightness({ spec }: PropagationPolicy) {
  const [only, ...groups] = affinitiesOf(spec.placement ?? {});
  const names = only && groups.length === 0 ? namesOf(only.affinity) : undefined;
  if (!only || !names) return [];
  const field = `${only.field}.clusterNames`;
  const tight = (spec.placement?.spreadConstraints ?? []).flatMap(({ spreadByField, minGroups = 0 }, at) =>
    spreadByField === 'cluster' && minGroups >= names.length && minGroups > 1
      ? {
          text:
            minGroups > names.length
              ? `minGroups is ${minGroups}, and it names ${count(names.length, 'cluster')}: nothing can be scheduled`
              : `minGroups is ${minGroups}, and it names ${names.length} clusters: if one fails, nothing can be scheduled`,
          field: `spec.placement.spreadConstraints[${at}].minGroups`,
          value: minGroups,
          ...(minGroups > names.length && { severity: 'error' as const }),
        }
      : [],
  );
  const isPinned = names.length === 1 && spec.resourceSelectors?.some(({ kind }) => WITH_REPLICAS.has(kind));
  return tight.length > 0 || !isPinned
    ? tight
    : [
        {
          text: `it names ${names[0]} only: if that fails, nothing replaces its workloads`,
          field,
          value: names,
          severity: 'note' as const,
        },
      ];
}
