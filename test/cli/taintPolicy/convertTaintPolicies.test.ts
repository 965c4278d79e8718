import { expect, test } from '@jest/globals';
import { joinedTexts } from '../../../src/cli/taintPolicy/convertTaintPolicies.ts';

test.each<[string, string[], string]>([
  ['a single text stays as it is', ['\ufeffa: 1'], '\ufeffa: 1'],
  ['texts become documents', ['a: 1\n', 'b: 2\n'], 'a: 1\n---\nb: 2\n'],
  ['a line that lacks its end gets one', ['a: 1', 'b: 2'], 'a: 1\n---\nb: 2'],
  [
    'what begins with a marker or a directive needs no other marker',
    ['a: 1\n', '---\nb: 2\n'],
    'a: 1\n---\nb: 2\n',
  ],
  [
    'a byte order mark stands at the beginning alone',
    ['\ufeffa: 1\n', '\ufeffb: 2\n'],
    '\ufeffa: 1\n---\nb: 2\n',
  ],
])('%s', (_, texts, joined) => {
  expect(joinedTexts(texts)).toBe(joined);
});
