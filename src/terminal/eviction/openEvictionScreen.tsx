import type { EvictionTaskChange } from '../../analysis/explanation/tasks/evictionTaskChanges.ts';
import type { QueueStatus } from '../../analysis/explanation/waitingEvictions.ts';
import { EXIT_INTERRUPTED } from '../interrupt.ts';
import { browse, firstBrowsing, textsOfShown } from '../screen/browse/browsing.ts';
import { BrowseScreen } from '../screen/browse/BrowseScreen.tsx';
import type { Characters } from '../screen/characters.ts';
import type { Key } from '../screen/keys.ts';
import type { ScreenSize } from '../screen/screenLine.ts';
import { openTerminalScreen, type ScreenTerminal } from '../screen/terminalScreen.tsx';
import { evictionScreen, SECTIONS, type WatchedPlane } from './evictionScreen.ts';
import { NOTHING_WATCHED, withChanges, withWarning } from './watchedTasks.ts';

interface EvictionScreenOptions extends ScreenTerminal, WatchedPlane {
  characters: Characters;
  /** the server's clock, epoch milliseconds */
  now(): number;
}

export interface EvictionScreen {
  changed(changes: readonly EvictionTaskChange[], now: number): void;
  queue(standing: QueueStatus): void;
  /** when the server fell silent; undefined: it responds again */
  silent(since: number | undefined): void;
  warn(text: string): void;
  /** resolves with an exit code once the user quits */
  left: Promise<number>;
  close(): void;
}

/** Milliseconds between two frames if only time passes. */
const TICK = 1000;

/** Takes the terminal, and shows what it receives until it is closed. */
export async function openEvictionScreen(options: EvictionScreenOptions): Promise<EvictionScreen> {
  let known = NOTHING_WATCHED;
  let state = firstBrowsing(SECTIONS.length);
  let leave: (exitCode: number) => void = () => undefined;
  const left = new Promise<number>((resolve) => (leave = resolve));
  const view = (size: ScreenSize) => evictionScreen(known, options, size, options.now(), options.characters);
  const screen = await openTerminalScreen({
    ...options,
    onEnd: (exitCode) => leave(exitCode),
    screen: (size) => <BrowseScreen state={state} view={view(size)} />,
    ahead: () => textsOfShown(state, view(screen.size())),
    press,
  });

  function press(keys: readonly Key[]): void {
    for (const key of keys) {
      const reduced = browse(state, key, view(screen.size()));
      ({ state } = reduced);
      switch (reduced.effect?.type) {
        case 'quit':
          return leave(0);
        case 'interrupt':
          return leave(EXIT_INTERRUPTED);
        case 'suspend':
          screen.suspend();
          break;
        case 'redraw':
          screen.redraw();
          break;
      }
    }
    screen.draw();
  }
  const tick = setInterval(screen.draw, TICK);
  screen.draw();
  return {
    changed(changes, now) {
      known = withChanges(known, changes, now);
      screen.drawSoon();
    },
    queue(queue) {
      known = { ...known, queue };
      screen.drawSoon();
    },
    silent(staleSince) {
      known = { ...known, staleSince };
      screen.drawSoon();
    },
    warn(text) {
      known = withWarning(known, text);
      screen.drawSoon();
    },
    left,
    close() {
      clearInterval(tick);
      screen.close();
    },
  };
}
