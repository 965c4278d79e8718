import { expect, test } from '@jest/globals';
import { createFootnotes } from '../../src/views/footnotes.ts';
import { plainStyle } from '../../src/views/style.ts';

test('footnotes stand in the order of their numbers, beyond nine too, and each is said once', () => {
  const footnotes = createFootnotes(plainStyle);
  const texts = Array.from({ length: 11 }, (_, i) => `reason ${i + 1}`);
  for (const text of texts) footnotes.doubt({ certainty: 'estimate', dependsOn: [text] });
  expect(footnotes.doubt({ certainty: 'estimate', dependsOn: ['reason 10', 'reason 2', 'reason 11'] })).toBe(
    'estimate [2][10][11]',
  );
  expect(footnotes.doubt({ certainty: 'certain' })).toBe('');
  expect(footnotes.lines()).toEqual(texts.map((text, i) => `[${i + 1}] depends on ${text}`));
});
