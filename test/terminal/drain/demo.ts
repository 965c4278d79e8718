// Plays a scripted drain on this terminal: node scripts/run-ts.mjs test/terminal/drain/demo.ts [WORKLOADS] [SPEED] [SECONDS]
import { openDrainScreen } from '../../../src/terminal/drain/openDrainScreen.tsx';
import { eventLine, isRemarkable } from '../../../src/views/drain/events.ts';
import { unicodeCharacters } from '../../../src/terminal/screen/characters.ts';
import { wordsText } from '../../../src/presentation/text/renderText.ts';
import { colourStyle } from '../../../src/presentation/text/style.ts';
import {
  eventsBetween,
  normalPace,
  pausedPace,
  progressAfter,
  START,
} from '../../views/drain/scriptedDrain.ts';

const [workloads = 214, speed = 1, seconds = Infinity] = process.argv.slice(2).map(Number);
const screen = await openDrainScreen({
  stdin: process.stdin,
  stdout: process.stdout,
  style: colourStyle,
  coloured: true,
  characters: unicodeCharacters,
  departure: 37_000,
  interrupt: () => process.exit(130),
  hungUp: () => process.exit(129),
});
let before = progressAfter(-1, workloads);
for (let second = 0; second < seconds; second++) {
  const paused = second % 100 > 60 && second % 100 < 75;
  const now = progressAfter(second, workloads, paused ? pausedPace : normalPace);
  for (const event of eventsBetween(before, now)) {
    screen.event(event);
    if (isRemarkable(event)) screen.keep(wordsText(eventLine(event, START), colourStyle));
  }
  screen.show({ ...now, ...(paused && second % 100 > 70 ? { staleSince: now.now - 8000 } : {}) });
  before = now;
  if (now.workloads.every(({ phase }) => ['gone', 'skipped', 'stuck'].includes(phase))) break;
  await new Promise((resolve) => setTimeout(resolve, 1000 / speed));
}
screen.close();
process.exit();
