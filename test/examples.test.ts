import { beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openState, type OpenedState } from '../src/cli/state.ts';
import { entitledClusters } from '../src/engine/eviction/works.ts';
import { worksOfBinding } from '../src/engine/explanation/worksOfBinding.ts';
import { simulate } from '../src/engine/simulation/simulate.ts';
import { defaultMembers } from '../src/state/scenarioFile.ts';

const root = join(import.meta.dirname, '..');
const shop = join(root, 'examples/shop');

describe('examples/shop', () => {
  let state: OpenedState;
  beforeAll(async () => {
    state = await openState({ state: [shop] });
  });

  test('is what scripts/example.mjs writes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'example-'));
    spawnSync(process.execPath, ['scripts/example.mjs', folder], { cwd: root });
    const contents = (directory: string) =>
      readdirSync(directory).map((file) => [file, readFileSync(join(directory, file), 'utf8')]);
    expect(contents(folder)).toEqual(contents(shop));
    rmSync(folder, { recursive: true });
  });

  test('has a Work in each cluster that is entitled to one, and in no other', () => {
    const { bindings, works } = state.world;
    const of = worksOfBinding(works, bindings);
    for (const binding of bindings)
      expect([binding.metadata.name, [...of(binding).keys()].sort()]).toEqual([
        binding.metadata.name,
        [...entitledClusters(binding.spec)].sort(),
      ]);
  });

  test('tells every gate and flag of the controller manager', () => {
    const guessed = state.assumptions.filter(({ assumed }) => assumed).map(({ name }) => name);
    expect(guessed).not.toContain('Failover');
    expect(guessed).not.toContain('graceful-eviction-timeout');
  });

  test('is at rest: while nothing happens to it, nothing happens', () => {
    const scenario = { start: state.now, members: defaultMembers, events: [] };
    expect(simulate(state.world, scenario, state.configuration).events).toEqual([]);
  });

  test('loses a cluster in an instructive way: every outcome is there', () => {
    const events = [{ at: state.now, action: { type: 'fail', cluster: 'frankfurt' } as const }];
    const scenario = { start: state.now, members: defaultMembers, events };
    const { workloads } = simulate(state.world, scenario, state.configuration);
    expect([...new Set(workloads.map(({ outcome }) => outcome))].sort()).toEqual([
      'blocked',
      'lost',
      'moves',
      'partly-moves',
      'stays',
      'tolerates',
    ]);
  });
});
