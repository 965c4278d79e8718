import { expect, test } from '@jest/globals';
import { createFootnotes, noFootnotes } from '../../src/presentation/footnotes.ts';

test('footnotes stand in the order of their numbers, beyond nine too, and each is said once', () => {
  const footnotes = createFootnotes();
  const texts = Array.from({ length: 11 }, (_, i) => `reason ${i + 1}`);
  for (const text of texts) footnotes.mark({ certainty: 'estimate', dependsOn: [text] });
  expect(footnotes.mark({ certainty: 'estimate', dependsOn: ['reason 10', 'reason 2', 'reason 11'] })).toBe(
    'estimate [2][10][11]',
  );
  expect(footnotes.all()).toEqual(texts.map((text, i) => [`[${i + 1}]`, `depends on ${text}`]));
});

test('if nothing can be said beneath, only how sure it is', () => {
  expect(noFootnotes.mark({ certainty: 'estimate', dependsOn: ['chance'] })).toBe('estimate');
});
