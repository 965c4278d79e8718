import type { Risk } from '../engine/drain/plan/drainPlan.ts';
import type { InputNames } from '../karmada/inputNames.ts';

/** What an answer calls what may be asked for next: who shows it names its own ways, the command line its flags. */
export interface ViewNames extends InputNames {
  /** something that happens, for a simulation */
  happenings: string;
  /** that taints of a deleted policy go, too */
  withTaints: string;
  /** what accepts a risk of a drain */
  accept: Record<Risk, string>;
  goOnWithDrain(cluster: string): string;
  takeDrainBack(cluster: string): string;
}
