import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ConditionStatus } from '../../../src/karmada/api/meta.ts';
import { v1_18 } from '../../dialects.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { nextReadyCondition, type MemberChange } from '../../../src/engine/detection/nextReadyCondition.ts';

const at = Date.UTC(2026, 10, 20, 23, 57, 23);
const configuration = v1_18.defaults;

function member(syncMode: 'Push' | 'Pull', status?: ConditionStatus): Cluster {
  return {
    metadata: { name: 'm1', creationTimestamp: rfc3339(at - 30_000) },
    spec: { syncMode },
    status: { conditions: status ? [{ type: 'Ready', status }] : [] },
  };
}
/** Seconds after the change, earliest, expected and latest, and what is published then. */
function seconds(cluster: Cluster, up: boolean, more: Partial<MemberChange> = {}) {
  const change = nextReadyCondition({ cluster, up, at, configuration, ...more });
  if (!change) return undefined;
  const { status, reason } = change.condition;
  expect(change.evidence[0]?.certainty).toBe('estimate');
  expect(change.evidence[0]?.missing).toBeTruthy();
  const instants = [change.earliest, change.at, change.latest];
  return [...instants.map((time) => (time - at) / 1000), status, reason];
}

describe('a Push member', () => {
  test('that fails is noticed by the probes of the threshold: False, not Unknown', () => {
    expect(seconds(member('Push', 'True'), false)).toEqual([30, 35, 40, 'False', 'ClusterNotReachable']);
  });

  test('in the recording was noticed after 32 s, and its return after 37 s', () => {
    const noticed = nextReadyCondition({ cluster: member('Push', 'True'), up: false, at, configuration })!;
    const real = Date.UTC(2026, 10, 20, 23, 57, 55, 429);
    expect(real >= noticed.earliest && real <= noticed.latest).toBe(true);
    const returned = Date.UTC(2026, 10, 21, 0, 1, 30);
    const back = nextReadyCondition({
      cluster: member('Push', 'False'),
      up: true,
      at: returned,
      configuration,
    })!;
    const realBack = Date.UTC(2026, 10, 21, 0, 2, 6, 586);
    expect(realBack >= back.earliest && realBack <= back.latest).toBe(true);
  });

  test('that returns is Ready after the success threshold', () => {
    expect(seconds(member('Push', 'False'), true)).toEqual([30, 35, 40, 'True', 'ClusterReady']);
  });

  test('changes between Unknown and False, and from no condition, at the next probe', () => {
    expect(seconds(member('Push', 'Unknown'), false)).toEqual([0, 5, 10, 'False', 'ClusterNotReachable']);
    expect(seconds(member('Push'), true)).toEqual([0, 5, 10, 'True', 'ClusterReady']);
  });

  test('that is as published changes nothing', () => {
    expect(seconds(member('Push', 'False'), false)).toBeUndefined();
    expect(seconds(member('Push', 'True'), true)).toBeUndefined();
  });

  test('is probed as the flags say, a threshold counting in whole periods', () => {
    const flags = {
      ...configuration.controllerManager,
      'cluster-status-update-frequency': 4000,
      'cluster-failure-threshold': 10_000,
    };
    expect(
      seconds(member('Push', 'True'), false, {
        configuration: { ...configuration, controllerManager: flags },
      }),
    ).toEqual([12, 14, 16, 'False', 'ClusterNotReachable']);
  });
});

describe('a Pull member', () => {
  test('that fails with its agent falls silent: Unknown after the grace period', () => {
    expect(seconds(member('Pull', 'True'), false)).toEqual([30, 37.5, 45, 'Unknown', 'ClusterStatusUnknown']);
    expect(seconds(member('Pull', 'False'), false)?.slice(3)).toEqual(['Unknown', 'ClusterStatusUnknown']);
    expect(seconds(member('Pull', 'Unknown'), false)).toBeUndefined();
  });

  test('with its Lease in the state is judged from the last renewal', () => {
    const renewed = (before: number) => ({ spec: { renewTime: new Date(at - before * 1000).toISOString() } });
    expect(seconds(member('Pull', 'True'), false, { lease: renewed(4) })?.slice(0, 3)).toEqual([
      36, 38.5, 41,
    ]);
    // renewed every 10 s since
    expect(seconds(member('Pull', 'True'), false, { lease: renewed(24) })?.slice(0, 3)).toEqual([
      36, 38.5, 41,
    ]);
    // too long ago to tell
    expect(seconds(member('Pull', 'True'), false, { lease: renewed(300) })?.slice(0, 3)).toEqual([
      30, 37.5, 45,
    ]);
  });

  test('that has never reported is Unknown after the startup grace period', () => {
    expect(seconds(member('Pull'), false)).toEqual([30, 32.5, 35, 'Unknown', 'ClusterStatusNeverUpdated']);
  });

  test('whose agent lives on is probed by it', () => {
    expect(seconds(member('Pull', 'True'), false, { agentSharesFate: false })).toEqual([
      30,
      35,
      40,
      'False',
      'ClusterNotReachable',
    ]);
  });

  test('that returns is Ready with the first probe of its agent', () => {
    expect(seconds(member('Pull', 'Unknown'), true)).toEqual([0, 15, 25, 'True', 'ClusterReady']);
  });
});
