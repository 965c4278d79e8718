import type { KubernetesObject, Toleration } from '../../../karmada/api/meta.ts';
import type { ClusterAffinity, PropagationPolicy, ResourceSelector } from '../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { claimOf } from '../../../karmada/objects/claims.ts';
import { objectKey, workloadOf } from '../../../karmada/objects/identities.ts';
import { policyIdentity } from '../../../karmada/objects/policies.ts';
import { closestSelector } from '../../../karmada/propagation/resourceSelector.ts';
import type { Examined } from './examined.ts';
import { affinitiesOf, identityOf, policyFindings } from './placement.ts';
import { count, named, some, someObjects } from './remedies.ts';
import type { Diagnosed, StateCheck } from './stateCheck.ts';

/** Kinds with replicas. */
const WITH_REPLICAS = new Set(['Deployment', 'StatefulSet', 'ReplicaSet', 'Job']);

/** The clusters that an affinity names, if names alone decide; undefined if other clusters may match, too. */
function namesOf({ clusterNames = [], exclude = [] }: ClusterAffinity): string[] | undefined {
  return clusterNames.length === 0
    ? undefined
    : [...new Set(clusterNames)].filter((name) => !exclude.includes(name));
}

const noSpareCluster: StateCheck = {
  id: 'no-spare-cluster',
  lints: 'manifests',
  severity: 'warning',
  theme: 'placement',
  title: 'a policy names no cluster more than it needs',
  help: 'It names one cluster, or as many as minGroups asks for: if one fails, nothing replaces it, or the scheduler places nothing. Name one more, or lower minGroups.',
  needs: ['PropagationPolicy'],
  symptoms: ['the number of feasible clusters is less than spreadConstraint.MinGroups', 'NoClusterFit'],
  issues: [3243, 1258, 7455],
  example: {
    adds: [
      {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: {
          namespace: 'shop',
          name: 'tight',
          labels: { 'propagationpolicy.karmada.io/permanent-id': 'p7' },
        },
        spec: {
          resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'later' }],
          placement: {
            clusterAffinity: { clusterNames: ['member1', 'member2'] },
            spreadConstraints: [{ spreadByField: 'cluster', minGroups: 2 }],
          },
        },
      },
    ],
  },
  find: (seen) => {
    // of what runs, the checks of losses say more
    const placed = new Set(
      seen.world.bindings.flatMap(({ metadata, spec }) => {
        const claim = spec.clusters?.length ? claimOf(metadata) : undefined;
        return claim ? [objectKey(claim)] : [];
      }),
    );
    return policyFindings(
      seen,
      (policy) => (placed.has(objectKey(policyIdentity(policy))) ? [] : tightness(policy)),
      'name one cluster more, or lower minGroups',
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
      ? [
          {
            text:
              minGroups > names.length
                ? `minGroups is ${minGroups}, and it names ${count(names.length, 'cluster')}: nothing can be scheduled`
                : `minGroups is ${minGroups}, and it names ${names.length} clusters: if one fails, nothing can be scheduled`,
            field: `spec.placement.spreadConstraints[${at}].minGroups`,
            value: minGroups,
            ...(minGroups > names.length && { severity: 'error' as const }),
          },
        ]
      : [],
  );
  const isPinned = names.length === 1 && spec.resourceSelectors?.some(({ kind }) => WITH_REPLICAS.has(kind));
  return tight.length > 0 || !isPinned
    ? tight
    : [
        {
          text: `it names ${names[0]} alone: if that fails, nothing replaces its workloads`,
          field,
          value: names,
          severity: 'note' as const,
        },
      ];
}

interface PodTemplate {
  spec?: {
    template?: { spec?: { containers?: { readinessProbe?: unknown }[]; tolerations?: Toleration[] } };
  };
}

const podOf = (object: KubernetesObject) => (object as PodTemplate).spec?.template?.spec;

