import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { bindingKey } from '../../../karmada/objects/identities.ts';
import type { Actor } from '../../../simulator/simulation/simulate.ts';
import type { Moment } from './decidingFacts.ts';

/** What a simulation knew of some workloads at the instants that matter to them. */
export interface KeptMoments {
  /** keeps them, in a simulation that it acts in */
  actor: Actor;
  /** just before an instant (epoch milliseconds) of those that are kept */
  before(binding: string, at: number): Moment;
}

/** Keeps what is known of workloads just before instants (epoch milliseconds) by binding; of other instants, nothing is known. */
export function keptMoments(
  instants: ReadonlyMap<string, Iterable<number>>,
  bindings: ReadonlyMap<string, ResourceBinding>,
): KeptMoments {
  const kept = new Map<string, Moment>();
  return {
    actor: {
      follow: ({ time }) => {
        for (const [binding, own] of instants) {
          const key = bindingKey(bindings.get(binding)!);
          for (const at of new Set(own))
            time.plan(at, () =>
              kept.set(`${binding} ${at}`, {
                binding: time.view.get('Binding', key),
                clusters: [...time.view.all('Cluster')],
              }),
            );
        }
      },
    },
    before: (binding, at) => kept.get(`${binding} ${at}`) ?? { binding: undefined, clusters: [] },
  };
}
