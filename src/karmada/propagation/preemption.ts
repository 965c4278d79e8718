import type { KubernetesObject } from '../api/meta.ts';
import type { PropagationPolicy } from '../api/policy.ts';
import {
  CLUSTER_PROPAGATION_POLICY_NAME_ANNOTATION,
  PROPAGATION_POLICY_NAME_ANNOTATION,
  PROPAGATION_POLICY_NAMESPACE_ANNOTATION,
} from '../api/names.ts';
import type { Evidence } from '../evidence.ts';
import { claim, reconcile } from './followTemplate.ts';
import type { Propagation } from './propagation.ts';
import { referenceTo } from '../objects/identities.ts';
import {
  explicitPriority,
  isLazy,
  policyIdentity,
  policyKind,
  type PolicyKind,
} from '../objects/policies.ts';

/**
 * A policy with preemption Always takes the resources that it names from policies of lower priority (gate
 * PropagationPolicyPreemption). A PropagationPolicy takes those of ClusterPropagationPolicies whatever their
 * priority; a ClusterPropagationPolicy takes none of PropagationPolicies.
 */
export function preempt(propagation: Propagation, policy: PropagationPolicy): void {
  if (policy.spec.preemption !== 'Always' || !propagation.gates.PropagationPolicyPreemption) return;
  for (const { apiVersion, kind, namespace, name = '' } of policy.spec.resourceSelectors ?? []) {
    const template = propagation.template({ apiVersion, kind, ...(namespace && { namespace }), name });
    if (!template || template.metadata.deletionTimestamp) continue;
    const evidence = reasonToTake(propagation, template, policy);
    if (!evidence) continue;
    claim(propagation, template, policy, [evidence]);
    reconcile(propagation, referenceTo(template), isLazy(policy));
  }
}

function reasonToTake(
  propagation: Propagation,
  { metadata: { annotations = {} } }: KubernetesObject,
  policy: PropagationPolicy,
): Evidence | undefined {
  const isClusterWide = policyKind(policy) === 'ClusterPropagationPolicy';
  const holderNamespace = annotations[PROPAGATION_POLICY_NAMESPACE_ANNOTATION];
  const holderName = annotations[PROPAGATION_POLICY_NAME_ANNOTATION];
  const clusterHolderName = annotations[CLUSTER_PROPAGATION_POLICY_NAME_ANNOTATION];
  const outranked = (kind: PolicyKind, namespace: string | undefined, name: string) => {
    const holder = propagation.policy(kind, namespace, name);
    return holder !== undefined && explicitPriority(policy) > explicitPriority(holder);
  };
  const byPriority = (holder: string): Evidence => ({
    rule: `preempts ${holder}, whose priority is lower`,
    object: policyIdentity(policy),
    field: 'spec.priority',
    value: explicitPriority(policy),
  });
  if (isClusterWide) {
    if (!clusterHolderName || clusterHolderName === policy.metadata.name) return undefined;
    if (!outranked('ClusterPropagationPolicy', undefined, clusterHolderName)) return undefined;
    return byPriority(`ClusterPropagationPolicy ${clusterHolderName}`);
  }
  const own = holderNamespace === policy.metadata.namespace && holderName === policy.metadata.name;
  if (holderNamespace && holderName && !own && outranked('PropagationPolicy', holderNamespace, holderName))
    return byPriority(`PropagationPolicy ${holderName}`);
  if (!clusterHolderName) return undefined;
  return {
    rule: `preempts ClusterPropagationPolicy ${clusterHolderName}, as PropagationPolicies do`,
    object: policyIdentity(policy),
    field: 'spec.preemption',
    value: 'Always',
  };
}
