import {
  DEFAULT_SCHEDULER_NAME,
  executionCluster,
  executionNamespace,
} from '../../../../karmada/api/names.ts';
import type { KubernetesObject, ObjectIdentity } from '../../../../karmada/api/meta.ts';
import type { Placement, PropagationPolicy } from '../../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { marshalPlacement } from '../../../../karmada/objects/appliedPlacement.ts';
import { claimOf } from '../../../../karmada/objects/claims.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { missingOverride } from '../../../../karmada/propagation/followTemplate.ts';
import { groupedBy } from '../../../../kubernetes/nonEmpty.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { objectKey, identityOf, objectText } from '../../../../karmada/objects/identities.ts';
import { conditionOf } from '../../../../karmada/objects/conditions.ts';
import { isLazy, policyIdentity, policyKind } from '../../../../karmada/objects/policies.ts';
import { deepEqual } from '../../../../kubernetes/deepEqual.ts';
import { isObject, keysOf } from '../../../../kubernetes/json.ts';
import { instant } from '../../../../kubernetes/time.ts';
import { clusterObject, finding, inBinding, firstObjectNames, jointFinding } from '../about.ts';
import { type Examined, placementText } from '../examined.ts';
import { investigateComponent } from '../remedies.ts';
import { type PlacedCopy, placedCopies } from '../placedCopies.ts';
import type { StateCheck } from '../stateCheck.ts';
import { isSkipped, isTemplate, policyOfUnbound, unboundTemplates } from '../unbound.ts';

// Work that controllers should have done at once, and have not.

/** Milliseconds within which running controllers react to a change. */
const DONE_BY_NOW = 120_000;

export const placedOnMissing: StateCheck = {
  id: 'placed-on-missing-cluster',
  severity: 'error',
  theme: 'stuck',
  title: 'a binding names a cluster that does not exist',
  help: 'The cluster was unjoined, and the scheduler has not placed the workload again: its replicas there run nowhere. karmada-scheduler may not run, or nothing claims the binding.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['fewer Pods run than spec.replicas', 'clusters.cluster.karmada.io "NAME" not found'],
  issues: [5380],
  find: (seen) => {
    const { unread, clusters, works } = seen.world;
    // Only files can lack some of the control plane's objects.
    const isOfFiles = unread === undefined;
    // An execution space is deleted before its cluster: files with one may lack the cluster.
    const spaces = [
      ...works.map(({ metadata }) => metadata.namespace ?? ''),
      ...seen.ofKind('Namespace').map(({ metadata }) => metadata.name),
    ];
    const shown = new Set(isOfFiles ? spaces.map(executionCluster) : []);
    const missing = placedCopies(
      seen,
      DONE_BY_NOW,
      ({ cluster }) => !seen.clusters().has(cluster) && !shown.has(cluster),
    );
    const isPart = isOfFiles && missing.size >= clusters.length;
    return [...missing].flatMap(([name, bindings]) =>
      jointFinding(
        bindings,
        (workloads) =>
          isPart
            ? `${workloads}: placed on ${name}, and the state has no such cluster: it was unjoined, or is not in these files`
            : `${workloads}: placed on ${name}, and there is no such cluster`,
        (first) => inBinding(first, 'no Cluster has this name', 'spec.clusters', name),
        isPart ? 'add all Clusters to the state' : investigateComponent('scheduler', seen),
        isPart ? 'note' : undefined,
      ),
    );
  },
};

export const placedOutside: StateCheck = {
  id: 'placed-outside-placement',
  severity: 'warning',
  theme: 'placement',
  title: 'a workload is on a cluster outside its placement',
  help: 'The scheduler has processed the present placement, and left the workload there: names or labels of the cluster have changed since, or this release keeps clusters that are no longer selected. A failover does not choose such a cluster again.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['spec.clusters of a binding names a cluster that the policy excludes'],
  issues: [4560],
  find: (seen) => {
    const isOutside = ({ cluster, binding: { spec, status } }: PlacedCopy) =>
      seen.clusters().has(cluster) &&
      spec.placement !== undefined &&
      !spec.suspension?.scheduling &&
      !isAttached(spec) &&
      conditionOf(status?.conditions, 'Scheduled')?.status === 'True' &&
      !seen.selects(spec.placement, cluster);
    return [...placedCopies(seen, DONE_BY_NOW, isOutside)].flatMap(([name, bindings]) =>
      jointFinding(
        bindings,
        (workloads) => `${workloads}: on ${name}, which the placement does not select`,
        (first) =>
          inBinding(first, 'no affinity selects the cluster', 'spec.placement', first.spec.placement),
        'create a WorkloadRebalancer for it, or let the placement select the cluster',
      ),
    );
  },
};

