import type { KubernetesObject } from '../../../../karmada/api/meta.ts';
import { EXECUTION_FINALIZER, executionCluster } from '../../../../karmada/api/names.ts';
import type { Work } from '../../../../karmada/api/work.ts';
import { isReady, readyCondition } from '../../../../karmada/objects/clusterReadiness.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { identityOf, objectKey, workKey, workloadOf } from '../../../../karmada/objects/identities.ts';
import { policyIdentity } from '../../../../karmada/objects/policies.ts';
import { clusterOfWork } from '../../../../karmada/objects/worksOfBinding.ts';
import { instant } from '../../../../kubernetes/time.ts';
import { clusterDeletion } from '../../../explanation/clusterDeletion.ts';
import {
  clusterObject,
  count,
  finding,
  findingIn,
  inBinding,
  firstNames,
  firstObjectNames,
  jointFinding,
} from '../about.ts';
import { runningObject, type Examined } from '../examined.ts';
import type { Remedy, StateCheck } from '../stateCheck.ts';

/** Milliseconds after which an unfinished deletion is stuck. */
const DELETED_BY_NOW = 300_000;

export const clusterDeletionStuck: StateCheck = {
  id: 'cluster-deletion-stuck',
  severity: 'error',
  theme: 'stuck',
  title: 'the deletion of a cluster does not finish',
  help: 'A Cluster that is deleted waits for its Works, its execution space and, in most versions, for bindings that name it. The finding names the blockers and their owners.',
  needs: ['Cluster', 'Work'],
  uses: ['Namespace', 'ResourceBinding'],
  symptoms: ['karmadactl unjoin hangs', 'the Cluster has had a deletionTimestamp for minutes'],
  issues: [3740, 1847, 1969, 4431, 6886],
  find: (seen) =>
    seen.world.clusters.flatMap((cluster) => {
      const deletion = clusterDeletion(cluster, seen.world, seen.world.bindings, seen.configuration);
      if (!deletion || deletion.waitsFor.length === 0) return [];
      const { name } = cluster.metadata;
      const [first, ...others] = deletion.waitsFor;
      return finding(
        [clusterObject(name)],
        `${name} has been in deletion since ${deletion.since}, and waits for ${first}${others.length > 0 ? `, and ${count(others.length, 'more thing')}` : ''}`,
        deletion.waitsFor.map((rule) => ({
          rule,
          object: clusterObject(name),
          field: 'metadata.deletionTimestamp',
          value: deletion.since,
        })),
        {
          text: 'remove its blockers, in this order',
          commands: [['kubectl', 'get', 'work', '-n', `karmada-es-${name}`]],
        },
      );
    }),
};

function isStuckInDeletion(
  { metadata: { deletionTimestamp } }: Pick<KubernetesObject, 'metadata'>,
  now: number,
): boolean {
  return deletionTimestamp != null && now - instant(deletionTimestamp) > DELETED_BY_NOW;
}

/** Clusters that became Ready so recently that their deletions may still be in progress. */
function justBack(clusters: readonly string[], seen: Examined): string[] {
  return clusters.filter((name) => {
    const since = readyCondition(seen.clusters().get(name))?.lastTransitionTime;
    return since != null && seen.now - instant(since) <= DELETED_BY_NOW;
  });
}

/** How to end deletions that wait for the copies on these clusters. */
function endDeletions(clusters: readonly string[], seen: Examined): Remedy {
  const away = clusters.filter((name) => !isReady(seen.clusters().get(name)));
  if (away.length > 0)
    return { text: `get ${firstNames(away)} Ready again, which deletes the copies there; or unjoin it` };
  const back = justBack(clusters, seen);
  if (back.length > 0) return { text: `wait: ${firstNames(back)} has just become Ready` };
  const [manager] = runningObject('controllerManager', seen);
  return {
    text: `look for errors about them in the log of karmada-controller-manager (of karmada-agent for Pull clusters); without any, restart it`,
    ...(manager?.namespace && {
      commands: [
        [
          'kubectl',
          '-n',
          manager.namespace,
          'rollout',
          'restart',
          `${manager.kind.toLowerCase()}/${manager.name}`,
        ],
      ],
    }),
  };
}

