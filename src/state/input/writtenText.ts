import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { StateError } from '../errors.ts';
import { INVALID_UTF8, invalidUtf8Line } from '../json/jsonStream.ts';
import { textEncoding, utf16ToUtf8, type Chunks } from './textEncoding.ts';

/** Enough for thousands of manifests, written by hand or by tools. */
const LARGEST_TEXT = 32 * 1024 * 1024;

/**
 * The text of a file that somebody wrote (a scenario, patches), UTF-8 or UTF-16, without its byte order mark. Rejects with a StateError
 * that begins with `source` if the file is too large or not text; with the system's error if it cannot be read.
 *
 * @param source what messages call the file
 * @param stdin read if the path is "-"
 */
export async function readWrittenText(source: string, path: string, stdin: Chunks): Promise<string> {
  const bytes = await readWritten(source, path, stdin);
  const { encoding, bom } = textEncoding(bytes);
  if (encoding !== 'utf-8') {
    const decoded: Buffer[] = [];
    for await (const piece of utf16ToUtf8([bytes], encoding === 'utf-16be', bom)) decoded.push(piece);
    return Buffer.concat(decoded).toString('utf8');
  }
  if (!isUtf8(bytes)) throw new StateError(`${source}:${1 + invalidUtf8Line(bytes)}: ${INVALID_UTF8}`);
  return bytes.toString('utf8', bom);
}

/** The bytes of such a file, whether text or not; rejects likewise. */
export async function readWritten(source: string, path: string, stdin: Chunks): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of path === '-' ? stdin : createReadStream(path)) {
    length += (piece as Buffer).length;
    if (length > LARGEST_TEXT)
      throw new StateError(
        `${source}: more than ${LARGEST_TEXT / 1024 / 1024} MiB, which nobody writes; check the path`,
      );
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces, length);
}
