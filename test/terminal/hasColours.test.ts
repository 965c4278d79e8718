import { expect, test } from '@jest/globals';
import { hasColours } from '../../src/terminal/capabilities.ts';

test.each([
  ['a terminal has colours', true, {}, true],
  ['a pipe has no colours', false, {}, false],
  ['a terminal with NO_COLOR has no colours', true, { NO_COLOR: '1' }, false],
  ['a dumb terminal has no colours', true, { TERM: 'dumb' }, false],
  ['a pipe with FORCE_COLOR has colours', false, { FORCE_COLOR: '1' }, true],
  ['a pipe with FORCE_COLOR and NO_COLOR has colours', false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ['a terminal with FORCE_COLOR=0 has no colours', true, { FORCE_COLOR: '0' }, false],
  ['a terminal with an empty FORCE_COLOR has colours', true, { FORCE_COLOR: '' }, true],
])('%s', (_, isTTY, env, expected) => {
  expect(hasColours({ stdout: { isTTY } as NodeJS.Process['stdout'], env })).toBe(expected);
});
