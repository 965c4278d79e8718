import { randomUUID } from 'node:crypto';
import { constants, rmSync } from 'node:fs';
import { type FileHandle, open, readlink, rename, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { Readable } from 'node:stream';
import { StateError } from '../errors.ts';
import { writeToPipe } from '../input/pipe.ts';
import { isRecording } from '../recording/isRecording.ts';
import { whyUnwritable, codeOf } from '../systemProblem.ts';

export interface SafeFileOptions {
  /** the name of the file in errors, such as "plan drain.json"; absent: its path */
  name?: string;
  /** writes a piece to stdout, for the file "-" and for /dev/stdout; resolves when it accepts the next */
  toStdout(piece: Buffer): Promise<void>;
  /** whether a new file is readable only by its owner, because it contains the state of a control plane */
  holdsState: boolean;
  /** whether to compress the file with gzip */
  packed?: boolean;
}

/**
 * Writes a file atomically: the old file stays until the new one is complete and on disk, and a failure or a signal
 * leaves nothing behind. Replaces the target of a symbolic link; writes directly to pipes and devices. An existing file
 * keeps its mode and, if the user may set it, its owner. Resolves to whether a file was replaced. Rejects with a
 * StateError that names the file, also for a recording, which cannot be recreated; errors of `text` are passed on.
 */
export async function writeSafeFile(
  file: string,
  text: Iterable<string>,
  { name = file || '""', toStdout, holdsState, packed = false }: SafeFileOptions,
): Promise<boolean> {
  const pieces = packed ? await gzipped(text) : inBlocks(text);
  const target = await attempt(name, () => targetOf(file));
  if ('descriptor' in target) {
    for await (const piece of pieces)
      if (target.descriptor === 1) await toStdout(piece);
      else await attempt(name, () => writeToDescriptor(target.descriptor, piece));
    return false;
  }
  if (target.existing && !target.existing.isFile()) {
    if (target.existing.isFIFO()) {
      await attempt(name, () => writeToPipe(target.path, pieces));
      return false;
    }
    const handle = await attempt(name, () => open(target.path, constants.O_WRONLY));
    await writeAll(name, handle, pieces);
    return false;
  }
  if (target.existing && (await isRecording(target.path)))
    throw new StateError(
      `${name} cannot be written: it is a recording and is not overwritten; name another file`,
    );
  await replace(name, target.path, target.existing, holdsState ? 0o600 : 0o666, pieces);
  return target.existing !== undefined;
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
  // A rename would replace even a file that the user may not write to.
  if (existing) await attempt(name, async () => (await open(path, constants.O_WRONLY)).close());
  // Not the target's name plus a suffix, which could be too long.
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

/** Writes all pieces, then calls `last`. Always closes the file. */
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

/** Makes the new name survive a crash. Not every file system can sync a directory. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY).catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}

const MAX_LINKS = 40;
/** How Linux and macOS name descriptors that a process has open. */
const DESCRIPTOR = /^\/(?:proc\/(?:self|thread-self|(?<pid>\d+))|dev)\/fd\/(?<descriptor>\d+)$/;

/** The target of a name. Follows links, even to a file that does not exist yet. */
export async function targetOf(file: string): Promise<Target> {
  if (file === '-') return { descriptor: 1 };
  let path = file;
  for (let links = 0; links < MAX_LINKS; links++) {
    const { pid = process.pid, descriptor } = DESCRIPTOR.exec(path)?.groups ?? {};
    if (descriptor !== undefined && Number(pid) === process.pid) return { descriptor: Number(descriptor) };
    const linked = await readlink(path).catch((error: unknown) => {
      if (['EINVAL', 'ENOENT', 'UNKNOWN'].includes(codeOf(error) ?? '')) return undefined;
      throw error;
    });
    if (linked === undefined) return { path, existing: await existing(path) };
    // not join(): after a directory that is a link itself, .. is the parent of its target
    path = isAbsolute(linked) ? linked : `${dirname(path)}/${linked}`;
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' });
}

async function existing(path: string): Promise<Existing | undefined> {
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found?.isDirectory()) throw Object.assign(new Error('is a directory'), { code: 'EISDIR' });
  return found;
}

/** Runs a step of writing a file; turns a system error into a StateError that names the file. */
export async function attempt<Result>(name: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new StateError(`${name} cannot be written: ${whyUnwritable(error)}`);
  }
}

async function gzipped(text: Iterable<string>): Promise<AsyncIterable<Buffer>> {
  const { createGzip } = await import('node:zlib');
  const { pipeline } = await import('node:stream');
  const packer = createGzip();
  // An error in `text` ends the packed stream with the same error.
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

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Removes a file if the process ends, by itself or by a signal, before the returned function is called. If another
 * listener handles a signal, the exit is left to it.
 */
export function whileUnfinished(file: string): () => void {
  const remove = () => rmSync(file, { force: true });
  const removeUnfinished = (signal: NodeJS.Signals) => {
    // another listener keeps the process running, or ends it, which also removes the file
    if (process.listeners(signal).some(({ name }) => name !== removeUnfinished.name)) return;
    remove();
    process.off(signal, removeUnfinished);
    process.kill(process.pid, signal);
  };
  process.on('exit', remove);
  for (const signal of SIGNALS) process.on(signal, removeUnfinished);
  return () => {
    process.off('exit', remove);
    for (const signal of SIGNALS) process.off(signal, removeUnfinished);
  };
}
