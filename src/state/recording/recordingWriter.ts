import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createJsonPatch } from '../../kubernetes/jsonPatch.ts';
import { redactedData, redactedJson } from '../../kubernetes/redaction/redactedData.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { World } from '../../karmada/world.ts';
import { createAppendedFile } from '../output/appendedFile.ts';
import { headerOf, type ServedGroup } from '../snapshot/snapshot.ts';
import { redactedObject, redactedObjects } from '../snapshot/snapshotRedaction.ts';
import type { LoadedState } from '../source.ts';
import { identityOf } from '../world/validateObject.ts';
import { fullEnding, FILE_FULL, type RecordingHeader, type RecordingRow } from './rows.ts';

export interface RecordedStart extends Pick<LoadedState, 'components' | 'detected' | 'warnings'> {
  world: World;
  served?: ServedGroup[] | undefined;
}

interface RecordingOptions {
  /** bytes after which the file is renamed and a new one begins */
  mostBytes?: number | undefined;
  /** escapes terminal control characters in a JSON text */
  escaped(text: string): string;
}

export interface RecordingSize {
  changes: number;
  /** of all its files, including those that were replaced */
  bytes: number;
}

/**
 * Writes a recording: gzip members of whole lines. All input is in the file once `flush` has resolved. Instants (epoch
 * milliseconds) are monotonic. All methods reject with a StateError that names the file.
 */
export interface RecordingWriter {
  readonly size: RecordingSize;
  /** Writes the first state; call it first, and once. */
  start(at: number, state: RecordedStart): Promise<void>;
  change(at: number, change: { before?: KubernetesObject; after?: KubernetesObject }): void;
  silent(at: number, kinds: string[], since: number): void;
  heard(at: number, kinds: string[], since: number, lost: boolean): void;
  /** Records that the recorder is alive, although nothing changes. */
  alive(at: number): void;
  /** Writes all input since the last flush. `now` returns the state if the file is full and a new one begins. */
  flush(at: number, now: () => RecordedStart): Promise<void>;
  /** Writes the rest with the reason for the end, and closes the file; removes it if it has no complete state. */
  close(at: number, why: string): Promise<void>;
}

const FULL = fullEnding();
/** The bytes compressed at a time, which bounds the memory for a large first state. */
const BLOCK = 1024 * 1024;

const packed = promisify(gzip) as (text: string) => Promise<Buffer>;

/** Creates the file, which must not exist; see `createAppendedFile`. */
export async function createRecording(
  file: string,
  { mostBytes = Infinity, escaped }: RecordingOptions,
): Promise<RecordingWriter> {
  const output = await createAppendedFile(file, mostBytes === Infinity ? undefined : FULL);
  let lines = '';
  let newest = -Infinity;
  let startSize = 0;
  /** the start of kinds' silence */
  const gaps = new Map<string, number>();
  const size = { changes: 0, bytes: 0 };

  /** A clock that was set back must not reverse the order. */
  const instant = (at: number) => rfc3339Milliseconds((newest = Math.max(newest, at)));
  const append = (row: RecordingRow) => void (lines += lineOf(row));
  const lineOf = (row: RecordingRow | RecordingHeader): string =>
    // a patch is computed from redacted objects, and its paths must stay as they are
    `${escaped('patch' in row ? JSON.stringify(row) : redactedJson(row))}\n`;

  async function write(text: string): Promise<void> {
    if (text === '') return;
    const member = await packed(text);
    await output.append(member);
    size.bytes += member.length;
  }

  /** Input that arrives during a flush is kept for later. */
  async function begin(started: string, { world, served, ...known }: RecordedStart): Promise<void> {
    const { components, detected, unread, warnings } = headerOf({ ...known, world, origins: [] }, served);
    let text = lineOf({
      kind: 'Recording',
      schemaVersion: 'v1',
      started,
      components,
      ...(detected ? { detected } : {}),
      ...(served ? { served } : {}),
      ...(unread ? { unread } : {}),
      warnings,
    });
    let objects = 0;
    for (const object of redactedObjects(world)) {
      text += lineOf({ object });
      objects++;
      if (text.length < BLOCK) continue;
      await write(text);
      text = '';
    }
    await write(`${text}${lineOf({ complete: objects })}`);
    startSize = output.size;
  }

  function takeLines(): string {
    const text = lines;
    lines = '';
    return text;
  }

  return {
    size,
    start: (at, state) => begin(instant(at), state),
    change(at, { before, after }) {
      const [old, now] = [before, after].map((one) => one && redactedObject(one, []));
      if (!old && !now) return;
      if (!now) append({ at: instant(at), of: identityOf(old!), deleted: true });
      else if (!old) append({ at: instant(at), added: now });
      else {
        const patch = createJsonPatch(redactedData(old), redactedData(now));
        if (patch.length === 0) return;
        append({ at: instant(at), of: identityOf(now), patch });
      }
      size.changes++;
    },
    silent(at, kinds, since) {
      for (const kind of kinds) gaps.set(kind, since);
      append({ at: instant(at), silent: kinds, since: rfc3339Milliseconds(since) });
    },
    heard(at, kinds, since, lost) {
      for (const kind of kinds) gaps.delete(kind);
      append({ at: instant(at), heard: kinds, since: rfc3339Milliseconds(since), lost });
    },
    alive: (at) => append({ at: instant(at), alive: true }),
    async flush(at, now) {
      await write(takeLines());
      // a state that fills a whole file would fill every file
      if (output.size < Math.max(mostBytes, 2 * startSize)) return;
      const state = now();
      const started = instant(at);
      append({ at: started, end: FILE_FULL });
      const last = takeLines();
      for (const [kind, since] of gaps)
        append({ at: started, silent: [kind], since: rfc3339Milliseconds(since) });
      await write(last);
      await output.rotate(FULL);
      await begin(started, state);
    },
    async close(at, why) {
      // the file would be unreadable
      if (startSize === 0) return output.discard();
      append({ at: instant(at), end: why });
      await write(takeLines());
      await output.close();
    },
  };
}
