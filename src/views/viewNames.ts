import type { Risk } from '../analysis/drain/plan/drainPlan.ts';
import type { InputNames } from '../karmada/configuration/inputNames.ts';

/** The names that an answer uses for inputs that may follow; the command line gives its flags. */
export interface ViewNames extends InputNames {
  /** events for a simulation */
  happenings: string;
  /** removes the taints of a deleted policy too */
  withTaints: string;
  /** what accepts a risk of a drain */
  accept: Record<Risk, string>;
  /** says how to use the name that accepts a risk */
  override: (accept: string) => string;
  goOnWithDrain(cluster: string): string;
  takeDrainBack(cluster: string): string;
}
