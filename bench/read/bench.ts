// Time and peak memory of reading all ResourceBindings of an API server, against `kubectl get resourcebindings -A -o json` on the same
// server, in turns. Needs the binaries of the test bed (npm run e2e:build).
//   --bindings N --runs N
import { parseArgs } from 'node:util';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, closeSync, rmSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BIN, median, printTable, readable } from '../measure.ts';
import { binary } from '../../test/e2e/controlPlane/binaries.ts';
import { bareServer } from './bareServer.ts';
import type { BareServer } from './bareServer.ts';
import { fill } from './fill.ts';

const { values } = parseArgs({
  options: { bindings: { type: 'string', default: '20000' }, runs: { type: 'string', default: '5' } },
});

if (!existsSync(binary('kube-apiserver')) || !existsSync(binary('kubectl'))) {
  console.log('  nothing measured: the test bed is not built (npm run e2e:build)');
} else {
  const server = await bareServer();
  try {
    const seconds = await fill(server.api, Number(values.bindings));
    console.log(`  ${values.bindings} bindings created in ${readable(seconds)} s`);
    await measure(server, Number(values.runs));
  } finally {
    await server.down();
  }
}

interface Taken {
  /** seconds */
  wall: number;
  cpu: number;
  /** MiB */
  peak: number;
}

async function measure({ kubeconfig }: BareServer, runs: number): Promise<void> {
  const cases: [name: string, command: string, ...args: string[]][] = [
    [
      'kubectl get resourcebindings -A -o json',
      binary('kubectl'),
      ...['get', 'resourcebindings.work.karmada.io', '-A', '-o', 'json', '--kubeconfig', kubeconfig],
    ],
    ['list alone', process.execPath, 'scripts/run-ts.mjs', 'bench/read/ours.ts', kubeconfig],
    [
      'eviction inspect, with all that it needs',
      process.execPath,
      ...[BIN, 'eviction', 'inspect', '-o', 'json', '--kubeconfig', kubeconfig],
    ],
  ];
  const taken = cases.map((): Taken[] => []);
  for (let run = -1; run < runs; run++)
    for (const [index, [, command, ...args]] of cases.entries()) {
      const usage = await timed(command, args);
      if (run >= 0) taken[index]!.push(usage);
    }
  const [reference] = taken.map(summary);
  printTable([
    ['', 'wall', 'CPU', 'peak', 'wall ratio', 'memory ratio'],
    ...cases.map(([name], index) => {
      const { wall, cpu, peak } = summary(taken[index]!);
      return [
        name,
        `${readable(wall)} s`,
        `${readable(cpu)} s`,
        `${readable(peak)} MiB`,
        `${(wall / reference!.wall).toFixed(2)}×`,
        `${(peak / reference!.peak).toFixed(2)}×`,
      ];
    }),
  ]);
}

function summary(taken: Taken[]): Taken {
  const of = (key: keyof Taken) => median(taken.map((usage) => usage[key]));
  return { wall: of('wall'), cpu: of('cpu'), peak: of('peak') };
}

/** Runs a command, its output going to a file. Memory is Linux' own high-water mark, polled until the end. */
async function timed(command: string, args: string[]): Promise<Taken> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-read-'));
  const output = openSync(join(directory, 'output'), 'w');
  const began = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', output, 'inherit'] });
  closeSync(output);
  let peak = 0;
  let cpu = 0;
  const look = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peak = Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024 || peak;
      const ticks = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      cpu = (Number(ticks[11]) + Number(ticks[12])) / 100;
    } catch {
      // the process has ended
    }
  }, 5);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(look);
  const wall = (performance.now() - began) / 1000;
  rmSync(directory, { recursive: true });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
  return { wall, cpu, peak };
}
