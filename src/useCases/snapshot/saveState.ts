import type { World } from '../../engine/world.ts';
import { savedStateText } from '../../state/snapshot.ts';
import { UserError } from '../../cli/errors.ts';
import type { OpenedState } from '../state/openState.ts';
import { writeSnapshot } from './writeSnapshot.ts';

/**
 * Writes the world at the end of a simulation (epoch milliseconds) to a file that --state takes, with what the state that it began
 * with, and its user, say of Karmada's components.
 */
export async function saveState(
  file: string,
  { loaded, assumed }: Pick<OpenedState, 'loaded' | 'assumed'>,
  world: World,
  end: number,
): Promise<void> {
  if (file === '-') throw new UserError('--save-state -: name a file; the answer goes to stdout');
  const { newestTimestamp: _, ...state } = loaded;
  const captured = { time: end, source: 'end of a simulation' };
  await writeSnapshot(file, savedStateText({ ...state, assumed, world, captured }));
}
