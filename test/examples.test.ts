import { beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ports } from '../src/cli/ports.ts';
import { openState, type OpenedState } from '../src/useCases/state/openState.ts';
import { purgesDirectly } from '../src/karmada/eviction/evictionTasks.ts';
import { entitledClusters } from '../src/karmada/eviction/works.ts';
import { worksOfBinding } from '../src/karmada/objects/worksOfBinding.ts';
import { simulate } from '../src/simulator/simulation/simulate.ts';
import { defaultMembers } from '../src/karmada/members/memberAssumptions.ts';
import { v1_18 } from './dialects.ts';

const root = join(import.meta.dirname, '..');
const examples = join(root, 'examples');

test('the examples equal the output of scripts/example.mjs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'example-'));
  spawnSync(process.execPath, ['scripts/example.mjs', folder], { cwd: root });
  const contents = (directory: string) =>
    (readdirSync(directory, { recursive: true }) as string[])
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => [file, readFileSync(join(directory, file), 'utf8')]);
  expect(contents(folder)).toEqual(contents(examples));
  rmSync(folder, { recursive: true });
});

const states = ['shop', 'incident'];
const opened = new Map<string, OpenedState>();
beforeAll(async () => {
  for (const name of states)
    opened.set(name, await openState({ source: { files: [join(examples, name)] } }, ports));
});
const fail = (cluster: string, at: number) => ({ at, action: { type: 'fail', cluster } as const });
const outcomes = (name: string, failing: string[]) => {
  const { world, now, configuration } = opened.get(name)!;
  const events = failing.map((cluster) => fail(cluster, now));
  return simulate(world, { start: now, members: defaultMembers, events }, configuration);
};

describe.each(states)('examples/%s', (name) => {
  test('has a Work in each entitled cluster; other Works are being deleted', () => {
    const { bindings, works } = opened.get(name)!.world;
    const of = worksOfBinding(works, bindings);
    for (const binding of bindings) {
      const { gracefulEvictionTasks = [] } = binding.spec;
      const waits = gracefulEvictionTasks.some(({ purgeMode }) => purgesDirectly(purgeMode, v1_18.rules));
      const expected = waits ? [] : [...entitledClusters(binding.spec, v1_18.rules)].sort();
      const there = [...of(binding)].filter(([, { metadata }]) => !metadata.deletionTimestamp);
      expect([binding.metadata.name, there.map(([cluster]) => cluster).sort()]).toEqual([
        binding.metadata.name,
        expected,
      ]);
    }
  });

  test('contains every gate and flag of the controller manager', () => {
    const guessed = opened.get(name)!.assumptions.filter(({ assumed }) => assumed);
    const names = guessed.map((one) => one.name);
    expect(names).not.toContain('Failover');
    expect(names).not.toContain('graceful-eviction-timeout');
  });
});

test('shop is settled: without events, nothing changes', () => {
  expect(outcomes('shop', []).events).toEqual([]);
});

test('shop shows every outcome when frankfurt fails', () => {
  const { workloads } = outcomes('shop', ['frankfurt']);
  expect([...new Set(workloads.map(({ outcome }) => outcome))].sort()).toEqual([
    'blocked',
    'lost',
    'moves',
    'partly-moves',
    'stays',
    'tolerates',
  ]);
});

test('in incident, the replacement of checkout becomes ready, long before its eviction ends', () => {
  const checkout = outcomes('incident', []).workloads.find(({ name }) => name === 'checkout')!;
  expect(checkout).toMatchObject({ outcome: 'moves', gap: { replicas: 6, open: false } });
  expect(checkout.gap!.seconds).toBeLessThan(30);
});

test('in incident, session-cache is lost if dublin fails too: its replacement does not become ready', () => {
  const cache = outcomes('incident', ['dublin']).workloads.find(({ name }) => name === 'session-cache');
  expect(cache).toMatchObject({
    outcome: 'lost',
    reason: 'its replacement on dublin does not become ready',
    gap: { open: true },
  });
});

test('an outcome is an estimate if its replacement is overdue', () => {
  const { world, now, configuration } = opened.get('incident')!;
  const bindings = world.bindings.map((binding) =>
    binding.spec.resource.name === 'checkout'
      ? { ...binding, status: { ...binding.status, lastScheduledTime: '2026-09-01T09:00:00Z' } }
      : binding,
  );
  const works = world.works.map((work) =>
    work.metadata.creationTimestamp === '2026-09-01T09:31:36Z'
      ? {
          ...work,
          metadata: { ...work.metadata, creationTimestamp: '2026-09-01T09:00:00Z' },
          status: {
            ...work.status,
            conditions: work.status?.conditions?.map((one) => ({
              ...one,
              lastTransitionTime: '2026-09-01T09:00:00Z',
            })),
          },
        }
      : work,
  );
  const { workloads } = simulate(
    { ...world, bindings, works },
    { start: now, members: defaultMembers, events: [] },
    configuration,
  );
  expect(workloads.find(({ name }) => name === 'checkout')).toMatchObject({
    certainty: 'estimate',
    dependsOn: [expect.stringContaining('whether the replicas on virginia still become ready')],
  });
});

test('incident has the same outcome as shop, which it continues', () => {
  const end = (name: string, failing: string[]) =>
    outcomes(name, failing).workloads.map(({ binding, after }) => [
      binding.name,
      after.map(({ name, replicas = 0 }) => `${name}:${replicas}`).sort(),
    ]);
  expect(end('incident', ['frankfurt'])).toEqual(end('shop', ['frankfurt']));
});
