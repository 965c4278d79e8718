import { StringDecoder } from 'node:string_decoder';

export type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

/** The encoding of a text, by its first bytes; PowerShell's `>` writes UTF-16 with a BOM. */
export function textEncoding(start: Buffer): { encoding: 'utf-8' | 'utf-16le' | 'utf-16be'; bom: number } {
  const [a, b, c] = start;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', bom: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', bom: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', bom: 2 };
  if (a !== 0 && b === 0 && c !== 0 && start[3] === 0) return { encoding: 'utf-16le', bom: 0 };
  if (a === 0 && b !== 0 && c === 0 && start[3] !== 0) return { encoding: 'utf-16be', bom: 0 };
  return { encoding: 'utf-8', bom: 0 };
}

/** Converts UTF-16 to UTF-8, chunk by chunk. It neither keeps nor changes the given chunks. */
export async function* utf16ToUtf8(chunks: Chunks, bigEndian: boolean, skip: number): AsyncGenerator<Buffer> {
  const decoder = new StringDecoder('utf16le');
  let odd: Buffer = Buffer.alloc(0);
  let toSkip = skip;
  for await (const chunk of chunks) {
    let units = odd.length > 0 ? Buffer.concat([odd, chunk]) : Buffer.from(chunk);
    if (toSkip > 0) {
      units = units.subarray(toSkip);
      toSkip = 0;
    }
    odd = units.subarray(units.length & ~1);
    units = units.subarray(0, units.length & ~1);
    if (bigEndian) units.swap16();
    yield Buffer.from(decoder.write(units), 'utf8');
  }
  if (odd.length > 0) yield Buffer.from('\ufffd');
  yield Buffer.from(decoder.end(), 'utf8');
}
