import { expect, test } from '@jest/globals';
import { whyUnreadable, whyUnwritable } from '../../src/state/systemProblem.ts';

const problem = (code: string, message: string) => Object.assign(new Error(`${code}: ${message}`), { code });
const directory = problem('EISDIR', 'illegal operation on a directory, read');
const missing = problem('ENOENT', "no such file or directory, open '/tmp/.x1'");

test.each([
  { error: directory, words: 'is a directory; name a file in it' },
  { error: missing, words: 'no such file or directory; check the path' },
  {
    error: problem('EACCES', "permission denied, open '/a'"),
    words: 'permission denied; make it readable for this user',
  },
  { error: problem('EIO', 'i/o error, read'), words: 'i/o error; check the file' },
])('$error.code of a read is reported as "$words"', ({ error, words }) => {
  expect(whyUnreadable(error)).toBe(words);
});

test.each([
  { error: directory, words: 'is a directory; name a file in it' },
  { error: missing, words: 'no such file or directory; check the path' },
  {
    error: problem('EACCES', "permission denied, open '/a'"),
    words: 'permission denied; write to another path',
  },
  {
    error: problem('ENOSPC', 'no space left on device, write'),
    words: 'no space left on device; free space, or write to another path',
  },
  { error: problem('EIO', "i/o error, copyfile '/a' -> '/b'"), words: 'i/o error; write to another path' },
])('$error.code of a write is reported as "$words"', ({ error, words }) => {
  expect(whyUnwritable(error)).toBe(words);
});
