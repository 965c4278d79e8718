import { describe, expect, test } from '@jest/globals';
import { reconcileNews, type ControllerNews } from '../../../src/karmada/running/controllerNews.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';
import { createFakeControlPlane } from '../fakeControlPlane.ts';
import { ourNames, runOurs } from './ours.ts';

const everywhere: Placement = {};
const settling = {
  clusterTolerations: [
    { key: 'cluster.karmada.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 },
  ],
} satisfies Placement;
const twoOf = [
  { name: 'east-1', replicas: 2 },
  { name: 'west-1', replicas: 2 },
];
const state = world(
  [cluster('east-1'), cluster('west-1')],
  [
    deployment('web', { placement: everywhere, replicas: 2, clusters: twoOf }),
    deployment('api', { placement: settling, replicas: 2, clusters: twoOf }),
  ],
);

/** The output of observing controllers during `happens`, and their writes. */
async function observed(
  happens: (plane: ReturnType<typeof createFakeControlPlane>) => void,
  { minutes = 20, without = ourNames }: { minutes?: number; without?: typeof ourNames } = {},
) {
  const plane = createFakeControlPlane(state, { start: START, configuration: failoverOn, without });
  const news: ControllerNews[] = [];
  const stop = new AbortController();
  const client = plane.client();
  const running = runOurs(client, {
    configuration: failoverOn,
    signal: stop.signal,
    observe: true,
    observer: { reconciled: (look) => void news.push(...reconcileNews(look)) },
  });
  happens(plane);
  plane.time.plan(START + minutes * 60_000, () => stop.abort());
  await plane.time.until(running);
  const reported = news
    .filter(({ type }) => type !== 'tolerated' && type !== 'task-begun')
    .map((one) => {
      const second = Math.round((one.time - START) / 1000);
      if (one.type === 'tainted')
        return `${second} s: ${one.cluster} +${one.added.length} -${one.removed.length}`;
      return 'binding' in one
        ? `${second} s: ${one.type} ${one.binding.metadata.name} ${one.cluster}`
        : `${second} s: ${one.type}`;
    });
  return { reported, plane, writes: client.writes };
}

const fail = (name: string) => ({ type: 'fail', cluster: name }) as const;
const recover = (name: string) => ({ type: 'recover', cluster: name }) as const;

describe('controllers in observe mode', () => {
  test('continue as if their writes had succeeded, and write nothing', async () => {
    const { reported, plane, writes } = await observed(({ time, play }) => {
      time.plan(START + 10_000, () => play(fail('east-1')));
    });
    expect(reported).toEqual([
      expect.stringMatching(/^\d+ s: east-1 \+1 -0$/),
      expect.stringMatching(/ evicted web-deployment east-1$/),
      expect.stringMatching(/ evicted api-deployment east-1$/),
    ]);
    const [tainted, web, api] = reported.map((line) => parseInt(line));
    expect(web! - tainted!).toBeLessThan(2);
    expect(api! - tainted!).toBe(30);
    expect(writes).toEqual([]);
    expect(plane.clusters().map(({ spec }) => spec?.taints?.length)).toEqual([1, 0]);
    expect(plane.history.tasks).toEqual([]);
  });

  test('report the end of an incident, and the next incident', async () => {
    const { reported } = await observed(({ time, play }) => {
      time.plan(START + 10_000, () => play(fail('east-1')));
      time.plan(START + 300_000, () => play(recover('east-1')));
      time.plan(START + 600_000, () => play(fail('east-1')));
    });
    expect(reported.map((line) => line.replace(/^\d+ s: /, ''))).toEqual([
      'east-1 +1 -0',
      'evicted web-deployment east-1',
      'evicted api-deployment east-1',
      'east-1 +0 -1',
      'east-1 +1 -0',
      'evicted web-deployment east-1',
      'evicted api-deployment east-1',
    ]);
  });

  test('report each action of Karmada’s controllers once', async () => {
    const { reported, plane } = await observed(
      ({ time, play }) => {
        time.plan(START + 10_000, () => play(fail('east-1')));
      },
      { without: [] },
    );
    // it is random who is first; Karmada's results are observed as they are, and not repeated
    expect(plane.history.tasks.sort()).toEqual(['api-deployment from east-1', 'web-deployment from east-1']);
    expect(new Set(reported).size).toBe(reported.length);
    expect(reported.filter((line) => line.includes('evicted web')).length).toBeLessThanOrEqual(1);
  });

  test('stop reporting a deleted binding', async () => {
    const { reported } = await observed(({ time, play }) => {
      time.plan(START + 10_000, () => play(fail('east-1')));
      time.plan(START + 200_000, () =>
        play({
          type: 'delete',
          target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
        }),
      );
    });
    expect(reported).toHaveLength(3);
  });
});
