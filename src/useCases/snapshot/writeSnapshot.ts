import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemProblem } from '../../state/systemProblem.ts';
import { UserError } from '../../cli/errors.ts';

/**
 * Writes a text to a file, or to stdout where it is called "-"; packed with gzip where the name ends in .gz. A file of
 * that name is replaced once all is written. Rejects with a UserError where it cannot be written.
 */
export async function writeSnapshot(file: string, text: Iterable<string>): Promise<void> {
  const pieces = Readable.from(inBlocks(text), { objectMode: false });
  if (file === '-') {
    for await (const block of pieces) if (!process.stdout.write(block)) await drained();
    return;
  }
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    const target = createWriteStream(unfinished, { flags: 'wx' });
    if (file.endsWith('.gz')) {
      const { createGzip } = await import('node:zlib');
      await pipeline(pieces, createGzip(), target);
    } else await pipeline(pieces, target);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new UserError(`${file || '""'} cannot be written: ${systemProblem(error)}`);
  }
}

function drained(): Promise<void> {
  return new Promise((resolve) => void process.stdout.once('drain', resolve));
}

const BLOCK = 64 * 1024;

/** Few large pieces instead of many small ones. */
function* inBlocks(text: Iterable<string>): Generator<Buffer> {
  let block = '';
  for (const piece of text) {
    block += piece;
    if (block.length < BLOCK) continue;
    yield Buffer.from(block);
    block = '';
  }
  if (block !== '') yield Buffer.from(block);
}
