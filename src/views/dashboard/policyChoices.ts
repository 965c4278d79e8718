import type { World } from '../../engine/world.ts';
import { faint } from '../../presentation/words.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import { listed } from '../listed.ts';
import type { Choice } from './answered.ts';

/** The ClusterTaintPolicies of a world with the taints that they add; each opens the object. */
export function policyChoices({ taintPolicies }: Pick<World, 'taintPolicies'>): Choice[] {
  return taintPolicies
    .map(({ metadata: { name }, spec }): Choice => {
      const taints = (spec.taints ?? []).map(formatTaint);
      return {
        key: name,
        words: [name, faint(`   ${taints.length === 0 ? 'no taints' : listed(taints, 3)}`)],
        opens: { view: 'object', object: { kind: 'ClusterTaintPolicy', name } },
      };
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