export const workMissing: StateCheck = {
  id: 'work-missing',
  severity: 'error',
  theme: 'stuck',
  title: 'a binding has no Work for one of its clusters',
  help: 'The scheduler has placed the workload there, other clusters have their Works, and this one has none: no copy starts. The binding controller writes it; check its log for the binding.',
  needs: ['ResourceBinding', 'Work', 'Cluster'],
  symptoms: ['SyncWorkFailed', 'a cluster of spec.clusters has no copy'],
  find: (seen) => {
    const isMissing = ({ cluster, binding }: PlacedCopy) => {
      const works = seen.worksOf(binding);
      // A state may have the Works of only some clusters, and a new copy may have to wait for the deletion of an old
      // one.
      return (
        works.size > 0 &&
        !works.has(cluster) &&
        seen.clusters().has(cluster) &&
        !binding.spec.gracefulEvictionTasks?.length
      );
    };
    return [...placedCopies(seen, DONE_BY_NOW, isMissing)].flatMap(([name, bindings]) =>
      jointFinding(
        bindings,
        (workloads) => `${workloads}: placed on ${name}, and it has no Work there`,
        (first) => inBinding(first, 'each of its clusters gets a Work', 'spec.clusters', name),
        investigateComponent('controllerManager', seen),
      ),
    );
  },
};

export const executionSpaceMissing: StateCheck = {
  id: 'execution-space-missing',
  severity: 'error',
  theme: 'chain',
  title: 'the execution space of a cluster is missing, or being deleted',
  help: 'Works of a cluster are in the namespace karmada-es-NAME. Without it nothing new starts there. karmada-controller-manager creates it; a Terminating one must be deleted first.',
  needs: ['Cluster', 'Namespace'],
  symptoms: ['namespaces "karmada-es-member1" not found', 'because it is being terminated'],
  find: (seen) => {
    const spaces = new Map(seen.ofKind('Namespace').map((one) => [one.metadata.name, one]));
    // The state may contain only some namespaces.
    if (!seen.world.clusters.some(({ metadata }) => spaces.has(executionNamespace(metadata.name)))) return [];
    return seen.world.clusters.flatMap(({ metadata: { name, deletionTimestamp, creationTimestamp } }) => {
      const namespace = executionNamespace(name);
      const space = spaces.get(namespace);
      const isNew = creationTimestamp && seen.now - instant(creationTimestamp) < DONE_BY_NOW;
      if (deletionTimestamp || isNew || (space && !space.metadata.deletionTimestamp)) return [];
      const object = { kind: 'Namespace', name: namespace };
      return finding(
        [clusterObject(name), object],
        `${name}: its execution space ${namespace} ${space ? 'is being deleted' : 'is missing'}: nothing new starts there`,
        { rule: 'Works of the cluster are in it', object, field: 'metadata', value: space?.metadata },
        space
          ? {
              text: 'check what blocks its deletion',
              commands: [['kubectl', 'get', 'work', '-n', namespace]],
            }
          : investigateComponent('controllerManager', seen),
      );
    });
  },
};

/** Whether an object was written just before, by its metadata. */
export function isFresh({ metadata }: Pick<KubernetesObject, 'metadata'>, { now }: Examined): boolean {
  const writers: readonly unknown[] =
    'managedFields' in metadata && Array.isArray(metadata.managedFields) ? metadata.managedFields : [];
  const times = [metadata.creationTimestamp, ...writers.map((one) => isObject(one) && one['time'])];
  return times.some((time) => typeof time === 'string' && now - instant(time) < DONE_BY_NOW);
}

