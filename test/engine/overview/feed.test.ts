import { expect, test } from '@jest/globals';
import { emptyFeed, withNews, type FeedNews } from '../../../src/engine/overview/feed.ts';
import type { ClusterForecast } from '../../../src/engine/overview/forecast.ts';
import { overviewOf } from '../../../src/engine/overview/overview.ts';
import { cluster, failoverOn, START, world } from '../simulation/controlPlane.ts';

const forecastOf = (name: string): ClusterForecast => ({
  cluster: name,
  ifItFails: { lost: 1 },
  uncertainIfItFails: 0,
  costIfItFails: {} as ClusterForecast['costIfItFails'],
  workloads: [{ key: 'shop/cart-deployment', outcome: 'lost', certainty: 'certain', after: [] }],
});

function overview(...clusters: string[]): FeedNews {
  const question = { now: START, configuration: failoverOn, unconfirmed: new Set<string>() };
  const { workloads: _, ...told } = overviewOf(
    world(
      clusters.map((name) => cluster(name)),
      [],
    ),
    question,
  );
  return { type: 'overview', overview: told };
}

test('a feed keeps no forecast of a cluster that has left', () => {
  // given forecasts of two clusters
  const forecasts = { type: 'forecasts' as const, forecasts: [forecastOf('east'), forecastOf('west')] };
  const before = withNews(withNews(emptyFeed, overview('east', 'west'), START), forecasts, START);
  expect(before.verdicts.get('shop/cart-deployment')).toHaveLength(2);
  // when one of them leaves
  const after = withNews(before, overview('west'), START);
  // then nothing is said of what its failure would lead to
  expect([...after.forecasts.keys()]).toEqual(['west']);
  expect(after.verdicts.get('shop/cart-deployment')!.map((one) => one.cluster)).toEqual(['west']);
});
