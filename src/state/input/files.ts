import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync, type Stats } from 'node:fs';
import { extname, join } from 'node:path';
import { StateError, UnreadableTextError } from '../errors.ts';
import { fullEnding } from '../recording/rows.ts';
import { whyUnreadable } from '../systemProblem.ts';
import { pipeChunks } from './pipe.ts';
import type { Chunks } from './textEncoding.ts';

const BLOCK = 1024 * 1024;
/** Which files to read in directories and archives; a file named by the user may have any name. */
const STATE_FILE = /\.(json|jsonl|ndjson|yaml|yml|rec(\.\d+)?)(\.gz)?$|\.(tar|tgz|tar\.gz)$/i;
export const STATE_FILE_EXTENSIONS = '.json, .jsonl, .yaml, .yml, .rec (also .gz), .tar, .tgz';
/** Deeper than any directory of state; also ends symbolic links that form a cycle. */
const DEEPEST_DIRECTORY = 64;

/** The expected content of files, for messages. */
export interface ExpectedInput {
  what: string;
  /** advice for an empty text */
  ifEmpty: string;
  /** advice for a text that holds something else */
  ifOther: string;
}

export const expectedState: ExpectedInput = {
  what: 'state',
  ifEmpty: 'write it again with kubectl get -o json',
  ifOther: 'give the output of kubectl get -o json|yaml',
};
/** Written by hand, not by kubectl. */
export const expectedManifests: ExpectedInput = {
  what: 'manifests',
  ifEmpty: 'give a manifest',
  ifOther: 'give a manifest in YAML or JSON',
};

export interface InputFile {
  name: string;
  /** undefined if it is not known in advance */
  size: number | undefined;
  /** not named by the user, but found in a directory */
  found?: boolean;
  chunks(): Chunks;
}

/** Whether to read a file in a directory or archive as state, by its name; hidden files are not read. */
export function isStateFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return !name.startsWith('.') && STATE_FILE.test(name);
}

/**
 * The files at the paths of a state: files, directories recursively and in name order, "-" for stdin. A file that is
 * found twice is read once.
 */
export function inputFiles(
  paths: readonly string[],
  stdin: () => Chunks,
  { what } = expectedState,
): InputFile[] {
  const files: InputFile[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    if (path === '-') {
      if (seen.has(path)) throw new StateError('stdin (-) can be read only once; name it once');
      seen.add(path);
      files.push({ name: 'stdin', size: undefined, chunks: stdin });
      continue;
    }
    if (path === '')
      throw new StateError('the path of a state is empty; name a file, a directory or - for stdin');
    const found = addPath(path, files, seen, 0);
    // a directory with only links to itself has no files
    if (found === 0 || files.length === 0)
      throw new StateError(
        readdirSync(path).length === 0
          ? `${path}: is an empty directory; give one that holds ${what}, in files named ${STATE_FILE_EXTENSIONS}`
          : `${path}: no ${what} in this directory; it needs files named ${STATE_FILE_EXTENSIONS}`,
      );
  }
  return files;
}

/** Whether a path can be read twice, unlike stdin, pipes and devices. True if it is inaccessible: reading fails anyway. */
export function isRereadable(path: string): boolean {
  if (path === '-') return false;
  try {
    const stat = statSync(path);
    return stat.isFile() || stat.isDirectory();
  } catch {
    return true;
  }
}

/** Adds the state files at the path. Returns how many it found, including those already added. */
function addPath(path: string, files: InputFile[], seen: Set<string>, depth: number): number {
  const stat = attempt(path, () => statOf(path));
  if (stat.isDirectory()) {
    // a directory is walked once, however it is reached: links may form cycles
    const inode = `directory ${stat.dev}:${stat.ino}`;
    if (depth > 0 && seen.has(inode)) return 1;
    seen.add(inode);
    if (depth > DEEPEST_DIRECTORY)
      throw new StateError(
        `${path}: more than ${DEEPEST_DIRECTORY} directories deep; a symbolic link may form a loop`,
      );
    const entries = attempt(path, () => readdirSync(path, { withFileTypes: true }))
      .filter((entry) => !entry.name.startsWith('.') && (!entry.isFile() || isStateFile(entry.name)))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    let found = 0;
    for (const entry of entries) {
      const inner = join(path, entry.name);
      let leadsSomewhere = false;
      try {
        const kind = attempt(inner, () => statSync(inner));
        leadsSomewhere = true;
        if (kind.isDirectory() || (kind.isFile() && isStateFile(entry.name)))
          found += addPath(inner, files, seen, depth + 1);
      } catch (error) {
        if (!(error instanceof UnreadableTextError)) throw error;
        // a dangling link is judged by its name; without an extension, it counts as a directory
        const isOther = extname(entry.name) !== '' && !isStateFile(entry.name);
        if (!leadsSomewhere && entry.isSymbolicLink() && isOther) continue;
        files.push({ name: inner, size: undefined, found: true, chunks: () => failing(error) });
        found++;
      }
    }
    return found;
  }
  const real = attempt(path, () => realpathSync(path));
  if (!seen.has(real)) {
    seen.add(real);
    files.push({
      name: path,
      size: stat.isFile() ? stat.size : undefined,
      found: depth > 0,
      chunks: () => (stat.isFIFO() ? namedPipe(path) : fileChunks(path, stat.size)),
    });
  }
  return 1;
}

/** If a recorder was killed just after renaming a full file, only the renamed file exists. */
function statOf(path: string): Stats {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat) return stat;
  const full = `${path}${fullEnding()}`;
  if (statSync(full, { throwIfNoEntry: false })?.isFile())
    throw new StateError(
      `${path}: no such file, but ${full} exists (a full file is renamed to it); give ${full}`,
    );
  return statSync(path);
}

/** Reads a file block by block; the reader may keep each block. The size is from the file system; 0 if unknown. */
function* fileChunks(path: string, size: number): Generator<Buffer> {
  const file = attempt(path, () => openSync(path, 'r'));
  try {
    for (;;) {
      // one more byte detects that a small file ends where it should
      const block = Buffer.allocUnsafeSlow(size > 0 && size < BLOCK ? size + 1 : BLOCK);
      const length = attempt(path, () => readSync(file, block, 0, block.length, null));
      if (length === 0) return;
      yield block.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** An unreadable file reports it to its reader, so that other files can still be read. */
function failing(error: UnreadableTextError): never {
  throw error;
}

async function* namedPipe(path: string): AsyncGenerator<Buffer> {
  try {
    yield* pipeChunks(path);
  } catch (error) {
    throw new StateError(`${path}: ${whyUnreadable(error)}`);
  }
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof StateError) throw error;
    throw new UnreadableTextError(path, whyUnreadable(error));
  }
}

/** A path without symbolic links; undefined if nothing is there. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
