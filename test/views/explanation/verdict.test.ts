import { describe, expect, test } from '@jest/globals';
import type { FailoverVerdict } from '../../../src/analysis/explanation/failoverVerdict.ts';
import type { ClusterLoss } from '../../../src/analysis/explanation/workloadExplanation.ts';
import { type BrokenLink, lossRows, verdictBlocks } from '../../../src/views/explanation/verdict.ts';
import { blocksText } from '../shownText.ts';

const START = Date.parse('2026-09-01T09:30:00Z');
const on = (name: string, replicas: number) => ({ name, replicas });

describe('the verdict', () => {
  const verdict = (more: object, broken?: BrokenLink) =>
    blocksText(
      verdictBlocks(
        'Deployment shop/cart',
        {
          certainty: 'certain',
          before: [on('frankfurt', 3)],
          after: [on('frankfurt', 3)],
          leaving: [],
          evicting: [],
          ...more,
        } as unknown as FailoverVerdict,
        START,
        broken,
      ),
    );

  test('names the source and destination of a move, and its certainty', () => {
    const moves = { outcome: 'moves', after: [on('dublin', 3)] };
    expect(verdict(moves)).toBe('Deployment shop/cart: moves from frankfurt×3 to dublin×3.');
    expect(verdict({ ...moves, certainty: 'estimate' })).toBe(
      'Deployment shop/cart: moves from frankfurt×3 to dublin×3 (estimate).',
    );
  });

  test('shows the added replicas for a destination that had some before', () => {
    const before = [on('dublin', 1), on('frankfurt', 3)];
    expect(verdict({ outcome: 'moves', before, after: [on('dublin', 4)] })).toBe(
      'Deployment shop/cart: moves from frankfurt×3 to dublin +3.',
    );
  });

  test("prints Karmada's message for a loss on a separate line", () => {
    const lost = verdict({ outcome: 'lost', after: [], reason: '0/5 clusters are available.' });
    expect(lost.split('\n')).toEqual([
      'Deployment shop/cart: lost, nothing replaces frankfurt×3.',
      '  0/5 clusters are available.',
    ]);
  });

  test('ends each sentence with a full stop', () => {
    const replicas = { wanted: 2, readyAtStart: 2, fewest: 2, readyAtEnd: 2 };
    expect(verdict({ outcome: 'stays', replicas, evicting: ['oregon'] })).toBe(
      'Deployment shop/cart: stays on frankfurt×3. Both replicas keep running. The copy on oregon is still there at the end.',
    );
  });

  test('names the reason for a restart, unless a broken link explains it', () => {
    const restarted = { outcome: 'restarted', reason: 'came back to frankfurt' };
    expect(verdict(restarted)).toBe(
      'Deployment shop/cart: restarted: came back to frankfurt, and starts there again.',
    );
    expect(verdict(restarted, { words: 'no cluster takes it', decides: false })).toBe(
      'Deployment shop/cart: restarted. But no cluster takes it.',
    );
  });

  test('ends with a broken link that would only matter if the cluster failed', () => {
    const replicas = { wanted: 2, readyAtStart: 2, fewest: 2, readyAtEnd: 2 };
    const broken = { words: 'no other cluster takes it if frankfurt fails', decides: false };
    expect(verdict({ outcome: 'stays', replicas }, broken)).toBe(
      'Deployment shop/cart: stays on frankfurt×3. Both replicas keep running. But no other cluster takes it if frankfurt fails.',
    );
    expect(verdict({ outcome: 'stays', replicas }, { ...broken, decides: true })).toBe(
      'Deployment shop/cart: stays on frankfurt×3: no other cluster takes it if frankfurt fails. Both replicas keep running.',
    );
  });

  test('reports the clusters of a workload that stays', () => {
    expect(verdict({ outcome: 'stays' })).toBe('Deployment shop/cart: stays on frankfurt×3.');
    expect(verdict({ outcome: 'stays', before: [], after: [] })).toBe(
      'Deployment shop/cart: stays on no cluster.',
    );
  });
});

describe('the failure of one cluster', () => {
  const loss = (more: Partial<ClusterLoss>) =>
    blocksText(
      lossRows([
        {
          cluster: 'frankfurt',
          outcome: 'moves',
          after: [on('dublin', 3)],
          certainty: 'certain',
          ...more,
        } as ClusterLoss,
      ]),
    );

  test('is one line with outcome, downtime and destination', () => {
    expect(loss({})).toBe('If frankfurt fails:   moves; then on dublin×3.');
    const gap = { replicas: 3, seconds: 67, open: false };
    expect(loss({ gap, certainty: 'estimate' })).toBe(
      'If frankfurt fails:   moves (estimate), 3 replicas down for 1m7s; then on dublin×3.',
    );
  });

  test('shows no destination for a lost workload', () => {
    const gap = { replicas: 3, seconds: 600, open: true, atEnd: 3 };
    expect(loss({ outcome: 'lost', after: [], gap })).toBe(
      'If frankfurt fails:   lost, 3 replicas down at the end.',
    );
    expect(loss({ outcome: 'lost', after: [], gap: { ...gap, permanent: true } })).toBe(
      'If frankfurt fails:   lost, 3 replicas down permanently.',
    );
  });
});
