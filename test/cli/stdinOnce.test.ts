import { expect, test } from '@jest/globals';
import { stdinOnce } from '../../src/cli/stdinOnce.ts';

test('one flag may read stdin', () => {
  expect(() =>
    stdinOnce({ '--apply': ['a.yaml', '-'], '--scenario': 'b.yaml', '--state': undefined }),
  ).not.toThrow();
});

test.each([
  [
    { '--apply': ['-'], '--state': ['-'] },
    '--apply - and --state -: stdin can be read only once; name a file for one of them',
  ],
  [
    { '--scenario': '-', '--scenario-to': '-' },
    '--scenario - and --scenario-to -: stdin can be read only once; name a file for one of them',
  ],
  [{ '-f': ['-', '-'] }, '-f -: stdin can be read only once; name it once'],
])('%j is refused: the second would find nothing there', (flags, message) => {
  expect(() => stdinOnce(flags)).toThrow(message);
});
