import type { Extract } from 'tar-stream';
import { StateError, UnreadableTextError } from '../errors.ts';
import type { Chunks } from './textEncoding.ts';

const BLOCK = 512;
/** The bytes per call of the parser: few, so that its output is checked early. */
const BITE = 4096;
/** The most names in the global header of an archive, such as git's; the parser copies all names for each file. */
const MAX_GLOBAL_NAMES = 1000;

interface TarEntry {
  path: string;
  /** read it before requesting the next entry; the rest is skipped */
  content: AsyncGenerator<Buffer>;
}

/** Whether a file begins with a tar header with a valid checksum: old archives have no other signature. */
export function isTar(start: Buffer): boolean {
  if (start.length < BLOCK) return false;
  const magic = start.toString('latin1', 257, 262);
  return magic === 'ustar' || (start[0] !== 0 && checksumFits(start));
}

function checksumFits(header: Buffer): boolean {
  let sum = 8 * 32;
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += header[i]!;
  const digits = header
    .toString('latin1', 148, 156)
    .replace(/[\0 ]+$/, '')
    .trim();
  return /^[0-7]+$/.test(digits) && parseInt(digits, 8) === sum;
}

/**
 * The regular files of a tar archive, in order; links and devices are skipped. Nothing is unpacked to disk: paths are
 * only names, and may point anywhere. Throws a StateError that names the archive if it is damaged or ends too early.
 */
export async function* tarEntries(chunks: Chunks, archive: string): AsyncGenerator<TarEntry> {
  const [{ extract }, { pipeline, Readable }] = await Promise.all([
    import('./tarStream.ts'),
    import('node:stream'),
  ]);
  // the option is documented, but missing in the types
  const parser = extract({ allowUnknownFormat: true } as Parameters<typeof extract>[0]);
  // the loop below receives errors
  pipeline(Readable.from(bites(chunks, parser, archive), { objectMode: false }), parser, () => undefined);
  try {
    for await (const entry of parser) {
      const { name, type } = entry.header;
      if (type === 'file' || type === 'contiguous-file')
        yield { path: name, content: contentOf(entry, archive) };
      entry.resume();
    }
  } catch (error) {
    throw problemOf(error, archive);
  } finally {
    parser.destroy();
  }
}

async function* bites(chunks: Chunks, parser: Extract, archive: string): AsyncGenerator<Buffer> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += BITE) {
      yield chunk.subarray(at, at + BITE);
      const { _paxGlobal: names } = parser as Extract & { _paxGlobal?: object | null };
      if (names && Object.keys(names).length > MAX_GLOBAL_NAMES)
        throw new UnreadableTextError(
          archive,
          `the tar archive has over ${MAX_GLOBAL_NAMES} names in its global header; pack it again`,
        );
    }
}

/** The content of an entry. If a reader stops early, the archive continues. */
async function* contentOf(entry: AsyncIterable<unknown>, archive: string): AsyncGenerator<Buffer> {
  const content = entry[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  try {
    for (;;) {
      const { value, done } = await content.next();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw problemOf(error, archive);
  }
}

/** An error of the parser, or of its input, as one line for the user. */
function problemOf(error: unknown, archive: string): StateError {
  if (error instanceof StateError) return error;
  return new UnreadableTextError(
    archive,
    error instanceof Error && error.message === 'Unexpected end of data'
      ? 'the tar archive is truncated; copy or pack it again'
      : 'the tar archive is damaged; pack it again',
  );
}
