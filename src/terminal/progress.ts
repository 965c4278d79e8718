import type { Worker } from 'node:worker_threads';
import { presentable } from '../presentation/presentable.ts';
import { inLocale } from './capabilities.ts';

/** How long work stays silent, and how often its line is rewritten, in milliseconds. */
const SILENCE = 1000;
const INTERVAL = 200;
const LONGEST_LINE = 200;
/** In bytes. Reading less takes less than a second. */
const SMALL = 4 * 1024 * 1024;

/** Shows what is being done, and how much of it is done; `done` removes the line. */
interface Progress {
  report(doing: string, finished?: number, total?: number): void;
  done(): void;
}

const silent: Progress = { report: () => undefined, done: () => undefined };

/**
 * A line on stderr once work has taken over a second, rewritten in place; nothing if stderr is not a terminal. Most work here blocks its
 * thread, which then cannot write: another thread shows the last report.
 */
export function startProgress(stream: typeof process.stderr): Progress {
  if (!stream.isTTY) return silent;
  const started = Date.now();
  const text = new Uint8Array(new SharedArrayBuffer(LONGEST_LINE));
  /** bytes of the text, then whether the line has been shown */
  const state = new Int32Array(new SharedArrayBuffer(8));
  const encoder = new TextEncoder();
  let worker: Worker | undefined;
  return {
    report(doing, finished, total) {
      // a thread costs some milliseconds
      if (!worker && total !== undefined && total < SMALL) return;
      const share = finished !== undefined && total ? ` ${Math.floor((100 * finished) / total)}%` : '';
      const room = Math.min(LONGEST_LINE, (stream.columns || 80) - 10);
      const line = inLocale(presentable(`${doing}${share}`), stream).slice(0, room);
      Atomics.store(state, 0, encoder.encodeInto(line, text).written);
      if (worker) return;
      const workerData = { text, state, started, fd: stream.fd, SILENCE, INTERVAL };
      // loading it takes a millisecond, which most commands can avoid
      const threads = process.getBuiltinModule('node:worker_threads');
      worker = new threads.Worker(WATCH, { eval: true, workerData });
      worker.unref();
    },
    done() {
      Atomics.store(state, 0, 0);
      if (Atomics.exchange(state, 1, 0) === 1) stream.write('\r\u001b[K');
      void worker?.terminate();
    },
  };
}

/** The code of the other thread. */
const WATCH = `
const { workerData: { text, state, started, fd, SILENCE, INTERVAL } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
setInterval(() => {
  const length = Atomics.load(state, 0);
  const passed = Date.now() - started;
  if (length === 0 || passed < SILENCE) return;
  Atomics.store(state, 1, 1);
  const line = Buffer.from(text.slice(0, length)).toString('utf8');
  try { writeSync(fd, '\\r\\u001b[K' + line + ' ' + Math.floor(passed / 1000) + 's'); } catch {}
}, INTERVAL);
`;
