import { unverified } from '../../karmada/configuration/assumptions.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import type { StageOptions } from '../../simulator/simulation/stage.ts';
import { createStartingWorld, type StartingWorld } from '../../simulator/store/startingWorld.ts';
import type { OpenedState } from '../state/openState.ts';

type Beginning = Pick<Scenario, 'start' | 'members'>;

/** Data shared by simulations of a state with the same start: its indexes, and the outcomes of unaffected objects. */
interface SharedStart extends Required<Pick<StageOptions, 'unverified'>> {
  starting: StartingWorld;
}

const kept = new WeakMap<OpenedState, { of: Beginning; shared: SharedStart }>();

/** Computed at the first call for a state or start. Throws InvalidQuantity for invalid quantities of a cluster. */
export function sharedStart(state: OpenedState, { start, members }: Beginning): SharedStart {
  const of = { start, members };
  const known = kept.get(state);
  if (known && deepEqual(known.of, of)) return known.shared;
  const { world, configuration, assumptions } = state;
  const starting = createStartingWorld(world, configuration, of);
  const shared = { starting, unverified: unverified(assumptions) };
  kept.set(state, { of, shared });
  return shared;
}
