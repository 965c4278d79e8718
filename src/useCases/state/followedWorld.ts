import type { World } from '../../karmada/world.ts';
import { STATE_KINDS } from '../../state/live/stateKinds.ts';

/** All kinds that answers depend on except Leases, which their owners renew all the time. */
export const FOLLOWED_KINDS: ReadonlySet<string> = new Set(
  STATE_KINDS.flatMap(({ kind, isHistory }) => (isHistory || kind === 'Lease' ? [] : [kind])),
);

/** A world with the kinds that are followed, plus the remaining kinds of an earlier one. */
export function withReadOnce(followed: World, kinds: ReadonlySet<string>, earlier: World): World {
  const isReadOnce = ({ kind }: { kind: string }) => !kinds.has(kind);
  return {
    ...followed,
    others: [...earlier.others.filter(isReadOnce), ...followed.others],
    unread: [...(earlier.unread ?? []).filter(isReadOnce), ...(followed.unread ?? [])],
  };
}