/** One finding about all workloads whose Pods are so. */
function ofTemplates(
  seen: Examined,
  kinds: readonly string[],
  is: (pod: NonNullable<ReturnType<typeof podOf>>) => boolean,
  message: (workloads: string) => string,
  evidence: Diagnosed['evidence'][number],
  text: string,
): Diagnosed[] {
  // what no policy places runs in no member, as Karmada's own components
  const placed = new Set(seen.bindings.map((one) => objectKey(workloadOf(one))));
  const objects = kinds
    .flatMap((kind) => seen.ofKind(kind))
    .filter((one) => {
      const pod = podOf(one);
      return pod?.containers?.length && is(pod);
    })
    .map(identityOf)
    .filter((object) => seen.isWritten || placed.has(objectKey(object)));
  if (objects.length === 0) return [];
  return [{ message: message(someObjects(objects)), objects, evidence: [evidence], remedy: { text } }];
}

const noReadinessProbe: StateCheck = {
  id: 'no-readiness-probe',
  lints: 'manifests',
  severity: 'note',
  theme: 'application',
  title: 'a workload counts as ready as soon as its containers run',
  help: 'Without a readinessProbe a copy that has just started is Healthy at once: a failover deletes the old copy before the new one serves, and ill health is noticed only when containers crash. Give its containers a readinessProbe.',
  needs: ['Template'],
  symptoms: ['requests fail for a while after a failover, although replicas are ready'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'Deployment', namespace: 'shop', name: 'web' },
        merge: { spec: { template: { spec: { containers: [{ name: 'web' }] } } } },
      },
    ],
  },
  find: (seen) =>
    ofTemplates(
      seen,
      ['Deployment', 'StatefulSet'],
      ({ containers = [] }) => containers.every(({ readinessProbe }) => readinessProbe == null),
      (workloads) => `${workloads}: no container has a readinessProbe: a new copy counts as ready at once`,
      { rule: 'no container has a readinessProbe', field: 'spec.template.spec.containers' },
      'give its containers a readinessProbe',
    ),
};

const NODE_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

const podToleratesDeadNode: StateCheck = {
  id: 'pod-tolerates-dead-node',
  lints: 'manifests',
  severity: 'note',
  theme: 'application',
  title: 'Pods stay on a node that is down',
  help: 'A toleration of node.kubernetes.io/not-ready or unreachable without tolerationSeconds keeps Pods on a dead node: the member does not replace them, and application failover moves the whole workload instead. Give it tolerationSeconds.',
  needs: ['Template'],
  symptoms: ['Pods in state Unknown or Terminating, and the workload leaves its cluster'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'Deployment', namespace: 'shop', name: 'web' },
        merge: { spec: { template: { spec: { tolerations: [{ operator: 'Exists' }] } } } },
      },
    ],
  },
  find: (seen) =>
    ofTemplates(
      seen,
      ['Deployment', 'StatefulSet'],
      ({ tolerations = [] }) =>
        tolerations.some(
          ({ key, effect, tolerationSeconds }) =>
            (!key || NODE_TAINTS.includes(key)) &&
            (!effect || effect === 'NoExecute') &&
            tolerationSeconds == null,
        ),
      (workloads) => `${workloads}: Pods tolerate a node that is down forever: the member replaces none`,
      { rule: 'no tolerationSeconds', field: 'spec.template.spec.tolerations' },
      'give the toleration tolerationSeconds',
    ),
};

interface Override extends KubernetesObject {
  spec?: {
    resourceSelectors?: ResourceSelector[];
    overrideRules?: { targetCluster?: ClusterAffinity }[];
  };
}

function overridesOf(seen: Examined): Override[] {
  return [...seen.ofKind('OverridePolicy'), ...seen.ofKind('ClusterOverridePolicy')];
}

/** The clusters that the rules of an override name; undefined if a rule is for clusters that are selected otherwise. */
function overriddenClusters({ spec }: Override): string[] | undefined {
  const targets = (spec?.overrideRules ?? []).map(({ targetCluster = {} }) => targetCluster);
  const isByName = targets.every(
    ({ clusterNames, labelSelector, fieldSelector }) =>
      clusterNames?.length && !labelSelector && !fieldSelector,
  );
  return isByName && targets.length > 0
    ? [...new Set(targets.flatMap((one) => namesOf(one) ?? []))]
    : undefined;
}

