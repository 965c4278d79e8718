import { StateError } from '../errors.ts';
import type { Chunks } from './textEncoding.ts';

const BLOCK = 512;
/** Extended headers hold a path and little more. */
const LARGEST_HEADER = 1024 * 1024;

export interface TarEntry {
  path: string;
  size: number;
  /** to be read before the next entry is asked for; what is not read is skipped */
  content: AsyncGenerator<Buffer>;
}

/** A tar archive begins with a header whose checksum fits; ustar and GNU archives say so, old ones do not. */
export function isTar(start: Buffer): boolean {
  if (start.length < BLOCK) return false;
  const magic = start.toString('latin1', 257, 262);
  return magic === 'ustar' || (start[0] !== 0 && checksumFits(start));
}

function checksumFits(header: Buffer): boolean {
  let sum = 8 * 32;
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += header[i]!;
  return octal(header, 148, 8) === sum;
}

/**
 * The regular files of a tar archive (ustar, pax and GNU long names) in their order. Paths are names only:
 * nothing is unpacked, so it does not matter where they point.
 */
export async function* tarEntries(chunks: Chunks, archive: string): AsyncGenerator<TarEntry> {
  const reader = new BlockReader(chunks);
  let longPath: string | undefined;
  for (;;) {
    const header = await reader.read(BLOCK);
    if (header.length === 0 || header.every((byte) => byte === 0)) return;
    if (header.length < BLOCK) throw truncated(archive);
    if (!checksumFits(header))
      throw new StateError(
        `${archive}: the tar archive is damaged (a header's checksum is wrong); pack it again`,
      );
    const size = octal(header, 124, 12);
    const padding = (BLOCK - (size % BLOCK)) % BLOCK;
    const type = String.fromCharCode(header[156]!);
    if (type === 'L' || type === 'x') {
      if (size > LARGEST_HEADER)
        throw new StateError(
          `${archive}: the tar archive is damaged (a path of ${size} bytes); pack it again`,
        );
      const body = await reader.read(size);
      if (body.length < size) throw truncated(archive);
      await reader.skip(padding);
      longPath = type === 'L' ? text(body, 0, body.length) : (paxPath(body) ?? longPath);
      continue;
    }
    const prefix = header.toString('latin1', 257, 263) === 'ustar\0' ? text(header, 345, 155) : '';
    const path = longPath ?? (prefix === '' ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`);
    if (type !== 'g') longPath = undefined;
    const end = reader.position + size;
    if (type === '0' || type === '\0' || type === '7')
      yield { path, size, content: reader.take(size, () => truncated(archive)) };
    const unread = end - reader.position;
    if ((await reader.skip(unread)) < unread) throw truncated(archive);
    await reader.skip(padding);
  }
}

function truncated(archive: string): StateError {
  return new StateError(`${archive}: the tar archive ends in the middle of a file; copy or pack it again`);
}

function text(buffer: Buffer, start: number, length: number): string {
  const end = buffer.indexOf(0, start);
  return buffer.toString('utf8', start, end === -1 || end > start + length ? start + length : end);
}

/** Octal digits, or a big-endian number where the first bit is set (GNU, files over 8 GiB). */
function octal(buffer: Buffer, start: number, length: number): number {
  if (buffer[start]! & 0x80) {
    let number = buffer[start]! & 0x7f;
    for (let i = start + 1; i < start + length; i++) number = number * 256 + buffer[i]!;
    return number;
  }
  const digits = buffer
    .toString('latin1', start, start + length)
    .replace(/[\0 ]+$/, '')
    .trim();
  return /^[0-7]*$/.test(digits) ? parseInt(digits || '0', 8) : NaN;
}

/** The path among the records "LENGTH key=value\n" of an extended header. */
function paxPath(body: Buffer): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < body.length;) {
    const length = parseInt(body.toString('latin1', at, at + 12), 10);
    if (!(length > 0)) break;
    const record = body.toString('utf8', at, at + length - 1);
    const value = /^\d+ path=([\s\S]*)$/.exec(record)?.[1];
    if (value !== undefined) path = value;
    at += length;
  }
  return path;
}

class BlockReader {
  position = 0;
  readonly #chunks: AsyncIterator<Buffer> | Iterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(chunks: Chunks) {
    this.#chunks =
      Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  }

  /** The next piece, at most `most` bytes; empty at the end. */
  async #next(most: number): Promise<Buffer> {
    while (this.#buffer.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done) return Buffer.alloc(0);
      this.#buffer = value as Buffer;
    }
    const piece = this.#buffer.subarray(0, most);
    this.#buffer = this.#buffer.subarray(piece.length);
    this.position += piece.length;
    return piece;
  }

  /** `size` bytes, fewer only at the end. */
  async read(size: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let length = 0;
    while (length < size) {
      const piece = await this.#next(size - length);
      if (piece.length === 0) break;
      pieces.push(piece);
      length += piece.length;
    }
    return Buffer.concat(pieces, length);
  }

  /** How many bytes were there to skip. */
  async skip(size: number): Promise<number> {
    let skipped = 0;
    while (skipped < size) {
      const piece = await this.#next(size - skipped);
      if (piece.length === 0) break;
      skipped += piece.length;
    }
    return skipped;
  }

  /** The next `size` bytes in pieces. */
  async *take(size: number, whenShort: () => Error): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      const piece = await this.#next(left);
      if (piece.length === 0) throw whenShort();
      left -= piece.length;
      yield piece;
    }
  }
}
