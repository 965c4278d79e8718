import { servedGroups } from '../../state/live/servedGroups.ts';
import { snapshotText } from '../../state/snapshot.ts';
import type { World } from '../../engine/world.ts';
import type { Ports } from '../ports.ts';
import { readState } from '../state/openState.ts';
import type { StateRequest } from '../state/stateRequest.ts';

/** The state without secrets, as a snapshot with everything that our commands look at. Rejects as `readState` does. */
export async function takeSnapshot(
  source: StateRequest['source'],
  ports: Ports,
): Promise<{ text: Iterable<string>; world: World }> {
  const { state, server } = await readState({ source }, ports, { live: { templates: {} } });
  for (const warning of [...state.warnings, ...state.components.warnings]) ports.warn(warning);
  return { text: snapshotText(state, server && (await servedGroups(server))), world: state.world };
}
