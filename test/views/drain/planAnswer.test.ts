import { flagNames } from '../../../src/cli/flagNames.ts';
import { describe, expect, test } from '@jest/globals';
import type { DrainPlan } from '../../../src/analysis/drain/plan/drainPlan.ts';
import { planAnswer } from '../../../src/views/drain/planAnswer.ts';
import { breaches } from '../../commands/schema.ts';
import { answerText } from '../shownText.ts';
import { handmadePlan, planned } from './handmadePlan.ts';

const assumptions = [
  { name: 'workloadReadyAfter', value: '30s', source: 'a guess; give --ready-after', assumed: true },
];
const basis = {
  clusters: [
    {
      object: { kind: 'Cluster', name: 'frankfurt' },
      uid: 'u',
      resourceVersion: '7',
      fields: { 'spec.region': '"eu"' },
    },
  ],
  bindings: [],
};
const answer = (plan: DrainPlan, dryRun = ' (dry run)') =>
  planAnswer({ plan, basis, assumptions, dryRun, names: flagNames });
const text = (plan: DrainPlan, wide = false, dryRun?: string) => answerText(answer(plan, dryRun), { wide });

test('the plan summarizes refusals, duration, outcomes by reason, and cluster totals', () => {
  expect(text(handmadePlan)).toBe(
    `
Refused: 2 workloads would be lost (use --allow-loss to override): data/statefulset/ledger, shop/deployment/recommendations
Accepted by --allow-blocked: 1 workload cannot leave: shop/deployment/pricing

frankfurt runs 9 workloads and 1 that follows, 34 replicas. Drained now at 0.5 evictions/s, it takes about 1m10s (46s to 10m50s) (dry run)

   2   would be lost   data/statefulset/ledger, shop/deployment/recommendations: no feasible cluster; the last copy is gone at T+10m12s
   1   blocked         shop/deployment/pricing: the number of feasible region is less than spreadConstraint.MinGroups
   1   moves in part   shop/deployment/search: 4 of 6 replicas elsewhere at the end
   1   stays           data/deployment/archive: excluded: it is on the skip list
   1   follows         shop/configmap/checkout-settings
   2   leave           shop/daemonset/metrics-agent, clusterrole/support-readonly: their copies on other clusters stay
   2   move            to virginia +6 replicas, dublin +2, oregon +1

CLUSTER               READY   WORKLOADS   REPLICAS   CPU          MEMORY
frankfurt (drained)   True    10 → 2      34 → 4     85% → 10%    31% → 48%
dublin                True    6 → 7       10 → 16    60% → 90%    31% → 48%
virginia              True    8 → 10      10 → 16    80% → 113%   31% → 48%
oregon                True    3           2 → 3      20% → 23%    31% → 48%

Left behind: shop/secret/checkout-tls of shop/deployment/checkout
Replicas down during the drain: shop/deployment/search (2 permanently)
Estimate: 2 workloads depend on reported capacity, followed from the capture

Assumed: workloadReadyAfter=30s (-o wide)
-o wide shows one line per workload.`.trim(),
  );
});

test('-o wide lists the worst outcomes first, then in eviction order, and all resources as quantities', () => {
  const lines = text(handmadePlan, true).split('\n');
  const rows = lines.slice(lines.findIndex((line) => line.startsWith('ORDER')));
  expect([rows[0], ...rows.filter((row) => row.includes(' moves '))].slice(0, 3)).toEqual([
    'ORDER   FATE           WORKLOAD                           FROM          TO                   EVICTED   READY   GONE    REPLICAS DOWN   CERTAINTY   REASON',
    '1       moves          shop/deployment/checkout           frankfurt×6   virginia×6           T+1s      T+32s   T+34s   -               estimate    -',
    '2       moves          shop/deployment/cart               frankfurt×3   dublin×2, oregon×1   T+3s      T+34s   T+36s   -               estimate    -',
  ]);
  expect(rows.slice(1, 11).map((row) => row.split(/ {2,}/).slice(0, 2).join(' '))).toEqual([
    '6 lost',
    '7 lost',
    '- blocked',
    '5 partly-moves',
    '- stays',
    '- follows',
    '3 leaves',
    '4 leaves',
    '1 moves',
    '2 moves',
  ]);
  expect(text(handmadePlan, true)).toContain(
    'virginia              True    8 → 10      10 → 16    16 → 22.5 of 20',
  );
});

