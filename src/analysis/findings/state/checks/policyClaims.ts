import type { KubernetesObject, ObjectIdentity } from '../../../../karmada/api/meta.ts';
import type { PropagationPolicy } from '../../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { claimOf } from '../../../../karmada/objects/claims.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { objectKey, identityOf, objectText } from '../../../../karmada/objects/identities.ts';
import { explicitPriority, policyIdentity, policyKind } from '../../../../karmada/objects/policies.ts';
import { highestPrioritySelector } from '../../../../karmada/propagation/resourceSelector.ts';
import { deepEqual } from '../../../../kubernetes/deepEqual.ts';
import { isObject } from '../../../../kubernetes/json.ts';
import { groupedBy } from '../../../../kubernetes/nonEmpty.ts';
import { edit, finding, firstObjectNames } from '../about.ts';
import { policyFindings } from '../policyFindings.ts';
import type { StateCheck } from '../stateCheck.ts';
import { isTemplate, scopeOf, unboundTemplates, selectorMismatch } from '../unbound.ts';

export const selectsNothing: StateCheck = {
  id: 'policy-selects-nothing',
  severity: 'note',
  theme: 'placement',
  title: 'no workload belongs to a policy, or to one of its selectors',
  help: 'Nothing matches its resourceSelectors, or other policies claim all matches. A PropagationPolicy selects in its own namespace only. Of several selectors, those with a name or labels should each select something. If one object differs only by namespace, apiVersion, labels or name, the finding names it.',
  needs: ['PropagationPolicy'],
  uses: ['ResourceBinding', 'Template'],
  symptoms: ['a workload has no ResourceBinding'],
  issues: [2195, 3359, 4255],
  find: (seen) => {
    const templates = groupedBy(seen.world.others, seen.policyOf);
    const free = unboundTemplates(seen).filter(({ metadata }) => !claimOf(metadata));
    return seen.world.policies.flatMap((policy) => {
      if (policy.metadata.deletionTimestamp) return [];
      const object = policyIdentity(policy);
      return idleSelectors(
        policy,
        templates.get(policy) ?? [],
        seen.byPolicy().get(objectKey(object)) ?? [],
      ).flatMap(({ selectors, field, isMeant }) => {
        const missed = free.flatMap((template) => {
          const why = selectorMismatch(template, selectors, scopeOf(policy));
          return why ? [{ template, ...why }] : [];
        });
        const meant = missed.find(({ isSure }) => isSure) ?? (missed.length === 1 ? missed[0] : undefined);
        // Files may lack the bindings.
        const isPart = seen.world.bindings.length === 0 && seen.world.unread === undefined;
        if ((isPart && !meant?.isSure) || (!isMeant && !meant)) return [];
        const text = `no workload belongs to ${field === 'spec.resourceSelectors' ? 'it' : `its ${field}`}`;
        return finding(
          [object, ...(meant ? [identityOf(meant.template)] : [])],
          `${objectText(object)}: ${text}${meant ? `: ${meant.text}` : ''}`,
          { rule: meant?.text ?? text, object, field, value: selectors },
          edit('check apiVersion, kind, namespace, name and labels of its selectors', object),
          meant && 'warning',
        );
      });
    });
  },
};

/** Selectors without a match; `isMeant`: they name something that should exist. */
interface IdleSelectors {
  selectors: PropagationPolicy['spec']['resourceSelectors'];
  field: string;
  isMeant: boolean;
}

/**
 * The selectors of a policy that match nothing: all of them if it has no objects, otherwise those that match none of
 * its objects.
 */
function idleSelectors(
  { spec: { resourceSelectors = [] } }: PropagationPolicy,
  templates: readonly KubernetesObject[],
  bindings: readonly ResourceBinding[],
): IdleSelectors[] {
  const field = 'spec.resourceSelectors';
  if (templates.length + bindings.length === 0)
    return [{ selectors: resourceSelectors, field, isMeant: true }];
  if (resourceSelectors.length === 1) return [];
  return resourceSelectors.flatMap((selector, at) => {
    const { labelSelector, ...named } = selector;
    const isKind = ({ kind }: { kind: string }) => kind === selector.kind;
    // Without templates of a kind, its labels are unknown.
    const isSelected = templates.some(isKind)
      ? templates.some((one) => highestPrioritySelector(one, [selector]))
      : bindings.some(
          ({ spec: { resource } }) =>
            isKind(resource) && highestPrioritySelector({ ...resource, metadata: resource }, [named]),
        );
    // A selector of a whole kind may match nothing yet; so may one of several kinds selected by the same labels.
    const isMeant =
      selector.name !== undefined ||
      (labelSelector !== undefined &&
        !resourceSelectors.some((one) => one !== selector && deepEqual(one.labelSelector, labelSelector)));
    return isSelected ? [] : { selectors: [selector], field: `${field}[${at}]`, isMeant };
  });
}

