import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { pause } from '../../operations/pause.ts';
import { stoppedComponents } from '../../simulator/verdicts/stoppedComponents.ts';
import type { World } from '../../karmada/world.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { EVENTS } from '../../state/live/events.ts';
import { type OpenedState, worldAndWarning } from './openState.ts';
import { CHECKED_KINDS, LEADER_LEASES, STATE_KINDS } from '../../state/live/stateKinds.ts';

/** All kinds that answers depend on except Leases, which their owners renew all the time. */
export const FOLLOWED_KINDS: ReadonlySet<string> = new Set(
  STATE_KINDS.flatMap(({ kind, isHistory }) => (isHistory || kind === 'Lease' ? [] : [kind])),
);

/** The kinds that answers and checks read, and no controller follows. */
const RECURRING_KINDS: ReadonlySet<string> = new Set([
  ...[...STATE_KINDS, ...CHECKED_KINDS].flatMap(({ kind }) => (FOLLOWED_KINDS.has(kind) ? [] : [kind])),
  EVENTS.kind,
]);
const LEASES: ReadonlySet<string> = new Set([LEADER_LEASES.kind]);

/** Milliseconds between two reads of unfollowed kinds: a live leader's Lease looks stale after 2 minutes. */
const READ_EVERY = 60_000;

/** The objects of a live control plane that answers need, and that no controller follows. */
export interface UnfollowedObjects {
  /** the earlier world, with the objects as they were last read */
  world(): World;
  /**
   * Keeps reading until the signal aborts; if that fails, the earlier objects are used, except Leases. `onStopped` is
   * called when a component stops or runs again.
   */
  keepReading(signal: AbortSignal, onStopped?: () => void): Promise<void>;
}

/** @param checks whether to read what only checks need, too */
export function unfollowedObjects(
  server: ApiServer,
  earlier: World,
  { checks }: { checks: boolean },
): UnfollowedObjects {
  let world = earlier;
  async function read(): Promise<void> {
    try {
      const { stateFromControlPlane } = await import('../../state/live/liveSource.ts');
      const source = stateFromControlPlane(server, { detectVersion: false });
      const again = (await source.load({ kinds: RECURRING_KINDS, live: { checks } })).world;
      world = withReadOnce(again, checks ? RECURRING_KINDS : LEASES, world);
    } catch {
      // a Lease that cannot be read again would look stale
      world = { ...world, others: world.others.filter(({ kind }) => !LEASES.has(kind)) };
    }
  }
  const stopped = () => stoppedComponents(world, server.now()).map(({ component }) => component);
  return {
    world: () => world,
    async keepReading(signal, onStopped) {
      for (let before = stopped(); ; before = stopped()) {
        await pause(READ_EVERY, signal);
        if (!signal.aborted) await read();
        if (signal.aborted) return;
        if (!deepEqual(before, stopped())) onStopped?.();
      }
    },
  };
}

/** A followed world as commands read it: with the kinds read once, in the form of the version. */
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
function withReadOnce(followed: World, kinds: ReadonlySet<string>, earlier: World): World {
  const isReadOnce = ({ kind }: { kind: string }) => !kinds.has(kind);
  return {
    ...followed,
    others: [...earlier.others.filter(isReadOnce), ...followed.others],
    unread: [...(earlier.unread ?? []).filter(isReadOnce), ...(followed.unread ?? [])],
  };
}
