import { expect, test } from '@jest/globals';
import { ageOfForecasts, emptyFeed, type FeedNews, withNews } from '../../../src/analysis/overview/feed.ts';
import type { ClusterForecast } from '../../../src/analysis/forecast/losses.ts';
import { observeEvictions } from '../../../src/analysis/overview/overviewEvents.ts';
import { knownOverview, overviewOf } from '../../../src/analysis/overview/overview.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';

const forecastOf = (name: string): ClusterForecast => ({
  cluster: name,
  ifItFails: { lost: 1 },
  uncertainIfItFails: 0,
  costIfItFails: {} as ClusterForecast['costIfItFails'],
  workloads: [{ key: 'shop/cart-deployment', outcome: 'lost', certainty: 'certain', after: [] }],
});

function overview(...clusters: string[]): FeedNews {
  const question = { now: START, configuration: failoverOn, unverified: new Set<string>() };
  const { workloads: _, ...reported } = overviewOf(
    world(
      clusters.map((name) => cluster(name)),
      [],
    ),
    question,
  );
  return { type: 'overview', overview: reported };
}

test('a feed removes the forecast of a deleted cluster', () => {
  // given forecasts of two clusters
  const forecasts = { type: 'forecasts' as const, forecasts: [forecastOf('east'), forecastOf('west')] };
  const before = withNews(withNews(emptyFeed, overview('east', 'west'), START), forecasts, START);
  expect(before.verdicts.get('shop/cart-deployment')).toHaveLength(2);
  // when one of them leaves
  const after = withNews(before, overview('west'), START);
  // then its failure is no longer forecast
  expect([...after.forecasts.keys()]).toEqual(['west']);
  expect(after.verdicts.get('shop/cart-deployment')!.map((one) => one.cluster)).toEqual(['west']);
});

test('a feed removes workloads without a forecast, however many were added', () => {
  const forecasts = (key: string): FeedNews => ({
    type: 'forecasts',
    forecasts: [{ ...forecastOf('east'), workloads: [{ ...forecastOf('east').workloads[0]!, key }] }],
  });
  const keys = Array.from({ length: 20 }, (_, at) => `shop/job-${at}`);
  const feed = keys.reduce((before, key) => withNews(before, forecasts(key), START), emptyFeed);
  expect([...feed.verdicts.keys()]).toEqual(['shop/job-19']);
});

/** The evictions that a feed reports after looks, each with its second and the names being evicted at that time. */
function evictionsReported(
  ...looks: [second: number, leaving: string[]][]
): [second: number, count: number][] {
  const known = knownOverview();
  const began = new Map<string, number>();
  const feed = looks.reduce((before, [second, leaving]) => {
    const now = START + second * 1000;
    const bindings = leaving.map((name) => {
      if (!began.has(name)) began.set(name, now);
      const task = {
        fromCluster: 'east',
        reason: 'TaintUntolerated',
        producer: 'TaintManager',
        creationTimestamp: rfc3339(began.get(name)!),
      };
      const spec = { gracefulEvictionTasks: [task] };
      return deployment(name, {
        placement: {},
        replicas: 1,
        clusters: [{ name: 'west', replicas: 1 }],
        spec,
      });
    });
    const question = { now, configuration: failoverOn, unverified: new Set<string>(), known };
    const { workloads: _, ...reported } = overviewOf(
      world([cluster('east'), cluster('west')], bindings),
      question,
    );
    return withNews(before, { type: 'overview', overview: reported }, now);
  }, emptyFeed);
  return feed.events.flatMap((one) =>
    one.type === 'evictions' ? [[(one.time - START) / 1000, one.workloads.count]] : [],
  );
}

test('the number of evictions includes ended evictions', () => {
  expect(evictionsReported([0, ['a', 'b']], [4, ['b', 'c']], [8, ['c']], [9, []])).toEqual([[0, 3]]);
  expect(evictionsReported([0, ['a']], [2, []], [4, ['b']], [6, []])).toEqual([[0, 2]]);
});

test('an eviction long after the previous one belongs to another failure', () => {
  expect(evictionsReported([0, ['a', 'b']], [30, []], [300, []], [301, ['c']])).toEqual([
    [301, 1],
    [0, 2],
  ]);
});

test('evictions that start and end between two reads count as a new failure after a long pause', () => {
  // given two evictions that ended before the first look, one that lasts, and one five minutes later
  const known = knownOverview();
  const evicted = (name: string, second: number) =>
    deployment(name, {
      placement: {},
      replicas: 1,
      clusters: [],
      spec: {
        gracefulEvictionTasks: [
          {
            fromCluster: 'east',
            reason: 'TaintUntolerated',
            producer: 'TaintManager',
            creationTimestamp: rfc3339(START + second * 1000),
          },
        ],
      },
    });
  const lasting = evicted('c', 2);
  for (const before of [evicted('a', 0), evicted('b', 1)]) {
    observeEvictions(known.evictions, { after: before });
    observeEvictions(known.evictions, {
      before,
      after: { ...before, spec: { resource: before.spec.resource } },
    });
  }
  const reported = (second: number, ...bindings: ResourceBinding[]) => {
    const question = { configuration: failoverOn, unverified: new Set<string>(), known };
    const { events } = overviewOf(world([cluster('east')], bindings), {
      ...question,
      now: START + second * 1000,
    });
    return events.flatMap((one) =>
      one.type === 'evictions' ? [[(one.time - START) / 1000, one.workloads.count]] : [],
    );
  };
  // when the feed looks
  // then all are reported
  expect(reported(3, lasting)).toEqual([[0, 3]]);
  // and an eviction after five minutes without a look is reported separately
  observeEvictions(known.evictions, { before: lasting });
  observeEvictions(known.evictions, { after: evicted('d', 300) });
  expect(reported(301, evicted('d', 300))).toEqual([[300, 1]]);
});

test('forecasts become outdated if workloads change after the start of their computation', () => {
  const moves: FeedNews = { type: 'workloads', changed: [], gone: ['shop/cart-deployment'] };
  const begins: FeedNews = { type: 'forecasts', forecasts: [], computing: { done: 0, total: 1 } };
  const ends: FeedNews = { type: 'forecasts', forecasts: [forecastOf('east')] };
  const feedAfter = (...news: [second: number, FeedNews][]) =>
    news.reduce((feed, [second, one]) => withNews(feed, one, second * 1000), emptyFeed);
  const age = (...news: [second: number, FeedNews][]) => ageOfForecasts(feedAfter(...news), 60_000);
  expect(age([1, moves])).toBeUndefined();
  expect(age([1, moves], [2, begins], [5, ends])).toBeUndefined();
  expect(age([1, moves], [2, begins], [4, moves], [5, ends])).toBe(58_000);
  expect(age([1, moves], [2, begins], [5, ends], [9, moves], [10, begins])).toBe(58_000);
  expect(age([2, begins], [5, ends], [9, moves], [10, begins], [11, ends])).toBeUndefined();
});
