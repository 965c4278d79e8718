import { describe, expect, test } from '@jest/globals';
import { colouredText, plainText, textForStdout } from '../../src/terminal/styledText.ts';

describe.each([
  ['without colours', plainText],
  ['with colours', colouredText()],
])('text %s', (_, { printed }) => {
  test('shows what would steer a terminal', () => {
    const foreign = 'title \u001b]0;x\u0007 clear \u001b[2J back\r delete \u007f CSI \u009b2J';
    expect(printed(foreign)).toBe('title ^[]0;x^G clear ^[[2J back\\r delete ^? CSI \\x9b2J');
  });

  test('shows colours that others bring', () => {
    expect(printed('\u001b[32mready\u001b[39m')).toBe('^[[32mready^[[39m');
    expect(printed('\u001b[0;32mready\u001b[m')).toBe('^[[0;32mready^[[m');
  });

  test('keeps its lines', () => {
    expect(printed('a\tb\nc')).toBe('a\tb\nc');
  });

  test('has no secrets', () => {
    expect(printed('Get "https://user:hunter2@member1:6443": refused')).toBe(
      'Get "https://***@member1:6443": refused',
    );
  });
});

test('the colours of the style stay, also one within another and around what others wrote', () => {
  const { style, printed } = colouredText();
  expect(printed(`a ${style.strong(`b ${style.bad('lost \u001b[32m')} c`)} d\n${style.good('e')}`)).toBe(
    'a \u001b[1mb \u001b[31mlost ^[[32m\u001b[39m c\u001b[22m d\n\u001b[32me\u001b[39m',
  );
});

test('what one text was coloured with is nothing to another', () => {
  expect(colouredText().printed(colouredText().style.good('x'))).toMatch(/^\^\[\[\d+;32mx\^\[\[\d+;39m$/);
});

test('there are colours on a terminal alone, and not if its user wants none', () => {
  const coloured = (isTTY: boolean, env: NodeJS.ProcessEnv) =>
    textForStdout({ stdout: { isTTY } as typeof process.stdout, env }) !== plainText;
  expect(coloured(true, {})).toBe(true);
  expect(coloured(false, {})).toBe(false);
  expect(coloured(true, { NO_COLOR: '1' })).toBe(false);
  expect(coloured(true, { NO_COLOR: '' })).toBe(true);
  expect(coloured(true, { TERM: 'dumb' })).toBe(false);
});
