import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { identityOf, objectKey, workloadIdentity, workloadOf } from '../../karmada/objects/identities.ts';
import { explicitPriority, policyIdentity, policyKind } from '../../karmada/objects/policies.ts';
import { preemptionReason } from '../../karmada/propagation/applyPolicyChange.ts';
import { highestPrioritySelector } from '../../karmada/propagation/resourceSelector.ts';
import { finishedFor } from '../../karmada/propagation/workloadRebalancer.ts';
import type { World } from '../../karmada/world.ts';
import { ownerOfPlacement } from './changes/change.ts';

/** An object meant to move a workload, without any effect. */
export interface WithoutEffect {
  object: ObjectIdentity;
  text: string;
  /** what would make it effective */
  fix: string;
}

/**
 * Objects meant to move a workload, without effect: finished rebalancers, and policies that may not preempt its present
 * one.
 */
export function withoutEffect(
  world: World,
  binding: ResourceBinding,
  configuration: Configuration,
): WithoutEffect[] {
  return [...finishedRebalancer(world, binding), ...idlePolicies(world, binding, configuration)];
}

/** The newest rebalancer that has completed for it. */
function finishedRebalancer({ others }: World, binding: ResourceBinding): WithoutEffect[] {
  const finished = others.flatMap((object) => {
    const at = finishedFor(object, workloadIdentity(binding));
    return at === undefined ? [] : [{ object, at }];
  });
  const [newest] = finished.sort((a, b) => (a.at < b.at ? 1 : -1));
  if (!newest) return [];
  const { name } = newest.object.metadata;
  return [
    {
      object: { kind: newest.object.kind, name },
      text: `WorkloadRebalancer ${name} finished at ${newest.at}: a finished one does not act again`,
      fix: 'create another one, under another name',
    },
  ];
}

/** Policies that select it, but that its present policy blocks. */
function idlePolicies(
  { others, policies }: World,
  binding: ResourceBinding,
  { featureGates }: Configuration,
): WithoutEffect[] {
  const key = objectKey(workloadOf(binding));
  const template = others.find((object) => objectKey(identityOf(object)) === key);
  const owner = ownerOfPlacement(binding);
  const known = new Map(policies.map((policy) => [objectKey(policyIdentity(policy)), policy]));
  const holder = known.get(objectKey(owner));
  if (!template || !holder) return [];
  const policy = (kind: string, namespace: string | undefined, name: string) =>
    known.get(objectKey({ kind, ...(namespace ? { namespace } : {}), name }));
  return policies.flatMap((one): WithoutEffect | [] => {
    const { metadata, spec } = one;
    if (one === holder || metadata.deletionTimestamp) return [];
    if (policyKind(one) === 'PropagationPolicy' && metadata.namespace !== binding.metadata.namespace)
      return [];
    if (!highestPrioritySelector(template, spec.resourceSelectors)) return [];
    const object = policyIdentity(one);
    const named = `${object.kind} ${metadata.name}`;
    if (spec.preemption === 'Always') {
      if (featureGates.PropagationPolicyPreemption || !preemptionReason({ policy }, template, one)) return [];
      return {
        object,
        text: `${named} would take it over (preemption Always), but feature gate PropagationPolicyPreemption is off`,
        fix: 'start karmada-controller-manager with --feature-gates=PropagationPolicyPreemption=true',
      };
    }
    if (explicitPriority(one) <= explicitPriority(holder) || policyKind(one) !== policyKind(holder))
      return [];
    return {
      object,
      text: `${named} has a higher priority, but does not preempt other policies: its preemption is Never`,
      fix: `set its spec.preemption to Always${featureGates.PropagationPolicyPreemption ? '' : ', and start karmada-controller-manager with --feature-gates=PropagationPolicyPreemption=true'}`,
    };
  });
}
