import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { BIN } from '../measure.ts';

/** What one key took. */
export interface KeyTaken {
  /** milliseconds from the key to its answer on the terminal, without the time that the thread waited for a processor */
  answered: number;
  /** milliseconds for which the thread ran */
  ran: number;
  /** bytes that were sent */
  bytes: number;
}

export interface TypistOptions {
  env?: NodeJS.ProcessEnv;
  columns: number;
  rows: number;
  /** whether it reports uninterrupted runs of the thread, which itself costs some processor time */
  sampled: boolean;
}

/** Types into a command on a terminal. */
export interface Typist {
  pid: number;
  /** everything sent to the terminal since the last call */
  drawn(): string;
  press(key: string): Promise<KeyTaken>;
  /** resolves with the milliseconds until the terminal received a text */
  until(text: string | RegExp): Promise<number>;
  /** the longest uninterrupted run of the thread since the last call, in milliseconds */
  longest(): Promise<number>;
  /** milliseconds of processor time of the whole process so far */
  used(): number;
  /** MiB */
  memory(): number;
  end(): Promise<void>;
}

type Reported =
  | { pid: number }
  | { key: string; at: number; ran: number; waited: number; bytes: number }
  | { longest: number };

/** Starts a command of the bundle on a pseudo-terminal (script, of util-linux). */
export async function openTypist(argv: readonly string[], options: TypistOptions): Promise<Typist> {
  const { columns, rows, sampled, env = {} } = options;
  const directory = mkdtempSync(join(tmpdir(), 'keys-'));
  const path = join(directory, 'socket');
  let reported: (line: Reported) => void = () => undefined;
  const next = () => new Promise<Reported>((heard) => (reported = heard));
  const server = createServer((socket: Socket) => {
    createInterface(socket).on('line', (line) => reported(JSON.parse(line) as Reported));
  });
  await new Promise<void>((listening) => void server.listen(path, listening));
  const words = [process.execPath, resolve(BIN), ...argv].map((word) => `'${word}'`).join(' ');
  const first = next();
  const began = performance.now();
  const child = spawn('script', ['-qfec', `stty cols ${columns} rows ${rows}; exec ${words}`, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      TERM: 'xterm-256color',
      NODE_OPTIONS: `--import=${pathToFileURL(resolve('bench/keys/measured.mjs')).href}`,
      KEYS_SOCKET: path,
      ...(sampled && { KEYS_SAMPLED: '1' }),
      ...env,
    },
  });
  let drawn = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (drawn += text));
  const { pid } = (await first) as { pid: number };
  const waited = () =>
    Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  return {
    pid,
    drawn() {
      const text = drawn;
      drawn = '';
      return text;
    },
    async press(key) {
      const answer = next();
      const before = waited();
      const at = performance.timeOrigin + performance.now() - EPOCH;
      child.stdin.write(key);
      const taken = (await answer) as Extract<Reported, { key: string }>;
      const { ran, bytes } = taken;
      return { answered: taken.at - at - (taken.waited - before), ran, bytes };
    },
    async until(text) {
      for (;;) {
        if (typeof text === 'string' ? plain(drawn).includes(text) : text.test(plain(drawn)))
          return performance.now() - began;
        if (child.exitCode !== null) throw new Error(`it ended: ${plain(drawn)}`);
        await sleep(10);
      }
    },
    async longest() {
      const answer = next();
      process.kill(pid, 'SIGUSR2');
      return ((await answer) as { longest: number }).longest;
    },
    used() {
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /, '')
        .split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1024,
    async end() {
      const ended = new Promise((over) => child.on('close', over));
      process.kill(pid, 'SIGTERM');
      await ended;
      server.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** The zero of the `process.hrtime` clock, in the time of `performance`. */
const EPOCH = performance.timeOrigin + performance.now() - Number(process.hrtime.bigint()) / 1e6;

// eslint-disable-next-line no-control-regex
const plain = (text: string) => text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, ' ');
