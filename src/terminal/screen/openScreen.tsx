import { render } from 'ink';
import type { ReactElement } from 'react';
import type { Style } from '../../presentation/text/style.ts';
import { StyleContext } from './Lines.tsx';
import { Log } from './Log.tsx';

export interface ScreenOptions {
  stdout: NodeJS.WriteStream;
  style: Style;
  /** What to show now, on a terminal of this size. */
  draw(size: { columns: number; rows: number }): ReactElement;
}

/** A part of the terminal that is redrawn again and again, below lines that stay. */
export interface OpenScreen {
  /** a line that stays, above the part that is redrawn */
  log(line: string): void;
  /** draws at once, not only at the next interval */
  draw(): void;
  /** draws one last time, and leaves that there */
  close(): Promise<void>;
}

/** Milliseconds from one drawing to the next; even if nothing else changes, time goes on. */
const INTERVAL = 250;

/** Opens a screen drawn with Ink. It takes nothing from the keyboard, so that Ctrl-C remains a signal. */
export function openScreen({ stdout, style, draw: element }: ScreenOptions): OpenScreen {
  const log: string[] = [];
  const tree = () => {
    const { columns = 80, rows = 24 } = stdout;
    return (
      <StyleContext value={style}>
        <Log lines={log} />
        {element({ columns, rows })}
      </StyleContext>
    );
  };
  const ink = render(tree(), { stdout, exitOnCtrlC: false, patchConsole: false });
  const draw = () => ink.rerender(tree());
  const timer = setInterval(draw, INTERVAL).unref();
  // before Ink draws the old frame on the new terminal
  stdout.prependListener('resize', draw);
  let closed = false;
  return {
    log: (line) => void log.push(line),
    draw,
    async close() {
      if (closed) return;
      closed = true;
      clearInterval(timer);
      stdout.off('resize', draw);
      draw();
      ink.unmount();
      await ink.waitUntilExit();
    },
  };
}
