import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { recordedSteps } from '../recordings/replay.ts';
import type { Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { bindings } from './heldAgainstSimulation.ts';
import { program } from '../program.ts';

/** Our recorder running during an incident. */
export interface Recorder {
  /** kills it at once, as kill -9 does */
  kill(): Promise<void>;
}

/** Starts `record FILE`, and waits until the initial state is in the file. */
export async function startRecorder(bed: Bed, file: string): Promise<Recorder> {
  const child = spawn(...program('record', file), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, KUBECONFIG: bed.kubeconfig, NO_COLOR: '1' },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const closed = new Promise<void>((done) => child.on('close', () => done()));
  await eventually('the recorder', () => Promise.resolve(said.includes('Recording ') && existsSync(file)));
  return {
    kill() {
      child.kill('SIGKILL');
      return closed;
    },
  };
}

/** Reads pages of the dashboard as text, once an eviction is in progress. */
export async function dashboardInTheMiddle(bed: Bed, ...typed: string[]): Promise<string> {
  await eventually(
    'an eviction',
    async () => (await bindings(bed)).some(({ spec }) => spec.gracefulEvictionTasks?.length),
    { within: 120_000, every: 50 },
  );
  const child = spawn(...program('dashboard', '--plain', ...flagsOf(bed)), {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, KUBECONFIG: bed.kubeconfig, NO_COLOR: '1' },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  child.stdin.end(`${[...typed, 'q'].join('\n')}\n`);
  const code = await new Promise((done) => child.on('close', done));
  if (code !== 0) throw new Error(`the dashboard ended with ${String(code)}:\n${text}`);
  return text;
}

/** The flags of a bed: its host cluster, which would show them, cannot be read. */
export function flagsOf(bed: Bed): string[] {
  const { featureGates, controllerManager } = bed.file.options;
  return Object.entries({ ...featureGates, ...controllerManager }).flatMap(([name, value]) => [
    '--assume',
    `${name}=${value}`,
  ]);
}

/** The output of a command that reads a recording or, without one, the control plane; throws unless it exits with 0. */
export async function printed(bed: Bed, ...args: string[]): Promise<string> {
  const env = { ...process.env, KUBECONFIG: bed.kubeconfig, NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)(...program(...args, ...flagsOf(bed)), {
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** The same, as a document. */
export async function documentOf<T>(bed: Bed, ...args: string[]): Promise<T> {
  return JSON.parse(await printed(bed, ...args, '-o', 'json')) as T;
}

/** When each binding first lost a cluster, by the lines of a watch: epoch milliseconds, by "namespace/name". */
export function firstEvictions(watch: string, cluster: string): Map<string, number> {
  return new Map(
    [...recordedSteps(watch)].flatMap(([binding, steps]) => {
      const first = steps.find(({ placement }) =>
        / evicting .*/.exec(placement)?.[0].split(' ').includes(cluster),
      );
      return first ? [[binding, first.time] as const] : [];
    }),
  );
}
