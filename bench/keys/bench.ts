// Types into the dashboard of a large control plane on a pseudo-terminal: time until each kind of key is answered, the longest
// uninterrupted run of the thread meanwhile, bytes sent, and the cost of an idle screen. Needs script (util-linux) and Linux.
//   --bindings N   --clusters N   --changes N: so many a second, of a live control plane   --idle SECONDS
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { printTable, readable } from '../measure.ts';
import { stateFile } from '../stateFile.ts';
import { SCRIPT, type Kind } from './script.ts';
import { openTypist, type KeyTaken, type Typist } from './typist.ts';

const { values } = parseArgs({
  options: {
    bindings: { type: 'string', default: '20000' },
    clusters: { type: 'string', default: '500' },
    changes: { type: 'string', default: '50' },
    idle: { type: 'string', default: '30' },
  },
});
const SIZE = { columns: 120, rows: 40 };
const REDRAW = '\u000c';

const { file } = await stateFile({
  bindings: Number(values.bindings),
  clusters: Number(values.clusters),
  seed: 1,
  works: false,
});
await ofState();
await live();
process.exit(0);

async function ofState(): Promise<void> {
  const argv = ['dashboard', '--state', file];
  await measured(argv, 'a captured state, while forecasts are computed and after', {});
  await measuredIdle(argv, 'a captured state', {}, []);
  await measuredIdle(argv, 'a replay that is paused', {}, ['w', 'r']);
}

async function live(): Promise<void> {
  const busy = await serve(values.changes);
  await measured(['dashboard'], `live, with ${values.changes} changes a second`, {
    KUBECONFIG: busy.kubeconfig,
  });
  busy.server.kill();
  const quiet = await serve('0');
  const env = { KUBECONFIG: quiet.kubeconfig };
  await measuredIdle(['dashboard'], 'live, nothing changes', env, []);
  await measuredIdle(
    ['eviction', 'inspect', '--watch'],
    'eviction inspect --watch, nothing changes',
    env,
    [],
  );
  quiet.server.kill();
}

/** A server in its own process. */
async function serve(changes: string): Promise<{ server: ChildProcess; kubeconfig: string }> {
  const server = spawn(process.execPath, ['scripts/run-ts.mjs', 'bench/keys/server.ts', file, changes], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [kubeconfig] = (await once(createInterface(server.stdout), 'line')) as [string];
  return { server, kubeconfig };
}

async function measured(argv: readonly string[], title: string, env: NodeJS.ProcessEnv): Promise<void> {
  const typist = await openTypist(argv, { ...SIZE, env, sampled: true });
  const useful = await typist.until(/\d+ clusters? Ready|not Ready/);
  await typist.longest();
  const { bytes: whole, ran: redraw } = await typist.press(REDRAW);
  console.log(
    `  ${title}: the first useful screen after ${readable(useful / 1000)} s; a whole screen takes ${whole} bytes and ${readable(redraw)} ms`,
  );
  const rows = [];
  for (const kind of SCRIPT) rows.push(rowOf(kind, whole, redraw, await pressed(kind, typist)));
  printTable([
    ['', 'median', '95 %', 'slowest', 'target', 'of a redraw', 'at a stretch', 'bytes', 'of a whole screen'],
    ...rows,
  ]);
  await typist.end();
}

/** The keys of one kind, and the longest uninterrupted run of the thread meanwhile, whatever caused it. */
async function pressed(
  { keys, pause }: Kind,
  typist: Typist,
): Promise<{ taken: KeyTaken[]; longest: number }> {
  const taken: KeyTaken[] = [];
  await typist.longest();
  for (const key of keys) {
    taken.push(await typist.press(key));
    await sleep(pause);
  }
  return { taken, longest: await typist.longest() };
}

function rowOf(
  { name }: Kind,
  whole: number,
  redraw: number,
  { taken, longest }: Awaited<ReturnType<typeof pressed>>,
): string[] {
  const sorted = (pick: (key: KeyTaken) => number) => taken.map(pick).sort((a, b) => a - b);
  const at = (numbers: readonly number[], part: number) =>
    numbers[Math.min(numbers.length - 1, Math.floor(part * numbers.length))]!;
  const answered = sorted((key) => Math.max(0, key.answered));
  const bytes = taken.reduce((sum, key) => sum + key.bytes, 0) / taken.length;
  return [
    name,
    ...[0.5, 0.95, 1].map((part) => `${readable(at(answered, part))} ms`),
    '50 ms',
    `${readable(
      at(
        sorted((key) => key.ran),
        0.5,
      ) / redraw,
    )}×`,
    `${readable(longest)} ms`,
    String(Math.round(bytes)),
    `${readable((100 * bytes) / whole)} %`,
  ];
}

/** The cost of a screen without input, once everything has been computed. */
async function measuredIdle(
  argv: readonly string[],
  title: string,
  env: NodeJS.ProcessEnv,
  keys: readonly string[],
): Promise<void> {
  const seconds = Number(values.idle);
  const typist = await openTypist(argv, { ...SIZE, env, sampled: false });
  await typist.until(/Ready|evictions/);
  for (const key of keys) {
    await typist.press(key);
    await sleep(1000);
  }
  // the first computations take minutes on a busy machine
  for (
    let before = -Infinity, used = typist.used();
    used - before > 300;
    [before, used] = [used, typist.used()]
  )
    await sleep(5000);
  typist.drawn();
  const before = typist.used();
  await sleep(seconds * 1000);
  const cost = (100 * (typist.used() - before)) / (seconds * 1000);
  console.log(
    `  idle, ${title}: ${readable(cost)} % of a core, target 2 %; ${Math.round(Buffer.byteLength(typist.drawn()) / seconds)} bytes a second`,
  );
  await typist.end();
}
