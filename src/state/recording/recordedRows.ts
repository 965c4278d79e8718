import { isUtf8 } from 'node:buffer';
import { applyJsonPatch, PatchError, type PatchOperation } from '../../kubernetes/jsonPatch.ts';
import { isObject, keysOf, type JsonObject } from '../../kubernetes/json.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Changed } from '../../karmada/controllers/write.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { DEEPEST_OBJECT } from '../documents.ts';
import { StateError } from '../errors.ts';
import { TruncatedError, type InputText } from '../input/texts.ts';
import { isNestedDeeper } from '../json/depth.ts';
import { jsonProblem } from '../json/jsonProblem.ts';
import { Sharing } from '../schema/sharing.ts';
import { shapedAs } from '../shape.ts';
import { readSnapshotHeader, type SnapshotFacts } from '../snapshot/snapshotHeader.ts';
import { identityOf, validateObject } from '../world/validateObject.ts';
import { ROW_SHAPES, type RecordingRow } from './rows.ts';

/** The rows of a recording in time order, each checked. Times are epoch milliseconds. */
type RecordedRow =
  | { type: 'start'; at: number; facts: SnapshotFacts; objects: ReadonlyMap<string, KubernetesObject> }
  | ({ type: 'change' } & RecordedChange)
  | { type: 'silent'; at: number; kinds: readonly string[]; since: number }
  | { type: 'heard'; at: number; kinds: readonly string[]; since: number; lost: boolean }
  | { type: 'alive'; at: number }
  | { type: 'end'; at: number; why: string }
  /** the file has no end row: the recorder is still running or was killed, or the file is an incomplete copy */
  | { type: 'torn' };

/** An object that was created, changed or deleted. */
export type RecordedChange = Changed<KubernetesObject> & {
  /** epoch milliseconds, by the clock of the API server */
  at: number;
  /** its name by `identityOf` */
  of: string;
};

/** A recording without a complete state: its recorder was killed before it had written one. */
export class IncompleteStartError extends StateError {}

/** The longest line: no object on an API server is nearly as long. */
const LONGEST_LINE = 32 * 1024 * 1024;
/** The most objects: as many as a state may hold. */
const MAX_OBJECTS = 2_000_000;

/**
 * Reads a recording line by line, and keeps only the newest state of each object. Objects are checked like those from
 * files, also after each patch. Throws a StateError that names the line and the field. `objects` of the first row
 * keeps changing: copy it.
 */
export async function* recordedRows({ name, line: first, chunks }: InputText): AsyncGenerator<RecordedRow> {
  const reader = new RowReader(name, first);
  for await (const line of linesOf(chunks, name, first)) {
    if (line === 'torn') {
      reader.checkWhole();
      yield { type: 'torn' };
      return;
    }
    const row = reader.read(line);
    if (row) yield row;
  }
  reader.checkWhole();
  // a killed recorder has usually written whole lines
  if (!reader.ended) yield { type: 'torn' };
}

/** The lines; finally 'torn' if the text ends within a line, or within its compressed data. */
async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  name: string,
  first: number,
): AsyncGenerator<Buffer | 'torn'> {
  let rest: Buffer[] = [];
  let length = 0;
  let line = first;
  try {
    for await (const chunk of chunks) {
      let from = 0;
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
        rest.push(chunk.subarray(from, end));
        yield rest.length === 1 ? rest[0]! : Buffer.concat(rest);
        [rest, length, from] = [[], 0, end + 1];
        line++;
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > LONGEST_LINE)
        throw new StateError(
          `${name}:${line}: is longer than ${LONGEST_LINE / 1024 / 1024} MiB, too long for a line of a recording; check the file`,
        );
    }
  } catch (error) {
    if (!(error instanceof TruncatedError)) throw error;
    yield 'torn';
    return;
  }
  if (length > 0) yield 'torn';
}

class RowReader {
  readonly #name: string;
  #line: number;
  #facts: SnapshotFacts | undefined;
  #started = NaN;
  #newest = -Infinity;
  #complete = false;
  #ended = false;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #sharing = new Sharing();

