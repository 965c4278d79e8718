import { describe, expect, test } from '@jest/globals';
import type { SchedulingDecision } from '../../../src/analysis/explanation/schedulingDecision.ts';
import type { WhyCluster } from '../../../src/analysis/explanation/whyCluster.ts';
import type { WorkloadExplanation } from '../../../src/analysis/explanation/workloadExplanation.ts';
import type { AttemptTrace } from '../../../src/karmada/scheduling/trace.ts';
import type { Shown } from '../../../src/views/answer.ts';
import { decisionBlocks, whyClusterBlock } from '../../../src/views/explanation/decision.ts';
import { answerText, blocksText, plainly } from '../shownText.ts';
import { decided, traced } from './traced.ts';

const show = (decision: SchedulingDecision, options: Partial<Shown> = {}) => {
  const explanation = { decision, present: { replicas: 3 } } as unknown as WorkloadExplanation;
  const presentation = (shown: Shown) => ({ blocks: decisionBlocks(explanation, 0, shown) });
  return answerText({ presentation }, { ...options, width: 80 });
};
const [a, b] = [traced('a', { selected: true }), traced('b', { selected: false })];
/** The sections after the matrix: "spread", "division", and so on. */
const steps = (group: Partial<AttemptTrace>, more: Partial<SchedulingDecision> = {}) =>
  show(decided([a, b], { ...more, group }))
    .split('\n')
    .filter((line) => !/^ {2}(CLUSTER|a|b) /.test(line) && line.startsWith('  '));
const ONE = { mode: 'scale up', strategy: 'Aggregated', replicas: 1, weights: [], kept: [] };

describe('the scheduler decision', () => {
  test.each<[string, Partial<SchedulingDecision>, string]>([
    [
      'shows its time and its reason',
      { time: 35_100 },
      'Clusters as the scheduler sees them at T+35.1s (replicas changed):',
    ],
    [
      'is hypothetical if no reschedule is pending',
      { hypothetical: true },
      'Clusters as the scheduler would see them now (no reschedule is pending):',
    ],
    ['is absent without a placement', { groups: [] }, 'The scheduler has no placement to apply.'],
  ])('%s', (_, more, title) => {
    expect(show(decided([a, b], more)).split('\n')[0]).toBe(title);
  });

  test('names the affinity group tried last, and the results of the others', () => {
    const decision = decided([], {
      untried: [
        { affinityName: 'zero', earlier: true, why: 'it was left before' },
        { affinityName: 'third', earlier: false, why: 'not needed: second has room' },
      ],
      groups: [
        { affinityName: 'first', clusters: [b], error: '0/1 clusters are available' },
        { affinityName: 'second', clusters: [a] },
      ],
    });
    const text = show(decision);
    expect(text).toContain('(replicas changed, affinity group\nsecond):');
    expect(text).toContain(
      [
        '  groups    zero: not tried: it was left before',
        '            first: 0/1 clusters are available',
        '            second: chosen',
        '            third: not tried: not needed: second has room',
        '  filters   1 of 1 clusters pass',
      ].join('\n'),
    );
    // the clusters of the last group; with wide those of each
    expect(text).not.toMatch(/^ {2}b /m);
    expect(show(decision, { wide: true })).toContain('affinity group first');
  });

  test('shows only the filter matrix with --no-headers', () => {
    expect(show(decided([a, b]), { noHeaders: true }).split('\n')).toEqual([
      expect.stringMatching(/^a +✓/),
      expect.stringMatching(/^b +✓/),
    ]);
  });

  test('counts the clusters that pass, and shows the error if none is chosen', () => {
    const error = 'failed to select clusters: no enough resource when selecting 1 clusters';
    expect(steps({ error })).toEqual([
      '  filters   2 of 2 clusters pass',
      '  result    failed to select clusters: no enough resource when selecting 1',
      '            clusters',
    ]);
  });
});

describe('the cluster choice by spread constraints', () => {
  const constraint = { field: 'cluster', minGroups: 1, maxGroups: 2, groups: 2 };
  const spread = (more: Partial<NonNullable<AttemptTrace['spread']>>) =>
    steps({ spread: { rule: 'cluster', constraints: [constraint], ...more } })
      .slice(1)
      .map((line) => line.trim())
      .join(' ');

  test.each<[string, Parameters<typeof spread>[0], string]>([
    ['names the constraint and the chosen clusters', {}, 'spread    cluster 1..2 (of 2): a chosen'],
    [
      'has no upper bound if none is given',
      { constraints: [{ ...constraint, maxGroups: 0 }] },
      'spread    cluster 1..∞ (of 2): a chosen',
    ],
    [
      'shows the regions with their scores',
      {
        rule: 'region',
        regions: [
          { name: 'eu', clusters: 1, score: 2100, chosen: true },
          { name: 'us', clusters: 1, score: 5, chosen: false },
        ],
      },
      'spread    cluster 1..2 (of 2): eu (score 2100), not us (score 5); a chosen',
    ],
    ['shows the error', { error: 'too few' }, 'spread    cluster 1..2 (of 2): too few'],
    [
      'is ignored by static weights',
      { rule: 'all' },
      'spread    cluster 1..2 (of 2): ignored, static weights take every cluster that passes',
    ],
    [
      'takes all clusters without constraints',
      { rule: 'all', constraints: [] },
      'spread    no constraints, all of them are taken',
    ],
  ])('%s', (_, more, text) => {
    expect(spread(more)).toBe(text);
  });
});

