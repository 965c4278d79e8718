// npm run screens: the dashboard as a person sees it, in tmux at three sizes, with keys typed, against the screens kept beside this file.
// npm run screens -- --update writes them anew. Needs tmux; the last line is "N passed, N failed".
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const SIZES = ['60x15', '80x24', '120x40', '200x60'];
const COMMANDS: Record<string, string> = {
  shop: 'dashboard --state examples/shop',
  incident: 'dashboard --state examples/incident',
  simulation:
    'failover simulate --interactive --state examples/shop --fail frankfurt@5m --taint dublin:maintenance:NoExecute',
};
/** What is looked at: the command, and the keys as tmux names them. */
const VIEWS: readonly (readonly [name: string, command: string, keys: readonly string[]])[] = [
  ['clusters', 'incident', []],
  ['evictions', 'incident', [':', 'e', 'Enter']],
  ['workloads', 'shop', ['Tab', 'Tab']],
  ['events', 'incident', [':', 'e', 'v', 'e', 'Enter']],
  [
    'explanation',
    'shop',
    ['/', 'f', 'r', 'a', 'n', 'k', 'Enter', 'Enter', '/', 'l', 'e', 'd', 'Enter', 'Enter'],
  ],
  ['object', 'incident', ['j', 'y']],
  ['what-if', 'simulation', []],
  ['help', 'shop', ['?']],
];

const update = process.argv.includes('--update');
let looks = 0;
let server = '';
const root = process.cwd();
const goldens = join(root, 'test/terminal/dashboard/screens');

/** Starts a command in a shell of a size, which shows afterwards what the terminal was left like. */
function start(command: string, size: string): void {
  server = `screens-${process.pid}-${++looks}`;
  const [columns, rows] = size.split('x') as [string, string];
  const words = `node bin/kubectl-karmada_failover.js ${command}`;
  const line = `cd ${root}; export LC_ALL=C.UTF-8; echo before; ${words}; echo "left with $?"; stty -a | grep -o ' icanon'; sleep 60`;
  tmux('new-session', '-d', '-s', 's', '-x', columns, '-y', rows, line);
}

function tmux(...argv: string[]): string {
  return execFileSync('tmux', ['-L', server, '-f', '/dev/null', ...argv], { encoding: 'utf8' });
}

const capture = () => tmux('capture-pane', '-p', '-t', 's');
const isSettled = (screen: string) =>
  screen.includes('q quit') && !/computing|forecast \d|Looking…|reading…|Reading…/.test(screen);

/** The screen once it says all that it is going to say. */
async function settled(shown = ''): Promise<string> {
  let before = '';
  for (let look = 0; look < 300; look++) {
    await pause(100);
    const now = capture();
    if (now === before && isSettled(now) && now.includes(shown)) return now;
    before = now;
  }
  throw new Error(`it does not come to rest${shown && ` with "${shown}"`}:\n${before}`);
}

function type(key: string): Promise<void> {
  tmux('send-keys', '-t', 's', key);
  return pause(50);
}

/** The screen after these keys, and what the terminal was left like. */
async function look(
  command: string,
  size: string,
  keys: readonly string[],
): Promise<{ screen: string; after: string }> {
  start(COMMANDS[command]!, size);
  try {
    await settled();
    for (const key of keys) await type(key);
    const screen = await settled();
    tmux('send-keys', '-t', 's', 'q');
    for (let wait = 0; wait < 50 && !capture().includes('icanon'); wait++) await pause(100);
    return { screen, after: capture().trim() };
  } finally {
    spawnSync('tmux', ['-L', server, 'kill-server']);
  }
}

let passed = 0;
let failed = 0;
function judge(name: string, holds: boolean, said: string): void {
  if (holds) passed++;
  else {
    failed++;
    console.log(`✗ ${name}\n${said}`);
  }
}

mkdirSync(goldens, { recursive: true });
for (const [name, command, keys] of VIEWS)
  for (const size of SIZES) {
    const title = `${name}-${size}`;
    try {
      const { screen, after } = await look(command, size, keys);
      const text = `${screen
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .trimEnd()}\n`;
      const file = join(goldens, `${title}.txt`);
      if (update) writeFileSync(file, text);
      const golden = existsSync(file) ? readFileSync(file, 'utf8') : '';
      judge(title, text === golden, `expected:\n${golden}\nseen:\n${text}`);
      judge(`${title}, left`, after === 'before\nleft with 0\n icanon', after);
    } catch (error) {
      judge(title, false, String(error));
    }
  }

/** The steps of docs/tutorial.md on the dashboard: keys, and what the screen then shows. */
function tutorialSteps(): { keys: string[]; shown: string }[] {
  const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');
  const [, section = ''] = /^## On one screen$([^]*?)^## /m.exec(page) ?? [];
  return section.split('\n').flatMap((line) => {
    const [, keys, shown = ''] = /^\| (`[^|]+`) \| `([^|]+)` \|/.exec(line) ?? [];
    if (keys === undefined) return [];
    const named = [...keys.matchAll(/`([^`]+)`/g)].map(([, key]) => key!);
    return [{ keys: named.flatMap((key) => (/^[/:]/.test(key) ? [...key] : [key])), shown }];
  });
}

const steps = tutorialSteps();
judge('the tutorial has keys to type', steps.length > 5, String(steps.length));
start(COMMANDS.shop!, '120x40');
try {
  await settled();
  for (const { keys, shown } of steps) {
    for (const key of keys) await type(key);
    await settled(shown);
    judge(`the tutorial's ${keys.join(' ')}`, true, '');
  }
} catch (error) {
  judge('the tutorial', false, String(error));
} finally {
  spawnSync('tmux', ['-L', server, 'kill-server']);
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
