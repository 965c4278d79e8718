import { expect, test } from '@jest/globals';
import type { WorkloadExplanation } from '../../../src/analysis/explanation/workloadExplanation.ts';
import { linksBlocks } from '../../../src/views/explanation/links.ts';
import { blocksText, plainly } from '../shownText.ts';

const binding = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' };
const link = (state: string, text: string, more: object = {}) => ({
  id: text,
  state,
  text,
  evidence: [],
  ...more,
});
const all = [
  link('holds', 'Failover=true', {
    evidence: [{ rule: 'without it nothing is evicted', field: 'Failover', value: true }],
  }),
  link('limits', 'a toleration of 5m keeps it there so long'),
  link('broken', 'nothing taints dublin', { fix: 'add a ClusterTaintPolicy' }),
  link('unknown', 'enable-taint-manager is assumed to be true'),
];
const show = (links: object[], failures: object[] = [], wide = false) =>
  blocksText(
    linksBlocks({ links, failures, binding } as unknown as WorkloadExplanation, { ...plainly, wide }),
    80,
  );

test('the links of the chain are marked as they hold, and say what to do', () => {
  expect(show(all)).toBe(
    [
      'What has to hold for it to leave a cluster that fails:',
      '  ✓ Failover=true',
      '  ! a toleration of 5m keeps it there so long',
      '  ✗ nothing taints dublin',
      '      → add a ClusterTaintPolicy',
      '  ? enable-taint-manager is assumed to be true',
    ].join('\n'),
  );
});

test('if a failure is played through, those are left that are not as one expects', () => {
  const failures = [{ cluster: 'dublin', time: 0 }];
  const text = show(all, failures);
  expect(text.split('\n')[0]).toBe('Worth knowing:');
  expect(text).not.toContain('Failover=true');
  expect(show(all.slice(0, 1), failures)).toBe('');
  expect(show(all, failures, true)).toContain('What has to hold');
});

test('the evidence is there if all is asked for', () => {
  expect(show(all, [], true)).toContain('      without it nothing is evicted [Failover: true]');
  expect(show(all)).not.toContain('without it nothing is evicted');
});
