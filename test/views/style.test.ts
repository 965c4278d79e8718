import { expect, test } from '@jest/globals';
import { colourStyle, harmless, plainStyle } from '../../src/views/style.ts';

test('what would steer a terminal is made visible', () => {
  const foreign = 'title \u001b]0;x\u0007 clear \u001b[2J back\r delete \u007f CSI \u009b2J';
  const seen = 'title ^[]0;x^G clear ^[[2J back^M delete ^? CSI \\x9b2J';
  expect(harmless(foreign, plainStyle)).toBe(seen);
  expect(harmless(foreign, colourStyle)).toBe(seen);
});

test('lines, tabs and the colours of a style stay', () => {
  const coloured = `a\tb\n${colourStyle.bad('lost')}`;
  expect(harmless(coloured, colourStyle)).toBe(coloured);
  expect(harmless(coloured, plainStyle)).toBe('a\tb\n^[[31mlost^[[39m');
});
