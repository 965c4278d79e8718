import { randomUUID } from 'node:crypto';
import { constants, rmSync } from 'node:fs';
import { open, readlink, rename, stat, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { Readable } from 'node:stream';
import { StateError } from '../errors.ts';
import { systemProblem } from '../systemProblem.ts';
import { whileUnfinished } from './unfinishedFiles.ts';

/** How a file is written. */
export interface SafeFileOptions {
  /** what errors call it, such as "--out FILE"; else the file */
  name?: string;
  /** where the text goes if the file is called "-", and for /dev/stdout; takes a piece and resolves when it takes more */
  toStdout(piece: Buffer): Promise<void>;
  /** whether only its owner may read a new file, because it holds the state of a control plane */
  holdsState: boolean;
  /** whether the file is packed with gzip */
  packed?: boolean;
}

/**
 * Writes a file whole or not at all: what was there stays until all is written and on the disk, and nothing else stays behind, also
 * after a failure or a signal. A symbolic link stays, and what it leads to is replaced. What is no regular file (a pipe, a device) is
 * written to. An existing file keeps its mode and, if the user may give it away, its owner. Rejects with a StateError that names the
 * file; what `text` throws is passed on.
 */
export async function writeSafeFile(
  file: string,
  text: Iterable<string>,
  { name = file || '""', toStdout, holdsState, packed = false }: SafeFileOptions,
): Promise<void> {
  const pieces = packed ? await gzipped(text) : inBlocks(text);
  const target = await attempt(name, () => targetOf(file));
  if ('descriptor' in target) {
    for await (const piece of pieces)
      if (target.descriptor === 1) await toStdout(piece);
      else await attempt(name, () => writeToDescriptor(target.descriptor, piece));
    return;
  }
  if (target.existing && !target.existing.isFile()) {
    const handle = await attempt(name, () => open(target.path, constants.O_WRONLY));
    await writeAll(name, handle, pieces);
    return;
  }
  await replace(name, target.path, target.existing, holdsState ? 0o600 : 0o666, pieces);
}

type Existing = Awaited<ReturnType<typeof stat>>;
type Target = { path: string; existing: Existing | undefined } | { descriptor: number };
type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>;

async function replace(
  name: string,
  path: string,
  existing: Existing | undefined,
  mode: number,
  pieces: Pieces,
): Promise<void> {
  // A rename would get past the mode of a file that its user must not write.
  if (existing) await attempt(name, async () => (await open(path, constants.O_WRONLY)).close());
  // A name of its own: with a suffix the name of the target could grow too long.
  const unfinished = join(dirname(path), `.karmada-failover-${randomUUID()}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const finished = whileUnfinished(unfinished);
  try {
    const handle = await attempt(name, () => open(unfinished, flags, existing ? 0o600 : mode));
    await writeAll(name, handle, pieces, async () => {
      if (existing) {
        await handle.chown(Number(existing.uid), Number(existing.gid)).catch(() => undefined);
        await handle.chmod(Number(existing.mode) & 0o777);
      }
      await handle.sync();
    });
    await attempt(name, () => rename(unfinished, path));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  } finally {
    finished();
  }
  await syncDirectory(dirname(path));
}

/** Writes all pieces, lets `last` do what has to be done before the file is closed, and closes it, whatever happens. */
async function writeAll(
  name: string,
  handle: FileHandle,
  pieces: Pieces,
  last: () => Promise<void> = async () => undefined,
): Promise<void> {
  try {
    for await (const piece of pieces) await attempt(name, () => handle.writeFile(piece));
    await attempt(name, last);
  } finally {
    await handle.close().catch(() => undefined);
  }
}

async function writeToDescriptor(descriptor: number, piece: Buffer): Promise<void> {
  const { write } = await import('node:fs');
  let written = 0;
  while (written < piece.length)
    written += await new Promise<number>((resolve, reject) => {
      write(descriptor, piece, written, (error, bytes) => (error ? reject(error) : resolve(bytes)));
    });
}

/** After a crash the new name is there too. Not every file system can do that for a directory. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY).catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}

const MOST_LINKS = 40;
/** As Linux and macOS name what the process has open already. */
const DESCRIPTOR = /^\/(?:proc\/(?:self|thread-self|\d+)|dev)\/fd\/(\d+)$/;

/** What a name leads to: links are followed, also one that leads to a file which is still to be made. */
async function targetOf(file: string): Promise<Target> {
  if (file === '-') return { descriptor: 1 };
  let path = file;
  for (let links = 0; links < MOST_LINKS; links++) {
    const descriptor = DESCRIPTOR.exec(path)?.[1];
    if (descriptor !== undefined) return { descriptor: Number(descriptor) };
    const linked = await readlink(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EINVAL' || error.code === 'ENOENT' || error.code === 'UNKNOWN') return undefined;
      throw error;
    });
    if (linked === undefined) return { path, existing: await existing(path) };
    path = isAbsolute(linked) ? linked : join(dirname(path), linked);
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' });
}

async function existing(path: string): Promise<Existing | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found?.isDirectory()) throw Object.assign(new Error('is a directory'), { code: 'EISDIR' });
  return found;
}

async function attempt<Result>(name: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    throw new StateError(`${name} cannot be written: ${systemProblem(error)}`);
  }
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

async function gzipped(text: Iterable<string>): Promise<AsyncIterable<Buffer>> {
  const { createGzip } = await import('node:zlib');
  const { pipeline } = await import('node:stream');
  const packer = createGzip();
  // A failure of the text ends the packed stream with the same error.
  pipeline(Readable.from(inBlocks(text), { objectMode: false }), packer, () => undefined);
  return packer;
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
