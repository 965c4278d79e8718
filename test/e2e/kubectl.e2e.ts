import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { median } from '../recordings/replay.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { binary } from './controlPlane/binaries.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import { createAll, deployment, namespace, policyFor } from './workloads.ts';
import { installIn } from '../program.ts';

const home = mkdtempSync(join(tmpdir(), 'plugin-'));
let bed: Bed;

beforeAll(async () => {
  installIn(home);
  const members = defaultOptions.members.slice(0, 2);
  bed = await up({ ...defaultOptions, members });
  const workloads = [deployment('shop', 'cart', 2), deployment('shop', 'search', 3)];
  await createAll(bed.api(), [
    namespace('shop'),
    ...workloads.flatMap((object) => [object, policyFor(object, {})]),
  ]);
  await steadyBindings(bed, workloads.length);
});

afterAll(async () => {
  rmSync(home, { recursive: true });
  await bed?.down();
});

/** The output of real kubectl, and its duration in milliseconds. */
function kubectl(
  argv: string[],
  env: object = {},
): Promise<{ code: number | null; stdout: string; took: number }> {
  const began = performance.now();
  const PATH = [home, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const child = spawn(binary('kubectl'), argv, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH, HOME: home, KUBECONFIG: bed.kubeconfig, ...env },
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  return new Promise((done) =>
    child.on('close', (code) => done({ code, stdout, took: performance.now() - began })),
  );
}

/** Words that kubectl offers, without a timeout on a busy machine. */
async function completed(...words: string[]): Promise<string[]> {
  const argv = ['__complete', 'karmada-failover', ...words];
  const { stdout } = await kubectl(argv, { KARMADA_FAILOVER_COMPLETION_TIMEOUT: '10000' });
  return stdout.trimEnd().split('\n');
}

/** Median milliseconds of some runs, and of as many of a Node that does nothing. */
async function timeOf(argv: string[]): Promise<{ took: number; nothing: number }> {
  const times: [number, number][] = [];
  for (let run = 0; run < 9; run++) {
    const began = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    times.push([performance.now() - began, (await kubectl(argv)).took]);
  }
  const [nothing, took] = [0, 1].map((at) => median(times.map((pair) => pair[at]!))!) as [number, number];
  return { took, nothing };
}

test('kubectl runs the plugin with its own kubeconfig', async () => {
  expect(await kubectl(['karmada-failover', 'failover', 'status', '-o', 'name'])).toMatchObject({
    code: 0,
    stdout: 'cluster.cluster.karmada.io/member1\ncluster.cluster.karmada.io/member2\n',
  });
  expect(await kubectl(['karmada-failover', 'failover', 'status', 'member9'])).toMatchObject({
    code: 2,
    stdout: '',
  });
});

test('label selectors match the labels of templates', async () => {
  const names = ['-o', 'jsonpath={.workloads[*].name}'];
  const { stdout } = await kubectl([
    'karmada-failover',
    'failover',
    'simulate',
    '-l',
    'app=search',
    ...names,
  ]);
  expect(stdout).toBe('search');
});

test('an API server accepts the Indexed Job of docs/audit.md, and the manifests of the exporter', async () => {
  const [, job] = /```yaml\n(apiVersion: batch\/v1\n.*?)```/s.exec(readFileSync('docs/audit.md', 'utf8'))!;
  const file = join(home, 'manifests.yaml');
  const applied = async (context: string, manifests: string) => {
    writeFileSync(file, manifests);
    return (await kubectl(['--context', context, 'apply', '--dry-run=server', '-f', file])).stdout;
  };
  await createAll(bed.api('member2'), [namespace('karmada-system')]);
  expect(await applied('member2', job!)).toBe('job.batch/failover-audit created (server dry run)\n');
  const exporter = async (...flags: string[]) =>
    (await kubectl(['karmada-failover', 'exporter', 'manifests', ...flags])).stdout;
  expect(await applied('karmada', await exporter('--for', 'karmada'))).toMatch(
    /clusterrole.*created \(server dry run\)/,
  );
  // this API server does not know ServiceMonitor and PrometheusRule, which the Prometheus operator reads
  const host = await exporter('--for', 'host', '--image=karmada-failover:e2e');
  expect(await applied('member2', host)).toMatch(/deployment\.apps\/\S+ created \(server dry run\)/);
});

test('shell completion offers names from the control plane', async () => {
  const clusters = ['member1\tReady: True', 'member2\tReady: True', ':4'];
  expect(await completed('failover', 'status', '')).toEqual(clusters);
  expect(await completed('drain', '')).toEqual(clusters);
  expect(await completed('drain', 'member1', '')).toEqual(clusters.slice(1));
  expect(await completed('drain', 'member1', '--policy', '')).toEqual(['shop/cart', 'shop/search', ':4']);
  expect(await completed('eviction', 'inspect', '')).toEqual(['deployment/cart', 'deployment/search', ':4']);
  expect(await completed('eviction', 'inspect', '-n', 'sh')).toEqual(['shop', ':4']);
  expect(await completed('eviction', 'inspect', '--karmada-context', 'k')).toEqual(['karmada', ':4']);
});

test('completion takes 300 ms, with or without a control plane', async () => {
  const argv = ['__complete', 'karmada-failover', 'failover', 'status', ''];
  const served = await timeOf(argv);
  await bed.kill('karmada-apiserver');
  const alone = await timeOf(argv);
  process.stderr.write(`completion through kubectl, and node -e 0: ${JSON.stringify({ served, alone })}\n`);
  // a Node that does nothing takes 45 ms on an idle machine
  for (const { took, nothing } of [served, alone]) expect(took).toBeLessThan(300 * Math.max(1, nothing / 45));
});

test('without a control plane, completion offers keywords, and other commands exit with 4', async () => {
  const argv = ['__complete', 'karmada-failover', 'eviction', 'inspect', 'dep'];
  expect((await kubectl(argv)).stdout).toBe('deployment/\n:6\n');
  const status = ['karmada-failover', 'failover', 'status', '--request-timeout', '5s'];
  expect(await kubectl(status)).toMatchObject({ code: 4, stdout: '' });
});
