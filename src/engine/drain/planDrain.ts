import type { Configuration } from '../../karmada/configuration.ts';
import type { MemberAssumptions } from '../simulation/scenario.ts';
import type { World } from '../world.ts';
import type { DrainOptions } from './drainOptions.ts';
import type { DrainPlan } from './drainPlan.ts';

export interface PlanDrainOptions {
  karmadaVersion: string;
  /** names of gates and flags whose values nobody has confirmed */
  unconfirmed?: ReadonlySet<string>;
  /** is told now and then which instant (epoch milliseconds) the simulation has come to */
  progress?: (now: number) => void;
  /** how long new replicas take to be ready (--ready-after) and where they never are; 30 s where absent */
  members?: MemberAssumptions;
}

/**
 * What draining the clusters would do, found by letting `decideDrain` act on the world in virtual time with Karmada's
 * controllers around it.
 *
 * @param now epoch milliseconds
 * @throws UnknownCluster where the world has no cluster of a name
 */
export function planDrain(
  _world: World,
  _options: DrainOptions,
  _configuration: Configuration,
  _now: number,
  _given: PlanDrainOptions,
): DrainPlan {
  throw new Error('not built yet');
}
