import { expect, test } from '@jest/globals';
import type { WorkloadExplanation } from '../../src/engine/explanation/workloadExplanation.ts';
import { chainText } from '../../src/views/explanation/chain.ts';
import { plainStyle } from '../../src/views/style.ts';

test.each([
  [{ period: 10_000, cause: 'TaintUntolerated' }, 'its rounds go on as before the state was saved'],
  [undefined, 'nothing; no eviction and no retry is under way'],
])('of a workload without steps whose flapping is %j it says: %s', (flapping, words) => {
  const explanation = { chain: [], failures: [], verdict: { flapping } } as unknown as WorkloadExplanation;
  expect(chainText(explanation, 0, { style: plainStyle, wide: false, noHeaders: false })).toBe(
    `If nothing else happens: ${words}`,
  );
});
