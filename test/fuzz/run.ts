/**
 * Feeds generated inputs to readers, printers and commands, and looks for stack traces, exit code 70, hangs, garbage,
 * characters that steer a terminal, and secrets: npm run fuzz -- --inputs N [--seed S] [--only KIND] [--workers W]. A
 * find prints its seed; --inputs 1 --seed S shows it again.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandOptions, refuse, wholeNumber } from '../commandOptions.ts';
import { caseOf, kindsNamed } from './cases/caseOf.ts';
import { shrunk } from './shrink.ts';
import { Workplace } from './workplace.ts';

/** Seeds per batch of a worker, and how long it may be silent, in milliseconds. */
const BATCH = 25_000;
const SILENCE = 60_000;
/** MiB of heap for a worker: exceeding it ends the worker, which is a find. */
const MAX_MEMORY = 1536;
/** How many seeds it tries between reports. */
const EACH = 20;
const MAX_FINDS = 40;

/** A terminal's environment: screens are drawn, and completion waits however busy the machine is. */
const { CI: _ci, CONTINUOUS_INTEGRATION: _too, NO_COLOR: _plain, FORCE_COLOR: _styled, ...own } = process.env;
const environment = {
  ...own,
  TERM: 'xterm',
  NODE_ENV: 'production',
  KARMADA_FAILOVER_COMPLETION_TIMEOUT: String(2 ** 31 - 1),
};

const USAGE =
  'usage: npm run fuzz -- [--inputs N] [--seed S] [--only KIND] [--workers W]\n' +
  '  N inputs (default 10000) are made up from a seed (default 1), by W processes at a time (default 1);\n' +
  '  KIND is part of the name of a kind of input, as finds print it, such as "scenario"; several with | between them';
const { values } = commandOptions(USAGE, {
  options: {
    inputs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    workers: { type: 'string', default: '1' },
    worker: { type: 'string' },
  },
});

/** A worker's report: its current seed, its counts, and its finds. */
type Reported =
  | { type: 'at'; seed: number }
  | { type: 'done'; counts: Counts }
  | { type: 'find'; seed: number; kind: string; problem: string; given: string; smallest: string };

/** How many inputs there were of each kind, and for each command. */
interface Counts {
  kinds: Record<string, number>;
  commands: Record<string, number>;
}

const noCounts = (): Counts => ({ kinds: {}, commands: {} });

const number = (name: 'inputs' | 'seed' | 'workers') => wholeNumber(USAGE, name, values[name]);
if (kindsNamed(values.only).length === 0)
  refuse(`--only ${JSON.stringify(values.only)}: there is no kind of input of that name`, USAGE);
if (values.worker === undefined) await supervise(number('inputs'), number('seed'), number('workers'));
else await work(Number(values.worker), Number(values.inputs));

/** Runs the cases of some seeds in this process and reports to the parent. */
async function work(first: number, count: number): Promise<void> {
  // each screen adds listeners, and one is open at a time
  process.setMaxListeners(0);
  const place = new Workplace();
  const counts = noCounts();
  const add = (counted: keyof Counts, name: string) =>
    void (counts[counted][name] = (counts[counted][name] ?? 0) + 1);
  const shrunkOnce = new Set<string>();
  const notify = (reported: Reported, then?: () => void) =>
    process.send?.(reported, undefined, undefined, then);
  for (let seed = first; seed < first + count; seed++) {
    if ((seed - first) % EACH === 0) notify({ type: 'at', seed });
    const one = caseOf(seed, place, values.only);
    const problem = await one.run(one.input);
    add('kinds', one.kind);
    if (one.command !== undefined) add('commands', one.command);
    if (problem === undefined) continue;
    const like = problem.replace(/: ….*/s, '').slice(0, 60);
    const smallest = shrunkOnce.has(like) ? '' : JSON.stringify(await shrunk(one, problem));
    shrunkOnce.add(like);
    notify({ type: 'find', seed, kind: one.kind, problem, given: one.given, smallest });
  }
  place.end();
  // commands that got Ctrl-C before they listened continue in this process, and some serve probes
  notify({ type: 'done', counts }, () => process.exit());
}

/**
 * Distributes the work to workers, one or several at a time: a new one for each batch isolates inputs from one another.
 */
async function supervise(inputs: number, firstSeed: number, workers: number): Promise<void> {
  const began = Date.now();
  const counts = noCounts();
  const finds = new Map<string, number>();
  const size = Math.min(inputs, BATCH);
  let begun = 0;
  let done = 0;
  const batches = async (): Promise<void> => {
    while (begun < inputs && finds.size < MAX_FINDS) {
      const from = begun;
      const count = Math.min(size, inputs - from);
      begun += count;
      await batch(firstSeed + from, count, (reported) => {
        if (reported.type === 'done') addTo(counts, reported.counts);
        if (reported.type === 'find') report(reported, finds);
      });
      done += count;
      const seconds = (Date.now() - began) / 1000;
      if (process.stderr.isTTY || inputs > size)
        console.error(`${done} inputs, ${finds.size} finds, ${Math.round(done / seconds)} a second`);
    }
  };
  await Promise.all(Array.from({ length: workers }, batches));
  console.log(
    JSON.stringify({
      seed: firstSeed,
      seconds: Math.round((Date.now() - began) / 1000),
      finds: finds.size,
      ...counts,
    }),
  );
  process.exitCode = finds.size > 0 ? 1 : 0;
}

function addTo(counts: Counts, more: Counts): void {
  for (const counted of ['kinds', 'commands'] as const)
    for (const [name, times] of Object.entries(more[counted]))
      counts[counted][name] = (counts[counted][name] ?? 0) + times;
}

/** Similar finds are reported once. */
function report(find: Extract<Reported, { type: 'find' }>, finds: Map<string, number>): void {
  const { seed, kind, problem, given, smallest } = find;
  const like = `${problem.replace(/: ….*/s, '')} ${given.split(' --state')[0]}`;
  const times = finds.get(like) ?? 0;
  finds.set(like, times + 1);
  if (times > 0) return;
  console.log(`seed ${seed}, ${kind}, ${given}\n  ${problem}\n  smallest: ${smallest.slice(0, 700)}\n`);
}

async function batch(first: number, count: number, hear: (reported: Reported) => void): Promise<void> {
  const argv = ['--worker', String(first), '--inputs', String(count)];
  if (values.only !== undefined) argv.push('--only', values.only);
  const worker = fork(fileURLToPath(import.meta.url), argv, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: environment,
    execArgv: [...process.execArgv, `--max-old-space-size=${MAX_MEMORY}`],
  });
  let at = first;
  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout;
    const silent = () => {
      hear({
        type: 'find',
        seed: at,
        kind: 'hang',
        problem: `no end within ${SILENCE / 1000} s, in ${EACH} inputs from this seed`,
        given: '',
        smallest: '',
      });
      worker.kill('SIGKILL');
    };
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(silent, SILENCE);
    };
    heard();
    let done = false;
    worker.on('message', (reported: Reported) => {
      heard();
      if (reported.type === 'at') at = reported.seed;
      if (reported.type === 'done') done = true;
      hear(reported);
    });
    worker.on('exit', (code, signal) => {
      clearTimeout(timer);
      if (!done && signal !== 'SIGKILL')
        hear({
          type: 'find',
          seed: at,
          kind: 'end',
          problem: `the process ended with ${String(code ?? signal)}, in ${EACH} inputs from this seed`,
          given: '',
          smallest: '',
        });
      resolve();
    });
  });
}
