import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { compareSteps, median, recordedSteps, simulatedSteps } from './replay.ts';
import { simulateFiles } from './simulateFiles.ts';

// Real control planes, recorded by watching their bindings; data/ describes the external events of each.
const recordings: { name: string; what: string; not: string[] }[] = [
  { name: 'member-fails', what: 'a Push member fails and recovers', not: [] },
  { name: 'manual-taint-and-cordon', what: 'one cluster is cordoned, another is tainted', not: [] },
  { name: 'directly-with-state', what: 'a workload is evicted directly, with its state preserved', not: [] },
  {
    name: 'rebalance-back',
    what: 'workloads are rescheduled after a recovery',
    // recorded after v1.18: since then a rebalance starts again at the first affinity group
    not: ['shop/payments-deployment'],
  },
  {
    name: 'application-failover',
    what: 'applications become unhealthy',
    // moved on by its members, which report a change of metadata as unhealthy; the scenario omits it
    not: ['data/jobmanager-deployment'],
  },
];

describe.each(recordings)('$name: $what', ({ name, not }) => {
  const folder = join(import.meta.dirname, 'data', name);
  const recorded = recordedSteps(gunzipSync(readFileSync(join(folder, 'bindings.jsonl.gz'))).toString());

  test('every binding takes its recorded steps, at about the same time', async () => {
    const simulation = await simulateFiles(join(folder, 'state.json.gz'), join(folder, 'scenario.yaml'));
    const { same, different, off } = compareSteps(recorded, simulatedSteps(simulation, recorded));
    // an excused difference that now agrees is no longer excused
    expect(different.map(({ binding }) => binding).sort()).toEqual(not);
    expect(same.length).toBeGreaterThan(1);
    expect(median(off)).toBeLessThanOrEqual(1.5);
  });
});

test('a binding with other steps is a difference', () => {
  const steps = (...placements: string[]) => placements.map((placement, time) => ({ time, placement }));
  const result = compareSteps(
    new Map([['shop/web', steps('a', 'b', 'c')]]),
    new Map([['shop/web', steps('a', 'c')]]),
  );
  expect(result.same).toEqual([]);
  expect(result.different).toEqual([
    { binding: 'shop/web', recorded: steps('a', 'b', 'c'), simulated: steps('a', 'c') },
  ]);
});
