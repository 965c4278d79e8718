import { writeSync } from 'node:fs';
import type { DrainEvent, DrainProgress } from '../../analysis/drain/decide/drainStep.ts';
import { lineText } from '../../presentation/text/renderText.ts';
import { followPhases, type PhaseTimes } from '../../views/drain/phases.ts';
import { withEvent, withMessage, type DrainCause } from '../../views/screen/drainCauses.ts';
import { isYes } from '../confirm.ts';
import { browse, type BrowseEffect, firstBrowsing, textsOfShown } from '../screen/browse/browsing.ts';
import { BrowseScreen } from '../screen/browse/BrowseScreen.tsx';
import { Row } from '../screen/Row.tsx';
import type { Characters } from '../screen/characters.ts';
import type { Key } from '../screen/keys.ts';
import { partsOf, type ScreenSize } from '../screen/screenLine.ts';
import { openTerminalScreen, type ScreenTerminal } from '../screen/terminalScreen.tsx';
import { drainHead, type DrainView } from './drainHead.ts';
import { DRAIN_SECTIONS, drainScreen } from './drainScreen.ts';

interface DrainScreenOptions extends ScreenTerminal {
  characters: Characters;
  /** the result of `plannedDeparture` for the plan */
  departure: number | undefined;
  timeoutAssumed?: DrainView['timeoutAssumed'];
  /** stops the drain after the current write, the second time at once */
  interrupt(): void;
  /** called when the terminal is gone */
  hungUp(): void;
}

export interface OpenDrainScreen {
  /** draws this state soon; states in quick succession may be skipped */
  show(progress: DrainProgress): void;
  event(event: DrainEvent): void;
  /** a message that is not about the drain, such as a warning of the server */
  said(text: string): void;
  /** a line that stays on the terminal after the screen */
  keep(line: string): void;
  stopping(): void;
  /** restores the terminal, with the kept lines and the latest figures on it */
  close(): void;
}

/** Milliseconds between two frames if only time passes. */
const TICK = 1000;

/** Takes the terminal for a drain; its times keep counting between two states. */
export async function openDrainScreen(options: DrainScreenOptions): Promise<OpenDrainScreen> {
  const { stdout, style, characters, departure, timeoutAssumed } = options;
  let newest: { progress: DrainProgress; at: number } | undefined;
  let times: PhaseTimes = new Map();
  let causes: readonly DrainCause[] = [];
  let phase: DrainView['state'] = 'going';
  let state = firstBrowsing(DRAIN_SECTIONS.length);
  const kept: string[] = [];

  function view(): Omit<DrainView, 'columns'> | undefined {
    if (!newest) return undefined;
    const now = newest.progress.now + Date.now() - newest.at;
    return {
      progress: { ...newest.progress, now },
      times,
      departure,
      characters,
      timeoutAssumed,
      state: phase,
    };
  }
  const browsed = (size: ScreenSize) => {
    const shown = view();
    return shown && drainScreen(shown, causes, size);
  };
  const screen = await openTerminalScreen({
    ...options,
    onHangUp: () => options.hungUp(),
    screen(size) {
      const shown = browsed(size);
      return shown ? <BrowseScreen state={state} view={shown} /> : <Row line={['Reading...']} />;
    },
    *ahead() {
      const shown = browsed(screen.size());
      if (shown) yield* textsOfShown(state, shown);
    },
    press,
  });

  function obey(effect: BrowseEffect): void {
    switch (effect.type) {
      case 'interrupt':
        return options.interrupt();
      case 'answered':
        return isYes(effect.text) && phase === 'going' ? options.interrupt() : undefined;
      case 'quit':
        return ask();
      case 'key':
        return effect.text === 's' ? ask() : undefined;
      case 'suspend':
        return screen.suspend();
      case 'redraw':
        return screen.redraw();
    }
  }
  function ask(): void {
    state =
      phase === 'going'
        ? { ...state, input: { purpose: 'answer', text: '' } }
        : { ...state, note: 'It stops after the current write; Ctrl-C ends at once.' };
  }
  function press(keys: readonly Key[]): void {
    for (const key of keys) {
      const shown = browsed(screen.size());
      if (!shown) {
        if ('name' in key && key.name === 'interrupt') options.interrupt();
        continue;
      }
      const reduced = browse(state, key, shown);
      ({ state } = reduced);
      if (reduced.effect) obey(reduced.effect);
    }
    screen.draw();
  }

  /** The lines that stay on the terminal: those that a user may look for later, and the last figures. */
  function remains(): string {
    const shown = view();
    const { columns } = screen.size();
    const head = shown
      ? drainHead({ ...shown, columns }).map((row) => lineText(partsOf(row).line, style))
      : [];
    return [...kept, ...head].map((line) => `${line}\n`).join('');
  }
  let closed = false;
  function close(write: (text: string) => void): void {
    if (closed) return;
    closed = true;
    phase = 'ended';
    clearInterval(tick);
    process.off('exit', atExit).off('uncaughtException', atExit);
    screen.close();
    write(remains());
  }
  const atExit = () =>
    close((text) => {
      try {
        writeSync(stdout.fd, text);
      } catch {
        // the terminal is gone
      }
    });
  const tick = setInterval(screen.draw, TICK);
  process.on('exit', atExit).prependListener('uncaughtException', atExit);
  screen.draw();
  return {
    show(progress) {
      newest = { progress, at: Date.now() };
      times = followPhases(times, progress);
      screen.drawSoon();
    },
    event(event) {
      causes = withEvent(causes, event, newest?.progress.startedAt ?? event.time);
      screen.drawSoon();
    },
    said(text) {
      kept.push(text);
      causes = withMessage(causes, text, view()?.progress.now ?? Date.now());
      screen.drawSoon();
    },
    keep: (line) => void kept.push(line),
    stopping() {
      phase = 'stopping';
      state = { ...state, input: undefined };
      screen.draw();
    },
    close: () => close((text) => void stdout.write(text)),
  };
}
