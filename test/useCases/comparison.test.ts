import { describe, expect, test } from '@jest/globals';
import { hasDifferences } from '../../src/simulator/comparison/compareSides.ts';
import { compareFailovers, type ComparisonRequest } from '../../src/useCases/comparison/compareFailovers.ts';
import type { OpenedScenario } from '../../src/useCases/state/stateRequest.ts';
import { problemOf, quietPorts } from './quietPorts.ts';

const NO_MORE = { values: [], source: 'the second' };
const same: ComparisonRequest = {
  state: { source: { files: ['examples/shop'] }, version: 'v1.18' },
  assume: [],
  scenario: { events: [] },
  second: { assume: NO_MORE, changes: [], called: [] },
  titleOf: ({ scenario }) => scenario.events.map(({ action }) => action.type).join(', '),
};
const second = (more: Partial<ComparisonRequest['second']>): ComparisonRequest => ({
  ...same,
  second: { ...same.second, ...more },
});
const frankfurtFails = { events: [{ type: 'fail', cluster: 'frankfurt', after: 0 } as const] };

describe('the comparison of two control planes', () => {
  test('finds no difference between equal sides', async () => {
    const { diff, assumptions } = await compareFailovers(same, quietPorts());
    expect(hasDifferences(diff)).toBe(false);
    expect({ settings: diff.settings, rules: diff.rules }).toEqual({ settings: [], rules: [] });
    expect([diff.from.title, diff.to.title]).toEqual(['v1.18', 'v1.18']);
    expect(assumptions.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['now', 'karmadaVersion', 'Failover', 'workloadReadyAfter']),
    );
  });

  test('reports each failure with another outcome if a gate is off on the second side', async () => {
    const assume = { values: ['Failover=false'], source: 'the second' };
    const { diff } = await compareFailovers(second({ assume, called: ['Failover=false'] }), quietPorts());
    expect(diff.to.title).toBe('v1.18 with Failover=false');
    expect(diff.scenarios.map(({ cluster }) => cluster)).toContain('frankfurt');
    const frankfurt = diff.scenarios.find(({ cluster }) => cluster === 'frankfurt')!;
    const checkout = frankfurt.workloads.find(({ workload }) => workload.name === 'checkout')!;
    expect(checkout).toMatchObject({ from: { outcome: 'moves' } });
    expect(checkout.to?.outcome).not.toBe('moves');
    expect(diff.settings).toContainEqual(
      expect.objectContaining({ name: 'Failover', from: true, to: false }),
    );
  });

  test('compares a given scenario under its title, in addition to a scenario without events', async () => {
    const assume = { values: ['Failover=false'], source: 'the second' };
    const request = { ...second({ assume }), scenario: frankfurtFails };
    const { diff } = await compareFailovers(request, quietPorts());
    expect(diff.scenarios).toHaveLength(2);
    expect(diff.scenarios[1]).toMatchObject({ title: 'fail' });
    expect(diff.scenarios[1]).not.toHaveProperty('cluster');
  });

  test('ignores a setting unknown to one version, and reports it once', async () => {
    const assume = ['StatefulFailoverInjection=true'];
    const toOld = quietPorts();
    const named = await compareFailovers({ ...second({ version: 'v1.10' }), assume }, toOld);
    expect(named.diff.settings).toContainEqual(
      expect.objectContaining({ name: 'StatefulFailoverInjection', from: true, to: null }),
    );
    expect(toOld.warnings.join()).not.toContain('StatefulFailoverInjection');
    const { diff } = named;
    const ports = quietPorts();
    const old = { ...same.state, version: 'v1.10' };
    await compareFailovers({ ...second({ version: 'v1.18' }), state: old, assume }, ports);
    expect(diff.to.dialect.version).toMatch(/^v1\.10/);
    expect(diff.rules.length).toBeGreaterThan(0);
    expect(ports.warnings).toContainEqual(
      expect.stringMatching(/^the assumption StatefulFailoverInjection=true: v1\.10\S* does not know it: /),
    );
  });

  test('changes only the second side, at the start of the scenario', async () => {
    const action = {
      type: 'taint',
      cluster: 'dublin',
      taint: { key: 'maintenance', effect: 'NoSchedule' },
    } as const;
    const changed = second({ changes: [{ action, source: 'the file' }], called: ['the file'] });
    const { diff } = await compareFailovers(changed, quietPorts());
    expect(diff.from.changes).toEqual([]);
    expect(diff.to.changes.map((event) => event.action)).toEqual([action]);
    // what went to dublin goes elsewhere
    const frankfurt = diff.scenarios.find(({ cluster }) => cluster === 'frankfurt')!;
    expect(frankfurt.workloads.map(({ workload }) => workload.name)).toContain('session-cache');
  });
});

