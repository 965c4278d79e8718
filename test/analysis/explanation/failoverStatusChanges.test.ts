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

test('the first status reports failover as added, then each cluster by name', () => {
  expect(reported(failoverStatusChanges(undefined, two))).toEqual([
    'ADDED failover',
    'ADDED east',
    'ADDED west',
  ]);
});

test('an unchanged status reports nothing', () => {
  expect(failoverStatusChanges(two, statusOf([cluster('east'), cluster('west')]))).toEqual([]);
});

test('a later status reports only changed clusters, and deleted clusters last with their last state', () => {
  const tainted = cluster('west', [{ key: 'maintenance', effect: 'NoSchedule' }]);
  const changes = failoverStatusChanges(two, statusOf([tainted, cluster('north')]));
  expect(reported(changes)).toEqual(['ADDED north', 'MODIFIED west', 'DELETED east']);
  expect(changes[1]!.cluster!.taints).toMatchObject([{ taint: 'maintenance:NoSchedule' }]);
});

test('failover that is now off is reported as a change', () => {
  const changes = failoverStatusChanges(two, statusOf([cluster('east'), cluster('west')], v1_18.defaults));
  expect(reported(changes)).toEqual(['MODIFIED failover']);
  expect(changes[0]!.failover.state).toBe('off');
});
