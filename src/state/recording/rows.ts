import type { PatchOperation } from '../../kubernetes/jsonPatch.ts';
import type { Shape } from '../../karmada/shape.ts';
import type { SnapshotHeader } from '../snapshot/snapshot.ts';

/** The first line of a recording: what a snapshot tells besides its objects, and when the recording began (RFC 3339). */
export type RecordingHeader = Pick<
  SnapshotHeader,
  'components' | 'detected' | 'served' | 'unread' | 'warnings'
> & { kind: 'Recording'; schemaVersion: 'v1'; started: string };

/**
 * The other lines of a recording, each a JSON object. First the objects of the world at the start, then their number,
 * then what came after, in order of time; `at` is RFC 3339, and `of` names an object as `identityOf` does.
 */
export type RecordingRow =
  | { object: unknown }
  | { complete: number }
  | { at: string; added: unknown }
  | { at: string; of: string; patch: PatchOperation[] }
  | { at: string; of: string; deleted: true }
  /** nothing has been heard of these kinds since `since` (RFC 3339) */
  | { at: string; silent: string[]; since: string }
  /** they are heard again; changes in between were written late or, with `lost`, only their result was */
  | { at: string; heard: string[]; since: string; lost: boolean }
  /** nothing has changed, and the recorder is alive */
  | { at: string; alive: true }
  | { at: string; end: string };

/** Why a recording ends that goes on in another file, which begins at the same instant. */
export const WAS_FULL = 'the file was full';

/** What is added to the name of a full file. Those that somebody has kept besides have higher numbers. */
export function fullEnding(number = 1): string {
  return `.${number}`;
}

/** How a recording begins, which tells it from other files. */
export const RECORDING_BEGINS = '{"kind":"Recording"';

const at: Shape = 'RFC 3339 time';
const kinds: Shape = { list: 'string' };

/** The shape of each line after the first, by the field that only it has. */
export const ROW_SHAPES: Readonly<Record<string, Shape>> = {
  object: { fields: { object: 'any' } },
  complete: { fields: { complete: 'count' } },
  added: { fields: { at, added: 'any' } },
  patch: {
    fields: {
      at,
      of: 'string',
      patch: {
        list: {
          fields: { op: { oneOf: ['add', 'replace', 'remove'] }, path: 'string', value: 'any' },
          optional: ['value'],
        },
      },
    },
  },
  deleted: { fields: { at, of: 'string', deleted: 'boolean' } },
  silent: { fields: { at, silent: kinds, since: at } },
  heard: { fields: { at, heard: kinds, since: at, lost: 'boolean' } },
  alive: { fields: { at, alive: 'boolean' } },
  end: { fields: { at, end: 'string' } },
};
