import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EvictionActionResult } from '../../src/analysis/evictionAction/actionOutcome.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { changeEvictions, type EvictionChange } from '../../src/useCases/eviction/changeEvictions.ts';
import { inspectEvictions } from '../../src/useCases/eviction/inspectEvictions.ts';
import { problemOf, quietPorts } from './quietPorts.ts';

const incident = { source: { files: ['examples/incident/control-plane.json'] } };

describe('inspecting evictions', () => {
  test('returns the evictions of all workloads or one workload, with the assumptions', async () => {
    const all = await inspectEvictions({ state: incident, targets: [], selection: {} }, quietPorts());
    expect(all.items.length).toBeGreaterThan(1);
    const [{ workload }] = all.items as [(typeof all.items)[0]];
    const target = `${workload.kind.toLowerCase()}/${workload.name}`;
    const one = await inspectEvictions(
      { state: incident, targets: [target], selection: { namespace: workload.namespace } },
      quietPorts(),
    );
    expect(new Set(one.items.map((item) => item.workload.name))).toEqual(new Set([workload.name]));
    expect(one.assumptions.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['now', 'karmadaVersion', 'graceful-eviction-timeout']),
    );
  });
});

describe('changing evictions', () => {
  const change: EvictionChange = {
    state: incident,
    action: 'hold',
    targets: [],
    selection: {},
    from: 'frankfurt',
    allowLoss: false,
    dryRun: 'client',
    signal: new AbortController().signal,
  };

  test('reports each result at once, and returns all results', async () => {
    const reported: EvictionActionResult[] = [];
    const { results, asked } = await changeEvictions(
      change,
      async (result) => void reported.push(result),
      quietPorts(),
    );
    expect(asked).toBeGreaterThan(1);
    expect(reported).toEqual(results);
    expect(results).toHaveLength(asked);
  });

  test('without workload names affects all evictions from the cluster, and no others', async () => {
    const of = async (from: string) => {
      const { results } = await changeEvictions({ ...change, from }, async () => undefined, quietPorts());
      return results.map(({ action: { workload } }) => workload.name).sort();
    };
    expect(await of('frankfurt')).toEqual([
      'checkout',
      'ledger',
      'pricing',
      'recommendations',
      'session-cache',
    ]);
    expect(await of('oregon')).toEqual(['queue']);
    expect(await of('dublin')).toEqual([]);
  });

  test('requires a source cluster for a workload evicted from several clusters', async () => {
    const { items } = JSON.parse(readFileSync(incident.source.files[0]!, 'utf8')) as {
      items: ResourceBinding[];
    };
    const queue = items.find(({ metadata }) => metadata.name === 'queue-deployment')!;
    const [task] = queue.spec.gracefulEvictionTasks!;
    queue.spec.gracefulEvictionTasks = [task!, { ...task!, fromCluster: 'tokyo' }];
    const directory = mkdtempSync(join(tmpdir(), 'evictions-'));
    try {
      const file = join(directory, 'state.json');
      writeFileSync(file, JSON.stringify({ kind: 'List', items }));
      const { from: _none, ...wanted } = change;
      const state = { source: { files: [file] } };
      const named = { ...wanted, state, targets: ['deployment/queue'] };
      expect(
        await problemOf(() => changeEvictions(named, async () => undefined, quietPorts())),
      ).toMatchObject({ code: 'many-evictions', clusters: ['oregon', 'tokyo'] });
      const { results } = await changeEvictions(
        { ...named, from: 'tokyo' },
        async () => undefined,
        quietPorts(),
      );
      expect(results.map(({ action }) => action.fromCluster)).toEqual(['tokyo']);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test('stops between two evictions on request', async () => {
    const stop = new AbortController();
    const { results, asked } = await changeEvictions(
      { ...change, signal: stop.signal },
      async () => stop.abort(),
      quietPorts(),
    );
    expect(results).toHaveLength(1);
    expect(asked).toBeGreaterThan(1);
  });

  test('refuses to delete the last ready copy, with the risk', async () => {
    const { results } = await changeEvictions(
      { ...change, action: 'complete' },
      async () => undefined,
      quietPorts(),
    );
    const refused = results.filter(({ result }) => result === 'refused');
    expect(refused.length).toBeGreaterThan(0);
    for (const { action, message } of refused) expect(message).toBe(action.risk);
  });

  test('accepts a deleted cluster as the source of an eviction, and refuses an unknown one', async () => {
    const wrong = { ...change, from: 'frankfrut' };
    expect(await problemOf(() => changeEvictions(wrong, async () => undefined, quietPorts()))).toMatchObject({
      code: 'unknown-cluster',
      input: 'from',
      cluster: 'frankfrut',
    });
  });
});
