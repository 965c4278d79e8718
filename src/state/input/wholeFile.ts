import { createReadStream } from 'node:fs';
import { isPipe, pipeChunks } from './pipe.ts';

export const MIB = 1024 * 1024;
/** For certificates and keys; a system's list of all authorities takes a quarter of a MiB. */
export const LARGEST_PEM = 16 * MIB;

/**
 * All bytes of a file, which may have at most `most`: so that it stops at an endless device, or a file made to exhaust
 * memory. Rejects with the system's error, or with one that the file is too large; `whyUnreadable` explains both.
 */
export async function wholeFile(path: string, most: number): Promise<Buffer> {
  return readAllPieces(
    isPipe(path) ? pipeChunks(path) : (createReadStream(path) as AsyncIterable<Buffer>),
    most,
  );
}

/** The text of a file in UTF-8, without its byte order mark, with the limits of `wholeFile`. */
export async function wholeText(path: string, most: number): Promise<string> {
  return new TextDecoder().decode(await wholeFile(path, most));
}

/** `wholeFile` for bytes that are already being read, such as stdin. */
export async function readAllPieces(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  most: number,
): Promise<Buffer> {
  const read: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > most) throw new Error(`is larger than ${most / MIB} MiB; check the path`);
    read.push(piece);
  }
  return Buffer.concat(read, length);
}

/**
 * The most bytes that one packed byte may unpack to. States compress 10 to 50 times; a file compressed far more was
 * made to exhaust memory.
 */
export const MAX_TIMES_UNPACKED = 250;
/** Any file may unpack to this many bytes. */
const ALWAYS_UNPACKED = 16 * 1024 * 1024;

/** The bytes that a number of packed ones may unpack to. */
export function maxUnpacked(packedBytes: number): number {
  return Math.max(ALWAYS_UNPACKED, MAX_TIMES_UNPACKED * packedBytes);
}
