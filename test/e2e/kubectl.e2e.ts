import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { median } from '../recordings/replay.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { binary } from './controlPlane/binaries.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import { createAll, deployment, namespace, policyFor } from './workloads.ts';

const tool = process.env.E2E_TOOL ? dirname(dirname(process.env.E2E_TOOL)) : resolve('.');
const home = mkdtempSync(join(tmpdir(), 'plugin-'));
let bed: Bed;

beforeAll(async () => {
  const { bin } = JSON.parse(readFileSync(join(tool, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  for (const [name, file] of Object.entries(bin)) symlinkSync(join(tool, file), join(home, name));
  const members = defaultOptions.members.slice(0, 2);
  bed = await up({ ...defaultOptions, members }, (line) => process.stderr.write(`${line}\n`));
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

/** What real kubectl prints, and how long it took in milliseconds. */
function kubectl(...argv: string[]): Promise<{ code: number | null; stdout: string; took: number }> {
  const began = performance.now();
  const PATH = [home, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const child = spawn(binary('kubectl'), argv, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH, HOME: home, KUBECONFIG: bed.kubeconfig },
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  return new Promise((done) =>
    child.on('close', (code) => done({ code, stdout, took: performance.now() - began })),
  );
}

const completed = async (...words: string[]) =>
  (await kubectl('__complete', 'karmada-failover', ...words)).stdout.trimEnd().split('\n');

test('kubectl runs the plugin on its own kubeconfig', async () => {
  expect(await kubectl('karmada-failover', 'failover', 'status', '-o', 'name')).toMatchObject({
    code: 0,
    stdout: 'cluster/member1\ncluster/member2\n',
  });
  expect(await kubectl('karmada-failover', 'failover', 'status', 'member9')).toMatchObject({
    code: 2,
    stdout: '',
  });
});

test('labels are those of the templates', async () => {
  const names = ['-o', 'jsonpath={.workloads[*].name}'];
  const { stdout } = await kubectl('karmada-failover', 'failover', 'simulate', '-l', 'app=search', ...names);
  expect(stdout).toBe('search');
});

test('names of the control plane complete, soon enough', async () => {
  const clusters = ['member1\tReady: True', 'member2\tReady: True', ':4'];
  expect(await completed('failover', 'status', '')).toEqual(clusters);
  expect(await completed('eviction', 'inspect', '')).toEqual(['deployment/cart', 'deployment/search', ':4']);
  expect(await completed('eviction', 'inspect', '-n', 'sh')).toEqual(['shop', ':4']);
  expect(await completed('eviction', 'inspect', '--karmada-context', 'k')).toEqual(['karmada', ':4']);
  const times: number[] = [];
  for (let run = 0; run < 11; run++)
    times.push((await kubectl('__complete', 'karmada-failover', 'failover', 'status', '')).took);
  process.stderr.write(`completion through kubectl: median ${Math.round(median(times)!)} ms\n`);
  // 300 ms where nothing else runs
  expect(median(times)).toBeLessThan(600);
});

test('words complete without a control plane, and an answer ends with 4', async () => {
  await bed.kill('karmada-apiserver');
  expect(await completed('eviction', 'inspect', 'dep')).toEqual(['deployment/', ':6']);
  const { took } = await kubectl('__complete', 'karmada-failover', 'failover', 'status', '');
  expect(took).toBeLessThan(600);
  expect(await kubectl('karmada-failover', 'failover', 'status')).toMatchObject({ code: 4, stdout: '' });
});
