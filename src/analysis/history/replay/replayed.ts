import type { Actor } from '../../../simulator/simulation/simulate.ts';
import type { Simulation } from '../../../simulator/simulation/simulation.ts';
import type { World } from '../../../karmada/world.ts';
import type { UntoldChange } from './outsideBindings.ts';

/** What a recording is held against. Times are epoch milliseconds. */
export interface Replayed {
  start: number;
  end: number;
  untold: readonly UntoldChange[];
  /**
   * Simulates from the first world; given n, in the nth of the other orders to try; undefined after the last one. An actor acts
   * beside Karmada's controllers.
   */
  play(order?: number, actor?: Actor): Simulation | undefined;
  /** the world as it was recorded, after all changes up to an instant */
  worldAt(instant: number): World;
  /** simulates from what was recorded at an instant, in one order after the other */
  playFrom(start: number, until: number): Iterable<Simulation>;
}
