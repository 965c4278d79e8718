import { describe, expect, test } from '@jest/globals';
import type { ConditionStatus } from '../../../src/karmada/api/meta.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import {
  monitorHealth,
  type ClusterHealth,
  type ObservedCluster,
} from '../../../src/karmada/detection/clusterHealth.ts';
import type { ConditionOf } from '../../../src/karmada/objects/conditions.ts';

const START = Date.UTC(2026, 2, 14);
const at = (seconds: number) => START + seconds * 1000;
const grace = { monitor: 40_000, startup: 60_000 };
const ready = (status: ConditionStatus, since = 0): ConditionOf<'Ready'> => ({
  type: 'Ready',
  status,
  reason: 'R',
  lastTransitionTime: rfc3339(at(since)),
});

/** Looks one after another; returns the reason that each publishes. */
function looks(...all: (Partial<ObservedCluster> & { second: number })[]) {
  let health: ClusterHealth | undefined;
  const reasons = all.map(({ second, ...look }) => {
    const found = monitorHealth(
      { syncMode: 'Pull', ready: ready('True'), createdAt: START, now: at(second), ...look },
      health,
      grace,
    );
    ({ health } = found);
    return found.published?.reason;
  });
  return { reasons, health: health! };
}
const lease = (second: number) => ({ lease: { renewedAt: at(second) } });

describe('the health monitor', () => {
  test('starts the grace period at its first reconcile and publishes Unknown after it', () => {
    expect(looks({ second: 100 }, { second: 140 }, { second: 141 }).reasons).toEqual([
      undefined,
      undefined,
      'ClusterStatusUnknown',
    ]);
  });

  test('restarts the grace period for a renewed Lease, but not for an unchanged one', () => {
    const once = [
      { second: 0, ...lease(0) },
      { second: 30, ...lease(0) },
    ] as const;
    expect(looks(...once, { second: 41, ...lease(0) }).reasons.at(-1)).toBe('ClusterStatusUnknown');
    expect(looks(...once, { second: 41, ...lease(40) }).reasons.at(-1)).toBeUndefined();
  });

  test('restarts the grace period for a changed condition and then accepts any Lease', () => {
    const changed = { second: 30, ready: { ...ready('True'), message: 'new' } };
    expect(looks({ second: 0 }, changed, { ...changed, second: 70 }).reasons.at(-1)).toBeUndefined();
    const old = looks({ second: 0, ...lease(-100) }, { ...changed, ...lease(-100) });
    expect(old.health).toMatchObject({ heardAt: at(30) });
    expect(old.health.lease).toBeUndefined();
  });

  test('never publishes Unknown for Push clusters', () => {
    expect(looks({ second: 0, syncMode: 'Push' }, { second: 1000, syncMode: 'Push' }).reasons).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('applies the startup grace period to a new cluster, from its creation', () => {
    const fresh = { ready: undefined };
    expect(
      looks({ second: 50, ...fresh }, { second: 60, ...fresh }, { second: 61, ...fresh }).reasons,
    ).toEqual([undefined, undefined, 'ClusterStatusNeverUpdated']);
  });

  test('publishes Unknown once and does not count the first Lease after it as a heartbeat', () => {
    const silent = looks({ second: 0 }, { second: 41 });
    expect(silent.health).toMatchObject({ heardAt: at(0), readyChangedAt: at(41), lease: {} });
    const unknown = { ready: silent.health.ready! };
    const found = monitorHealth(
      { syncMode: 'Pull', createdAt: START, now: at(60), ...unknown, ...lease(59) },
      silent.health,
      grace,
    );
    expect(found.published).toBeUndefined();
    expect(found.health.heardAt).toBe(at(0));
  });

  test('records when it observes a transition, not the time of the transition', () => {
    expect(looks({ second: 0 }, { second: 10, ready: ready('False', 3) }).health.readyChangedAt).toBe(at(10));
    const message = { ...ready('True'), message: 'new' };
    expect(looks({ second: 5 }, { second: 10, ready: message }).health.readyChangedAt).toBe(at(5));
  });
});
