import { EventEmitter } from 'node:events';
import { render } from 'ink';
import { ScreenText } from './ScreenText.tsx';

/** Ink without a terminal: rows become a frame, at once. */
export interface Frames {
  /** Draws the rows of a screen. Only those that differ from the rows before go through Ink, which takes long for each. */
  draw(rows: readonly string[], columns: number): void;
  close(): void;
}

/** Stands for Ink's terminal, and passes on whole frames. */
class FrameStream extends EventEmitter {
  columns = 80;
  rows = 24;
  readonly isTTY = false;
  readonly #onFrame: (frame: string) => void;

  constructor(onFrame: (frame: string) => void) {
    super();
    this.#onFrame = onFrame;
  }

  write(frame: string): boolean {
    this.#onFrame(frame);
    return true;
  }
}

/**
 * Lets Ink draw frames that the caller writes. With `debug` Ink gives each frame whole, and neither moves the cursor
 * nor clears anything by itself.
 */
export function openFrames(onFrame: (rows: readonly string[]) => void): Frames {
  /** what was asked for, and what Ink has made of it */
  let asked: readonly string[] = [];
  let drawn: string[] = [];
  let changed: number[] = [];
  const stream = new FrameStream((frame) => {
    const rows = frame.split('\n');
    for (const [at, row] of changed.entries()) drawn[row] = rows[at] ?? '';
  });
  const stdout = stream as unknown as NodeJS.WriteStream;
  let ink: ReturnType<typeof render> | undefined;
  let closed = false;
  return {
    draw(rows, columns) {
      if (closed) return;
      changed = [...rows.keys()].filter((row) => rows[row] !== asked[row]);
      asked = rows;
      drawn = drawn.slice(0, rows.length);
      if (changed.length > 0) {
        Object.assign(stream, { columns, rows: changed.length });
        const element = <ScreenText rows={changed.map((row) => rows[row]!)} />;
        if (ink) ink.rerender(element);
        else
          ink = render(element, {
            stdout,
            debug: true,
            exitOnCtrlC: false,
            patchConsole: false,
            isScreenReaderEnabled: false,
          });
      }
      onFrame(drawn);
    },
    close() {
      closed = true;
      ink?.unmount();
    },
  };
}
