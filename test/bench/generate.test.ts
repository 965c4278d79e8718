import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { generateState, writeState } from '../../bench/generate.ts';
import { yamlList } from '../../bench/yaml/listText.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { schedulerSnapshot } from '../../src/karmada/scheduling/clusterSnapshot.ts';
import { scheduleBinding } from '../../src/karmada/scheduling/scheduleBinding.ts';

const now = Date.parse('2026-09-01T00:00:00Z');
const options = { bindings: 200, clusters: 20, seed: 7, works: false };
const objectsOf = (changes: Partial<typeof options> = {}) => [
  ...generateState({ ...options, ...changes }).objects,
];
const isBinding = (object: object): object is ResourceBinding =>
  'kind' in object && object.kind === 'ResourceBinding';

describe('the generated control plane', () => {
  test('is the same for the same seed, and differs for another seed', () => {
    expect(objectsOf()).toEqual(objectsOf());
    expect(objectsOf({ seed: 8 })).not.toEqual(objectsOf());
  });

  test('has a fifth of the bindings on the failing cluster', () => {
    const { failing, objects } = generateState(options);
    const there = [...objects]
      .filter(isBinding)
      .filter(({ spec }) => spec.clusters?.some(({ name }) => name === failing));
    expect(there).toHaveLength(options.bindings / 5);
  });

  test('divides workloads completely: their clusters have all replicas of the spec', () => {
    for (const { spec } of objectsOf().filter(isBinding)) {
      if (spec.placement?.replicaScheduling?.replicaSchedulingType !== 'Divided') continue;
      expect(spec.clusters?.reduce((sum, { replicas = 0 }) => sum + replicas, 0)).toBe(spec.replicas);
    }
  });

  test('is already scheduled: rescheduling changes only lastScheduledTime', () => {
    const objects = objectsOf();
    const clusters = objects.filter(
      (object): object is Cluster => 'kind' in object && object.kind === 'Cluster',
    );
    const snapshot = schedulerSnapshot(clusters, [], dialectOf('v1.18.2').dialect.defaults);
    for (const binding of objects.filter(isBinding)) {
      const { annotations, spec, status } = scheduleBinding({ snapshot, binding, now });
      const { lastScheduledTime } = status ?? {};
      expect(spec).toBe(binding.spec);
      expect(binding.metadata.annotations).toMatchObject(annotations ?? {});
      expect(status).toEqual({ ...binding.status, lastScheduledTime });
    }
  });

  test('has a Work for each cluster of each binding, if requested', () => {
    const objects = objectsOf({ works: true });
    const targets = objects
      .filter(isBinding)
      .reduce((sum, { spec }) => sum + (spec.clusters?.length ?? 0), 0);
    expect(objects.filter((object) => 'kind' in object && object.kind === 'Work')).toHaveLength(targets);
  });
});

describe('the file of a generated control plane', () => {
  const plain = JSON.parse(JSON.stringify(objectsOf())) as unknown[];

  test('is a JSON List, compressed if its name ends in .gz', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'generate-'));
    const file = join(directory, 'state.json');
    await writeState(generateState(options), file);
    await writeState(generateState(options), `${file}.gz`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ kind: 'List', items: plain });
    expect(gunzipSync(readFileSync(`${file}.gz`)).equals(readFileSync(file))).toBe(true);
    rmSync(directory, { recursive: true });
  });

  test('contains the same objects as YAML', () => {
    expect(load(yamlList(objectsOf(), Infinity))).toMatchObject({ kind: 'List', items: plain });
  });
});
