import { describe, expect, test } from '@jest/globals';
import { matrixBlocks } from '../../../src/views/explanation/decision.ts';
import type { SchedulingDecision } from '../../../src/analysis/explanation/schedulingDecision.ts';
import { MAX_INT32 } from '../../../src/karmada/scheduling/capacity/replicaEstimate.ts';
import { blocksText, plainly } from '../shownText.ts';
import { decided, traced } from './traced.ts';

const show = (decision: SchedulingDecision, { wide = false, replicas = true, width = 80 } = {}) =>
  blocksText(matrixBlocks(decision.groups[0]!, decision, replicas, { ...plainly, wide }), width);
const taint = (key: string, effect: string, value?: string) => ({
  rule: `taint ${key}:${effect} is not tolerated`,
  value: { key, effect, ...(value && { value }) },
});

describe('the matrix of clusters and filters', () => {
  test('shows the replicas of each cluster; on a narrow screen, it omits filters that all clusters pass', () => {
    const clusters = [
      traced('dublin'),
      traced('oregon', { room: 7, rejects: { ClusterEviction: [{ rule: 'r' }] } }),
    ];
    const decision = decided(clusters, {
      before: [{ name: 'oregon', replicas: 3 }],
      result: [{ name: 'dublin', replicas: 3 }],
    });
    expect(show(decision)).toBe(
      [
        'CLUSTER   API   AFFINITY   EVICTION     SPREAD   TAINTS   CAPACITY   REPLICAS',
        'dublin    ✓     ✓          ✓            ✓        ✓        100        0 → 3',
        'oregon    ✓     ✓          ✗ evicting   ✓        ✓        7          3 → 0',
      ].join('\n'),
    );
    expect(show(decision, { width: 60 })).not.toContain('AFFINITY  ');
    expect(show(decision, { width: 60 })).toContain('EVICTION');
  });

  test('shows no replicas for an affinity group without a result', () => {
    const decision = decided([traced('dublin'), traced('oregon')], {
      group: { error: 'no cluster fits' },
      before: [{ name: 'oregon', replicas: 3 }],
      result: [{ name: 'dublin', replicas: 3 }],
    });
    expect(
      show(decision)
        .split('\n')
        .map((line) => line.trimEnd().split(/ {2,}/).at(-1)),
    ).toEqual(['REPLICAS', '-', '3']);
  });

  test('shows a short reason for each rejection, and the full one with -o wide', () => {
    const clusters = [
      traced('a', { rejects: { APIEnablement: [{ rule: 'apps/v1 Deployment is not among its APIs' }] } }),
      traced('b', {
        rejects: {
          ClusterAffinity: [
            { rule: 'not named in clusterNames', field: 'spec.placement.clusterAffinity.clusterNames' },
          ],
        },
      }),
      traced('c', { rejects: { SpreadConstraint: [{ rule: 'it has no region', value: 'region' }] } }),
      traced('d', {
        rejects: {
          TaintToleration: [
            taint('cluster.karmada.io/not-ready', 'NoSchedule'),
            taint('cluster.karmada.io/not-ready', 'NoExecute'),
            taint('example.com/tier', 'NoSchedule', 'low'),
          ],
        },
      }),
    ];
    const lines = show(decided(clusters), { width: 200 }).split('\n').slice(1);
    const against = (text: string) => /✗ (.*?)(?: {2,}|$)/.exec(text)?.[1];
    expect(lines.map(against)).toEqual([
      'not served',
      'clusterNames',
      'no region',
      'not-ready:NoSchedule,NoExecute, example.com/tier=low:NoSchedule',
    ]);
    const wide = show(decided(clusters), { width: 400, wide: true });
    expect(wide).toContain('✗ apps/v1 Deployment is not among its APIs');
    expect(wide).toContain('✗ not named in clusterNames');
  });

  test('shows a deletion instead of the filters', () => {
    const text = show(decided([traced('a', { deleting: true, fits: false }), traced('b')]));
    expect(text.split('\n')[1]).toMatch(/^a +being deleted( +-)+$/);
  });

  test('shows unlimited and unknown capacity', () => {
    const clusters = [traced('a', { room: MAX_INT32 }), { ...traced('b'), allocatableReplicas: undefined }];
    const lines = show(decided(clusters as never)).split('\n');
    expect(lines[1]).toContain('no limit');
    expect(lines[2]).not.toMatch(/\d/);
  });

  test('marks clusters that pass and are not chosen, unless scheduling failed', () => {
    const clusters = [traced('a', { selected: true }), traced('b', { selected: false })];
    const result = [{ name: 'a', replicas: 2 }];
    expect(show(decided(clusters, { result }))).toMatch(/^b .*not chosen$/m);
    expect(show(decided(clusters, { result: [], group: { error: 'no enough resource' } }))).not.toContain(
      'not chosen',
    );
  });

  test('marks filters that are not checked because the workload already runs there', () => {
    const there = traced('a', { selected: true });
    const filters = there.filters.map((one) =>
      one.plugin === 'TaintToleration' ? { ...one, spared: 'had untolerated taint' } : one,
    );
    expect(show(decided([{ ...there, filters }], { before: [{ name: 'a', replicas: 2 }] }))).toMatch(
      /^a .*not checked: runs there/m,
    );
  });

  test('shows copies instead of replicas for a workload without replicas', () => {
    const traces = (room: number) => [
      traced('a', { selected: true, room }),
      traced('b', { selected: true, room }),
    ];
    const placed = { before: [{ name: 'a' }], result: [{ name: 'a' }, { name: 'b' }] };
    const text = show(decided(traces(MAX_INT32), placed), { replicas: false });
    expect(text.split('\n')[0]).toMatch(/TAINTS +COPY$/);
    // its components have replicas
    expect(show(decided(traces(2), placed), { replicas: false })).toMatch(/TAINTS +SETS FIT +COPY$/m);
    expect(text.split('\n').map((line) => line.split(/ {2,}/).at(-1))).toEqual(['COPY', 'yes', 'no → yes']);
  });

  test('shows rank and score with -o wide', () => {
    const clusters = [
      traced('a', { rank: 0, score: 100 }),
      traced('b', { rejects: { ClusterEviction: [] } }),
    ];
    expect(show(decided(clusters), { wide: true, width: 200 })).toMatch(/RANK +SCORE\na .* 1 +100/);
  });
});

test('given many clusters, only previous, current and highest-ranked ones are shown', () => {
  const many = Array.from({ length: 60 }, (_, at) =>
    traced(`c${String(at).padStart(2, '0')}`, { rank: 59 - at, room: 60 - at }),
  );
  many[0] = { ...many[0]!, ...traced('c00', { rejects: { ClusterEviction: [{ rule: 'r' }] } }) };
  delete many[0].rank;
  many[1] = traced('c01', { rejects: { TaintToleration: [taint('k', 'NoSchedule')] } });
  const decision = decided(many, { before: [{ name: 'c02', replicas: 1 }] });
  const text = show(decision);
  const shown = text.split('\n').flatMap((line) => /^(c\d\d)/.exec(line)?.[1] ?? []);
  expect(shown).toHaveLength(25);
  expect(shown).toEqual(shown.toSorted());
  expect(shown.slice(0, 3)).toEqual(['c00', 'c02', 'c37']);
  expect(shown).not.toContain('c01');
  expect(text).toContain('and 35 more; see -o wide');
  expect(show(decision, { wide: true, width: 300 })).not.toContain('more; see');
});
