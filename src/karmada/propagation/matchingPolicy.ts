import type { KubernetesObject } from '../api/meta.ts';
import type { PropagationPolicy } from '../api/policy.ts';
import type { Evidence } from '../evidence.ts';
import { explicitPriority, policyIdentity, policyKind } from '../objects/policies.ts';
import {
  highestPrioritySelector,
  compareSelectorPriority,
  type SelectorPriority,
} from './resourceSelector.ts';

interface PolicyMatch {
  policy: PropagationPolicy;
  evidence: Evidence[];
}

interface Candidate {
  policy: PropagationPolicy;
  selector: number;
  closeness: SelectorPriority;
}

/**
 * The policy for an unclaimed template: among PropagationPolicies in its namespace, else among
 * ClusterPropagationPolicies, the one with the highest spec.priority, then with the closest selector, then with the
 * first name. Policies that are being deleted claim nothing new.
 */
export function matchingPolicy(
  template: KubernetesObject,
  policies: Iterable<PropagationPolicy>,
): PolicyMatch | undefined {
  const namespaced: Candidate[] = [];
  const clusterWide: Candidate[] = [];
  for (const policy of policies) {
    if (policy.metadata.deletionTimestamp) continue;
    const isClusterWide = policyKind(policy) === 'ClusterPropagationPolicy';
    if (!isClusterWide && !sameNamespace(policy, template)) continue;
    const closest = highestPrioritySelector(template, policy.spec.resourceSelectors);
    if (!closest) continue;
    const candidate = { policy, selector: closest.index, closeness: closest.priority };
    (isClusterWide ? clusterWide : namespaced).push(candidate);
  }
  const candidates = namespaced.length > 0 ? namespaced : clusterWide;
  const [best, ...others] = candidates.sort(byPrecedence);
  if (!best) return undefined;
  return { policy: best.policy, evidence: [matchEvidence(best), ...precedenceEvidence(best, others)] };
}

function sameNamespace(policy: PropagationPolicy, { metadata }: KubernetesObject): boolean {
  return !!metadata.namespace && policy.metadata.namespace === metadata.namespace;
}

function byPrecedence(a: Candidate, b: Candidate): number {
  const byPriority = explicitPriority(b.policy) - explicitPriority(a.policy);
  if (byPriority !== 0) return byPriority;
  const byCloseness = compareSelectorPriority(b.closeness, a.closeness);
  if (byCloseness !== 0) return byCloseness;
  return a.policy.metadata.name < b.policy.metadata.name ? -1 : 1;
}

const closenessRules: Record<SelectorPriority, string> = {
  name: 'the policy selects the resource by name',
  labels: 'the policy selects the resource by labels',
  kind: 'the policy selects all resources of the kind',
};

function matchEvidence({ policy, selector, closeness }: Candidate): Evidence {
  return {
    rule: closenessRules[closeness],
    object: policyIdentity(policy),
    field: `spec.resourceSelectors[${selector}]`,
    value: policy.spec.resourceSelectors?.[selector],
  };
}

function precedenceEvidence(best: Candidate, [next]: Candidate[]): Evidence[] {
  if (!next) return [];
  const object = policyIdentity(best.policy);
  const over = `${policyKind(next.policy)} ${next.policy.metadata.name}`;
  if (explicitPriority(best.policy) !== explicitPriority(next.policy))
    return [
      {
        rule: `higher priority than ${over}`,
        object,
        field: 'spec.priority',
        value: explicitPriority(best.policy),
      },
    ];
  if (best.closeness !== next.closeness)
    return [{ rule: `selects by ${best.closeness}, ${over} only by ${next.closeness}`, object }];
  return [{ rule: `first by name, before ${over}`, object, field: 'metadata.name', value: object.name }];
}
