import { isUtf8 } from 'node:buffer';
import { StateError } from '../errors.ts';
import { INVALID_UTF8, invalidUtf8Line } from '../json/jsonStream.ts';
import { textEncoding, utf16ToUtf8, type Chunks } from './textEncoding.ts';
import { readAllPieces, MIB, wholeFile } from './wholeFile.ts';

/** The most bytes: enough for thousands of manifests, written by hand or by tools. */
const LARGEST_TEXT = 32 * MIB;

/**
 * The text of a hand-written file (a scenario, patches), UTF-8 or UTF-16, without byte order mark. Rejects with a
 * StateError that begins with `source` if it is not text; like `wholeFile` if it is too large or unreadable.
 *
 * @param source the file's name in messages
 * @param stdin read if the path is "-"
 */
export async function readWrittenText(source: string, path: string, stdin: Chunks): Promise<string> {
  const bytes = await readWritten(path, stdin);
  const { encoding, bom } = textEncoding(bytes);
  if (encoding !== 'utf-8') {
    const decoded: Buffer[] = [];
    for await (const piece of utf16ToUtf8([bytes], encoding === 'utf-16be', bom)) decoded.push(piece);
    return Buffer.concat(decoded).toString('utf8');
  }
  if (!isUtf8(bytes)) throw new StateError(`${source}:${1 + invalidUtf8Line(bytes)}: ${INVALID_UTF8}`);
  return bytes.toString('utf8', bom);
}

/** The bytes of such a file, whether text or not; rejects like `readWrittenText`. */
export async function readWritten(path: string, stdin: Chunks): Promise<Buffer> {
  return path === '-' ? readAllPieces(stdin, LARGEST_TEXT) : wholeFile(path, LARGEST_TEXT);
}
