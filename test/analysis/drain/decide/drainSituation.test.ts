import { describe, expect, test } from '@jest/globals';
import { cordoned } from '../../../../src/analysis/drain/cordon.ts';
import { clustersToLeave, drainSituation } from '../../../../src/analysis/drain/decide/drainSituation.ts';
import { DRAIN_ANNOTATION } from '../../../../src/analysis/drain/drainOptions.ts';
import { workloadGroups } from '../../../../src/karmada/scheduling/workloadGroups.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import { cluster } from '../../../simulator/simulation/controlPlane.ts';
import { defaults, drainer, viewOf, writesOf } from '../aDrain.ts';
import { drainOf } from '../drainOf.ts';
import { changed, cordonedEast, down, east, fleet, on } from './placedOn.ts';

const viewed = (clusters: readonly Cluster[]) => viewOf({ clusters, bindings: [] });
const situation = (clusters: readonly Cluster[], options = east) =>
  drainSituation(viewed(clusters), options, defaults);
/** The same with new objects, as a watch delivers them. */
const copied = (one: Cluster): Cluster => structuredClone(one);

describe('the situation of a drain', () => {
  const first = situation(fleet);

  test('stays the same until a cluster changes', () => {
    const view = viewed(fleet);
    const before = drainSituation(view, east, defaults);
    expect(drainSituation(view, east, defaults, before)).toBe(before);
  });

  test('is recomputed for other options or another configuration', () => {
    const west = drainOf(['west-1'], { selection: { skip: ['deploy/web'] } });
    const other = drainSituation(viewed(fleet), west, defaults, first);
    expect([...other.own]).toEqual(['west-1']);
    expect(other.selection.selects(on('web', 1, {}), undefined)).toBe(false);
    expect(first.selection.selects(on('web', 1, {}), undefined)).toBe(true);
    const configured = drainSituation(viewed(fleet), east, { ...defaults }, first);
    expect(configured).not.toBe(first);
    expect(configured.snapshot).not.toBe(first.snapshot);
  });

  test('keeps the parts that do not depend on clusters when a cluster changes', () => {
    const next = drainSituation(viewed(changed(fleet, 'west-1', down)), east, defaults, first);
    expect(next).not.toBe(first);
    for (const part of ['own', 'selection', 'order'] as const) expect(next[part]).toBe(first[part]);
    expect(next.pace.faulty).toEqual(['west-1']);
    expect(first.pace.faulty).toEqual([]);
  });

  test('keeps the scheduling results on a heartbeat, and has the newest Cluster objects', () => {
    const beat = changed(fleet.map(copied), 'west-1', (one) => ({
      ...one,
      metadata: { ...one.metadata, resourceVersion: '77' },
      status: {
        ...one.status,
        conditions: one.status!.conditions!.map((condition) => ({ ...condition, message: 'still there' })),
      },
    }));
    const next = drainSituation(viewed(beat), east, defaults, first);
    expect(next.snapshot).toBe(first.snapshot);
    expect(next.clusters.get('west-1')).toBe(beat[2]);
    // and so on at the next interval
    expect(drainSituation(viewed(fleet.map(copied)), east, defaults, next).snapshot).toBe(first.snapshot);
  });

  const complete = (status: 'True' | 'False') => (one: Cluster) => ({
    ...one,
    status: {
      ...one.status,
      conditions: [
        { type: 'Other', status: 'True' as const },
        ...one.status!.conditions!,
        { type: 'CompleteAPIEnablements', status },
      ],
    },
  });

  test.each<[string, (one: Cluster) => Cluster]>([
    ['is tainted', (one) => cordoned(one)],
    ['gets other labels', (one) => ({ ...one, metadata: { ...one.metadata, labels: { zone: 'a' } } })],
    [
      'gets the mark of a drain',
      (one) => ({ ...one, metadata: { ...one.metadata, annotations: { [DRAIN_ANNOTATION]: '{}' } } }),
    ],
    [
      'is being deleted',
      (one) => ({ ...one, metadata: { ...one.metadata, deletionTimestamp: '2026-09-01T08:00:00Z' } }),
    ],
    ['is not Ready', down],
    ['loses its status', ({ status: _none, ...one }) => one],
    ['serves other APIs', (one) => ({ ...one, status: { ...one.status, apiEnablements: [] } })],
    ['has an incomplete list of APIs', complete('False')],
    [
      'has other capacity',
      (one) => ({ ...one, status: { ...one.status, resourceSummary: { allocatable: { cpu: '1' } } } }),
    ],
  ])('is recomputed if a cluster %s', (_what, change) => {
    const clusters = changed(fleet, 'west-1', change);
    const next = drainSituation(viewed(clusters), east, defaults, first);
    expect(next.snapshot).not.toBe(first.snapshot);
    const names = next.snapshot.clusters.map(({ metadata }) => metadata.name);
    expect(names).toEqual(['east-1', 'east-2', 'west-1', 'west-2']);
    expect(next.snapshot.clusters[2]).toBe(clusters[2]);
    const anew = situation(clusters);
    expect([next.pace, [...next.others.keys()]]).toEqual([anew.pace, [...anew.others.keys()]]);
    // back again
    const back = drainSituation(viewed(fleet), east, defaults, next);
    expect(back.snapshot).not.toBe(next.snapshot);
    expect(back.snapshot.clusters[2]).toBe(fleet[2]);
  });

  test('has the current workload groups with the gate WorkloadAffinity, even without a cluster change', () => {
    const grouped = { ...defaults, featureGates: { ...defaults.featureGates, WorkloadAffinity: true } };
    const { fleet: snapshot } = viewed(fleet);
    const view = { fleet: snapshot.fork(workloadGroups([])) };
    const before = drainSituation(view, east, grouped);
    expect(drainSituation(view, east, grouped, before)).toBe(before);
    const later = { fleet: snapshot.fork(workloadGroups([])) };
    expect(drainSituation(later, east, grouped, before).snapshot).not.toBe(before.snapshot);
    const ungrouped = drainSituation(view, east, defaults);
    expect(drainSituation(later, east, defaults, ungrouped)).toBe(ungrouped);
  });

  test('is recomputed when a list of APIs becomes complete', () => {
    const partly = changed(fleet, 'west-1', complete('False'));
    const before = situation(partly);
    const next = drainSituation(viewed(changed(fleet, 'west-1', complete('True'))), east, defaults, before);
    expect(next.snapshot).not.toBe(before.snapshot);
    expect(drainSituation(viewed(partly.map(copied)), east, defaults, before).snapshot).toBe(before.snapshot);
  });

  const names = (clusters: readonly Cluster[]) =>
    drainSituation(viewed(clusters), east, defaults, first).snapshot.clusters.map(
      ({ metadata }) => metadata.name,
    );

  test('follows joined and removed clusters', () => {
    expect(names([...fleet, cluster('south-1')])).toEqual([
      'east-1',
      'east-2',
      'south-1',
      'west-1',
      'west-2',
    ]);
    expect(names(fleet.slice(0, 3))).toEqual(['east-1', 'east-2', 'west-1']);
    expect(names([...fleet.slice(0, 3), cluster('south-1')])).toEqual([
      'east-1',
      'east-2',
      'south-1',
      'west-1',
    ]);
  });

  test('accepts clusters without a status', () => {
    const silent = fleet.map(({ status: _none, ...one }) => one);
    const before = situation(silent);
    const next = drainSituation(viewed(silent.map(copied)), east, defaults, before);
    expect(next.snapshot).toBe(before.snapshot);
    expect(next.pace.faulty).toHaveLength(4);
  });
});

