import { servedGroups } from '../../state/live/served/servedGroups.ts';
import { snapshotText } from '../../state/snapshot/snapshot.ts';
import type { World } from '../../karmada/world.ts';
import type { Ports } from '../ports.ts';
import { Problem } from '../problem.ts';
import { readState } from '../state/openState.ts';
import type { StateRequest } from '../state/stateRequest.ts';

/**
 * The state without secrets, as a snapshot with everything that our commands read; of a recording, the requested
 * moment or the end. Rejects with a Problem if a moment of another source is requested, else as `readState` does.
 */
export async function takeSnapshot(
  { source, at }: Pick<StateRequest, 'source' | 'at'>,
  ports: Ports,
): Promise<{ text: Iterable<string>; world: World }> {
  const { state, server } = await readState({ source }, ports, {
    live: { templates: {}, checks: true },
    at: at?.time,
  });
  const { recorded } = state;
  if (at && !recorded) throw new Problem({ code: 'moment-of-no-recording', given: at.text });
  for (const warning of [...state.warnings, ...state.components.warnings]) ports.warn(warning);
  const captured = recorded && { time: at?.time ?? recorded.to, source: 'a moment of a recording' };
  return {
    text: snapshotText({ ...state, ...(captured && { captured }) }, server && (await servedGroups(server))),
    world: state.world,
  };
}
