import { ForeignTextError, StateError, UnreadableTextError } from '../errors.ts';
import { isStateFile, STATE_FILE_EXTENSIONS, expectedState, type ExpectedInput } from './files.ts';
import { RECORDING_BEGINS } from '../recording/rows.ts';
import { isTar, tarEntries } from './tar.ts';
import { textEncoding, utf16ToUtf8 } from './textEncoding.ts';
import type { Chunks } from './textEncoding.ts';
import { MAX_TIMES_UNPACKED, maxUnpacked } from './wholeFile.ts';
import { codeOf } from '../systemProblem.ts';

const ENOUGH_TO_KNOW = 1024;
/** Begins lines that kubectl prints to stderr, which may be redirected to the file. */
const WARNING = 'Warning: ';
/** The most white space before the first character: a file of only white space is not read to its end. */
const MAX_LEADING_SPACE = 16 * 1024 * 1024;
const MAX_LAYERS = 4;

type TextFormat = 'json' | 'yaml' | 'recording';

/** A compressed file that is cut off. */
export class TruncatedError extends UnreadableTextError {}

/** One text with objects: UTF-8, unpacked, without leading white space. */
export interface InputText {
  name: string;
  format: TextFormat;
  /** the line of the first character, from 1 */
  line: number;
  chunks: AsyncGenerator<Buffer>;
}

/** The packed bytes read of a file so far, and their purpose. */
interface Packed {
  bytes: number;
  wanted: ExpectedInput;
}

/**
 * The texts of a file: the file itself, or the contents of gzip and tar. Rejects a text whose first bytes are neither
 * JSON nor YAML before reading more, and one that unpacks to far too many bytes as soon as it does.
 */
export async function* inputTexts(
  chunks: Chunks,
  name: string,
  wanted = expectedState,
): AsyncGenerator<InputText> {
  const packed: Packed = { bytes: 0, wanted };
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      packed.bytes += chunk.length;
      yield chunk;
    }
  }
  yield* textsWithin(counted(), name, packed, 0);
}

async function* textsWithin(
  chunks: AsyncIterable<Buffer>,
  name: string,
  packed: Packed,
  layer: number,
): AsyncGenerator<InputText> {
  if (layer > MAX_LAYERS)
    throw new UnreadableTextError(name, `packed more than ${MAX_LAYERS} times over; unpack it first`);
  const [start, all] = await peek(chunks);
  if (start[0] === 0x1f && start[1] === 0x8b) {
    yield* textsWithin(gunzip(all, name, packed), name, packed, layer + 1);
    return;
  }
  if (isTar(start)) {
    let found = false;
    for await (const { path, content } of tarEntries(all, name)) {
      if (!isStateFile(path)) continue;
      found = true;
      yield* textsWithin(content, `${name}:${path}`, packed, layer + 1);
    }
    if (!found)
      throw new ForeignTextError(
        `${name}: no ${packed.wanted.what} in this archive; it needs files named ${STATE_FILE_EXTENSIONS}`,
      );
    return;
  }
  const packer = packedBy(start);
  if (packer)
    throw new UnreadableTextError(name, `is ${packer}; unpack it first, or pack it with gzip or tar`);

  const { encoding, bom } = textEncoding(start);
  const utf8 = encoding === 'utf-8' ? from(all, bom) : utf16ToUtf8(all, encoding === 'utf-16be', bom);
  const { first, line, rest } = await withoutLeadingSpace(utf8, name, packed);
  if (isBinary(first))
    throw new UnreadableTextError(name, `is binary, neither JSON nor YAML; ${packed.wanted.ifOther}`);
  const isJson = first[0] === 0x7b || first[0] === 0x5b;
  const isRecording = first.toString('latin1', 0, RECORDING_BEGINS.length) === RECORDING_BEGINS;
  const format = isRecording ? 'recording' : isJson ? 'json' : 'yaml';
  yield { name, format, line, chunks: rest };
}

