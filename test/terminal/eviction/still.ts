// `eviction inspect --watch` for examples/incident, with a stopped clock: node scripts/run-ts.mjs test/terminal/eviction/still.ts
import { plainStyle } from '../../../src/presentation/text/style.ts';
import { openEvictionScreen } from '../../../src/terminal/eviction/openEvictionScreen.tsx';
import { unicodeCharacters } from '../../../src/terminal/screen/characters.ts';
import { incident } from './incident.ts';

const { tasks, now, karmadaVersion } = await incident();
const screen = await openEvictionScreen({
  stdin: process.stdin,
  stdout: process.stdout,
  style: plainStyle,
  coloured: false,
  characters: unicodeCharacters,
  name: 'karmada',
  karmadaVersion,
  asked: '',
  now: () => now,
});
screen.changed(
  tasks.map((task) => ({ type: 'ADDED', task })),
  now - 60_000,
);
const [first, second] = tasks;
screen.changed([{ type: 'DELETED', task: first!, ended: 'let-go' }], now - 20_000);
screen.changed([{ type: 'MODIFIED', task: second! }], now - 10_000);
screen.silent(now - 12_000);
const exitCode = await screen.left;
screen.close();
process.exit(exitCode);
