// A drain of 40 workloads after this many seconds, with a stopped clock, until Ctrl-C: node scripts/run-ts.mjs test/terminal/drain/still.ts
// [SECONDS]
import { plainStyle } from '../../../src/presentation/text/style.ts';
import { openDrainScreen } from '../../../src/terminal/drain/openDrainScreen.tsx';
import { unicodeCharacters } from '../../../src/terminal/screen/characters.ts';
import { eventsBetween, progressAfter } from '../../views/drain/scriptedDrain.ts';

const WORKLOADS = 40;
const [seconds = 50] = process.argv.slice(2).map(Number);
const instant = Date.now();
Date.now = () => instant;

const screen = await openDrainScreen({
  stdin: process.stdin,
  stdout: process.stdout,
  style: plainStyle,
  coloured: false,
  characters: unicodeCharacters,
  departure: 37_000,
  interrupt() {
    screen.close();
    process.exit();
  },
  hungUp: () => process.exit(),
});
for (let second = 0; second <= seconds; second++) {
  const now = progressAfter(second, WORKLOADS);
  const until = (one: (typeof now.workloads)[number]) =>
    one.phase === 'starting' || one.phase === 'stuck' ? { ...one, deadline: now.startedAt + 600_000 } : one;
  screen.show({ ...now, workloads: now.workloads.map(until) });
  for (const event of eventsBetween(progressAfter(second - 1, WORKLOADS), now)) screen.event(event);
}
