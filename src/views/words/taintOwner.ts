import type { TaintOwnership } from '../../karmada/taints/taintOwnership.ts';

/** The owner of a taint, in words. */
export function ownerText({
  owner,
  policies = [],
}: Pick<TaintOwnership, 'owner'> & { policies?: string[] }): string {
  switch (owner) {
    case 'cluster-controller':
      return 'Karmada itself';
    case 'policy':
      return `${policies.length === 1 ? 'policy' : 'policies'} ${policies.join(', ')}`;
    case 'cordon':
      return 'cordon';
    case 'drain':
      return 'a drain';
    case 'person':
      return 'a person';
    case 'unknown':
      return 'a person, or a policy that was edited or deleted';
  }
}
