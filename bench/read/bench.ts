// How long it takes to read all ResourceBindings of an API server, and the memory at its peak, against `kubectl get
// resourcebindings -A -o json` on the same server in turns. Needs the binaries of the test bed (npm run e2e:build).
//   --bindings N --runs N
import { parseArgs } from 'node:util';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, closeSync, rmSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateBinding } from '../generate/bindings.ts';
import { generateClusters } from '../generate/clusters.ts';
import { generateScheme } from '../generate/policies.ts';
import { seededRandom } from '../generate/random.ts';
import { median, printTable, readable } from '../measure.ts';
import { binary } from '../../test/e2e/controlPlane/binaries.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { bareServer } from './bareServer.ts';
import type { BareServer } from './bareServer.ts';

const SINCE = '2026-08-03T08:12:40Z';
const SCHEDULED = '2026-08-31T16:04:11Z';
const NAMESPACE_PATH = '/api/v1/namespaces';
const AT_ONCE = 24;

const { values } = parseArgs({
  options: { bindings: { type: 'string', default: '20000' }, runs: { type: 'string', default: '5' } },
});

if (!existsSync(binary('kube-apiserver')) || !existsSync(binary('kubectl'))) {
  console.log('  nothing measured: the test bed is not built (npm run e2e:build)');
} else {
  const server = await bareServer();
  try {
    const seconds = await fill(server, Number(values.bindings));
    console.log(`  ${values.bindings} bindings created in ${readable(seconds)} s`);
    await measure(server, Number(values.runs));
  } finally {
    await server.down();
  }
}

/** Creates bindings as Karmada does: the spec, then the status, by managers of their own. */
async function fill({ api }: BareServer, count: number): Promise<number> {
  const began = performance.now();
  const random = seededRandom(7);
  const clusters = generateClusters(50, random, SINCE);
  const schemes = Array.from({ length: 200 }, (_, i) =>
    generateScheme(i, clusters, random, undefined, SINCE),
  );
  const namespaces = new Set(schemes.map(({ policy }) => policy.metadata.namespace!));
  await Promise.all([...namespaces].map((name) => api.create(NAMESPACE_PATH, { metadata: { name } })));
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) {
      const scheme = schemes[index % schemes.length]!;
      await create(api, generateBinding(index, scheme, random, { since: SINCE, scheduled: SCHEDULED }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return (performance.now() - began) / 1000;
}

async function create(api: BareServer['api'], binding: ResourceBinding): Promise<void> {
  const { resourceVersion: _, uid: _uid, ...metadata } = binding.metadata;
  const path = `/apis/work.karmada.io/v1alpha2/namespaces/${metadata.namespace}/resourcebindings`;
  await api.create(`${path}?fieldManager=karmada-controller-manager`, { ...binding, metadata });
  await api.merge(`${path}/${metadata.name}/status?fieldManager=karmada-scheduler`, {
    status: binding.status,
  });
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
    ['read them', process.execPath, 'scripts/run-ts.mjs', 'bench/read/ours.ts', kubeconfig],
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

/** Runs a command, its output going to a file. Memory is Linux' own high-water mark, looked at until the end. */
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
      // it has ended
    }
  }, 5);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(look);
  const wall = (performance.now() - began) / 1000;
  rmSync(directory, { recursive: true });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
  return { wall, cpu, peak };
}
