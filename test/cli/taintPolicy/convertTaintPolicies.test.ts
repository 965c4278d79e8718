import { expect, test } from '@jest/globals';
import { joinedTexts } from '../../../src/cli/taintPolicy/convertTaintPolicies.ts';

test.each<[string, string[], string]>([
  ['one text is unchanged', ['\ufeffa: 1'], '\ufeffa: 1'],
  ['two texts become two documents', ['a: 1\n', 'b: 2\n'], 'a: 1\n---\nb: 2\n'],
  ['a newline is added between texts', ['a: 1', 'b: 2'], 'a: 1\n---\nb: 2'],
  [
    'a text that starts with a marker or directive gets no second marker',
    ['a: 1\n', '---\nb: 2\n'],
    'a: 1\n---\nb: 2\n',
  ],
  ['a byte order mark is only at the beginning', ['\ufeffa: 1\n', '\ufeffb: 2\n'], '\ufeffa: 1\n---\nb: 2\n'],
])('joined manifests: %s', (_, texts, joined) => {
  expect(joinedTexts(texts)).toBe(joined);
});