describe('the clusters of other drains', () => {
  const mark = (name: string, selection = {}) => ({ started: '', clusters: [name], selection, hold: true });
  const marked = (name: string, selection = {}) =>
    changed(cordonedEast, name, (one) => cordoned(one, mark(name, selection)));
  const others = (clusters: readonly Cluster[]) => [...situation(clusters).others.keys()];

  test('are the cordoned clusters with the mark of another drain', () => {
    expect(others(marked('west-1'))).toEqual(['west-1']);
    expect(others(cordonedEast)).toEqual([]);
    expect(others(changed(fleet, 'west-1', (one) => cordoned(one)))).toEqual([]);
    const uncordoned = changed(marked('west-1'), 'west-1', (one) => ({
      ...one,
      spec: { ...one.spec, taints: [] },
    }));
    expect(others(uncordoned)).toEqual([]);
  });

  test('are removed only from bindings that those drains select', () => {
    const web = on('web', 6, { 'east-1': 2, 'west-1': 2, 'west-2': 2 });
    const leaves = (selection = {}) => {
      const clusters = marked('west-1', selection);
      const view = viewOf({ clusters, bindings: [web] });
      return clustersToLeave(drainSituation(view, east, defaults), web, undefined);
    };
    expect(leaves()).toEqual(['east-1', 'west-1']);
    expect(leaves({ namespace: 'data' })).toEqual(['east-1']);
  });
});

test('a drain evicts a workload once clusters report more capacity', () => {
  const api = on('api', 2, { 'east-1': 2 });
  const room = (cpu: string) => (one: Cluster) =>
    one.metadata.name === 'east-1'
      ? one
      : { ...one, status: { ...one.status, resourceSummary: { allocatable: { cpu, pods: '100' } } } };
  const small = cordonedEast.map(room('0'));
  const drain = drainer({ clusters: small, bindings: [api] }, east);
  expect(drain.step()).toMatchObject({ writes: [], finished: true });
  drain.stage = { ...drain.stage, clusters: small.map(copied) };
  expect(drain.step().writes).toEqual([]);
  drain.stage = { ...drain.stage, clusters: cordonedEast.map(room('8')) };
  expect(writesOf(drain.step())).toEqual(['evict api from east-1']);
});
