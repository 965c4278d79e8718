import { describe, expect, test } from '@jest/globals';
import { startAudit } from '../../../src/analysis/audit/audit.ts';
import type { KeptAudit } from '../../../src/analysis/audit/earlierAudit.ts';
import { contingenciesOf } from '../../../src/analysis/audit/contingencies.ts';
import type { World } from '../../../src/karmada/world.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';

const among = (...clusterNames: string[]) => ({ clusterAffinity: { clusterNames } });
const on = (name: string, home: string, ...others: string[]) =>
  deployment(name, {
    placement: among(home, ...others),
    replicas: 2,
    clusters: [{ name: home, replicas: 2 }],
  });
const web = on('web', 'a', 'b');
const before = world([cluster('a'), cluster('b'), cluster('c'), cluster('d')], [web, on('db', 'c', 'd')]);

function audited(state: World, earlier?: KeptAudit) {
  const when = { start: START, members: { workloadReadyAfter: 20_000, neverReady: [] } };
  const running = startAudit(state, state.bindings, when, failoverOn, {
    contingencies: contingenciesOf(state.clusters),
    keeps: true,
    earlier,
  });
  const { taken } = running;
  while (running.step());
  return { taken, kept: running.kept(), text: JSON.stringify(running.result()) };
}
const { kept } = audited(before);

describe('an audit after a change reuses results of the previous audit', () => {
  const takenAfter = (state: World) => {
    const found = audited(state, kept);
    expect(found.text).toBe(audited(state).text);
    return found.taken;
  };

  test('of all contingencies, if nothing has changed', () => expect(takenAfter({ ...before })).toBe(4));

  test('for clusters that the changed workload neither runs on nor moves to', () => {
    const [, db] = before.bindings;
    expect(takenAfter({ ...before, bindings: [on('web', 'a', 'd'), db!] })).toBe(1);
    expect(takenAfter({ ...before, bindings: [db!] })).toBe(2);
    expect(takenAfter({ ...before, bindings: [...before.bindings, on('api', 'c', 'd')] })).toBe(2);
  });

  test('for moves that do not end on a cluster whose capacity changed', () => {
    const [a, ...others] = before.clusters;
    const resourceSummary = { allocatable: { cpu: '7', pods: '10' } };
    const changed = { ...a!, status: { ...a!.status, resourceSummary } };
    expect(takenAfter({ ...before, clusters: [changed, ...others] })).toBe(2);
  });

  test('of no contingency, if cluster labels or policies change', () => {
    const [a, ...others] = before.clusters;
    const labelled = { ...a!, metadata: { ...a!.metadata, labels: { tier: 'gold' } } };
    expect(takenAfter({ ...before, clusters: [labelled, ...others] })).toBe(0);
    expect(takenAfter({ ...before, taintPolicies: [] })).toBe(0);
  });
});

test('an audit keeps no results while an eviction is in progress', () => {
  const task = { fromCluster: 'b', producer: 'TaintManager', reason: 'TaintUntolerated' };
  const creationTimestamp = new Date(START).toISOString();
  const leaving = { ...web, spec: { ...web.spec, gracefulEvictionTasks: [{ ...task, creationTimestamp }] } };
  expect(audited({ ...before, bindings: [leaving] }).kept).toBeUndefined();
});
