import { wordsText } from '../../../src/presentation/text/renderText.ts';
import { colourStyle } from '../../../src/presentation/text/style.ts';
import { unicodeCharacters } from '../../../src/terminal/screen/characters.ts';
import type { DrainEvent, DrainProgress } from '../../../src/analysis/drain/decide/drainStep.ts';
import { eventLine } from '../../../src/views/drain/events.ts';
import {
  eventsBetween,
  normalPace,
  pausedPace,
  progressAfter,
  START,
} from '../../views/drain/scriptedDrain.ts';
import { fakeTerminal } from '../../terminal/screen/fakeTerminal.ts';
import { secretTexts } from '../canaries.ts';
import { hostileText, withTextsIn } from '../hostile.ts';
import { Lifetime } from '../lifetime.ts';
import { problemOf } from '../judge.ts';
import type { Json, Manifest } from '../world.ts';
import type { Make } from './fuzzCase.ts';

/** Properties that decide how a screen is drawn, and are never foreign text. */
const OWN = new Set(['phase', 'mode', 'cause', 'type']);

/** The screen of a drain, with hostile text or secrets in its content. */
export const screen: Make = (random) => {
  const seconds = random.below(120);
  const progress = progressAfter(seconds, 1 + random.below(30), random.of([normalPace, pausedPace]));
  const events = eventsBetween(progressAfter(Math.max(-1, seconds - 3), progress.workloads.length), progress);
  const [columns, rows] = [random.of([20, 40, 80, 200]), random.of([5, 24, 60])];
  const textOf = () => (random.next() < 0.6 ? hostileText(random) : random.of(secretTexts));
  const [input] = withTextsIn([{ progress, events } as unknown as Manifest], random, textOf, OWN);
  return {
    kind: 'screen of a drain',
    input: input as Json,
    given: `${columns} columns, ${rows} rows`,
    async run(changed) {
      const { openDrainScreen } = await import('../../../src/terminal/drain/openDrainScreen.tsx');
      const terminal = fakeTerminal({ columns, rows });
      const shown = changed as unknown as { progress: DrainProgress; events: DrainEvent[] };
      const life = new Lifetime();
      const drawn = life.run(async () => {
        const none = () => undefined;
        const open = await openDrainScreen({
          ...terminal,
          style: colourStyle,
          coloured: true,
          characters: unicodeCharacters,
          departure: 37_000,
          interrupt: none,
          hungUp: none,
        });
        for (const event of shown.events) {
          open.event(event);
          open.keep(wordsText(eventLine(event, START), colourStyle));
        }
        open.show(shown.progress);
        open.stopping();
        // a workload in full, events, each time of one
        for (const keys of ['\r', '\t', '\t', '\r']) terminal.stdin.emit('data', keys);
        open.close();
      });
      await drawn.finally(() => (life.hasEnded = true));
      const output = { code: 0, stdout: terminal.written(), stderr: '' };
      const given = JSON.stringify(changed);
      return problemOf(output, { given, isTerminal: true, isRaw: false, isScreen: true, written: [] });
    },
  };
};