/** Whether Karmada would see a difference between placements: it compares them as JSON of its types. */
function placesElsewhere({ spec: a }: PropagationPolicy, { spec: b }: ResourceBinding): boolean {
  const text = ({ placement }: typeof a | typeof b, write: (of: Placement) => string) =>
    placement ? write(placement) : '';
  return (
    text(a, placementText) !== text(b, placementText) &&
    text(a, marshalPlacement) !== text(b, marshalPlacement)
  );
}

/** The fields that a binding copies from its policy and that differ. */
function differing(policy: PropagationPolicy, binding: ResourceBinding): Copied[] {
  const [{ spec: a }, { spec: b }] = [policy, binding];
  const differs: Record<Copied, boolean> = {
    placement: placesElsewhere(policy, binding),
    schedulerName:
      (a.schedulerName || DEFAULT_SCHEDULER_NAME) !== (b.schedulerName || DEFAULT_SCHEDULER_NAME),
    failover: !deepEqual(a.failover ?? {}, b.failover ?? {}),
    // Bindings without a namespace have no dependencies.
    propagateDeps:
      binding.metadata.namespace !== undefined && (a.propagateDeps ?? false) !== (b.propagateDeps ?? false),
  };
  return keysOf(differs).filter((field) => differs[field]);
}

type Copied = 'placement' | 'schedulerName' | 'failover' | 'propagateDeps';

interface Behind {
  policy: PropagationPolicy;
  fields: readonly Copied[];
  bindings: ResourceBinding[];
}

export const policyNotApplied: StateCheck = {
  id: 'policy-not-applied',
  severity: 'warning',
  theme: 'chain',
  title: 'a binding differs from its policy',
  help: 'A change of the policy (placement, schedulerName, failover, propagateDeps) has not reached the binding: failover uses the binding. With activationPreference Lazy it waits for the next change of the workload itself; else karmada-controller-manager has not followed.',
  needs: ['ResourceBinding', 'PropagationPolicy'],
  symptoms: ['a change of a policy has no effect'],
  find: (seen) => {
    const behind = new Map<string, Behind>();
    for (const binding of seen.bindings) {
      const policy = seen.policyOf(binding);
      const isOwn = policy && !policy.metadata.deletionTimestamp && !binding.metadata.deletionTimestamp;
      if (!isOwn || isAttached(binding.spec) || !binding.spec.placement) continue;
      const fields = differing(policy, binding);
      if (fields.length === 0 || isFresh(policy, seen)) continue;
      const key = `${objectKey(policyIdentity(policy))} ${fields.join()}`;
      getOrAdd(behind, key, () => ({ policy, fields, bindings: [] })).bindings.push(binding);
    }
    return [...behind.values()].flatMap(({ policy, fields, bindings }) => {
      const waits = isLazy(policy)
        ? 'its activationPreference is Lazy, and it waits for a change of the workload'
        : 'karmada-controller-manager has not applied it';
      return jointFinding(
        bindings,
        (workloads) =>
          `${workloads}: ${fields.join(', ')} of the binding ${fields.length === 1 ? 'differs' : 'differ'} from ${objectText(policyIdentity(policy))}: ${waits}`,
        (first) => {
          const [field = 'placement'] = fields;
          return inBinding(first, 'it is a copy of the policy', `spec.${field}`, first.spec[field]);
        },
        isLazy(policy)
          ? 'change the workload, for example by an annotation'
          : investigateComponent('controllerManager', seen),
      );
    });
  },
};

/** Workloads whose replicas Karmada itself interprets, unless a customization overrides it. */
export const REPLICATED = ['Deployment', 'StatefulSet'];

/** Whether a customization, or any webhook, implements an operation for a kind. */
export function isCustomized(
  kind: string,
  operation: 'replicaResource' | 'statusAggregation',
  seen: Examined,
): boolean {
  return (
    seen.ofKind('ResourceInterpreterWebhookConfiguration').length > 0 ||
    seen
      .othersOf('ResourceInterpreterCustomization')
      .some(({ spec }) => spec?.target?.kind === kind && spec.customizations?.[operation])
  );
}

