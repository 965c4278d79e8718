import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeDownAbandoned } from './controlPlane/abandonedBeds.ts';
import {
  identify,
  isRunning,
  start,
  stop,
  type BedProcess,
  type ProcessIdentity,
} from './controlPlane/processes.ts';

let directory: string;
let started: BedProcess[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'abandoned-'));
  started = [];
});

afterEach(async () => {
  await stop(started, 0);
  rmSync(directory, { recursive: true, force: true });
});

/** A test bed of one process, as bed.json describes it. */
function bed(folder: string, runner?: ProcessIdentity): BedProcess {
  const path = join(directory, folder);
  mkdirSync(path, { recursive: true });
  const running = start(path, 'etcd', 'sleep', ['600']);
  started.push(running);
  writeFileSync(
    join(path, 'bed.json'),
    JSON.stringify({ directory: path, servers: {}, processes: [running], ...(runner ? { runner } : {}) }),
  );
  return running;
}

const gone: ProcessIdentity = { ...identify(process.pid), started: 'Thu Jan 1 00:00:00 1970' };

test('test beds of a killed runner are stopped, also those in its run folder', async () => {
  const alone = bed('karmada-failover-e2e-bed-aaaaaa', gone);
  const inRun = bed('karmada-failover-e2e-run-bbbbbb/karmada-failover-e2e-drain-cccccc', gone);
  expect((await takeDownAbandoned(directory)).sort()).toEqual([
    join(directory, 'karmada-failover-e2e-bed-aaaaaa'),
    join(directory, 'karmada-failover-e2e-run-bbbbbb/karmada-failover-e2e-drain-cccccc'),
  ]);
  expect([alone, inRun].map(isRunning)).toEqual([false, false]);
});

test('test beds of a live runner, and permanent ones, keep running', async () => {
  const used = bed('karmada-failover-e2e-bed-aaaaaa', identify(process.pid));
  const standing = bed('karmada-failover-e2e-bed-bbbbbb');
  expect(await takeDownAbandoned(directory)).toEqual([]);
  expect([used, standing].map(isRunning)).toEqual([true, true]);
});

test('folders without a bed are skipped', async () => {
  mkdirSync(join(directory, 'karmada-failover-e2e-bed-aaaaaa'));
  mkdirSync(join(directory, 'somebody-elses'));
  writeFileSync(join(directory, 'karmada-failover-e2e-file'), '');
  mkdirSync(join(directory, 'karmada-failover-e2e-bed-cccccc'));
  writeFileSync(join(directory, 'karmada-failover-e2e-bed-cccccc', 'bed.json'), '{');
  expect(await takeDownAbandoned(directory)).toEqual([]);
});
