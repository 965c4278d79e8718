import { expect, test } from '@jest/globals';
import { hasColours } from '../../src/terminal/capabilities.ts';

test.each([
  ['a terminal', true, {}, true],
  ['a pipe', false, {}, false],
  ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
  ['a terminal that is dumb', true, { TERM: 'dumb' }, false],
  ['a pipe with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
  ['a pipe with both', false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ['a terminal with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
  ['a terminal with an empty FORCE_COLOR', true, { FORCE_COLOR: '' }, true],
])('%s', (_, isTTY, env, expected) => {
  expect(hasColours({ stdout: { isTTY } as NodeJS.Process['stdout'], env })).toBe(expected);
});
