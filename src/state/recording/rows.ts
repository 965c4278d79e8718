import type { Shape, Shaped } from '../../karmada/shape.ts';
import type { SnapshotHeader } from '../snapshot/snapshot.ts';

/** The first line of a recording: a snapshot's header, and when the recording began (RFC 3339). */
export type RecordingHeader = Pick<
  SnapshotHeader,
  'components' | 'detected' | 'served' | 'unread' | 'warnings'
> & { kind: 'Recording'; schemaVersion: 'v1'; started: string };

/** The reason of a recording's end if it continues in another file, from the same instant. */
export const FILE_FULL = 'the file was full';

/** The ending added to the name of a full file. Files that users keep in addition have higher numbers. */
export function fullEnding(number = 1): string {
  return `.${number}`;
}

/** The beginning of a recording, which distinguishes it from other files. */
export const RECORDING_BEGINS = '{"kind":"Recording"';

const at = 'RFC 3339 time';
const kinds = { list: 'string' } as const satisfies Shape;

/**
 * The other lines of a recording, each a JSON object, by their distinctive field. First the objects of the world at
 * the start, then their number, then later rows in time order; `of` names an object as `identityOf` does.
 */
export const ROW_SHAPES = {
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
  /** these kinds have been silent since `since` */
  silent: { fields: { at, silent: kinds, since: at } },
  /** they respond again; changes in between were recorded late or, with `lost`, only by their result */
  heard: { fields: { at, heard: kinds, since: at, lost: 'boolean' } },
  /** nothing has changed, but the recorder is alive */
  alive: { fields: { at, alive: 'boolean' } },
  end: { fields: { at, end: 'string' } },
} as const satisfies Record<string, Shape>;

export type RecordingRow = Shaped<(typeof ROW_SHAPES)[keyof typeof ROW_SHAPES]>;
