import type { ReactNode } from 'react';
import type { Style } from '../../presentation/text/style.ts';
import { createCellWriter } from './cellWriter.ts';
import { LEAVE_FULL_SCREEN, openFullScreen, type FullScreen, type FullScreenOptions } from './fullScreen.ts';
import { openGuardian } from './guardian.ts';
import { keysIn, type Key } from './keys.ts';
import { openLayout } from './layout.tsx';
import { screenTexts, type ScreenSize } from './screenLine.ts';
import { loadLayout } from './yoga.ts';

/** A terminal, and the look of screens on it. */
export interface ScreenTerminal extends Pick<FullScreenOptions, 'stdin' | 'stdout'> {
  style: Style;
  /** whether colours are used */
  coloured: boolean;
}

interface TerminalScreenOptions extends ScreenTerminal, Pick<FullScreenOptions, 'onEnd' | 'onHangUp'> {
  /** the current content */
  screen(size: ScreenSize): ReactNode;
  press(keys: readonly Key[]): void;
  /** work that would otherwise delay keys: it continues step by step while there is no input */
  ahead?(): Generator<void>;
}

/** A screen that takes the whole terminal, including its keys. */
export interface TerminalScreen extends Pick<FullScreen, 'isOurs' | 'suspend' | 'lend'> {
  size(): ScreenSize;
  draw(): void;
  /** draws together with other changes within a moment */
  drawSoon(): void;
  /** redraws every cell */
  redraw(): void;
  /** copies a text to the terminal's clipboard, if supported (OSC 52) */
  copy(text: string): void;
  close(): void;
}

/** Milliseconds within which changes are drawn together, and until a lone ESC counts as the key. */
const TOGETHER = 100;
const ESCAPE = 50;

/** Takes the terminal for a screen. Draws nothing before `draw`, and then only cells that differ. */
export async function openTerminalScreen(options: TerminalScreenOptions): Promise<TerminalScreen> {
  const { stdin, stdout, style, coloured, onEnd, onHangUp } = options;
  const [guardian] = await Promise.all([openGuardian({ stdin, stdout }, LEAVE_FULL_SCREEN), loadLayout()]);
  const size = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
  const writer = createCellWriter((text) => void stdout.write(text), size());
  const layout = openLayout();
  const full = openFullScreen({ stdin, stdout, guardian, onReturn: redraw, onEnd, onHangUp });

  let soon: NodeJS.Timeout | undefined;
  function draw(): void {
    if (!full.isOurs()) return;
    const now = size();
    writer.frame(screenTexts(layout.lines(options.screen(now), now), style, coloured));
    goAhead(options.ahead?.());
  }
  let next: NodeJS.Immediate | undefined;
  /** Keys are handled between the steps; a redraw restarts the steps. */
  function goAhead(steps: Generator<void> | undefined): void {
    clearImmediate(next);
    next = steps && setImmediate(() => steps.next().done || goAhead(steps));
  }
  function redraw(): void {
    writer.clear(size());
    draw();
  }
  let rest = '';
  let waiting: NodeJS.Timeout | undefined;
  function typed(chunk: string): void {
    clearTimeout(waiting);
    const read = keysIn(rest + chunk, false);
    ({ rest } = read);
    options.press(read.keys);
    if (rest !== '')
      waiting = setTimeout(() => {
        const { keys } = keysIn(rest, true);
        rest = '';
        options.press(keys);
      }, ESCAPE);
  }
  const { hungUp } = full;
  // elsewhere a failed write to stdout ends the process at once: here an action may be running
  const otherwise = stdout.listeners('error') as ((error: Error) => void)[];
  stdout.removeAllListeners('error').on('error', hungUp);
  stdin.setEncoding('utf8').on('data', typed).on('end', hungUp).on('error', hungUp);
  stdout.on('resize', redraw);
  return {
    isOurs: full.isOurs,
    suspend: full.suspend,
    lend: full.lend,
    size,
    draw,
    redraw,
    drawSoon() {
      soon ??= setTimeout(() => {
        soon = undefined;
        draw();
      }, TOGETHER);
    },
    copy: (text) => void stdout.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`),
    close() {
      clearTimeout(soon);
      clearTimeout(waiting);
      clearImmediate(next);
      stdin.off('data', typed).off('end', hungUp).off('error', hungUp);
      stdout.off('resize', redraw);
      layout.close();
      full.close();
      // a terminal that is gone is reported once
      if (full.isGone()) return;
      stdout.off('error', hungUp);
      for (const listener of otherwise) stdout.on('error', listener);
    },
  };
}
