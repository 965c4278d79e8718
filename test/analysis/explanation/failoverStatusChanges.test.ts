import { expect, test } from '@jest/globals';
import {
  failoverStatus,
  type FailoverStatusChange,
  failoverStatusChanges,
} from '../../../src/analysis/explanation/failoverStatus.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import { v1_18 } from '../../dialects.ts';
import { cluster, failoverOn, world } from '../../simulator/simulation/controlPlane.ts';

const statusOf = (clusters: Cluster[], configuration = failoverOn) =>
  failoverStatus(world(clusters, []), { configuration });
const reported = (changes: FailoverStatusChange[]) =>
  changes.map(({ type, cluster }) => `${type} ${cluster?.name ?? 'failover'}`);

const two = statusOf([cluster('east'), cluster('west')]);

test('at first everything is new: failover, then the clusters by name', () => {
  expect(reported(failoverStatusChanges(undefined, two))).toEqual([
    'ADDED failover',
    'ADDED east',
    'ADDED west',
  ]);
});

test('nothing is reported without a change', () => {
  expect(failoverStatusChanges(two, statusOf([cluster('east'), cluster('west')]))).toEqual([]);
});

test('only changed clusters are reported, deleted ones last and as they were', () => {
  const tainted = cluster('west', [{ key: 'maintenance', effect: 'NoSchedule' }]);
  const changes = failoverStatusChanges(two, statusOf([tainted, cluster('north')]));
  expect(reported(changes)).toEqual(['ADDED north', 'MODIFIED west', 'DELETED east']);
  expect(changes[1]!.cluster!.taints).toMatchObject([{ taint: 'maintenance:NoSchedule' }]);
});

test('a failover that is now off counts as a change', () => {
  const changes = failoverStatusChanges(two, statusOf([cluster('east'), cluster('west')], v1_18.defaults));
  expect(reported(changes)).toEqual(['MODIFIED failover']);
  expect(changes[0]!.failover.state).toBe('off');
});
