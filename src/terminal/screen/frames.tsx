import { EventEmitter } from 'node:events';
import { render } from 'ink';
import type { ReactElement } from 'react';

/** Ink without a terminal: each element becomes a frame, at once. */
export interface Frames {
  draw(element: ReactElement, size: { columns: number; rows: number }): void;
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
export function openFrames(onFrame: (frame: string) => void): Frames {
  const stream = new FrameStream(onFrame);
  const stdout = stream as unknown as NodeJS.WriteStream;
  let ink: ReturnType<typeof render> | undefined;
  let closed = false;
  return {
    draw(element, { columns, rows }) {
      if (closed) return;
      Object.assign(stream, { columns, rows });
      if (ink) ink.rerender(element);
      else
        ink = render(element, {
          stdout,
          debug: true,
          exitOnCtrlC: false,
          patchConsole: false,
          isScreenReaderEnabled: false,
        });
    },
    close() {
      closed = true;
      ink?.unmount();
    },
  };
}
