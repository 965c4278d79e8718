import { afterEach, describe, expect, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { createElement } from 'react';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import { Row } from '../../../src/terminal/screen/Row.tsx';
import type { Key } from '../../../src/terminal/screen/keys.ts';
import { openTerminalScreen, type TerminalScreen } from '../../../src/terminal/screen/terminalScreen.tsx';
import { fakeTerminal, type FakeTerminal } from './fakeTerminal.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGCONT'] as const;
const listening = () => SIGNALS.map((name) => process.listenerCount(name));

let screen: TerminalScreen | undefined;
afterEach(async () => {
  screen?.close();
  // listeners are removed after the signal being handled
  await turn();
});

async function open(terminal: FakeTerminal, more: Partial<Parameters<typeof openTerminalScreen>[0]> = {}) {
  screen = await openTerminalScreen({
    ...terminal,
    style: plainStyle,
    coloured: false,
    screen: ({ columns, rows }) => createElement(Row, { line: [`${columns}×${rows}`] }),
    press: () => undefined,
    onHangUp: () => undefined,
    ...more,
  });
  return screen;
}

describe('given an open screen', () => {
  test('it reads keys and draws frames, and removes all its listeners when closed', async () => {
    const before = listening();
    const terminal = fakeTerminal();
    const keys: Key[] = [];
    const opened = await open(terminal, { press: (some) => void keys.push(...some) });
    opened.draw();
    expect(terminal.stdin.isRaw).toBe(true);
    expect(terminal.text()).toContain('80×24');
    terminal.stdin.emit('data', 'j\u001b[A');
    expect(keys).toEqual([{ text: 'j' }, { name: 'up' }]);
    opened.close();
    await turn();
    expect(terminal.stdin.isRaw).toBe(false);
    expect(listening()).toEqual(before);
    expect(terminal.stdin.listenerCount('data')).toBe(0);
    expect(terminal.stdout.listenerCount('resize')).toBe(0);
  });

  test('background work continues between keys, and restarts after a redraw', async () => {
    const terminal = fakeTerminal();
    const heard: string[] = [];
    const opened = await open(terminal, {
      press: () => void heard.push('key'),
      *ahead() {
        for (const step of ['first', 'second', 'third']) {
          heard.push(step);
          if (step !== 'third') yield;
        }
      },
    });
    opened.draw();
    await turn();
    terminal.stdin.emit('data', 'j');
    while (heard.length < 4) await turn();
    expect(heard).toEqual(['first', 'key', 'second', 'third']);
    opened.draw();
    while (heard.length < 7) await turn();
    expect(heard.slice(4)).toEqual(['first', 'second', 'third']);
  });

  test('a resize is drawn at once', async () => {
    const terminal = fakeTerminal();
    const opened = await open(terminal);
    opened.draw();
    Object.assign(terminal.stdout, { columns: 60, rows: 15 });
    terminal.stdout.emit('resize');
    expect(terminal.text()).toContain('60×15');
  });

  test('the listeners of the opener for Ctrl-C and SIGTERM are kept', async () => {
    const before = listening();
    await open(fakeTerminal());
    expect(listening().slice(0, 2)).toEqual(before.slice(0, 2));
  });

  test.each(['end of the keys', 'error of the output'])(
    'the %s closes the terminal, which is reported once',
    async (what) => {
      const terminal = fakeTerminal();
      let gone = 0;
      await open(terminal, { onHangUp: () => void gone++ });
      if (what === 'end of the keys') terminal.stdin.emit('end');
      else terminal.stdout.emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }));
      terminal.stdin.emit('end');
      expect(gone).toBe(1);
    },
  );
});

describe('given a terminal in use by another program', () => {
  test('Ctrl-C is ignored meanwhile, and all listeners are restored afterwards', async () => {
    const terminal = fakeTerminal();
    const opened = await open(terminal, { onEnd: () => undefined });
    opened.draw();
    const before = listening();
    await opened.lend(async () => expect(terminal.stdin.isRaw).toBe(false));
    expect(listening()).toEqual(before);
    expect(terminal.stdin.isRaw).toBe(true);
  });

  test('a screen that is closed meanwhile leaves no listener behind', async () => {
    const before = listening();
    const terminal = fakeTerminal();
    const opened = await open(terminal, { onEnd: () => undefined });
    await opened.lend(async () => {
      opened.close();
      await turn();
    });
    expect(listening()).toEqual(before);
    expect(terminal.stdin.isRaw).toBe(false);
  });
});
