import { describe, expect, test } from '@jest/globals';
import type { WhyCluster } from '../../../src/analysis/explanation/whyCluster.ts';
import { whyClusterBlock } from '../../../src/views/explanation/whyCluster.ts';
import { blocksText, plainly } from '../shownText.ts';

const show = (why: Partial<WhyCluster>, hypothetical = false, wide = false) =>
  blocksText(
    [
      whyClusterBlock({ cluster: 'dublin', answer: 'placed', groups: [], ...why }, hypothetical, {
        ...plainly,
        wide,
      }),
    ],
    80,
  );

describe('why that cluster', () => {
  test.each<[string, Partial<WhyCluster>, boolean, string]>([
    ['keeps', { before: 3, after: 3 }, false, 'Why dublin? It keeps 3 replicas.'],
    ['gets', { after: 1 }, false, 'Why dublin? It gets 1 replica.'],
    [
      'would get',
      { before: 1, after: 3 },
      true,
      'Why dublin? It would have 3 replicas if the scheduler looked again.',
    ],
    ['of what has no replicas', { before: 0, after: 0 }, false, 'Why dublin? It keeps its copy.'],
    ['rejected', { answer: 'rejected' }, false, 'Why not dublin? It does not pass the filters.'],
    [
      'not chosen',
      { answer: 'not-chosen' },
      false,
      'Why not dublin? It passes the filters and is not chosen.',
    ],
    ['no replicas', { answer: 'no-replicas' }, false, 'Why not dublin? It is chosen and gets no replicas.'],
  ])('%s', (_, why, hypothetical, title) => {
    expect(show(why, hypothetical).split('\n')[0]).toBe(title);
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

  test('what has nothing against it is in one line, what has is marked, with its field', () => {
    expect(
      show({ answer: 'rejected', groups: [{ reasons }] })
        .split('\n')
        .slice(1),
    ).toEqual([
      '  ✓   filters           APIEnablement, ClusterAffinity let it pass',
      '  ✗   TaintToleration   taint maintenance:NoSchedule is not tolerated',
      '                        [spec.taints[0]]',
      '  ✓   ranking           rank 1 of 2',
    ]);
  });

  test('with all evidence if that is asked for', () => {
    const wide = show({ answer: 'rejected', groups: [{ reasons }] }, false, true);
    expect(wide).toContain('no toleration for it [spec.taints[0]: maintenance]');
    expect(wide).toContain('score, then room');
  });

  test('for each affinity group by itself', () => {
    const groups = ['first', 'second'].map((affinityName) => ({
      affinityName,
      reasons: reasons.slice(0, 1),
    }));
    expect(show({ groups }).split('\n').slice(1)).toEqual([
      '  affinity group first',
      '    ✓   filters   APIEnablement let it pass',
      '  affinity group second',
      '    ✓   filters   APIEnablement let it pass',
    ]);
  });
});
