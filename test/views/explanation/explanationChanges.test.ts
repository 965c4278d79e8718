import { expect, test } from '@jest/globals';
import type { WorkloadExplanation } from '../../../src/analysis/explanation/workloadExplanation.ts';
import { changesBlocks } from '../../../src/views/explanation/changes.ts';
import { blocksText } from '../shownText.ts';

/** What is told of one change that patches an object of this name. */
const commandFor = (name: string, namespace?: string) => {
  const target = { kind: 'PropagationPolicy', name, ...(namespace === undefined ? {} : { namespace }) };
  const item = {
    kinds: ['toleration'],
    text: 'tolerate it',
    gives: [{ name: 'dublin', replicas: 1 }],
    alternatives: [],
    patches: [{ target, merge: { spec: { note: "it's" } } }],
  };
  const explanation = {
    changes: { items: [item], pairs: false, tried: 1 },
    sharedPolicy: 0,
    decision: { failure: {} },
  };
  return blocksText(changesBlocks(explanation as unknown as WorkloadExplanation))
    .split('\n')
    .find((line) => line.includes('kubectl patch'))
    ?.trim();
};

test('a change is told with the command that makes it', () => {
  expect(commandFor('cart', 'shop')).toBe(
    `kubectl patch propagationpolicy cart -n shop --type merge -p '{"spec":{"note":"it'\\''s"}}'`,
  );
});

test('names do nothing in a shell that the command is pasted into', () => {
  expect(commandFor('$(reboot)', "a'; reboot; '")).toBe(
    `kubectl patch propagationpolicy '$(reboot)' -n 'a'\\''; reboot; '\\''' --type merge -p '{"spec":{"note":"it'\\''s"}}'`,
  );
});
