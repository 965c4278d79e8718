import type { ClusterAffinity, Placement, PropagationPolicy } from '../../../karmada/api/policy.ts';
import { policyIdentity } from '../../../karmada/objects/policies.ts';
import type { Severity } from '../finding.ts';
import { edit, findingIn } from './about.ts';
import type { Examined } from './examined.ts';
import type { Diagnosed } from './stateCheck.ts';

/** The affinities of a placement, each with its field. */
export function affinitiesOf(placement: Placement): { affinity: ClusterAffinity; field: string }[] {
  const groups = placement.clusterAffinities ?? [];
  if (groups.length > 0)
    return groups.map((affinity, at) => ({ affinity, field: `spec.placement.clusterAffinities[${at}]` }));
  return placement.clusterAffinity
    ? [{ affinity: placement.clusterAffinity, field: 'spec.placement.clusterAffinity' }]
    : [];
}

interface PolicyMatch {
  text: string;
  field: string;
  value: unknown;
  severity?: Severity;
}

/** A finding for each policy that matches, with the field. */
export function policyFindings(
  seen: Examined,
  find: (policy: PropagationPolicy) => PolicyMatch | PolicyMatch[],
  fix: string,
): Diagnosed[] {
  return seen.world.policies.flatMap((policy) => {
    if (policy.metadata.deletionTimestamp) return [];
    const object = policyIdentity(policy);
    return [find(policy)]
      .flat()
      .map(({ text, severity, ...shown }) =>
        findingIn(
          object,
          (name) => `${name}: ${text}`,
          { rule: text, ...shown },
          edit(fix, object),
          severity,
        ),
      );
  });
}

/** The clusters that an affinity names; undefined if other clusters may match too. */
export function namesOf({ clusterNames = [], exclude = [] }: ClusterAffinity): string[] | undefined {
  return clusterNames.length === 0
    ? undefined
    : [...new Set(clusterNames)].filter((name) => !exclude.includes(name));
}
