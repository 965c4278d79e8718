import type { Cure } from '../../analysis/findings/state/diagnose.ts';
import { createRemedyTrials } from '../../analysis/findings/state/provenRemedies.ts';
import { unverified } from '../../karmada/configuration/assumptions.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import { simulate } from '../../simulator/simulation/simulate.ts';
import type { Simulation } from '../../simulator/simulation/simulation.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import type { KnownState } from '../state/openState.ts';

interface RemedyTrialsOptions {
  /** the assumed scenario; absent: no events */
  scenario?: Pick<Scenario, 'members' | 'events'>;
  /** the simulation of that scenario; absent: it is simulated when needed */
  answered?: Simulation;
  /** whether to simulate every remedy, however many bindings there are */
  isUnlimited?: boolean;
}

/** Tries remedies for a state by simulation, each when it is needed. */
export function remedyTrials(
  { world, now, configuration, assumptions }: KnownState,
  { scenario, ...others }: RemedyTrialsOptions = {},
): Cure {
  const { members, events: asked } = scenario ?? { members: usualMembers(world), events: [] };
  const options = { unverified: unverified(assumptions) };
  return createRemedyTrials({
    ...others,
    world,
    configuration,
    now,
    asked,
    play: (events) => simulate(world, { start: now, members, events: [...events] }, configuration, options),
  });
}
