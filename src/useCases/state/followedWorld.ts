import type { World } from '../../karmada/world.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { EVENTS } from '../../state/live/events.ts';
import { type OpenedState, worldAndWarning } from './openState.ts';
import { CHECKED_KINDS, STATE_KINDS } from '../../state/live/stateKinds.ts';

/** All kinds that answers depend on except Leases, which their owners renew all the time. */
export const FOLLOWED_KINDS: ReadonlySet<string> = new Set(
  STATE_KINDS.flatMap(({ kind, isHistory }) => (isHistory || kind === 'Lease' ? [] : [kind])),
);

/** The kinds that checks read, and no controller follows. */
export const RECURRING_KINDS: ReadonlySet<string> = new Set([
  ...[...STATE_KINDS, ...CHECKED_KINDS].flatMap(({ kind }) => (FOLLOWED_KINDS.has(kind) ? [] : [kind])),
  EVENTS.kind,
]);

/** The objects of a live control plane that checks read, and no controller follows. */
export async function readUnfollowed(server: ApiServer): Promise<World> {
  const { stateFromControlPlane } = await import('../../state/live/liveSource.ts');
  const source = stateFromControlPlane(server, { detectVersion: false });
  return (await source.load({ kinds: RECURRING_KINDS, live: { checks: true } })).world;
}

/** A followed world as commands read it: with what was read once, as the version sees it. */
export function followedWorld(
  followed: World,
  kinds: ReadonlySet<string>,
  {
    world: earlier,
    karmadaVersion,
    configuration,
  }: Pick<OpenedState, 'world' | 'karmadaVersion' | 'configuration'>,
): World {
  return worldAndWarning(withReadOnce(followed, kinds, earlier), karmadaVersion, configuration.rules).world;
}

/** A world with the kinds that are followed, plus the remaining kinds of an earlier one. */
export function withReadOnce(followed: World, kinds: ReadonlySet<string>, earlier: World): World {
  const isReadOnce = ({ kind }: { kind: string }) => !kinds.has(kind);
  return {
    ...followed,
    others: [...earlier.others.filter(isReadOnce), ...followed.others],
    unread: [...(earlier.unread ?? []).filter(isReadOnce), ...(followed.unread ?? [])],
  };
}
