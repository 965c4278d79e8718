/** How long work stays silent, and how often its line is rewritten, in milliseconds. */
const SILENCE = 1000;
const INTERVAL = 100;

/** Says what is being done, and how much of it is behind; `done` takes the line away again. */
export interface Progress {
  report(doing: string, finished?: number, total?: number): void;
  done(): void;
}

/**
 * One line on stderr, rewritten in place, once work has taken over a second; nothing where stderr is not a
 * terminal. The work is synchronous, so it has to report by itself; looking at the clock is cheap.
 */
export function startProgress(stream: NodeJS.WriteStream, clock: () => number): Progress {
  const started = clock();
  let written = 0;
  let shown = false;
  return {
    report(doing, finished, total) {
      if (!stream.isTTY) return;
      const now = clock();
      if (now - started < SILENCE || now - written < INTERVAL) return;
      written = now;
      shown = true;
      const share = finished !== undefined && total ? ` ${Math.floor((100 * finished) / total)}%` : '';
      const line = `${doing}${share} (${Math.floor((now - started) / 1000)}s)`;
      stream.write(`\r\u001b[K${line.slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
    },
    done() {
      if (shown) stream.write('\r\u001b[K');
      shown = false;
    },
  };
}