/** The first bytes, and all chunks including them. */
async function peek(chunks: AsyncIterable<Buffer>): Promise<[Buffer, AsyncGenerator<Buffer>]> {
  const iterator = chunks[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < ENOUGH_TO_KNOW) {
    const { value, done } = await iterator.next();
    if (done) break;
    start = start.length === 0 ? value : Buffer.concat([start, value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      if (start.length > 0) yield start;
      for (;;) {
        const { value, done } = await iterator.next();
        if (done) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return [start, all()];
}

async function* from(chunks: AsyncIterable<Buffer>, skip: number): AsyncGenerator<Buffer> {
  let toSkip = skip;
  for await (const chunk of chunks) {
    yield toSkip > 0 ? chunk.subarray(toSkip) : chunk;
    toSkip = 0;
  }
}

async function withoutLeadingSpace(
  chunks: AsyncGenerator<Buffer>,
  name: string,
  { wanted: { ifEmpty } }: Packed,
): Promise<{ first: Buffer; line: number; rest: AsyncGenerator<Buffer> }> {
  let line = 1;
  let skipped = 0;
  let isWarning = false;
  let warned = false;
  for (;;) {
    const { value, done } = await chunks.next();
    if (done)
      throw new ForeignTextError(
        `${name}: ${skipped === 0 ? 'is empty' : warned ? 'holds only warnings' : 'is only white space'}; ${ifEmpty}`,
      );
    let at = 0;
    // the first line of YAML keeps its indentation
    let lineStart = 0;
    for (; at < value.length; at++) {
      const byte = value[at]!;
      isWarning ||= at === lineStart && value.toString('latin1', at, at + WARNING.length) === WARNING;
      warned ||= isWarning;
      if (byte === 0x0a) {
        line++;
        lineStart = at + 1;
        isWarning = false;
      } else if (!isWarning && byte !== 0x20 && byte !== 0x0d && byte !== 0x09) break;
    }
    skipped += at;
    if (skipped > MAX_LEADING_SPACE)
      throw new UnreadableTextError(name, `begins with over 16 MiB of white space; check the file`);
    if (at === value.length) continue;
    const isJson = value[at] === 0x7b || value[at] === 0x5b;
    const first = value.subarray(isJson ? at : lineStart);
    async function* rest(): AsyncGenerator<Buffer> {
      yield first;
      yield* chunks;
    }
    return { first: value.subarray(at), line, rest: rest() };
  }
}

function packedBy(start: Buffer): string | undefined {
  const magic = start.toString('latin1', 0, 6);
  if (magic.startsWith('PK\u0003\u0004')) return 'a zip archive';
  if (magic.startsWith('(\u00b5/\u00fd')) return 'packed by zstd';
  if (magic.startsWith('\u00fd7zXZ')) return 'packed by xz';
  if (magic.startsWith('BZh')) return 'packed by bzip2';
  return undefined;
}

/** Whether the first bytes contain control characters, which neither JSON nor YAML has. */
function isBinary(start: Buffer): boolean {
  const end = Math.min(start.length, ENOUGH_TO_KNOW);
  for (let i = 0; i < end; i++) {
    const byte = start[i]!;
    if (byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09 && byte !== 0x0c && byte !== 0x1b)
      return true;
  }
  return false;
}

async function* gunzip(chunks: AsyncIterable<Buffer>, name: string, packed: Packed): AsyncGenerator<Buffer> {
  const [{ createGunzip }, { pipeline, Readable }] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
  ]);
  const unpacked = createGunzip({ chunkSize: 256 * 1024 });
  // the reader below receives errors
  pipeline(Readable.from(chunks, { objectMode: false }), unpacked, () => undefined);
  try {
    let length = 0;
    for await (const chunk of unpacked) {
      length += (chunk as Buffer).length;
      if (length > maxUnpacked(packed.bytes))
        throw new UnreadableTextError(
          name,
          `unpacks to more than ${MAX_TIMES_UNPACKED} times its size; unpack it first if you trust it`,
        );
      yield chunk as Buffer;
    }
  } catch (error) {
    if (error instanceof StateError) throw error;
    if (codeOf(error) === 'Z_BUF_ERROR')
      throw new TruncatedError(name, 'the gzip file is truncated; copy or write it again');
    throw new UnreadableTextError(name, 'the gzip file is damaged; copy or write it again');
  } finally {
    unpacked.destroy();
  }
}
