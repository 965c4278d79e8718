import { constants } from 'node:fs';
import { lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StateError } from '../errors.ts';
import { attempt, syncDirectory, targetOf } from './safeFile.ts';

/** A new file that is appended to. All methods reject with a StateError that names the file. */
interface AppendedFile {
  /** bytes written so far */
  readonly size: number;
  /**
   * Writes a whole piece. If the process is killed during the write, part of it remains at the end of the file. Rejects
   * if the file has been removed.
   */
  append(piece: Buffer): Promise<void>;
  /** Syncs the file to disk and closes it. */
  close(): Promise<void>;
  /** Closes the file and removes it completely. */
  discard(): Promise<void>;
  /**
   * Renames the file by adding this ending, and starts a new one under the old name. Replaces only files that it
   * renamed itself.
   */
  rotate(ending: string): Promise<void>;
}

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Creates a file to append to, readable only by its owner. Follows a symbolic link whose target does not exist yet;
 * existing files, pipes and devices are not touched.
 *
 * @param rotates the ending that `rotate` will add; no file with it may exist either
 */
export async function createAppendedFile(file: string, rotates?: string): Promise<AppendedFile> {
  const name = file || '""';
  const target = await attempt(name, () => targetOf(file));
  if ('descriptor' in target)
    throw new StateError(`${name} cannot be written: appending needs a regular file; name one`);
  const { path, existing } = target;
  if (existing)
    throw new StateError(
      existing.isFile()
        ? `${name} exists and is not overwritten; name another file, or remove it`
        : `${name} cannot be written: it is not a regular file; name another one`,
    );
  /** Whether the file with the other name is ours. */
  let isRotated = false;
  async function checkRotated(ending: string): Promise<void> {
    if (!isRotated && (await isThere(`${path}${ending}`)))
      throw new StateError(
        `${name}${ending} exists, and a full ${name} would be renamed to it; name another file, or remove it`,
      );
  }
  if (rotates !== undefined) await checkRotated(rotates);
  const create = () => attempt(name, () => open(path, NEW | constants.O_APPEND, 0o600));
  let handle: FileHandle = await create();
  await syncDirectory(dirname(path));
  let size = 0;
  const finish = () =>
    attempt(name, async () => {
      await handle.sync();
      await handle.close();
    });
  return {
    get size() {
      return size;
    },
    async append(piece) {
      await attempt(name, () => handle.appendFile(piece));
      size += piece.length;
      // data written to a deleted file is lost
      if ((await attempt(name, () => handle.stat())).nlink === 0)
        throw new StateError(
          `${name} was removed during the recording, and its content is lost; start a new one`,
        );
    },
    close: finish,
    discard: () =>
      attempt(name, async () => {
        await handle.close();
        await unlink(path);
      }),
    async rotate(ending) {
      await checkRotated(ending);
      await finish();
      await attempt(name, () => rename(path, `${path}${ending}`));
      isRotated = true;
      handle = await create();
      size = 0;
      await syncDirectory(dirname(path));
    },
  };
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
