import { describe, expect, test } from '@jest/globals';
import {
  aggregateStatus,
  withFullyApplied,
  workReports,
} from '../../../src/karmada/status/aggregateStatus.ts';
import type { Condition } from '../../../src/karmada/api/meta.ts';
import type { Work } from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';

const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const identifier = {
  ordinal: 0,
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  namespace: 'shop',
  name: 'web',
};

function work(cluster: string, status: Work['status'], rest: Partial<Work['metadata']> = {}): Work {
  return {
    metadata: { name: 'web-abc', namespace: `karmada-es-${cluster}`, ...rest },
    spec: {
      workload: {
        manifests: [
          { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' } },
        ],
      },
    },
    status,
  };
}

const applied = (status: Condition['status'], message?: string): Condition[] => [
  { type: 'Applied', status, reason: 'R', ...(message && { message }) },
];

function aggregated(...works: Work[]) {
  const found = workReports(works, resource);
  return 'error' in found ? found : aggregateStatus(found.reports);
}

describe('the aggregated status', () => {
  test('has one item per Work, sorted by cluster', () => {
    const manifestStatuses = [{ identifier, status: { replicas: 2 }, health: 'Healthy' as const }];
    expect(
      aggregated(
        work('m2', { conditions: applied('True'), manifestStatuses }),
        work('m10', { conditions: applied('True') }),
        work('m1', { conditions: applied('False', 'no such namespace'), manifestStatuses }),
        work('m3', undefined),
      ),
    ).toEqual([
      { clusterName: 'm1', appliedMessage: 'no such namespace', health: 'Unknown' },
      { clusterName: 'm10', applied: true, health: 'Unknown' },
      { clusterName: 'm2', applied: true, status: { replicas: 2 }, health: 'Healthy' },
      { clusterName: 'm3', health: 'Unknown' },
    ]);
  });

  test('excludes Works that are being deleted', () => {
    expect(aggregated(work('m1', {}, { deletionTimestamp: '2026-03-14T09:00:00Z' }))).toEqual([]);
  });

  test.each([
    ['ordinal', 1],
    ['group', ''],
    ['version', 'v2'],
    ['kind', 'StatefulSet'],
    ['namespace', 'other'],
    ['name', 'api'],
  ])('excludes the status of another manifest: %s %j', (field, value) => {
    const other = { identifier: { ...identifier, [field]: value }, health: 'Healthy' as const };
    expect(aggregated(work('m1', { conditions: applied('True'), manifestStatuses: [other] }))).toEqual([
      { clusterName: 'm1', applied: true, health: 'Unknown' },
    ]);
  });

  test('fails if a Work does not contain the object or is in an invalid namespace', () => {
    const foreign = { ...work('m1', {}), spec: { workload: { manifests: [] } } };
    expect(aggregated(foreign)).toEqual({ error: 'no such manifest exist' });
    expect(aggregated(work('m1', {}, { namespace: 'default' }))).toEqual({
      error: 'the execution space name is in wrong format',
    });
  });
});

describe('the condition FullyApplied', () => {
  const item = (clusterName: string, isApplied = true) => ({ clusterName, applied: isApplied });
  const spec = { resource, clusters: [{ name: 'm1' }] };
  const evicting = { ...spec, gracefulEvictionTasks: [{ fromCluster: 'm2', reason: 'R', producer: 'P' }] };

  test.each([
    ['is True if each target cluster has an applied item', spec, [item('m1')], true],
    ['is False if an item is not applied', spec, [item('m1', false)], false],
    ['is False if an orphaned Work exists', spec, [item('m1'), item('m2')], false],
    ['is False if nothing is scheduled', { resource }, [], false],
    ['is False if the only item is of another cluster', spec, [item('m2')], false],
    ['is False if a gracefully evicted cluster has no item', evicting, [item('m1')], false],
    ['is True if a gracefully evicted cluster has an item', evicting, [item('m1'), item('m2')], true],
  ])('%s', (_state, binding, items, expected) => {
    const [condition] = withFullyApplied([], binding, items, v1_18.rules, 0);
    expect(condition).toMatchObject({ type: 'FullyApplied', status: expected ? 'True' : 'False' });
  });

  test('keeps its position, and its transition time until its status changes', () => {
    const other: Condition = { type: 'Scheduled', status: 'True' };
    const first = withFullyApplied(
      [other],
      spec,
      [item('m1')],
      v1_18.rules,
      Date.parse('2026-03-14T09:00:00Z'),
    );
    expect(first).toEqual([
      other,
      {
        type: 'FullyApplied',
        status: 'True',
        reason: 'FullyAppliedSuccess',
        message: 'All works have been successfully applied',
        lastTransitionTime: '2026-03-14T09:00:00Z',
      },
    ]);
    const later = Date.parse('2026-03-14T09:05:00Z');
    expect(withFullyApplied(first, spec, [item('m1')], v1_18.rules, later)).toEqual(first);
    expect(withFullyApplied(first, spec, [], v1_18.rules, later)[1]).toMatchObject({
      status: 'False',
      reason: 'FullyAppliedFailed',
      lastTransitionTime: '2026-03-14T09:05:00Z',
    });
  });
});