  constructor(name: string, line: number) {
    this.#name = name;
    this.#line = line - 1;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Throws if the recording ends before it holds a complete state. */
  checkWhole(): void {
    if (this.#complete) return;
    this.#line++;
    throw new IncompleteStartError(
      `${this.#name}:${this.#line}: the recording ends before it holds a complete state; record again`,
    );
  }

  read(bytes: Buffer): RecordedRow | undefined {
    this.#line++;
    const parsed = this.#parsed(bytes);
    if (!this.#facts) return void this.#header(parsed);
    const field = keysOf(ROW_SHAPES).find((name) => Object.hasOwn(parsed, name));
    if (!field) throw this.#error('', 'is not a line of a recording; check the file');
    const checked = shapedAs(parsed, ROW_SHAPES[field], field);
    if ('problem' in checked) throw this.#error('', checked.problem);
    const row: RecordingRow = checked.value;
    if (this.#ended) throw this.#error('', 'follows the end of the recording; check the file');
    if (!this.#complete) return this.#atStart(row);
    const at = this.#instantOf(row);
    if ('added' in row) return this.#added(at, row.added);
    if ('patch' in row) return this.#patched(at, row.of, row.patch as readonly PatchOperation[]);
    if ('deleted' in row) return this.#deleted(at, row.of);
    if ('silent' in row) return { type: 'silent', at, kinds: row.silent, since: instant(row.since) };
    if ('heard' in row)
      return { type: 'heard', at, kinds: row.heard, since: instant(row.since), lost: row.lost };
    if ('alive' in row) return { type: 'alive', at };
    if (!('end' in row)) throw this.#error('', 'belongs before the changes; check the file');
    this.#ended = true;
    return { type: 'end', at, why: row.end };
  }

  #parsed(bytes: Buffer): JsonObject {
    if (!isUtf8(bytes)) throw this.#error('', 'is not UTF-8; check the file');
    const text = bytes.toString('utf8');
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      const { offset, problem } = jsonProblem(text) ?? { offset: 0, problem: 'is not JSON' };
      throw this.#error(`:${offset + 1}`, `${problem}; check the file`);
    }
    if (!isObject(value)) throw this.#error('', 'is not a JSON object; each line of a recording is one');
    if (isNestedDeeper(value, DEEPEST_OBJECT))
      throw this.#error('', `is nested more than ${DEEPEST_OBJECT} levels deep; check the file`);
    return value;
  }

  #header(row: JsonObject): void {
    const facts = readSnapshotHeader(row, 'Recording');
    if ('problem' in facts) throw this.#error('', facts.problem);
    if (typeof row.started !== 'string')
      throw this.#error('', 'Recording.started: nothing is not an RFC 3339 time; record does not write this');
    this.#started = instant(row.started);
    this.#newest = this.#started;
    this.#facts = facts;
  }

  #atStart(row: RecordingRow): RecordedRow | undefined {
    if ('object' in row) {
      this.#put(row.object, 'object', true);
      return undefined;
    }
    if (!('complete' in row))
      throw this.#error('', 'a change precedes the end of the initial state; check the file');
    if (row.complete !== this.#objects.size)
      throw this.#error(
        '',
        `complete: the initial state has ${this.#objects.size} objects, not ${row.complete}; check the file`,
      );
    this.#complete = true;
    return { type: 'start', at: this.#started, facts: this.#facts!, objects: this.#objects };
  }

  #instantOf(row: RecordingRow): number {
    if (!('at' in row)) throw this.#error('', 'belongs before the changes; check the file');
    const at = instant(row.at);
    if (at < this.#newest) throw this.#error('', `at: ${row.at} is before the line above; check the file`);
    return (this.#newest = at);
  }

  #added(at: number, value: unknown): RecordedRow {
    const after = this.#put(value, 'added', true);
    return { type: 'change', at, of: identityOf(after), after };
  }

  #patched(at: number, of: string, patch: readonly PatchOperation[]): RecordedRow {
    const before = this.#known(of);
    let value: unknown;
    try {
      value = applyJsonPatch(before, patch);
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      throw this.#error('', `patch[${error.index}]: of ${of}: ${error.message}; check the file`);
    }
    const after = this.#put(value, 'patch', false);
    if (identityOf(after) !== of)
      throw this.#error('', `patch: makes ${of} another object, ${identityOf(after)}; check the file`);
    return { type: 'change', at, of, before, after };
  }

  #deleted(at: number, of: string): RecordedRow {
    const before = this.#known(of);
    this.#objects.delete(of);
    return { type: 'change', at, of, before };
  }

  #known(of: string): KubernetesObject {
    const known = this.#objects.get(of);
    if (!known) throw this.#error('', `of: there is no ${of}; check the file`);
    return known;
  }

  #put(value: unknown, field: string, isNew: boolean): KubernetesObject {
    const verdict = validateObject(value, this.#sharing);
    if ('problem' in verdict) throw this.#error('', `${field}: ${verdict.problem}`);
    const { object } = verdict;
    const of = identityOf(object);
    if (isNew && this.#objects.has(of))
      throw this.#error('', `${field}: ${of} is there already; check the file`);
    if (this.#objects.size >= MAX_OBJECTS)
      throw this.#error('', `more than ${MAX_OBJECTS} objects; check the file`);
    this.#objects.set(of, object);
    return object;
  }

  #error(place: string, message: string): StateError {
    return new StateError(`${this.#name}:${this.#line}${place}: ${message}`);
  }
}
