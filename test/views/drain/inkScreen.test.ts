import { afterEach, expect, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { openScreen } from '../../../src/views/drain/inkScreen.ts';
import { blocks } from '../../../src/views/drain/progressBar.ts';
import type { Screen } from '../../../src/views/drain/screen.ts';
import { plainStyle } from '../../../src/views/style.ts';
import { progressAfter } from './scriptedDrain.ts';

/** A terminal that keeps what is written to it. */
class Terminal extends EventEmitter {
  readonly isTTY = true;
  columns = 80;
  rows = 24;
  written: string[] = [];
  write(text: string): boolean {
    this.written.push(text);
    return true;
  }
  /** what was written since the last time; a line ends where the cursor is moved */
  text(): string {
    const text = this.written.join('');
    this.written = [];
    // eslint-disable-next-line no-control-regex
    return text.replace(/\u001b\[[?0-9;]*[A-Za-z]/g, '\n').replace(/\n+/g, '\n');
  }
}

const screens: Screen[] = [];
afterEach(async () => {
  for (const screen of screens.splice(0)) await screen.close();
});

const open = async (terminal: Terminal) => {
  const screen = await openScreen({
    stdout: terminal as unknown as NodeJS.WriteStream,
    style: plainStyle,
    characters: blocks,
    departure: 37_000,
  });
  screens.push(screen);
  return screen;
};
const drawn = () => new Promise((resolve) => setTimeout(resolve, 400));

test('draws the newest state, keeps lines above it, and leaves the figures there at the end', async () => {
  const terminal = new Terminal();
  const screen = await open(terminal);
  screen.show(progressAfter(10, 12));
  screen.log('T+1s     cordoned cluster/frankfurt');
  screen.show(progressAfter(29, 12));
  await drawn();
  const first = terminal.text();
  expect(first).toContain('T+1s     cordoned cluster/frankfurt\nDraining frankfurt   29s, about 35s left\n');
  expect(first).toContain('\nstarting   19s');

  terminal.columns = 40;
  terminal.rows = 15;
  terminal.emit('resize');
  await drawn();
  const narrow = terminal.text();
  expect(narrow).toContain('Ctrl-C stops between two writes.');
  expect(Math.max(...narrow.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);

  screen.stopping();
  await drawn();
  expect(terminal.text()).toContain('Stopping after this write');

  screen.show(progressAfter(80, 12));
  await screen.close();
  await screen.close();
  const last = terminal.text();
  expect(last).toContain('Drain of frankfurt   1m20s\n');
  expect(last).not.toContain('Ctrl-C');
});

test('time goes on while nothing else does', async () => {
  const terminal = new Terminal();
  const screen = await open(terminal);
  screen.show(progressAfter(10, 12));
  await new Promise((resolve) => setTimeout(resolve, 1400));
  expect(terminal.text()).toContain('Draining frankfurt   11s');
  await screen.close();
});

test('takes nothing from the keyboard and waits for nothing once it is closed', async () => {
  const terminal = new Terminal();
  const screen = await open(terminal);
  const listeners = process.stdin.listenerCount('data') + process.stdin.listenerCount('readable');
  await screen.close();
  expect(listeners).toBe(0);
  expect(terminal.listenerCount('resize')).toBe(0);
});
