import { expect, test } from '@jest/globals';
import type { WorkloadExplanation } from '../../src/engine/explanation/workloadExplanation.ts';
import { chainText } from '../../src/views/explanation/chain.ts';
import { plainStyle } from '../../src/views/style.ts';

test('of a workload without steps it says that nothing happens', () => {
  const explanation = { chain: [], failures: [], verdict: {} } as unknown as WorkloadExplanation;
  expect(chainText(explanation, 0, { style: plainStyle, wide: false, noHeaders: false })).toBe(
    'If nothing else happens: nothing; no eviction and no retry is under way',
  );
});
