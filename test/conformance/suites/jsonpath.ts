import {
  preservedLabelState,
  type PreservedLabelState,
} from '../../../src/karmada/eviction/statePreservation.ts';
import type { Dialect } from '../../../src/karmada/dialects/dialects.ts';
import type { StatePreservation } from '../../../src/karmada/api/policy.ts';
import { unmarshal } from '../../../src/kubernetes/goJson.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Suite } from '../suite.ts';

interface Input {
  statePreservation: StatePreservation;
  rawStatus: string;
}

type Expected = PreservedLabelState | { oneOfUnordered: PreservedLabelState[] };

/** Labels with their words sorted. If object members are visited in no fixed order, only the order of their texts differs. */
function withWordsSorted(state: PreservedLabelState): PreservedLabelState {
  if ('error' in state) return state;
  const words = (text: string) => text.match(/[\p{L}\p{N}_.+-]+|[^]/gu) ?? [];
  const labels = Object.entries(state.labels).map(([name, text]) => [name, words(text).sort().join(' ')]);
  return { labels: Object.fromEntries(labels) as Record<string, string> };
}

export default {
  answer: ({ statePreservation, rawStatus }: Input, { rules }: Dialect) =>
    preservedLabelState(statePreservation, unmarshal(rawStatus), rules),

  difference(expected: Expected, actual: PreservedLabelState) {
    if (!('oneOfUnordered' in expected))
      return isDeepStrictEqual(expected, actual) ? undefined : { expected, actual };
    const sorted = withWordsSorted(actual);
    const known = expected.oneOfUnordered.some((one) => isDeepStrictEqual(withWordsSorted(one), sorted));
    return known ? undefined : { expected, actual };
  },
} satisfies Suite;
