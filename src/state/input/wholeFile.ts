import { createReadStream } from 'node:fs';

export const MIB = 1024 * 1024;
/** Certificates and keys; the list of all authorities of a system has a quarter of a MiB. */
export const LARGEST_PEM = 16 * MIB;

/**
 * All bytes of a file that nobody needs to be larger than `most`: a device without an end, or a file that was made to fill the memory of
 * whoever opens it, is read no further. Rejects with the system's error, or with one that says so; `whyUnreadable` puts both into words.
 */
export async function wholeFile(path: string, most: number): Promise<Buffer> {
  return allOf(createReadStream(path) as AsyncIterable<Buffer>, most);
}

/** The same of what is read already, such as stdin. */
export async function allOf(pieces: AsyncIterable<Buffer> | Iterable<Buffer>, most: number): Promise<Buffer> {
  const read: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > most) throw new Error(`is larger than ${most / MIB} MiB; check the path`);
    read.push(piece);
  }
  return Buffer.concat(read, length);
}
