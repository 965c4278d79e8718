import type { Risk } from '../engine/drain/plan/drainPlan.ts';
import type { InputNames } from '../karmada/inputNames.ts';

/** The names that an answer uses for what may be given next; the command line names its flags. */
export interface ViewNames extends InputNames {
  /** events for a simulation */
  happenings: string;
  /** removes the taints of a deleted policy too */
  withTaints: string;
  /** what accepts a risk of a drain */
  accept: Record<Risk, string>;
  /** what to do with the name that accepts a risk, so that the drain takes it */
  override: (accept: string) => string;
  goOnWithDrain(cluster: string): string;
  takeDrainBack(cluster: string): string;
}
