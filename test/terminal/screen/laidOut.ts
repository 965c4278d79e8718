import type { ReactNode } from 'react';
import { openLayout } from '../../../src/terminal/screen/layout.tsx';
import type { ScreenLine, ScreenSize } from '../../../src/terminal/screen/screenLine.ts';

const layout = openLayout();

/** A screen as Ink lays it out. */
export function laidOut(screen: ReactNode, size: ScreenSize): ScreenLine[] {
  return layout.lines(screen, size);
}
