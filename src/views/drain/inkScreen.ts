import { render, Static, Text } from 'ink';
import { createElement, Fragment } from 'react';
import { loadLayout } from '../../terminal/ink/yoga.ts';
import type { DrainProgress } from '../../engine/drain/drainEvent.ts';
import type { Style } from '../style.ts';
import { followPhases, type PhaseTimes } from './phaseTimes.ts';
import type { BarCharacters } from './progressBar.ts';
import { progressFrame } from './progressFrame.ts';
import type { Screen } from './screen.ts';

export interface ScreenOptions {
  stdout: NodeJS.WriteStream;
  style: Style;
  characters: BarCharacters;
  /** what `plannedDeparture` says of the plan */
  departure: number | undefined;
}

/** Milliseconds from one drawing to the next; time goes on where nothing else does. */
const INTERVAL = 250;

/**
 * A screen drawn with Ink: frames of text that replace one another, and lines that stay above them. It takes
 * nothing from the keyboard, so that Ctrl-C remains a signal.
 */
export async function openScreen({ stdout, style, characters, departure }: ScreenOptions): Promise<Screen> {
  await loadLayout();
  let newest: { progress: DrainProgress; at: number } | undefined;
  let times: PhaseTimes = new Map();
  let state: 'going' | 'stopping' | 'ended' = 'going';
  const log: string[] = [];

  const frame = () => {
    if (!newest) return [];
    const progress = { ...newest.progress, now: newest.progress.now + Date.now() - newest.at };
    const { columns = 80, rows = 24 } = stdout;
    return progressFrame(progress, times, departure, { columns, rows, style, characters, state });
  };
  const tree = () =>
    createElement(
      Fragment,
      null,
      createElement(Static<string>, {
        items: [...log],
        children: (line, index) => createElement(Text, { key: index }, line),
      }),
      createElement(Text, { wrap: 'truncate' }, frame().join('\n')),
    );

  const ink = render(tree(), { stdout, exitOnCtrlC: false, patchConsole: false });
  const draw = () => ink.rerender(tree());
  const timer = setInterval(draw, INTERVAL).unref();
  // before Ink draws the old frame on the new terminal
  stdout.prependListener('resize', draw);
  return {
    show(progress) {
      newest = { progress, at: Date.now() };
      times = followPhases(times, progress);
    },
    log(line) {
      log.push(line);
    },
    stopping() {
      state = 'stopping';
      draw();
    },
    async close() {
      if (state === 'ended') return;
      state = 'ended';
      clearInterval(timer);
      stdout.off('resize', draw);
      draw();
      ink.unmount();
      await ink.waitUntilExit();
    },
  };
}
