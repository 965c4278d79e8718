import type { Place } from '../../../views/dashboard/place.ts';
import type { DashboardState } from '../state.ts';

/** What a key asks of the owner of the terminal. */
export type Effect =
  | { type: 'quit'; interrupted?: true }
  | { type: 'suspend' }
  | { type: 'redraw' }
  /** puts a text into the clipboard of the terminal */
  | { type: 'copy'; text: string }
  /** carries out the plan of an action, to which somebody has just said yes; stops an action */
  | { type: 'confirm' | 'stop'; place: Extract<Place, { view: 'action' }> }
  /** lets somebody edit the policy at a place */
  | { type: 'edit'; place: Place };

/** What a key makes of the state. */
export interface Reduced {
  state: DashboardState;
  effect?: Effect | undefined;
}
