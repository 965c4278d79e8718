import { expect, test } from '@jest/globals';
import { createFootnotes, noFootnotes } from '../../src/presentation/footnotes.ts';

test('footnotes are in numerical order, also above nine, and each is printed once', () => {
  const footnotes = createFootnotes();
  const texts = Array.from({ length: 11 }, (_, i) => `reason ${i + 1}`);
  for (const text of texts) footnotes.mark({ certainty: 'estimate', dependsOn: [text] });
  expect(footnotes.mark({ certainty: 'estimate', dependsOn: ['reason 10', 'reason 2', 'reason 11'] })).toBe(
    'estimate [2][10][11]',
  );
  expect(footnotes.all()).toEqual(texts.map((text, i) => [`[${i + 1}]`, `depends on ${text}`]));
});

test('without footnotes, a cell shows only its certainty', () => {
  expect(noFootnotes.mark({ certainty: 'estimate', dependsOn: ['chance'] })).toBe('estimate');
});