export const templateNotApplied: StateCheck = {
  id: 'template-not-applied',
  severity: 'warning',
  theme: 'stuck',
  title: 'the replicas of a binding differ from those of its workload',
  help: 'A change of the workload has not reached its binding: the clusters run the old number. A change of the last seconds may still be in progress: check again before a restart. karmada-controller-manager copies it at once, unless it does not run, skips the workload, or has no workers for templates.',
  needs: ['ResourceBinding', 'Template'],
  symptoms: ['a workload is scaled, and its clusters run the old number of replicas'],
  find: (seen) => {
    return REPLICATED.flatMap((kind) =>
      seen.ofKind(kind).flatMap((template) => {
        const binding = seen.byWorkload().get(objectKey(identityOf(template)));
        const wanted =
          'spec' in template && isObject(template.spec) ? (template.spec['replicas'] ?? 1) : undefined;
        const has = binding?.spec.replicas;
        if (!binding || has === undefined || typeof wanted !== 'number' || has === wanted) return [];
        const isDeleting = template.metadata.deletionTimestamp ?? binding.metadata.deletionTimestamp;
        if (isDeleting || isCustomized(kind, 'replicaResource', seen) || isFresh(template, seen)) return [];
        return jointFinding(
          [binding],
          (workload) =>
            `${workload} asks for ${wanted} replicas, and its binding has ${has}: ${binding.spec.requiredBy?.length ? 'other workloads require it, and the dependencies distributor may have overwritten it' : 'karmada-controller-manager has not followed yet'}`,
          inBinding(binding, 'it is a copy of the workload', 'spec.replicas', has),
          investigateComponent('controllerManager', seen),
        );
      }),
    );
  },
};

/** The policy that claims a binding or a template, if it does not exist. */
function missingPolicy(claimed: Pick<ResourceBinding, 'metadata'>, seen: Examined): string | undefined {
  if (claimed.metadata.deletionTimestamp || seen.policyOf(claimed)) return undefined;
  const claim = claimOf(claimed.metadata);
  if (!claim) return undefined;
  const { unread, policies } = seen.world;
  // Files may have policies of only one kind.
  const isRead = unread !== undefined || policies.some((one) => policyKind(one) === claim.kind);
  return isRead ? objectText(claim) : undefined;
}

/** By missing policy: the workloads that it claimed but never propagated, for example because it was Lazy. */
function claimedInVain(seen: Examined): Map<string, ObjectIdentity[]> {
  const found = new Map<string, ObjectIdentity[]>();
  // Questions about some workloads include their bindings.
  if (seen.bindings.length < seen.world.bindings.length) return found;
  for (const template of seen.world.others) {
    if (!isTemplate(template.kind) || seen.byWorkload().has(objectKey(identityOf(template)))) continue;
    const policy = missingPolicy(template, seen);
    if (policy) getOrAdd(found, policy, () => []).push(identityOf(template));
  }
  return found;
}

export const policyMissing: StateCheck = {
  id: 'policy-missing',
  severity: 'warning',
  theme: 'chain',
  title: 'the policy that claims a workload does not exist',
  help: 'The policy was deleted, and its claim remains: the workload stays unchanged, and no policy applies. karmada-controller-manager removes the claim; let another policy claim the workload.',
  needs: ['ResourceBinding', 'PropagationPolicy'],
  uses: ['Template'],
  symptoms: ['propagationpolicies.policy.karmada.io "NAME" not found'],
  issues: [5348, 6704],
  find: (seen) => {
    const gone = new Map<string, ResourceBinding[]>();
    for (const binding of seen.bindings) {
      const policy = isAttached(binding.spec) ? undefined : missingPolicy(binding, seen);
      if (policy) getOrAdd(gone, policy, () => []).push(binding);
    }
    return [
      ...[...gone].flatMap(([policy, bindings]) =>
        jointFinding(
          bindings,
          (workloads) => `${workloads}: claimed by ${policy}, which does not exist`,
          (first) => inBinding(first, 'the claim names the policy', 'metadata.annotations', policy),
          'let another policy claim it',
        ),
      ),
      ...[...claimedInVain(seen)].map(([policy, objects]) =>
        finding(
          objects,
          `${firstObjectNames(objects)}: claimed by ${policy}, which does not exist: no other policy propagates ${objects.length === 1 ? 'it' : 'them'}`,
          {
            rule: 'the claim names the policy',
            object: objects[0],
            field: 'metadata.annotations',
            value: policy,
          },
          'remove the labels and annotations of the claim from it',
        ),
      ),
    ];
  },
};