export const workDeletionStuck: StateCheck = {
  id: 'work-deletion-stuck',
  severity: 'warning',
  theme: 'stuck',
  title: 'Works are stuck in deletion',
  help: 'A Work keeps its finalizer until its copy in the member is deleted, which needs a cluster that is Ready. The copy is deleted as soon as the cluster is back. With preserveResourcesOnDeletion the labels of the copy are removed instead, which fails if it is gone.',
  needs: ['Work'],
  symptoms: ['Works with a deletionTimestamp'],
  issues: [7463, 3167],
  find: (seen) => {
    const byCluster = new Map<string, Work[]>();
    const deleting = new Set(
      seen.world.clusters
        .filter(({ metadata }) => metadata.deletionTimestamp)
        .map(({ metadata }) => metadata.name),
    );
    for (const work of seen.world.works) {
      const cluster = clusterOfWork(work);
      if (cluster === undefined || deleting.has(cluster) || !isStuckInDeletion(work, seen.now)) continue;
      getOrAdd(byCluster, cluster, () => []).push(work);
    }
    return [...byCluster].map(([cluster, works]) => {
      // Before keeping a copy, Karmada removes its labels.
      const isBack = isReady(seen.clusters().get(cluster));
      const areGone = isBack && works.every(({ spec }) => spec?.preserveResourcesOnDeletion);
      const how = justBack([cluster], seen).length > 0 ? 'still' : 'stuck';
      return finding(
        // While the cluster is down, other findings report the workloads.
        [
          clusterObject(cluster),
          ...(isBack ? works.map(({ metadata }) => identityOf({ kind: 'Work', metadata })) : []),
        ],
        `${count(works.length, 'Work')} for ${cluster} ${works.length === 1 ? 'is' : 'are'} ${how} in deletion: ${firstNames(works.map(workKey))}${areGone ? ': with preserveResourcesOnDeletion the copy must exist, and it may be gone' : isBack ? '' : `: ${cluster} is not Ready, and what runs there is deleted once it is back`}`,
        { rule: 'the finalizer is removed when the copy is deleted', field: 'metadata.deletionTimestamp' },
        areGone
          ? {
              text: `create the copy in ${cluster} again, or remove the finalizer from the Work`,
              commands: [['kubectl', 'get', 'work', '-n', `karmada-es-${cluster}`]],
            }
          : endDeletions([cluster], seen),
      );
    });
  },
};

export const namespaceDeleted: StateCheck = {
  id: 'namespace-being-deleted',
  severity: 'warning',
  theme: 'stuck',
  title: 'the namespace of workloads is being deleted',
  help: 'Every object in the namespace is deleted with it, also policies and bindings, and nothing new can be created there: a failover within it writes nothing. Karmada also deletes it in the clusters.',
  needs: ['ResourceBinding', 'Namespace'],
  symptoms: ['because it is being terminated'],
  issues: [],
  find: (seen) =>
    seen.ofKind('Namespace').flatMap((space) => {
      const { name, deletionTimestamp } = space.metadata;
      const inside = deletionTimestamp
        ? seen.bindings.filter(({ metadata }) => metadata.namespace === name)
        : [];
      const object = identityOf(space);
      return jointFinding(
        inside,
        (workloads) => `Namespace ${name} has been in deletion since ${deletionTimestamp}, with ${workloads}`,
        {
          rule: 'its objects are deleted with it',
          object,
          field: 'metadata.deletionTimestamp',
          value: deletionTimestamp,
        },
        'check what blocks its deletion, or create it again after it',
      );
    }),
};

