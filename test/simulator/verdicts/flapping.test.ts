import { describe, expect, test } from '@jest/globals';
import { bindingKey } from '../../../src/karmada/objects/identities.ts';
import { followFlapping } from '../../../src/simulator/verdicts/flapping.ts';
import type { VirtualTime } from '../../../src/simulator/virtualTime/virtualTime.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { deployment } from '../simulation/controlPlane.ts';

/** A workload that is on two clusters, or evicting from the second. */
const both = ['east', 'west'];
const leaving = ['east'];

/** The verdict on a workload with these placements at these seconds, some seconds after the last. */
function flapping(course: [seconds: number, clusters: string[]][], later = 1) {
  const listeners: Parameters<VirtualTime['follow']>[0][] = [];
  let now = 0;
  const time = {
    now: () => now,
    follow: (listener: (typeof listeners)[number]) => listeners.push(listener),
    pending: () => [],
    stop: () => undefined,
  } as unknown as VirtualTime;
  const followed = followFlapping(time, { lastEvent: 0 });
  const placedOn = (clusters: string[]): ResourceBinding =>
    deployment('web', {
      placement: { clusterAffinity: {} },
      replicas: 1,
      clusters: clusters.map((name) => ({ name, replicas: 1 })),
      spec: {
        gracefulEvictionTasks: clusters.includes('west')
          ? []
          : [{ fromCluster: 'west', reason: 'TaintUntolerated', producer: 'TaintManager' }],
      },
    });
  let before = placedOn(both);
  const key = bindingKey(before);
  for (const [seconds, clusters] of course) {
    now = seconds * 1000;
    const after = placedOn(clusters);
    const change = { kind: 'Binding', key, before, after };
    for (const listener of listeners)
      listener({ changes: [change] } as unknown as Parameters<typeof listener>[0]);
    before = after;
  }
  now += later * 1000;
  return followed.of(key);
}

describe('a workload flaps', () => {
  test('if it returns to a placement for the third time at regular intervals', () => {
    const rounds: [number, string[]][] = [
      [10, leaving],
      [12, both],
      [40, leaving],
      [42, both],
      [70, leaving],
    ];
    expect(flapping(rounds)).toEqual({ period: 30_000, cause: 'TaintUntolerated' });
    expect(flapping(rounds.slice(0, -1))).toBeUndefined();
  });

  test('if each cycle returns to the same placement several times', () => {
    const rounds = [0, 1, 2].flatMap((round): [number, string[]][] => [
      [10 * round + 0.6, leaving],
      [10 * round + 1.1, both],
      [10 * round + 1.3, leaving],
      [10 * round + 1.7, both],
    ]);
    expect(flapping(rounds)).toEqual({ period: 10_000, cause: 'TaintUntolerated' });
  });

  test('but no longer after it has stayed for two cycles', () => {
    const rounds: [number, string[]][] = [10, 40, 70].flatMap((at) => [
      [at, leaving],
      [at + 2, both],
    ]);
    expect(flapping(rounds, 59)).toBeDefined();
    expect(flapping(rounds, 61)).toBeUndefined();
  });

  test('but not if it returns at irregular intervals', () => {
    const visits: [number, string[]][] = [10, 40, 200, 310, 700].flatMap((at) => [
      [at, leaving],
      [at + 2, both],
    ]);
    expect(flapping(visits)).toBeUndefined();
  });
});