export const withoutBinding: StateCheck = {
  id: 'workload-without-binding',
  severity: 'error',
  theme: 'chain',
  title: 'a policy selects a workload, and there is no binding for it',
  help: 'karmada-controller-manager writes the binding as soon as a policy claims the workload: until then no cluster gets it. The controller may not run, or the webhook may refuse the binding (see its Events). A Lazy policy waits for a change of the workload.',
  needs: ['PropagationPolicy', 'Template'],
  uses: ['ResourceBinding'],
  symptoms: ['a workload has no ResourceBinding', 'ApplyPolicyFailed'],
  issues: [2381, 5486],
  // Files may lack the bindings.
  lacks: ({ world }) =>
    world.bindings.length > 0 || world.unread !== undefined ? undefined : 'the state has no ResourceBinding',
  find: (seen) => {
    const waiting = unpropagated(seen).filter(({ policy }) => !overrideOf(policy, seen));
    return [...groupedBy(waiting, ({ policy }) => policy)].map(([policy, alike]) => {
      const objects = alike.map(({ template }) => identityOf(template));
      const them = objects.length === 1 ? 'it' : 'them';
      return finding(
        [...objects, policyIdentity(policy)],
        `${firstObjectNames(objects)}: ${objectText(policyIdentity(policy))} selects ${them}, and there is no binding: no cluster gets ${them}`,
        { rule: 'the policy selects it', object: policyIdentity(policy), field: 'spec.resourceSelectors' },
        isLazy(policy)
          ? 'change the workload, for example by an annotation: the policy is Lazy'
          : investigateComponent('controllerManager', seen),
        isLazy(policy) ? 'warning' : undefined,
      );
    });
  },
};

/** Objects that a policy should have propagated by now, and that have no binding. */
function unpropagated(seen: Examined): { template: KubernetesObject; policy: PropagationPolicy }[] {
  const policyOf = policyOfUnbound(seen);
  return unboundTemplates(seen).flatMap((template) => {
    if (!template.metadata.creationTimestamp || isFresh(template, seen) || isSkipped(template, seen))
      return [];
    const policy = policyOf(template);
    return policy && !isFresh(policy, seen) ? [{ template, policy }] : [];
  });
}

/** The override that a policy waits for. */
function overrideOf(policy: PropagationPolicy, seen: Examined): string | undefined {
  return missingOverride(policy, (kind) => seen.ofKind(kind));
}

export const dependentOverrideMissing: StateCheck = {
  id: 'dependent-override-missing',
  severity: 'warning',
  theme: 'chain',
  title: 'a policy waits for an override that does not exist',
  help: 'A policy with dependentOverrides is applied once all of them exist, an OverridePolicy in its own namespace: until then new workloads get no binding, and its changes reach none. Create the override, or take its name out.',
  needs: ['PropagationPolicy', 'OverridePolicy'],
  uses: ['Template', 'ResourceBinding'],
  symptoms: ['Waiting for dependent overrides present for policy', 'a workload has no ResourceBinding'],
  issues: [1140],
  find: (seen) => {
    const waiting = seen.world.policies.flatMap((policy) => {
      const override = policy.metadata.deletionTimestamp ? undefined : overrideOf(policy, seen);
      return override ? [{ policy, override }] : [];
    });
    if (waiting.length === 0) return [];
    const unbound = groupedBy(unpropagated(seen), ({ policy }) => policy);
    return waiting.map(({ policy, override }) => {
      const object = policyIdentity(policy);
      const objects = (unbound.get(policy) ?? []).map(({ template }) => identityOf(template));
      const effect =
        objects.length > 0 ? `no cluster gets ${firstObjectNames(objects)}` : 'its changes reach no binding';
      return finding(
        [...objects, object],
        `${objectText(object)} waits for the override ${override}, which does not exist: ${effect}`,
        {
          rule: 'all dependentOverrides have to exist',
          object,
          field: 'spec.dependentOverrides',
          value: override,
        },
        'create the override, or take its name out of dependentOverrides',
        objects.length > 0 ? 'error' : undefined,
      );
    });
  },
};