describe('a comparison', () => {
  test.each<[string, ComparisonRequest, object]>([
    [
      'for an unknown cluster',
      { ...same, scenario: { events: [{ type: 'fail', cluster: 'mars', after: 0 }] } },
      { code: 'unknown-cluster', input: 'fail', cluster: 'mars' },
    ],
    [
      'for an assumption unknown to both versions, with its source',
      { ...same, assume: ['NoSuchGate=true'] },
      { code: 'assumption', where: 'the assumption' },
    ],
    [
      'for an invalid assumption of the second side',
      second({ assume: { values: ['Failover=perhaps'], source: 'the second' } }),
      { code: 'assumption', where: 'the second' },
    ],
    [
      'for a change of an unknown object, with its source',
      second({
        changes: [
          {
            action: { type: 'patch', target: { kind: 'Cluster', name: 'mars' }, merge: { spec: {} } },
            source: 'the file',
          },
        ],
      }),
      { code: 'scenario', source: 'the file' },
    ],
  ])('is refused %s', async (_, request, data) => {
    expect(await problemOf(() => compareFailovers(request, quietPorts()))).toMatchObject(data);
  });
});

describe('a comparison with scenario files', () => {
  const scenario = (assume: Record<string, unknown>): OpenedScenario => ({
    source: 'the scenario',
    path: 'failing.yaml',
    file: {
      assume,
      members: {},
      events: [{ at: { after: 0 }, action: { type: 'fail', cluster: 'frankfurt' } }],
    },
  });

  test('uses the assumptions of each scenario for its side', async () => {
    const opened = scenario({ featureGates: { Failover: true } });
    const other = scenario({ featureGates: { Failover: false } });
    const request = { ...second({ opened: other }), opened };
    const { diff } = await compareFailovers(request, quietPorts());
    expect(diff.from.resolved.configuration.featureGates.Failover).toBe(true);
    expect(diff.to.resolved.configuration.featureGates.Failover).toBe(false);
    expect(diff.scenarios).toMatchObject([{ title: 'nothing happens' }, { title: 'fail' }]);
  });

  test('ignores an assumption unknown to one version, and refuses one unknown to both', async () => {
    const ports = quietPorts();
    const opened = scenario({ featureGates: { StatefulFailoverInjection: true } });
    const both = { ...second({ opened, version: 'v1.10' }), opened };
    const { diff } = await compareFailovers(both, ports);
    expect(diff.settings).toContainEqual(
      expect.objectContaining({ name: 'StatefulFailoverInjection', from: true, to: null }),
    );
    expect(ports.warnings.join()).not.toContain('StatefulFailoverInjection');
    // the first side has no setting that could name it
    await compareFailovers(second({ opened, version: 'v1.10' }), ports);
    expect(ports.warnings).toContainEqual(
      expect.stringMatching(/^scenario failing\.yaml: assume: .* does not know it: no effect there$/),
    );
    const wrong = scenario({ featureGates: { NoSuchGate: true } });
    expect(
      await problemOf(() => compareFailovers({ ...second({ opened: wrong }), opened: wrong }, quietPorts())),
    ).toMatchObject({ code: 'assumption', where: 'the scenario' });
  });
});
