import { afterEach, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import { openDrainScreen, type OpenDrainScreen } from '../../../src/terminal/drain/openDrainScreen.tsx';
import { unicodeCharacters } from '../../../src/terminal/screen/characters.ts';
import { progressAfter } from '../../views/drain/scriptedDrain.ts';
import { fakeTerminal, type FakeTerminal } from '../screen/fakeTerminal.ts';

const screens: OpenDrainScreen[] = [];
afterEach(() => screens.splice(0).forEach((screen) => screen.close()));

/** Waits until the terminal shows something; the test's own time limit is the only one. */
async function shows(terminal: FakeTerminal, text: string): Promise<void> {
  while (!terminal.text().includes(text)) await sleep(20);
}

async function open(terminal: FakeTerminal) {
  const reported: string[] = [];
  const screen = await openDrainScreen({
    ...terminal,
    style: plainStyle,
    coloured: false,
    characters: unicodeCharacters,
    departure: 37_000,
    interrupt: () => void reported.push('interrupt'),
    hungUp: () => void reported.push('hung up'),
  });
  screens.push(screen);
  return { screen, reported };
}

test('shows the newest progress, and leaves kept messages and the last figures on the terminal', async () => {
  const terminal = fakeTerminal();
  const { screen } = await open(terminal);
  screen.show(progressAfter(10, 12));
  screen.keep('T+1s     cordoned cluster/frankfurt');
  screen.said('warning: deprecated');
  screen.show(progressAfter(29, 12));
  await shows(terminal, 'Draining frankfurt   29s');
  terminal.seen();
  screen.show(progressAfter(80, 12));
  screen.close();
  screen.close();
  expect(terminal.text()).toMatch(
    /^T\+1s {5}cordoned cluster\/frankfurt\nwarning: deprecated\nDrain of frankfurt {3}1m20s\n.*11 of 12 gone\n1 stuck\n$/,
  );
});

test('Ctrl-C stops at once; q asks first, and stops only after a yes', async () => {
  const terminal = fakeTerminal();
  const { screen, reported } = await open(terminal);
  const type = (text: string) => terminal.stdin.emit('data', text);
  screen.show(progressAfter(10, 12));
  type('q');
  await shows(terminal, 'Stop after the current write?');
  type('n\r');
  expect(reported).toEqual([]);
  type('syes\r');
  expect(reported).toEqual(['interrupt']);
  screen.stopping();
  await shows(terminal, 'Stopping after this write; Ctrl-C again ends at once.');
  type('qy\r');
  expect(reported).toEqual(['interrupt']);
  type('\u0003');
  expect(reported).toEqual(['interrupt', 'interrupt']);
});

test('Ctrl-C works before the first progress', async () => {
  const terminal = fakeTerminal();
  const { reported } = await open(terminal);
  terminal.stdin.emit('data', '\u0003');
  expect(reported).toEqual(['interrupt']);
});

test('a closed terminal is reported to the drain, and does not end it', async () => {
  const terminal = fakeTerminal();
  const { reported } = await open(terminal);
  terminal.stdin.emit('end');
  expect(reported).toEqual(['hung up']);
});
