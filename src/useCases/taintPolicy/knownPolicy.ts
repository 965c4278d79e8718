import type { World } from '../../karmada/world.ts';
import { Problem } from '../problem.ts';

const KIND = /^clustertaintpolic(y|ies)(\.policy\.karmada\.io|\.v1alpha1\.policy\.karmada\.io)?(\/|$)/i;

/**
 * The name of a policy, given alone or as `-o name` and kubectl print it: clustertaintpolicy.policy.karmada.io/network.
 */
export function policyName(given: string): string {
  const name = given.replace(KIND, '');
  return name === '' ? given : name;
}

/** Arguments without the kind before them that kubectl needs: `clustertaintpolicy network`. */
export function withoutKind(given: readonly string[]): readonly string[] {
  const [first = '', ...names] = given;
  return names.length > 0 && !first.includes('/') && KIND.test(first) ? names : given;
}

/** Whether there is a policy of a name, in any form that `knownPolicy` takes. */
export function isPolicy(given: string, { taintPolicies }: Pick<World, 'taintPolicies'>): boolean {
  return taintPolicies.some(({ metadata }) => metadata.name === policyName(given));
}

/** The name of a policy of the world. Throws a Problem if there is none of that name. */
export function knownPolicy(given: string, { taintPolicies }: Pick<World, 'taintPolicies'>): string {
  const name = policyName(given);
  const known = taintPolicies.map(({ metadata }) => metadata.name).sort();
  if (known.includes(name)) return name;
  throw new Problem({ code: 'unknown-taint-policy', policy: name, known });
}
