import type { StateFinding } from '../../analysis/findings/state/diagnose.ts';
import { provenRemedies } from '../../analysis/findings/state/provenRemedies.ts';
import { unverified } from '../../karmada/configuration/assumptions.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import { simulate } from '../../simulator/simulation/simulate.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import type { KnownState } from '../state/openState.ts';

/**
 * Findings with the remedies that simulations support.
 *
 * @param scenario what the question assumes; absent: that nothing happens
 */
export function withProvenRemedies<F extends StateFinding>(
  findings: readonly F[],
  { world, now, configuration, assumptions }: KnownState,
  scenario?: Pick<Scenario, 'members' | 'events'>,
): F[] {
  const { members, events: asked } = scenario ?? { members: usualMembers(world), events: [] };
  const options = { unverified: unverified(assumptions) };
  return provenRemedies(findings, {
    world,
    now,
    asked,
    play: (events) => simulate(world, { start: now, members, events }, configuration, options),
  });
}
