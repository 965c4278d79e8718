import { isUtf8 } from 'node:buffer';
import { isObject, type JsonObject } from '../../kubernetes/json.ts';
import { StateError } from '../errors.ts';
import type { Path } from '../fieldPath.ts';
import { inputFiles, manifestsWanted } from '../input/files.ts';
import { texts } from '../input/texts.ts';
import type { Chunks } from '../input/textEncoding.ts';
import { stepsOf } from '../fieldPath.ts';
import { INVALID_UTF8, invalidUtf8Line } from '../json/jsonStream.ts';
import { placeOf, type Position } from '../position.ts';
import { readPositioned } from '../yaml/positions.ts';
import { kustomized } from './kustomize.ts';

/** An object that somebody has written, and where. */
export interface Manifest {
  /** it has apiVersion and kind; nothing else has been checked */
  object: JsonObject & { apiVersion: string; kind: string };
  /** the file, or how it came about */
  source: string;
  /** where a field is, or would be: a path as messages show it, or its steps */
  at(path: string | Path): Position;
}

export interface ReadManifests {
  manifests: Manifest[];
  /** how many files and kustomizations they come from */
  files: number;
  /** what may not mean what its author thinks, each with its place */
  warnings: string[];
}

export interface ManifestSources {
  /** files, directories with all that they hold, - for stdin */
  files: readonly string[];
  /** directories of kustomizations */
  kustomizations?: readonly string[] | undefined;
}

/** Far more than anybody writes by hand, in one file. */
const LARGEST_FILE = 32 * 1024 * 1024;

/**
 * All objects of files that people write, with their places; Lists are taken apart. In a directory, anything that is not an object is
 * skipped. Rejects with a StateError that names file, line and column, also if a named file or all of them hold no object.
 */
export async function readManifests(
  { files, kustomizations = [] }: ManifestSources,
  stdin: () => Chunks,
): Promise<ReadManifests> {
  const read: ReadManifests = { manifests: [], files: 0, warnings: [] };
  for (const file of files) {
    if (/^https?:\/\//i.test(file))
      throw new StateError(`-f ${file}: URLs are not read; download it, and pipe it into -f -`);
    if (file === '') throw new StateError('-f "": an empty path; name a file, a directory or - for stdin');
  }
  if (files.filter((file) => file === '-').length > 1)
    throw new StateError('-f -: stdin can be read only once; name it once');
  const named = new Set(files);
  for (const { name, chunks } of inputFiles(files, stdin, manifestsWanted)) {
    const asked = named.has(name) || name === 'stdin';
    const before = read.manifests.length;
    for await (const { name: source, line, chunks: content } of texts(chunks(), name, manifestsWanted)) {
      read.files++;
      addText(read, '\n'.repeat(line - 1) + (await textOf(content, source, line)), source, !asked);
    }
    if (asked && read.manifests.length === before) throw holdsNothing(name);
  }
  for (const directory of kustomizations) {
    const before = read.manifests.length;
    read.files++;
    addText(read, await kustomized(directory), `kustomize ${directory}`, false);
    if (read.manifests.length === before) throw holdsNothing(`kustomize ${directory}`);
  }
  if (read.manifests.length === 0) throw holdsNothing(files.join(', '));
  return read;
}

/** A template that comes to nothing must not pass as one in which nothing is wrong. */
function holdsNothing(source: string): StateError {
  return new StateError(`${source}: holds no object; ${manifestsWanted.ifEmpty}, or leave it out`);
}

/** @param line that the first byte is on */
async function textOf(chunks: AsyncIterable<Buffer>, source: string, line: number): Promise<string> {
  const blocks: Buffer[] = [];
  let size = 0;
  for await (const block of chunks) {
    size += block.length;
    if (size > LARGEST_FILE)
      throw new StateError(`${source}: is larger than 32 MiB; split it into several files`);
    blocks.push(block);
  }
  const bytes = Buffer.concat(blocks);
  if (!isUtf8(bytes)) throw new StateError(`${source}:${line + invalidUtf8Line(bytes)}: ${INVALID_UTF8}`);
  return bytes.toString('utf8');
}

function addText(read: ReadManifests, text: string, source: string, lenient: boolean): void {
  const { documents, warnings } = readPositioned(text, source);
  read.warnings.push(...warnings);
  for (const { value, at } of documents) addObjects(read.manifests, value, { source, at, lenient });
}

interface Where {
  source: string;
  at: Manifest['at'];
  /** anything that is not an object is skipped */
  lenient: boolean;
}

function addObjects(manifests: Manifest[], value: unknown, where: Where): void {
  const { source, at, lenient } = where;
  const problem = notAnObject(value);
  if (problem !== undefined) {
    if (lenient) return;
    throw new StateError(`${placeOf(source, at([]))}: ${problem}`);
  }
  const object = value as Manifest['object'];
  const { items } = object;
  if (!object.kind.endsWith('List') || !Array.isArray(items)) {
    manifests.push({ object, source, at });
    return;
  }
  for (const [index, item] of items.entries())
    addObjects(manifests, item, {
      ...where,
      at: (path) => at(['items', index, ...(typeof path === 'string' ? stepsOf(path) : path)]),
    });
}

function notAnObject(value: unknown): string | undefined {
  if (!isObject(value)) return 'is not a Kubernetes object; one has apiVersion, kind and metadata';
  for (const field of ['apiVersion', 'kind'] as const)
    if (typeof value[field] !== 'string' || value[field] === '')
      return `no ${field}, so not a Kubernetes object; one has apiVersion, kind and metadata`;
  return undefined;
}
