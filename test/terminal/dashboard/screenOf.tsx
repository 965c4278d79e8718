import { DashboardScreen } from '../../../src/terminal/dashboard/DashboardScreen.tsx';
import type { DashboardState, DashboardView } from '../../../src/terminal/dashboard/state.ts';
import type { ScreenLine } from '../../../src/terminal/screen/screenLine.ts';
import { laidOut } from '../screen/laidOut.ts';

/** The screen of a dashboard. */
export function screenOf(state: DashboardState, view: DashboardView): ScreenLine[] {
  return laidOut(<DashboardScreen state={state} view={view} />, view);
}
