import { describe, expect, test } from '@jest/globals';
import { CANARY } from './canaries.ts';
import { FORGED, SMUGGLED } from './hostile.ts';
import { problemOf } from './judge.ts';

const expected = { given: '', isTerminal: false, isRaw: false, written: [] };
const judged = (stdout: string, more: object = {}, code = 0, stderr = '') =>
  problemOf({ code, stdout, stderr }, { ...expected, ...more });

describe('the judge of the fuzz finds', () => {
  test.each([
    ['an internal error', judged('', {}, 70, 'error: this is a mistake'), /^exit code 70/],
    ['a stack trace', judged('Error: x\n    at f (/a/b.js:1:2)\n'), /^a stack trace/],
    ['an escape sequence', judged('\u001b[2J'), /U\+1b/],
    ['an escape sequence on stderr', judged('', {}, 2, 'error: \u009b2J'), /^stderr has U\+9b/],
    ['our own colour on a pipe', judged('\u001b[31mx'), /U\+1b/],
    ['a colour from the input', judged(`\u001b[31m${SMUGGLED}`, { isTerminal: true }), /^a colour of others/],
    [
      'a cleared terminal on a screen',
      judged('\u001b[2J\u001b[Hx', { isTerminal: true, isScreen: true }),
      /U\+1b/,
    ],
    ['a bidirectional override', judged('a\u202eb'), /U\+202e/],
    ['a forged line', judged(`a\n${FORGED}`), /^stdout has a line of others/],
    ['garbage', judged('it takes NaN s'), /^stdout has NaN/],
    ['an object as text', judged('is [object Object].'), /^stdout has \[object Object\]/],
    ['a secret', judged(`a ${CANARY}`), /^a secret/],
    ['a secret in a file', judged('', { written: [CANARY] }), /^a secret/],
    ['a secret in raw output', judged(CANARY, { isRaw: true }), /^a secret/],
    ['a secret shown beside an edited file', judged(CANARY, { edited: 'written' }), /^a secret/],
    ['a secret of an edited file on stderr', judged('', { edited: 'stdout' }, 0, CANARY), /^a secret/],
  ])('%s', (_, problem, pattern) => expect(problem).toMatch(pattern));
});

describe('the judge of the fuzz accepts', () => {
  test.each([
    ['lines and tabs', judged('a\n\tb\n')],
    ['colours of the style on a terminal', judged('\u001b[31mlost\u001b[39m', { isTerminal: true })],
    [
      'the sequences that draw a screen',
      judged('\u001b[?2026h\u001b[0m\u001b[2J\u001b[1;1H\u001b[0;31mx\u001b[0m\u001b[K\u001b[?2026l', {
        isTerminal: true,
        isScreen: true,
      }),
    ],
    ['text from the input', judged('the name NaN', { given: 'NaN' })],
    ['control characters in raw output', judged('\u001b[2J', { isRaw: true })],
    ["a user's own text after an edit", judged(`\u202e ${CANARY}`, { edited: 'stdout' })],
    ["a user's own text in the edited file", judged('', { edited: 'written', written: [CANARY] })],
    ['garbage as part of a longer word', judged('undefinedness')],
  ])('%s', (_, problem) => expect(problem).toBeUndefined());
});
