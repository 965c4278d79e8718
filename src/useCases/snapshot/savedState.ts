import type { World } from '../../karmada/world.ts';
import { savedStateText } from '../../state/snapshot/snapshot.ts';
import type { OpenedState } from '../state/openState.ts';

/**
 * The world at the end of a simulation (epoch milliseconds) as a snapshot, with the facts about Karmada's components
 * from its first state and its user, so that a simulation of the snapshot continues this one.
 */
export function savedState(
  { loaded, assumed }: Pick<OpenedState, 'loaded' | 'assumed'>,
  world: World,
  end: number,
): Iterable<string> {
  const { newestTimestamp: _, ...state } = loaded;
  const captured = { time: end, source: 'end of a simulation' };
  return savedStateText({ ...state, assumed, world, captured });
}
