import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { displayWidth } from '../../src/presentation/text/displayWidth.ts';
import { preloading, program, root } from '../program.ts';

export { root } from '../program.ts';

/** The output of a command in a shell. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command line of the built program in the project's directory, without a terminal. Command lines without their own environment and
 * input share a process, where most code is already compiled; none do if KARMADA_FAILOVER_BIN names the program.
 */
export function run(argv: string[], { stdin, env }: { stdin?: string; env?: object } = {}): Ran {
  if (stdin === undefined && env === undefined && !process.env['KARMADA_FAILOVER_BIN'])
    return inWarmProcess(argv);
  return inOwnProcess(argv, { stdin, env });
}

/** The same on a terminal of this size, with colours off. */
export function runOnTerminal(argv: string[], size: { columns: number; rows: number }): Ran {
  const env = {
    ...preloading(join(import.meta.dirname, 'asTerminal.cjs')),
    TERM: 'xterm',
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    TERMINAL_COLUMNS: String(size.columns),
    TERMINAL_ROWS: String(size.rows),
  };
  return process.env['KARMADA_FAILOVER_BIN'] ? inOwnProcess(argv, { env }) : inWarmProcess(argv, env);
}

/** With it progress erases its line. */
const ERASED = '\u001b';

/** The lines that stay on a terminal, and how many rows they take: long ones take several, progress erases itself. */
export function linesOnTerminal(argv: string[], size: { columns: number; rows: number }) {
  const { code, stdout, stderr } = runOnTerminal(argv, size);
  const lines = `${stderr}${stdout}`
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf(ERASED) + 1).replace(/^\[K/, ''));
  const taken = lines.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / size.columns)),
    0,
  );
  return { code, lines, taken, stdout };
}

function inOwnProcess(
  argv: string[],
  { stdin, env }: { stdin?: string | undefined; env?: object | undefined },
): Ran {
  const { status, stdout, stderr } = spawnSync(...program(...argv), {
    cwd: root,
    encoding: 'utf8',
    input: stdin ?? '',
    env: { ...environment(), ...env },
    maxBuffer: 1 << 28,
  });
  return { code: status, stdout, stderr };
}

/** The document that a command prints with -o json; fails unless it exits with success and prints nothing else. */
export function json(argv: string[], options?: { stdin?: string }): Record<string, never> {
  const { code, stdout, stderr } = run([...argv, '-o', 'json'], options);
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout) as Record<string, never>;
}

const environment = () => ({ PATH: process.env['PATH'], HOME: process.env['HOME'] });

/** A process that runs one command line after another; a test waits for each as for a separate process. */
interface WarmProcess {
  directory: string;
  request: number;
  answer: number;
}

/** by their environments */
const warm = new Map<string, WarmProcess>();
afterAll(() => {
  for (const key of warm.keys()) endWarmProcess(key);
});

function inWarmProcess(argv: string[], env: object = {}): Ran {
  const key = JSON.stringify(env);
  const { directory, request, answer } = warm.get(key) ?? startWarmProcess(env);
  writeSync(request, `${JSON.stringify(argv)}\n`);
  const line = Buffer.alloc(32);
  const answered = line.toString('latin1', 0, readSync(answer, line));
  const [stdout, stderr] = ['stdout', 'stderr'].map((name) => {
    const file = join(directory, name);
    const text = readFileSync(file, 'utf8');
    truncateSync(file);
    return text;
  });
  if (!/^\d+\n$/.test(answered)) endWarmProcess(key);
  return { code: answered === '' ? null : parseInt(answered), stdout: stdout!, stderr: stderr! };
}

function startWarmProcess(env: object): WarmProcess {
  const directory = mkdtempSync(join(tmpdir(), 'karmada-failover-warm-'));
  const [requests, answers, stdout, stderr] = ['requests', 'answers', 'stdout', 'stderr'].map((name) =>
    join(directory, name),
  );
  execFileSync('mkfifo', [requests!, answers!]);
  const [out, err] = [stdout, stderr].map((file) => openSync(file!, 'a'));
  const argv = [
    join(import.meta.dirname, 'warmProcess.mjs'),
    requests!,
    answers!,
    join(root, 'bin/bundle.js'),
  ];
  const child = spawn(process.execPath, argv, {
    cwd: root,
    env: { ...environment(), ...env },
    stdio: ['ignore', out!, err!],
  });
  child.unref();
  closeSync(out!);
  closeSync(err!);
  // the process opens it first, and then waits for the other
  const answer = openSync(answers!, 'r');
  const started = { directory, request: openSync(requests!, 'w'), answer };
  warm.set(JSON.stringify(env), started);
  return started;
}

/** It exits without a parent to ask it. */
function endWarmProcess(key: string): void {
  const ended = warm.get(key);
  if (!ended) return;
  closeSync(ended.request);
  closeSync(ended.answer);
  rmSync(ended.directory, { recursive: true });
  warm.delete(key);
}