const OVERRIDE = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'OverridePolicy',
  metadata: { namespace: 'shop', name: 'registry' },
};
const overriding = (...clusterNames: string[]) => ({
  adds: [
    {
      ...OVERRIDE,
      spec: {
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
        overrideRules: [{ targetCluster: { clusterNames }, overriders: {} }],
      },
    },
  ],
});

const overrideMissesHome: StateCheck = {
  id: 'override-misses-a-home',
  lints: 'manifests',
  severity: 'note',
  theme: 'placement',
  title: 'an override is for some of the clusters that a workload may move to',
  help: 'Its rules name clusters, and the placement allows others: there the workload starts without the override, for example with an image of another registry. Add the clusters to the rules, if they need it.',
  needs: ['ResourceBinding', 'OverridePolicy'],
  symptoms: ['ImagePullBackOff after a failover'],
  issues: [],
  example: overriding('member1', 'member2'),
  find: (seen) =>
    overridesOf(seen).flatMap((override) => {
      const names = overriddenClusters(override);
      if (!names) return [];
      const without = seen.bindings.flatMap((binding) => {
        const homes = isSelected(override, binding) ? homesOf(binding) : [];
        const missing = homes.filter((name) => !names.includes(name));
        return missing.length > 0 && missing.length < homes.length ? [{ binding, missing }] : [];
      });
      const [first] = without;
      if (!first) return [];
      const object = identityOf(override);
      return [
        {
          message: `${named(object)} is not for ${some(first.missing)}, where ${someObjects(without.map(({ binding }) => workloadOf(binding)))} may move to`,
          objects: [object],
          evidence: [
            {
              rule: 'its rules name other clusters',
              object,
              field: 'spec.overrideRules[0].targetCluster.clusterNames',
              value: names,
            },
          ],
          remedy: { text: 'add these clusters to its rules, if they need the override' },
        },
      ];
    }),
};

/** Whether an override is for the resource of a binding, by what the binding says of it: not by labels. */
function isSelected({ kind, metadata, spec }: Override, { spec: { resource } }: ResourceBinding): boolean {
  const { apiVersion, kind: own, namespace, name } = resource;
  if (kind === 'OverridePolicy' && metadata.namespace !== namespace) return false;
  const selectors = (spec?.resourceSelectors ?? []).filter(({ labelSelector }) => !labelSelector);
  const object = { apiVersion, kind: own, metadata: { ...(namespace && { namespace }), name } };
  return closestSelector(object, selectors) !== undefined;
}

/** The clusters that a placement names; none if others may be chosen, too. */
function homesOf({ spec: { placement = {} } }: ResourceBinding): string[] {
  const each = affinitiesOf(placement).map(({ affinity }) => namesOf(affinity));
  return each.every((names) => names !== undefined) ? [...new Set(each.flat())] : [];
}

const overrideClusterUnknown: StateCheck = {
  id: 'override-cluster-unknown',
  lints: 'clusters',
  severity: 'warning',
  theme: 'placement',
  title: 'an override names a cluster that does not exist',
  help: 'The rule has no effect there: correct the name, or join the cluster.',
  needs: ['Cluster', 'OverridePolicy'],
  symptoms: ['a copy lacks what the override sets'],
  issues: [],
  example: overriding('member1', 'member2', 'member3', 'membre4'),
  find: (seen) =>
    overridesOf(seen).flatMap((override) => {
      const unknown = (overriddenClusters(override) ?? []).filter((name) => !seen.clusters().has(name));
      if (unknown.length === 0) return [];
      const object = identityOf(override);
      return [
        {
          message: `${named(object)}: there is no cluster ${some(unknown)}`,
          objects: [object],
          evidence: [
            {
              rule: 'no Cluster has the name',
              object,
              field: 'spec.overrideRules[0].targetCluster.clusterNames',
              value: unknown,
            },
          ],
          remedy: { text: 'correct the name, or join the cluster' },
        },
      ];
    }),
};

/** What manifests show by themselves: of placements, then of overrides, then of workloads. */
export const writtenChecks: readonly StateCheck[] = [
  noSpareCluster,
  overrideClusterUnknown,
  overrideMissesHome,
  noReadinessProbe,
  podToleratesDeadNode,
];
