import { emptyWorld, type World } from '../../engine/world.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { addObjects } from '../world/addObjects.ts';
import { StateError } from '../errors.ts';
import { inputFiles } from '../input/files.ts';
import { texts } from '../input/texts.ts';
import type { Chunks } from '../input/textEncoding.ts';
import type { RecordedSpan } from '../source.ts';
import type { SnapshotFacts } from '../snapshot/snapshotHeader.ts';
import { recordedRows, type RecordedChange } from './recordedRows.ts';

export type { RecordedChange };

/** A stretch in which the recorder did not hear of a kind. */
export interface RecordingGap {
  kind: string;
  /** epoch milliseconds */
  from: number;
  /** when it was heard again; absent: not before the end */
  to?: number;
  /** the changes in between are not known, only their result; otherwise they were written late, at `to` */
  lost: boolean;
}

/** A recording in memory: the world at any of its instants, and the changes. Times are epoch milliseconds. */
export interface Recording extends RecordedSpan {
  /** what it tells of Karmada's components, as a snapshot does */
  facts: SnapshotFacts;
  /** why it ended; absent if the end was not written */
  ended?: string;
  /** in order of time */
  changes: readonly RecordedChange[];
  gaps: readonly RecordingGap[];
  /** The world as it was after all changes up to an instant. Instants near the last requested one are found faster. */
  worldAt(instant: number): World;
  /** the changes after an instant, up to another */
  changesBetween(after: number, until: number): readonly RecordedChange[];
}

/** The most changes: far more than a day of a large control plane brings; each takes a kilobyte or two. */
const MOST_CHANGES = 2_000_000;

/**
 * Reads a recording whole. Throws a StateError that names the file, the line and the field if it is no recording, or
 * something is wrong with it.
 */
export async function openRecording(
  file: string,
  stdin: () => Chunks = () => process.stdin,
): Promise<Recording> {
  const [input] = inputFiles([file], stdin, { what: 'recording', ifEmpty: 'record again' });
  const changes: RecordedChange[] = [];
  const gaps: RecordingGap[] = [];
  const open = new Map<string, RecordingGap>();
  let first: { facts: SnapshotFacts; from: number; objects: Map<string, KubernetesObject> } | undefined;
  let to = NaN;
  let isTorn = false;
  let ended: string | undefined;
  for await (const text of texts(input!.chunks(), file)) {
    if (text.format !== 'recording' || first)
      throw new StateError(`${file}: is not a recording; give a file that record has written`);
    for await (const row of recordedRows(text)) {
      if (row.type === 'torn') {
        isTorn = true;
        continue;
      }
      to = row.at;
      if (row.type === 'start') first = { facts: row.facts, from: row.at, objects: new Map(row.objects) };
      else if (row.type === 'end') ended = row.why;
      else if (row.type === 'change') {
        if (changes.length >= MOST_CHANGES)
          throw new StateError(`${file}: more than ${MOST_CHANGES} changes; record in several files`);
        const { at, of, before, after } = row;
        changes.push({ at, of, ...(before ? { before } : {}), ...(after ? { after } : {}) });
      } else if (row.type === 'silent')
        for (const kind of row.kinds) open.set(kind, { kind, from: row.since, lost: false });
      else if (row.type === 'heard')
        for (const kind of row.kinds) {
          gaps.push({ kind, from: open.get(kind)?.from ?? row.since, to: row.at, lost: row.lost });
          open.delete(kind);
        }
    }
  }
  if (!first) throw new StateError(`${file}: is not a recording; give a file that record has written`);
  gaps.push(...open.values());
  const { facts, from, objects } = first;
  return {
    ...{ file, facts, from, to, isTorn, changes, gaps },
    ...(ended === undefined ? {} : { ended }),
    worldAt: moving(objects, changes, facts.unread),
    changesBetween: (after, until) =>
      changes.slice(changesUntil(changes, after), changesUntil(changes, until)),
  };
}

/** Gives the world after so many changes, starting from the one it gave last. */
function moving(
  objects: Map<string, KubernetesObject>,
  changes: readonly RecordedChange[],
  unread: World['unread'],
): (instant: number) => World {
  let done = 0;
  const put = (of: string, object: KubernetesObject | undefined) =>
    object ? objects.set(of, object) : objects.delete(of);
  return (instant) => {
    const wanted = changesUntil(changes, instant);
    for (; done < wanted; done++) put(changes[done]!.of, changes[done]!.after);
    for (; done > wanted; done--) put(changes[done - 1]!.of, changes[done - 1]!.before);
    const world: World = { ...emptyWorld(), ...(unread ? { unread } : {}) };
    for (const object of objects.values()) addObjects(world, object.kind, [object]);
    return world;
  };
}

/** How many changes there were up to an instant. */
function changesUntil(changes: readonly RecordedChange[], instant: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (changes[middle]!.at <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
}