export const executionSpaceStuck: StateCheck = {
  id: 'execution-space-orphaned',
  severity: 'warning',
  theme: 'stuck',
  title: 'an execution space has no cluster',
  help: 'A namespace karmada-es-CLUSTER is left over, or does not terminate: a cluster of the same name cannot join cleanly. Remove the Works in it.',
  needs: ['Namespace', 'Cluster'],
  symptoms: ['namespace karmada-es-… in phase Terminating'],
  issues: [4326, 5380],
  find: (seen) =>
    seen.ofKind('Namespace').flatMap((space) => {
      const { name } = space.metadata;
      const cluster = executionCluster(name);
      if (cluster === undefined || seen.clusters().has(cluster)) return [];
      const works = seen.world.works.filter(({ metadata }) => metadata.namespace === name);
      return finding(
        [{ kind: 'Namespace', name }],
        `the execution space ${name} is there without a cluster ${cluster}${works.length > 0 ? `, with ${count(works.length, 'Work')}` : ''}`,
        { rule: 'no Cluster has this execution space', field: 'metadata.name', value: name },
        {
          text: 'remove the finalizers of its Works, then delete it',
          commands: [['kubectl', 'get', 'work', '-n', name]],
        },
      );
    }),
};

/** The finalizers that Karmada and Kubernetes remove themselves. */
const OWN_FINALIZERS =
  /^(?:karmada\.io\/|kubernetes$|foregroundDeletion$|orphan$|.*\.karmada\.io\/|kubernetes\.io\/)/;

export const foreignFinalizer: StateCheck = {
  id: 'foreign-finalizer',
  severity: 'warning',
  theme: 'stuck',
  title: 'a deletion waits for a finalizer of another program',
  help: 'Karmada does not know the finalizer: the program that set it has to remove it. If that program is gone, remove the finalizer manually. The operator of a workload often runs in the members only: then nothing removes its finalizer from the template, and the copies stay.',
  needs: ['ResourceBinding'],
  uses: ['Work', 'Cluster', 'ClusterTaintPolicy', 'Template'],
  symptoms: ['an object with a deletionTimestamp stays for hours'],
  issues: [3740, 1325],
  find: (seen) => {
    const kinds: readonly [string, readonly { metadata: KubernetesObject['metadata'] }[]][] = [
      ['Cluster', seen.world.clusters],
      ['ClusterTaintPolicy', seen.world.taintPolicies],
      ['ResourceBinding', seen.bindings],
      ['Work', seen.world.works],
    ];
    const policies = seen.world.policies.map((one) => ({ ...policyIdentity(one), metadata: one.metadata }));
    const others = seen.world.others.filter(
      (one) => isOfKarmada(one) || seen.byWorkload().has(objectKey(identityOf(one))),
    );
    const all = kinds.flatMap(([kind, objects]) => objects.map(({ metadata }) => ({ kind, metadata })));
    return [...all, ...policies, ...others].flatMap(({ kind, metadata }) => {
      if (!isStuckInDeletion({ metadata }, seen.now)) return [];
      const { namespace, name, finalizers = [] } = metadata;
      const foreign = finalizers.filter((one) => !isRemoved(one, kind));
      if (foreign.length === 0) return [];
      return findingIn(
        { kind, ...(namespace && { namespace }), name },
        (one) =>
          `${one} is being deleted and waits for the finalizer ${foreign.join(', ')}, which Karmada does not remove${kind === 'ClusterTaintPolicy' ? ': until then it adds its taints' : ''}`,
        { rule: 'Karmada does not remove the finalizer', field: 'metadata.finalizers', value: finalizers },
        'let its owner remove it, or remove it manually if its owner no longer runs',
        kind === 'Cluster' ? 'error' : undefined,
      );
    });
  },
};

/**
 * Whether Karmada or Kubernetes removes a finalizer from objects of a kind. Karmada has no finalizer for taint
 * policies.
 */
