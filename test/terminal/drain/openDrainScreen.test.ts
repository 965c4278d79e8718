import { afterEach, expect, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import type { OpenDrainScreen } from '../../../src/terminal/drain/openDrainScreen.tsx';
import { blocks } from '../../../src/terminal/screen/barCharacters.ts';
import { progressAfter } from '../../views/drain/scriptedDrain.ts';

// Ink, when it is loaded, looks for these and then draws nothing but a last frame; `reportForm` chooses lines there
delete process.env['CI'];
delete process.env['CONTINUOUS_INTEGRATION'];
const { openDrainScreen } = await import('../../../src/terminal/drain/openDrainScreen.tsx');

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
  /** what was written since the last `seen`; a line ends where the cursor is moved */
  text(): string {
    const text = this.written.join('');
    // eslint-disable-next-line no-control-regex
    return text.replace(/\u001b\[[?0-9;]*[A-Za-z]/g, '\n').replace(/\n+/g, '\n');
  }
  seen(): void {
    this.written = [];
  }
  /** waits until the text has all of `parts`; the test's own time limit is the only one */
  async shows(...parts: string[]): Promise<string> {
    while (!parts.every((part) => this.text().includes(part))) await sleep(20);
    const text = this.text();
    this.seen();
    return text;
  }
}

const screens: OpenDrainScreen[] = [];
afterEach(async () => {
  for (const screen of screens.splice(0)) await screen.close();
});

const open = async (terminal: Terminal) => {
  const screen = await openDrainScreen({
    stdout: terminal as unknown as NodeJS.WriteStream,
    style: plainStyle,
    characters: blocks,
    departure: 37_000,
  });
  screens.push(screen);
  return screen;
};

test('draws the newest state, keeps lines above it, and leaves the figures there at the end', async () => {
  const terminal = new Terminal();
  const screen = await open(terminal);
  screen.show(progressAfter(10, 12));
  screen.log('T+1s     cordoned cluster/frankfurt');
  screen.show(progressAfter(29, 12));
  const first = await terminal.shows('Draining frankfurt   29s', '\nstarting   19s', 'Ctrl-C stops between');
  expect(first).toContain('T+1s     cordoned cluster/frankfurt\nDraining frankfurt   29s, about 35s left\n');

  terminal.columns = 40;
  terminal.rows = 15;
  terminal.emit('resize');
  const narrow = await terminal.shows('Ctrl-C stops between two writes.\n');
  expect(Math.max(...narrow.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);

  screen.stopping();
  await terminal.shows('Stopping after this write');

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
  const seconds = () => Number(/Draining frankfurt {3}(\d+)s/.exec(terminal.text())?.[1]);
  while (!(seconds() > 0)) await sleep(20);
  const first = seconds();
  terminal.seen();
  while (!(seconds() > first)) await sleep(20);
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