export const noLongerSelected: StateCheck = {
  id: 'policy-no-longer-selects',
  severity: 'warning',
  theme: 'placement',
  title: 'a workload belongs to a policy that does not select it',
  help: 'Its labels, or the selectors of the policy, have changed: the claim stays, and so do its copies. Remove the workload, or let the policy select it again.',
  needs: ['PropagationPolicy', 'Template'],
  symptoms: ['a label is removed, and the workload stays in the clusters'],
  issues: [4633],
  find: (seen) => {
    const left = new Map<PropagationPolicy, ObjectIdentity[]>();
    for (const template of seen.world.others) {
      if (!isTemplate(template.kind) || template.metadata.deletionTimestamp) continue;
      const policy = claimOf(template.metadata) && seen.policyOf(template);
      if (!policy || policy.metadata.deletionTimestamp) continue;
      if (highestPrioritySelector(template, policy.spec.resourceSelectors)) continue;
      getOrAdd(left, policy, () => []).push(identityOf(template));
    }
    return [...left].map(([policy, objects]) => {
      const object = policyIdentity(policy);
      return finding(
        [...objects, object],
        `${objectText(object)} no longer selects ${firstObjectNames(objects)}, which it propagates: its claim and its copies stay`,
        {
          rule: 'no resourceSelectors match',
          object,
          field: 'spec.resourceSelectors',
          value: policy.spec.resourceSelectors,
        },
        edit('let it select the workload again, or delete the workload', object),
      );
    });
  },
};

/** Kinds without a namespace that users propagate. */
const CLUSTER_SCOPED = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'IngressClass',
  'MutatingWebhookConfiguration',
  'Namespace',
  'PersistentVolume',
  'PriorityClass',
  'StorageClass',
  'ValidatingWebhookConfiguration',
]);

export const scopeTooSmall: StateCheck = {
  id: 'policy-cannot-select-kind',
  lints: 'manifests',
  severity: 'warning',
  theme: 'placement',
  title: 'a PropagationPolicy selects a kind without namespaces',
  help: 'A PropagationPolicy selects objects of its own namespace: it never gets a ClusterRole or a CustomResourceDefinition. Use a ClusterPropagationPolicy for them.',
  needs: ['PropagationPolicy'],
  symptoms: ['an object without a namespace has no ClusterResourceBinding'],
  issues: [1196],
  find: (seen) =>
    policyFindings(
      seen,
      (policy) =>
        policyKind(policy) === 'PropagationPolicy'
          ? (policy.spec.resourceSelectors ?? []).flatMap(({ kind }, at) =>
              CLUSTER_SCOPED.has(kind)
                ? {
                    text: `it cannot select ${kind}, which has no namespace`,
                    field: `spec.resourceSelectors[${at}].kind`,
                    value: kind,
                  }
                : [],
            )
          : [],
      'select it by a ClusterPropagationPolicy',
    ),
};

export const priorityCannotTakeOver: StateCheck = {
  id: 'priority-cannot-take-over',
  severity: 'warning',
  theme: 'placement',
  title: 'a policy of higher priority does not preempt another one',
  help: 'A claimed workload changes its policy only if the new one has preemption: Always, and karmada-controller-manager runs with the gate PropagationPolicyPreemption. Otherwise the edit has no effect until the old policy is deleted.',
  needs: ['PropagationPolicy', 'Template', 'Configuration'],
  flags: ['PropagationPolicyPreemption'],
  symptoms: ['a new policy has no effect on running workloads'],
  issues: [1857],
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
        if (!highestPrioritySelector(template, policy.spec.resourceSelectors)) continue;
        getOrAdd(blocked, policy, () => []).push(identityOf(template));
      }
    }
    return [...blocked].map(([policy, objects]) => {
      const why =
        policy.spec.preemption === 'Always' ? 'PropagationPolicyPreemption=false' : 'its preemption is Never';
      return finding(
        [policyIdentity(policy), ...objects],
        `${objectText(policyIdentity(policy))} has the higher priority and does not get ${firstObjectNames(objects)}: ${why}`,
        {
          rule: why,
          object: policyIdentity(policy),
          field: 'spec.preemption',
          value: policy.spec.preemption ?? 'Never',
        },
        {
          text: 'set preemption: Always in it, with gate PropagationPolicyPreemption=true',
          patches: [
            {
              target: { apiVersion: 'policy.karmada.io/v1alpha1', ...policyIdentity(policy) },
              merge: { spec: { preemption: 'Always' } },
            },
          ],
        },
      );
    });
  },
};

export const webhookInControlPlane: StateCheck = {
  id: 'webhook-in-control-plane',
  severity: 'warning',
  theme: 'stuck',
  title: 'a webhook configuration that is propagated works in the control plane as well',
  help: 'The control plane has no Pods: the Service of the webhook does not answer there, and every write of its kinds to the control plane fails. Give the template failurePolicy Ignore, and set Fail by an override for the members.',
  needs: ['PropagationPolicy'],
  symptoms: ['failed calling webhook … context deadline exceeded', 'no such host, for kinds of an operator'],
  issues: [2104],
  find: (seen) =>
    ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].flatMap((kind) =>
      seen.ofKind(kind).flatMap((one) => {
        const webhooks: unknown = 'webhooks' in one ? one.webhooks : undefined;
        const blocks =
          claimOf(one.metadata) !== undefined &&
          Array.isArray(webhooks) &&
          webhooks.some(
            (each) =>
              isObject(each) &&
              each['failurePolicy'] !== 'Ignore' &&
              isObject(each['clientConfig']) &&
              isObject(each['clientConfig']['service']),
          );
        if (!blocks) return [];
        const object = identityOf(one);
        return finding(
          [object],
          `${objectText(object)} is propagated, and blocks writes in the control plane, too: its Service has no Pods there`,
          { rule: 'an API server calls its webhooks', object, field: 'webhooks[].clientConfig.service' },
          edit('set failurePolicy: Ignore in it, and Fail by an override for the members', object),
        );
      }),
    ),
};