function isRemoved(finalizer: string, kind: string): boolean {
  return (
    kind !== 'ClusterTaintPolicy' && (finalizer === EXECUTION_FINALIZER || OWN_FINALIZERS.test(finalizer))
  );
}

/** Whether an object is of one of Karmada's own kinds. */
function isOfKarmada({ apiVersion }: KubernetesObject): boolean {
  return /\.karmada\.io\//.test(apiVersion);
}

export const policyDeletionStuck: StateCheck = {
  id: 'policy-deletion-stuck',
  severity: 'warning',
  theme: 'stuck',
  title: 'a policy is stuck in deletion',
  help: 'karmada-controller-manager first releases what the policy has claimed. Before v1.14.8, v1.15.4, v1.16.1 and v1.17.0 that fails forever if the control plane does not serve a kind that the policy selects: its CustomResourceDefinition is gone.',
  needs: ['PropagationPolicy'],
  symptoms: ['a policy with a deletionTimestamp stays for minutes', 'kubectl delete propagationpolicy hangs'],
  issues: [7024],
  find: (seen) =>
    seen.world.policies.flatMap((policy) => {
      const { deletionTimestamp, finalizers = [] } = policy.metadata;
      if (!isStuckInDeletion(policy, seen.now) || finalizers.some((one) => !OWN_FINALIZERS.test(one)))
        return [];
      const kinds = (policy.spec.resourceSelectors ?? []).flatMap(({ apiVersion, kind }) =>
        isCustom(apiVersion) ? kind : [],
      );
      return findingIn(
        policyIdentity(policy),
        (one) =>
          `${one} has been in deletion since ${deletionTimestamp}, and karmada-controller-manager has not released it${kinds.length > 0 ? `: it selects ${firstNames(kinds)}, which the control plane may no longer serve` : ''}`,
        { rule: 'its controller removes the finalizer', field: 'metadata.finalizers', value: finalizers },
        kinds.length > 0
          ? 'install the CustomResourceDefinition again, or upgrade Karmada: this removes the finalizer'
          : endDeletions([], seen),
      );
    }),
};

/** The groups of Kubernetes' own APIs with a dot. */
const OWN_GROUPS =
  /^(?:networking|rbac\.authorization|apiextensions|admissionregistration|storage|scheduling|discovery|policy|certificates|coordination|node|events)(?:\.k8s\.io)?$/;

/** Whether a kind may come from a CustomResourceDefinition, by its group. */
function isCustom(apiVersion: string): boolean {
  const [group = '', version] = apiVersion.split('/');
  return version !== undefined && group.includes('.') && !OWN_GROUPS.test(group);
}

export const bindingDeletionStuck: StateCheck = {
  id: 'binding-deletion-stuck',
  severity: 'warning',
  theme: 'stuck',
  title: 'a binding is stuck in deletion',
  help: 'A binding waits until all of its Works are gone. While a cluster that has one is not Ready, it stays. If all of its clusters are Ready, karmada-controller-manager failed to delete them, or missed the deletion.',
  needs: ['ResourceBinding'],
  uses: ['Work'],
  symptoms: ['a deleted workload is listed in karmadactl get'],
  issues: [6886, 7474],
  find: (seen) =>
    seen.bindings.flatMap((binding) => {
      const { finalizers = [], deletionTimestamp } = binding.metadata;
      if (!isStuckInDeletion(binding, seen.now) || finalizers.some((one) => !OWN_FINALIZERS.test(one)))
        return [];
      const clusters = [...seen.worksOf(binding).keys()];
      const workload = workloadOf(binding);
      return finding(
        [workload],
        `${firstObjectNames([workload])} has been in deletion since ${deletionTimestamp}, and its binding stays${clusters.length > 0 ? `: it has Works for ${firstNames(clusters)}` : ''}`,
        inBinding(binding, 'a binding waits for its Works', 'metadata.deletionTimestamp', deletionTimestamp),
        endDeletions(clusters, seen),
      );
    }),
};