describe('the division of replicas', () => {
  const division = (
    more: object,
    strategy: SchedulingDecision['strategy'] = 'Aggregated',
    result = [{ name: 'a', replicas: 3 }],
  ) => steps({ divisions: [{ ...ONE, ...more }], result }, { strategy }).at(-1);

  test.each<[string, object, string]>([
    [
      'assigns all replicas to each cluster',
      { mode: 'every cluster gets all', replicas: 3 },
      '  division   Duplicated, each gets 3',
    ],
    [
      'keeps existing replicas',
      { mode: 'unchanged', kept: [{ name: 'a', replicas: 3 }] },
      '  division   keeps a×3: as many replicas as wanted',
    ],
    [
      'adds replicas by capacity',
      {
        kept: [{ name: 'a', replicas: 2 }],
        weights: [
          { name: 'a', weight: 98 },
          { name: 'b', weight: 5 },
        ],
      },
      '  division   keeps a×2; 1 replica by capacity a 98, b 5 → a×3',
    ],
    ['finds no capacity', { replicas: 2 }, '  division   2 replicas by capacity nowhere → a×3'],
  ])('%s', (_, more, text) => {
    expect(division(more)).toBe(text);
  });

  test('uses static weights if they are configured', () => {
    const weights = [
      { name: 'a', weight: 2 },
      { name: 'b', weight: 1 },
    ];
    expect(division({ replicas: 3, weights }, 'StaticWeight')).toBe(
      '  division   3 replicas by weight a 2, b 1 → a×3',
    );
  });

  test('shows the result of a rebalance, and the options of a random choice', () => {
    const lines = steps(
      {},
      {
        dividedAnew: [{ name: 'b', replicas: 3 }],
        drawn: { among: [[{ name: 'a', replicas: 3 }], [{ name: 'b', replicas: 3 }]], complete: false },
      },
    );
    expect(lines.slice(1)).toEqual([
      '  at random   or b×3',
      '              or another',
      '  rebalance   divided again it would be b×3',
    ]);
  });
});

const showWhy = (why: Partial<WhyCluster>, hypothetical = false, wide = false) =>
  blocksText(
    [
      whyClusterBlock({ cluster: 'dublin', answer: 'placed', groups: [], ...why }, hypothetical, {
        ...plainly,
        wide,
      }),
    ],
    80,
  );

describe('failover why', () => {
  test.each<[string, Partial<WhyCluster>, boolean, string]>([
    ['keeps its replicas', { before: 3, after: 3 }, false, 'Why dublin? It keeps 3 replicas.'],
    ['gets a replica', { after: 1 }, false, 'Why dublin? It gets 1 replica.'],
    [
      'would get replicas if rescheduled',
      { before: 1, after: 3 },
      true,
      'Why dublin? It would have 3 replicas if it were rescheduled.',
    ],
    ['keeps a copy without replicas', { before: 0, after: 0 }, false, 'Why dublin? It keeps its copy.'],
    [
      'is rejected by a filter',
      { answer: 'rejected' },
      false,
      'Why not dublin? It does not pass the filters.',
    ],
    [
      'passes the filters and is not chosen',
      { answer: 'not-chosen' },
      false,
      'Why not dublin? It passes the filters and is not chosen.',
    ],
    [
      'is chosen and gets no replicas',
      { answer: 'no-replicas' },
      false,
      'Why not dublin? It is chosen and gets no replicas.',
    ],
  ])('explains a cluster that %s', (_, why, hypothetical, title) => {
    expect(showWhy(why, hypothetical).split('\n')[0]).toBe(title);
  });

  const reasons: WhyCluster['groups'][number]['reasons'] = [
    { step: 'filters', speaks: 'for', plugin: 'APIEnablement', text: 'passes', evidence: [] },
    { step: 'filters', speaks: 'for', plugin: 'ClusterAffinity', text: 'passes', evidence: [] },
    {
      step: 'filters',
      speaks: 'against',
      plugin: 'TaintToleration',
      text: 'taint maintenance:NoSchedule is not tolerated',
      evidence: [{ rule: 'no toleration for it', field: 'spec.taints[0]', value: 'maintenance' }],
    },
    { step: 'ranking', speaks: 'for', text: 'rank 1 of 2', evidence: [{ rule: 'score, then room' }] },
  ];

  test('puts passed filters on one line, and marks each obstacle with its field', () => {
    expect(
      showWhy({ answer: 'rejected', groups: [{ reasons }] })
        .split('\n')
        .slice(1),
    ).toEqual([
      '  ✗   TaintToleration   taint maintenance:NoSchedule is not tolerated',
      '                        [spec.taints[0]]',
      '  ✓   filters           APIEnablement, ClusterAffinity let it pass',
      '  ✓   ranking           rank 1 of 2',
    ]);
  });

  test('shows all evidence with -o wide', () => {
    const wide = showWhy({ answer: 'rejected', groups: [{ reasons }] }, false, true);
    expect(wide).toContain('no toleration for it [spec.taints[0]: maintenance]');
    expect(wide).toContain('score, then room');
  });

  test('groups reasons by affinity group', () => {
    const groups = ['first', 'second'].map((affinityName) => ({
      affinityName,
      reasons: reasons.slice(0, 1),
    }));
    expect(showWhy({ groups }).split('\n').slice(1)).toEqual([
      '  affinity group first',
      '    ✓   filters   APIEnablement let it pass',
      '  affinity group second',
      '    ✓   filters   APIEnablement let it pass',
    ]);
  });
});
