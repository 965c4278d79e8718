import { expect, test } from '@jest/globals';
import { emptyFeed } from '../../../src/analysis/overview/feed.ts';
import type { WorkloadSummary } from '../../../src/analysis/explanation/workloadNow.ts';
import { plain } from '../../../src/presentation/words.ts';
import { workloadList } from '../../../src/views/dashboard/lists/workloads.ts';

const binding = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' };
const cart: WorkloadSummary = {
  key: 'shop/cart',
  binding,
  workload: { kind: 'Deployment', namespace: 'shop', name: 'cart' },
  clusters: [],
  evicting: ['dublin'],
  state: 'down',
  where: [],
};

test('a workload without a placement has the outcome of the failure of a cluster with its old copy', () => {
  const fate = workloadList.columns.find(({ name }) => name === 'IF A CLUSTER FAILS')!;
  const shown = (verdicts: typeof emptyFeed.verdicts) =>
    plain(fate.words(cart, { feed: { ...emptyFeed, verdicts } } as Parameters<typeof fate.words>[1]));
  const lost = { cluster: 'dublin', outcome: 'lost', certainty: 'certain', after: [] } as const;
  expect(shown(new Map())).toBe('');
  expect(shown(new Map([[cart.key, [{ ...lost, after: [] }]]]))).toBe('dublin: lost');
});
