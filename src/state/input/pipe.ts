import { closeSync, constants, openSync, readSync, statSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportLongWait } from '../longWait.ts';
import { codeOf } from '../systemProblem.ts';

const BLOCK = 64 * 1024;
/** Milliseconds between two polls of a pipe. */
const EACH = 5;
/** Milliseconds for another process to open the other end. */
const OPENED_WITHIN = 60_000;
/** Milliseconds for the process at the other end to continue. */
const MOVES_WITHIN = 600_000;

/** Descriptors already open in this process: the other end is, or was, open too. */
const OPEN_ALREADY = /^\/(?:proc\/[^/]+\/fd|dev\/fd)\/|^\/dev\/std/;

/** Whether a path leads to a pipe. */
export function isPipe(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFIFO() ?? false;
}

/**
 * Reads a pipe without ever blocking a thread: one that waits in open() or read() cannot be stopped, and keeps the
 * process from exiting. Rejects if no writer opens the pipe within a minute, or if the writer pauses for ten.
 */
export async function* pipeChunks(path: string): AsyncGenerator<Buffer> {
  const pipe = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let begun = OPEN_ALREADY.test(path);
  try {
    for (;;) {
      const block = Buffer.allocUnsafeSlow(BLOCK);
      const read = (): number | undefined => {
        const length = withoutBlocking(() => readSync(pipe, block, 0, BLOCK, null));
        if (length === undefined) begun = true;
        // before a writer opens it, a pipe reads as ended
        return length === 0 && !begun ? undefined : length;
      };
      const limit = () => (begun ? MOVES_WITHIN : OPENED_WITHIN);
      const length = await until(read, limit, `${path}, a pipe, to be written to`);
      if (length === 0) return;
      begun = true;
      yield block.subarray(0, length);
    }
  } finally {
    closeSync(pipe);
  }
}

/** Writes to a pipe without blocking; rejects if it has no reader after a while. */
export async function writeToPipe(
  path: string,
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  const what = `${path}, a pipe, to be read`;
  const open = () => withoutBlocking(() => openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  const pipe = await until(open, () => OPENED_WITHIN, what);
  try {
    for await (const piece of pieces)
      for (let written = 0; written < piece.length;) {
        const write = () => withoutBlocking(() => writeSync(pipe, piece, written, piece.length - written));
        written += await until(write, () => MOVES_WITHIN, what);
      }
  } finally {
    closeSync(pipe);
  }
}

/** The result of a call; undefined if it would block. */
function withoutBlocking(call: () => number): number | undefined {
  try {
    return call();
  } catch (error) {
    const code = codeOf(error);
    // ENXIO: no process has it open for reading
    if (code === 'EAGAIN' || code === 'ENXIO') return undefined;
    throw error;
  }
}

async function until(attempt: () => number | undefined, limit: () => number, what: string): Promise<number> {
  const first = attempt();
  return first ?? reportLongWait(what, looking());

  async function looking(): Promise<number> {
    const began = performance.now();
    for (;;) {
      await sleep(EACH);
      const found = attempt();
      if (found !== undefined) return found;
      if (performance.now() - began > limit())
        throw new Error(`waited ${limit() / 1000} s for ${what}; check its other end`);
    }
  }
}
