// npm run screens: the dashboard, a drain and watched evictions as a user sees them, in tmux at several sizes, with typed keys, compared
// with the screens stored in the folders "screens" next to their tests. npm run screens -- --update writes them again, with command names
// below only theirs. Needs tmux; the last line is "N passed, N failed".
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isExecutable, program } from '../../../program.ts';

const SIZES = ['60x15', '80x24', '120x40', '200x60'];
const PROGRAM = program().flat().join(' ');
const compiled = mkdtempSync(join(tmpdir(), 'screens-'));
process.once('exit', () => rmSync(compiled, { recursive: true }));

/** How an entry point of the tests is started: on Node, or compiled like the executable under test. */
function entry(file: string): string {
  if (!isExecutable()) return `node scripts/run-ts.mjs ${file}`;
  const executable = join(compiled, file.replaceAll('/', '-'));
  execFileSync('node', ['scripts/dist/compileEntry.mjs', file, executable]);
  return executable;
}

const COMMANDS: Record<string, string> = {
  shop: `${PROGRAM} dashboard --state examples/shop`,
  incident: `${PROGRAM} dashboard --state examples/incident`,
  simulation: `${PROGRAM} failover simulate --interactive --state examples/shop --fail frankfurt@5m --taint dublin:maintenance:NoExecute`,
  drain: entry('test/terminal/drain/still.ts'),
  watch: entry('test/terminal/eviction/still.ts'),
};
/** Where a command's screens are stored, if it is not the dashboard, and the key that leaves it. */
const ELSEWHERE: Record<string, { folder: string; leave: string }> = {
  drain: { folder: 'test/terminal/drain/screens', leave: 'C-c' },
  watch: { folder: 'test/terminal/eviction/screens', leave: 'q' },
};
/** What is tested: the command, and the keys by tmux' names. */
const VIEWS: readonly (readonly [name: string, command: string, keys: readonly string[]])[] = [
  ['clusters', 'incident', []],
  ['evictions', 'incident', [':', 'e', 'Enter']],
  ['workloads', 'shop', [':', 'w', 'Enter']],
  ['next-list', 'incident', ['Tab', 'j']],
  ['audit', 'shop', [':', 'a', 'u', 'Enter']],
  ['findings', 'incident', [':', 'f', 'i', 'Enter']],
  ['events', 'incident', [':', 'e', 'v', 'e', 'Enter']],
  [
    'explanation',
    'shop',
    ['/', 'f', 'r', 'a', 'n', 'k', 'Enter', 'Enter', '/', 'l', 'e', 'd', 'Enter', 'Enter'],
  ],
  ['object', 'incident', ['j', 'y']],
  ['what-if', 'simulation', []],
  ['help', 'shop', ['?']],
  ['in-flight', 'drain', []],
  ['workload', 'drain', ['Enter']],
  ['not-leaving', 'drain', ['Tab']],
  ['events', 'drain', ['Tab', 'Tab']],
  ['evictions', 'watch', []],
  ['eviction', 'watch', ['j', 'Enter']],
  ['changes', 'watch', ['Tab']],
];

const update = process.argv.includes('--update');
/** only these commands; all if none is named */
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
let looks = 0;
let server = '';
const root = process.cwd();
const DASHBOARD = { folder: 'test/terminal/dashboard/screens', leave: 'q' };

/** Starts a command in a shell of a given size, which then prints the terminal's modes. */
function start(command: string, size: string): void {
  server = `screens-${process.pid}-${++looks}`;
  const [columns, rows] = size.split('x') as [string, string];
  const line = `cd ${root}; export LC_ALL=C.UTF-8; echo before; ${command}; echo "left with $?"; until stty -a | grep -o ' icanon'; do sleep 0.1; done; sleep 60`;
  tmux('new-session', '-d', '-s', 's', '-x', columns, '-y', rows, line);
}

function tmux(...argv: string[]): string {
  return execFileSync('tmux', ['-L', server, '-f', '/dev/null', ...argv], { encoding: 'utf8' });
}

const capture = () => tmux('capture-pane', '-p', '-t', 's');
const isSettled = (screen: string) =>
  /q quit|Ctrl-C stop/.test(screen) && !/[Cc]omputing|forecast \d|[Rr]eading\.\.\./.test(screen);

/** The screen once it shows its final content. */
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

/** The screen after these keys, and the terminal's final modes. */
async function look(
  command: string,
  size: string,
  keys: readonly string[],
  leave: string,
): Promise<{ screen: string; after: string }> {
  start(COMMANDS[command]!, size);
  try {
    await settled();
    for (const key of keys) await type(key);
    const screen = await settled();
    tmux('send-keys', '-t', 's', leave);
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

for (const [name, command, keys] of VIEWS.filter(([, one]) => wanted.length === 0 || wanted.includes(one)))
  for (const size of SIZES) {
    const { folder, leave } = ELSEWHERE[command] ?? DASHBOARD;
    const goldens = join(root, folder);
    mkdirSync(goldens, { recursive: true });
    const title = `${name}-${size}`;
    try {
      const { screen, after } = await look(command, size, keys, leave);
      const text = `${screen
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .trimEnd()}\n`;
      const file = join(goldens, `${title}.txt`);
      if (update) writeFileSync(file, text);
      const golden = existsSync(file) ? readFileSync(file, 'utf8') : '';
      judge(title, text === golden, `expected:\n${golden}\nseen:\n${text}`);
      // a drain leaves its last figures there
      judge(`${title}, left`, /^before\n(?:[^\0]* gone\n[^\0]*)?left with 0\n icanon$/.test(after), after);
    } catch (error) {
      judge(title, false, String(error));
    }
  }

/** How each screen leaves the terminal if its process is killed: without the alternate screen, with a cursor. */
for (const command of ['incident', 'simulation', 'drain', 'watch'].filter(
  (one) => wanted.length === 0 || wanted.includes(one),
)) {
  start(COMMANDS[command]!, '80x24');
  try {
    await settled();
    const shell = tmux('display', '-p', '-t', 's', '#{pane_pid}').trim();
    const [own] = execFileSync('ps', ['-o', 'pid=', '--ppid', shell], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
    process.kill(Number(own), 'SIGKILL');
    const left = () => tmux('display', '-p', '-t', 's', '#{alternate_on} #{cursor_flag} #{wrap_flag}').trim();
    for (let wait = 0; wait < 100 && !(left() === '0 1 1' && capture().includes(' icanon')); wait++)
      await pause(100);
    judge(`${command}, killed: its screen is left`, left() === '0 1 1', `${left()}\n${capture()}`);
    // the shell's first output may still go to the alternate screen
    judge(`${command}, killed: keys are lines again`, capture().includes(' icanon'), capture());
  } catch (error) {
    judge(`${command}, killed`, false, String(error));
  } finally {
    spawnSync('tmux', ['-L', server, 'kill-server']);
  }
}

/** The steps of docs/tutorial.md on the dashboard: keys, and the resulting screen. */
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
