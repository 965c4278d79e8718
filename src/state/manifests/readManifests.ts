import { isUtf8 } from 'node:buffer';
import { execFile } from 'node:child_process';
import { type JsonObject, isObject } from '../../kubernetes/json.ts';
import { appendAll } from '../../kubernetes/longLists.ts';
import { type Path, stepsOf } from '../../kubernetes/fieldPath.ts';
import { ForeignTextError, StateError, UnreadableTextError } from '../errors.ts';
import { inputFiles, type InputFile, expectedManifests } from '../input/files.ts';
import type { Chunks } from '../input/textEncoding.ts';
import { inputTexts } from '../input/texts.ts';
import { INVALID_UTF8, invalidUtf8Line } from '../json/jsonStream.ts';
import { type Position, placeOf } from '../position.ts';
import { readPositioned } from '../yaml/positions.ts';

export interface Manifest {
  /** has apiVersion and kind; nothing else is checked */
  object: JsonObject & { apiVersion: string; kind: string };
  /** the file, or the command that produced it */
  source: string;
  /** where a field is, or would be; takes a path as in messages, or its steps */
  at(path: string | Path): Position;
}

export interface PlacedManifest extends Manifest {
  /** its document in the text (not counting empty ones), and its path there: an item of a List is not at the root */
  within: { document: number; path: Path };
}

/** A text with objects, as in its file. */
export interface ManifestText {
  source: string;
  text: string;
  /** its parsed documents, without empty ones */
  values: unknown[];
  manifests: PlacedManifest[];
  /** the file with exactly this text; absent: it was unpacked, decoded, built, or read from stdin */
  file?: string;
  /** whether all its documents were readable: otherwise it cannot be written back */
  isWhole: boolean;
}

interface ReadManifests {
  manifests: Manifest[];
  /** the texts that hold objects */
  texts: ManifestText[];
  /** the number of files and kustomizations they are from */
  files: number;
  /** warnings about text that may not mean what its author intended, each with its place */
  warnings: string[];
  /** unreadable documents and files, which are skipped */
  unreadable: UnreadableTextError[];
}

export interface ManifestSources {
  /** files, directories with all their contents, - for stdin */
  files: readonly string[];
  /** files treated as if found in a directory: those named by git hooks and shell patterns */
  among?: readonly string[];
  /** directories of kustomizations */
  kustomizations?: readonly string[] | undefined;
  /**
   * for checks of whole directories: also reads Prometheus rules files, as the spec of a PrometheusRule; leaves out
   * unreadable documents and files; and skips files of a directory that are not manifests, such as Helm templates,
   * with a warning
   */
  anything?: boolean;
}

/** The largest file, in bytes: far more than is written by hand. */
const LARGEST_FILE = 32 * 1024 * 1024;
/** The most white space before a text, in bytes. */
const MAX_BEFORE_TEXT = 16 * 1024 * 1024;

/**
 * All objects of manifests, with their places; Lists are split into items. In a directory, anything that is not an
 * object is skipped. Rejects with a StateError that names file, line and column, also if a named file, or all of them
 * together, contain no object.
 */
