import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { PropagationPolicy } from '../../../karmada/api/policy.ts';
import { claimOf } from '../../../karmada/objects/claims.ts';
import { objectKey, identityOf, objectText } from '../../../karmada/objects/identities.ts';
import { policyKind } from '../../../karmada/objects/policies.ts';
import { matchingPolicy } from '../../../karmada/propagation/matchingPolicy.ts';
import { isPropagatable } from '../../../karmada/propagation/propagatable.ts';
import { missedSelector } from '../../../karmada/propagation/missedSelector.ts';
import { lazilyFor } from '../../../kubernetes/lazily.ts';
import { groupedBy } from '../../../kubernetes/nonEmpty.ts';
import { type Examined, flagOf } from './examined.ts';

/** Objects of the kinds that policies select, without a binding. None if only some bindings are in question. */
export const unboundTemplates: (seen: Examined) => readonly KubernetesObject[] = lazilyFor((seen) => {
  const { bindings, policies, others } = seen.world;
  if (seen.bindings.length < bindings.length) return [];
  const kinds = new Set(
    policies.flatMap(({ spec }) => (spec.resourceSelectors ?? []).map(({ kind }) => kind)),
  );
  return others.filter(
    (one) =>
      kinds.has(one.kind) &&
      !one.metadata.deletionTimestamp &&
      !seen.allByWorkload().has(objectKey(identityOf(one))),
  );
});

/** The policy of an object without a binding: the one that claims or would claim it. */
export function policyOfUnbound(
  seen: Examined,
): (template: KubernetesObject) => PropagationPolicy | undefined {
  const byScope = groupedBy(seen.world.policies, (policy) => scopeOf(policy) ?? '');
  return (template) => {
    if (claimOf(template.metadata)) return seen.policyOf(template);
    const scopes = new Set(['', template.metadata.namespace ?? '']);
    const policies = [...scopes].flatMap((scope) => byScope.get(scope) ?? []);
    return matchingPolicy(template, policies)?.policy;
  };
}

/** The namespace that a policy selects in; undefined: all. */
export function scopeOf(policy: PropagationPolicy): string | undefined {
  return policyKind(policy) === 'PropagationPolicy' ? policy.metadata.namespace : undefined;
}

/** Whether karmada-controller-manager never propagates an object. */
export function isSkipped(template: KubernetesObject, seen: Examined): boolean {
  const { namespace = '' } = template.metadata;
  const isDefault = flagOf('controllerManager', 'skipped-propagating-namespaces', seen) === undefined;
  return seen.skipsNamespace(namespace) || (isDefault && !isPropagatable(template));
}

/** Why selectors miss an object that they seem intended for, in words; `isSure`: nothing else differs. */
export function selectorMismatch(
  template: KubernetesObject,
  selectors: PropagationPolicy['spec']['resourceSelectors'],
  scope: string | undefined,
): { text: string; isSure: boolean } | undefined {
  const missed = missedSelector(template, selectors, scope);
  if (!missed) return undefined;
  const object = objectText(identityOf(template));
  const { by, wanted } = missed;
  const texts = {
    namespace: `it selects only in namespace ${wanted}, and ${object} is in another`,
    apiVersion: `its selector says apiVersion ${wanted}, and ${object} has ${template.apiVersion}`,
    labels: `its labelSelector ${wanted} does not match the labels of ${object}`,
    name: `its selector names ${wanted}, and no policy selects ${object}`,
  };
  return { text: texts[by], isSure: by === 'namespace' || by === 'apiVersion' };
}

/** Kinds of workloads that policies propagate; their templates name their dependencies. */
const WORKLOADS = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'];

export function isTemplate(kind: string): boolean {
  return WORKLOADS.includes(kind);
}
