import { flagNames } from '../../../src/cli/flagNames.ts';
import { expect, test } from '@jest/globals';
import type { WorkloadExplanation } from '../../../src/analysis/explanation/workloadExplanation.ts';
import { chainBlocks, chainTitle } from '../../../src/views/explanation/chain.ts';
import { blocksText } from '../shownText.ts';

test('for a workload without steps, the chain reports that nothing happens', () => {
  const explanation = { chain: [], failures: [], verdict: {} } as unknown as WorkloadExplanation;
  expect(blocksText(chainBlocks(explanation, 0, { wide: false, noHeaders: false, names: flagNames }))).toBe(
    'With no further failures: nothing happens; no eviction or retry is pending',
  );
});

test('a taint is attributed once to each policy that adds it', () => {
  const named = (text: string) => {
    const [key, effect] = text.split(':');
    return { key, effect };
  };
  const speaks = (policy: string, taint: string) => ({
    rule: 'in other words',
    object: { kind: 'ClusterTaintPolicy', name: policy },
    taint: named(taint),
  });
  const added = (message: string) => ({
    taint: named(message),
    time: 0,
    controller: 'cluster-taint-policy-controller',
    type: 'TaintAdded',
    object: { kind: 'Cluster', name: 'west' },
    cluster: 'west',
    message,
    evidence: [
      speaks('power-cut', 'power:NoExecute'),
      speaks('power-cut', 'grid:NoSchedule'),
      speaks('network', 'network:NoExecute'),
    ],
  });
  const explanation = {
    chain: ['power:NoExecute', 'grid:NoSchedule', 'network:NoExecute'].map(added),
    failures: [],
    verdict: {},
    binding: { kind: 'ResourceBinding', name: 'cart' },
  } as unknown as WorkloadExplanation;
  const text = blocksText(chainBlocks(explanation, 0, { wide: false, noHeaders: false, names: flagNames }));
  expect(text.match(/by ClusterTaintPolicy .*/g)).toEqual([
    'by ClusterTaintPolicy power-cut',
    'by ClusterTaintPolicy power-cut',
    'by ClusterTaintPolicy network',
  ]);
});

test('simultaneous failures of clusters are one clause of the title', () => {
  const failures = [
    { cluster: 'dublin', time: 0 },
    { cluster: 'frankfurt', time: 0 },
    { cluster: 'oregon', time: 60_000 },
  ];
  const explanation = {
    failures,
    present: { clusters: [{ name: 'dublin' }] },
    verdict: { leaving: [], after: [] },
  } as unknown as WorkloadExplanation;
  expect(chainTitle(explanation, 0)).toBe('if dublin and frankfurt fail now and oregon fails in 1m');
});