describe('the headline', () => {
  const headline = (plan: Partial<DrainPlan>, dryRun?: string) =>
    text({ ...handmadePlan, refusals: [], ...plan }, false, dryRun).split('\n')[0];

  test('has no upper bound for an unbounded duration', () => {
    expect(headline({ duration: { shortest: 46, expected: 70 } })).toContain(
      'about 1m10s (at least 46s, longer if replacements are slow)',
    );
  });
  test('omits an insignificant lower bound', () => {
    expect(headline({ duration: { shortest: 2, expected: 33 } })).toContain(
      'about 33s (longer if replacements are slow)',
    );
  });
  test('has a single duration if bounds and expectation are equal', () => {
    expect(headline({ duration: { shortest: 70, expected: 70, longest: 70 } }, '')).toMatch(
      /it takes about 1m10s$/,
    );
  });
  test('names all clusters', () => {
    const options = { ...handmadePlan.options, clusters: ['frankfurt', 'oregon'] };
    expect(headline({ options })).toMatch(/^frankfurt, oregon run 9 workloads and 1 that follows, /);
  });
  test('counts a dependent that stays as a follower', () => {
    const requiredBy = [{ kind: 'ResourceBinding', namespace: 'data', name: 'archive-deployment' }];
    const workloads = [
      planned('data/Deployment/archive', 'stays', 'frankfurt:2', 'frankfurt:2'),
      planned('data/ConfigMap/settings', 'stays', 'frankfurt', 'frankfurt', { requiredBy }),
    ];
    expect(headline({ workloads })).toMatch(/^frankfurt runs 1 workload and 1 that follows, /);
  });
  test('reports a cluster without workloads', () => {
    expect(headline({ workloads: [] })).toBe(
      'frankfurt runs no workloads. Draining cordons it and moves nothing (dry run)',
    );
  });
  test('reports that no workload would leave', () => {
    const workloads = [planned('data/Deployment/archive', 'stays', 'frankfurt:2', 'frankfurt:2')];
    expect(headline({ workloads })).toBe(
      'frankfurt runs 1 workload, 34 replicas. A drain now would evict none of them (dry run)',
    );
  });
});

test('workloads that were already evicted and placed by an earlier run are reported as such', () => {
  const workloads = [planned('shop/Deployment/web', 'moves', 'dublin:2', 'dublin:2')];
  expect(text({ ...handmadePlan, refusals: [], workloads }).split('\n')[0]).toBe(
    'frankfurt runs 0 workloads, 34 replicas. All evictions have started: 1 in flight (dry run)',
  );
  expect(text({ ...handmadePlan, refusals: [], workloads }).split('\n')[2]).toBe(
    '  1   moves   shop/deployment/web: evicted already, and placed elsewhere',
  );
});

test('a long list of reasons is truncated, and the others are counted', () => {
  const workloads = Array.from({ length: 9 }, (_, index) =>
    planned(`shop/Deployment/web-${index}`, 'blocked', 'frankfurt:1', 'frankfurt:1', {
      reason: `reason ${Math.max(0, index - 3)}`,
    }),
  );
  const lines = text({ ...handmadePlan, workloads })
    .split('\n')
    .slice(5, 10);
  expect(lines).toEqual([
    '  9   blocked   shop/deployment/web-0, shop/deployment/web-1, shop/deployment/web-2 and 1 more: reason 0',
    '                shop/deployment/web-4: reason 1',
    '                shop/deployment/web-5: reason 2',
    '                shop/deployment/web-6: reason 3',
    '                2 more for other reasons',
  ]);
});

test('the document matches its schema, with times and durations in seconds', () => {
  const { document } = answer(handmadePlan);
  const printed = JSON.parse(JSON.stringify(document)) as object;
  expect(breaches('drain-plan', printed)).toBe('');
  expect(printed).toMatchObject({
    kind: 'DrainPlan',
    now: '2026-09-01T09:30:00.000Z',
    durationSeconds: { shortest: 46, expected: 70, longest: 650 },
    standsOn: basis,
  });
  expect(printed).toHaveProperty('workloads.0.evictedAt', '2026-09-01T09:30:01.000Z');
});

test('-o name lists the workloads to evict', () => {
  expect(answer(handmadePlan).names()).toEqual([
    'deployment/checkout',
    'deployment/cart',
    'daemonset/metrics-agent',
    'clusterrole/support-readonly',
    'deployment/search',
    'statefulset/ledger',
    'deployment/recommendations',
  ]);
});