export async function readManifests(
  { files, among = [], kustomizations = [], anything = false }: ManifestSources,
  stdin: () => Chunks,
): Promise<ReadManifests> {
  const read: ReadManifests = { manifests: [], texts: [], files: 0, warnings: [], unreadable: [] };
  for (const file of [...files, ...among]) {
    if (/^https?:\/\//i.test(file))
      throw new StateError(`-f ${file}: URLs are not read; download it, and pipe it into -f -`);
    if (file === '') throw new StateError('-f "": an empty path; name a file, a directory or - for stdin');
  }
  if ([...files, ...among].filter((file) => file === '-').length > 1)
    throw new StateError('-f -: stdin can be read only once; name it once');
  const named = new Set(files);
  for (const file of inputFiles([...files, ...among], stdin, expectedManifests)) {
    const asked = named.has(file.name) || file.name === 'stdin';
    const before = amountOf(read);
    try {
      await addFile(read, file, { lenient: !asked, anything });
    } catch (error) {
      if (anything && error instanceof UnreadableTextError) read.unreadable.push(error);
      else if (asked || !(error instanceof ForeignTextError)) throw error;
    }
    if (asked && amountOf(read) === before) throw holdsNothing(file.name);
  }
  for (const directory of kustomizations) {
    const before = read.manifests.length;
    read.files++;
    addText(
      read,
      { text: await kustomized(directory), source: `kustomize ${directory}` },
      { lenient: false, anything: false },
    );
    if (read.manifests.length === before) throw holdsNothing(`kustomize ${directory}`);
  }
  if (amountOf(read) === 0 && files.length > 0) throw holdsNothing(files.join(', '));
  return read;
}

async function addFile(
  read: ReadManifests,
  { name, chunks }: InputFile,
  how: Pick<Where, 'lenient' | 'anything'>,
): Promise<void> {
  const bytes = new KeptBytes(chunks());
  for await (const { name: source, format, line, chunks: content } of inputTexts(
    bytes.passing(),
    name,
    expectedManifests,
  )) {
    if (format === 'recording') {
      if (!how.lenient)
        throw new StateError(`${source}: is a recording, which holds no manifests; leave it out`);
      read.warnings.push(`${source} is a recording; the file is skipped`);
      continue;
    }
    read.files++;
    const tail = await bytesOf(content, source, line);
    const whole = source === name ? bytes.endingWith(tail) : undefined;
    const text = whole?.toString('utf8') ?? '\n'.repeat(line - 1) + tail.toString('utf8');
    addText(read, { text, source, ...(whole && name !== 'stdin' && { file: name }) }, how);
  }
}

/** The number of objects, plus unreadable documents. */
function amountOf({ manifests, unreadable }: ReadManifests): number {
  return manifests.length + unreadable.length;
}

/** An empty rendering must not pass as valid. */
function holdsNothing(source: string): StateError {
  return new StateError(`${source}: holds no object; ${expectedManifests.ifEmpty}, or leave it out`);
}

/** Keeps the bytes of a file while they are read, as long as it could be a text. */
class KeptBytes {
  #kept: Buffer[] | undefined = [];
  #size = 0;
  readonly #chunks: Chunks;

  constructor(chunks: Chunks) {
    this.#chunks = chunks;
  }

  async *passing(): AsyncGenerator<Buffer> {
    for await (const chunk of this.#chunks) {
      this.#size += chunk.length;
      if (this.#size > LARGEST_FILE + MAX_BEFORE_TEXT) this.#kept = undefined;
      this.#kept?.push(chunk);
      yield chunk;
    }
  }

  /** All bytes, if they are these preceded only by white space and a byte order mark. */
  endingWith(tail: Buffer): Buffer | undefined {
    if (!this.#kept) return undefined;
    const all = Buffer.concat(this.#kept);
    const head = all.subarray(0, Math.max(all.length - tail.length, 0));
    const isText = /^\ufeff?\s*$/.test(head.toString('utf8'));
    return isText && all.subarray(head.length).equals(tail) ? all : undefined;
  }
}

/** @param line the line of the first byte */
async function bytesOf(chunks: AsyncIterable<Buffer>, source: string, line: number): Promise<Buffer> {
  const blocks: Buffer[] = [];
  let size = 0;
  for await (const block of chunks) {
    size += block.length;
    if (size > LARGEST_FILE)
      throw new UnreadableTextError(source, 'is larger than 32 MiB; split it into several files');
    blocks.push(block);
  }
  const bytes = Buffer.concat(blocks);
  if (!isUtf8(bytes))
    throw new UnreadableTextError(source, INVALID_UTF8, { line: line + invalidUtf8Line(bytes), column: 1 });
  if (bytes.includes(0))
    throw new UnreadableTextError(source, 'holds a NUL byte, which neither JSON nor YAML allows');
  return bytes;
}

function addText(
  read: ReadManifests,
  text: Pick<ManifestText, 'source' | 'text' | 'file'>,
  how: Pick<Where, 'lenient' | 'anything'>,
): void {
  const found = readText(text, how);
  if ('skipped' in found) {
    read.warnings.push(found.skipped);
    return;
  }
  const { documents, warnings, unreadable } = found;
  appendAll(read.warnings, warnings);
  appendAll(read.unreadable, unreadable);
  const manifests: PlacedManifest[] = [];
  for (const [document, { value, at }] of documents.entries())
    addObjects(manifests, value, { source: text.source, at, within: { document, path: [] }, ...how });
  appendAll(read.manifests, manifests);
  if (manifests.length === 0) return;
  const values = documents.map(({ value }) => value);
  read.texts.push({ ...text, isWhole: unreadable.length === 0, values, manifests });
}

function readText(
  { text, source }: Pick<ManifestText, 'source' | 'text'>,
  { lenient, anything }: Pick<Where, 'lenient' | 'anything'>,
): (ReturnType<typeof readPositioned> & Pick<ReadManifests, 'unreadable'>) | { skipped: string } {
  const unreadable: UnreadableTextError[] = [];
  const read = readPositioned(text, source, anything ? (error) => unreadable.push(error) : undefined);
  const [first] = unreadable;
  if (first && lenient && (!text.includes('apiVersion') || text.includes('{{')))
    return { skipped: `${first.message}; the file is skipped` };
  return { ...read, unreadable };
}

interface Where extends Pick<PlacedManifest, 'source' | 'at' | 'within'> {
  /** skip anything that is not an object */
  lenient: boolean;
  anything: boolean;
}

function addObjects(manifests: PlacedManifest[], value: unknown, where: Where): void {
  const { source, at, within, lenient, anything } = where;
  const problem = notAnObject(value);
  if (problem !== undefined) {
    if (anything && isObject(value) && isRules(value)) {
      const object = {
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'PrometheusRule',
        metadata: { name: 'rules' },
        spec: value,
      };
      const steps = (path: string | Path) => (typeof path === 'string' ? stepsOf(path) : path);
      manifests.push({ object, source, within, at: (path) => at(steps(path).slice(1)) });
      return;
    }
    if (lenient) return;
    throw new StateError(`${placeOf(source, at([]))}: ${problem}`);
  }
  const object = value as Manifest['object'];
  const { items } = object;
  if (!object.kind.endsWith('List') || !Array.isArray(items)) {
    manifests.push({ object, source, within, at });
    return;
  }
  for (const [index, item] of items.entries())
    addObjects(manifests, item, {
      ...where,
      within: { ...within, path: [...within.path, 'items', index] },
      at: (path) => at(['items', index, ...(typeof path === 'string' ? stepsOf(path) : path)]),
    });
}

/** Whether a document is a Prometheus rules file. */
function isRules({ groups }: JsonObject): boolean {
  return (
    Array.isArray(groups) &&
    groups.length > 0 &&
    groups.every((one) => isObject(one) && Array.isArray(one['rules']))
  );
}

function notAnObject(value: unknown): string | undefined {
  if (!isObject(value)) return 'is not a Kubernetes object; one has apiVersion, kind and metadata';
  for (const field of ['apiVersion', 'kind'] as const)
    if (typeof value[field] !== 'string' || value[field] === '')
      return `no ${field}, so not a Kubernetes object; one has apiVersion, kind and metadata`;
  return undefined;
}

/** A longer build hangs. */
const LONGEST_BUILD = 120_000;
const LARGEST_OUTPUT = 64 * 1024 * 1024;

/**
 * The output of `kubectl kustomize DIR`, so that kubectl's own library builds the kustomization. Rejects with a
 * StateError if there is no kubectl, or it fails.
 */
function kustomized(directory: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      'kubectl',
      // so that a directory is never parsed as a flag
      ['kustomize', '--', directory],
      { timeout: LONGEST_BUILD, maxBuffer: LARGEST_OUTPUT },
      (error, stdout, stderr) => {
        if (error) reject(new StateError(`-k ${directory}: ${problemOf(error, stderr)}`));
        else resolve(stdout);
      },
    );
  });
}

function problemOf(
  error: Error & { code?: string | number | null; killed?: boolean },
  stderr: string,
): string {
  if (error.code === 'ENOENT')
    return 'kubectl builds kustomizations and is not on the PATH; install it, or pipe the output of kustomize into -f -';
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return 'kubectl kustomize prints more than 64 MiB; a set of policies should be smaller';
  if (error.killed)
    return 'kubectl kustomize did not end within two minutes; build it manually and pipe it into -f -';
  const last = stderr.trim().split('\n').at(-1) ?? '';
  // since v1.35 it logs its error, quoted
  const logged = /err="((?:[^"\\]|\\.)*)"$/.exec(last)?.[1]?.replace(/\\(.)/g, '$1');
  return (
    logged ?? (last === '' ? `kubectl kustomize failed: ${error.message}` : last.replace(/^error: /, ''))
  );
}
