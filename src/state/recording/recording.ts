import { emptyWorld, type World } from '../../karmada/world.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { addObjects } from '../schema/kinds.ts';
import { StateError } from '../errors.ts';
import { inputFiles, type InputFile, type ExpectedInput } from '../input/files.ts';
import { inputTexts, type InputText } from '../input/texts.ts';
import type { Chunks } from '../input/textEncoding.ts';
import type { RecordedSpan } from '../source.ts';
import type { SnapshotFacts } from '../snapshot/snapshotHeader.ts';
import { recordedRows, IncompleteStartError, type RecordedChange } from './recordedRows.ts';
import {
  type RecordingGap,
  type RecordingPart,
  clustersOf,
  earlierFiles,
  joinedParts,
  orderedParts,
} from './recordingParts.ts';
import { FILE_FULL } from './rows.ts';
import { firstWith } from '../../kubernetes/firstWith.ts';

export type { RecordedChange, RecordingGap };

/** A recording in memory: the world at each of its instants, and the changes. Times are epoch milliseconds. */
export interface Recording extends RecordedSpan {
  /** its facts about Karmada's components, as in a snapshot */
  facts: SnapshotFacts;
  /** why it ended; absent if no end was written */
  ended?: string;
  /** in time order */
  changes: readonly RecordedChange[];
  gaps: readonly RecordingGap[];
  /** the kinds of all of its objects */
  kinds: ReadonlySet<string>;
  /** The world after all changes up to an instant. Instants near the last requested one are found faster. */
  worldAt(instant: number): World;
  /** the changes after an instant, up to and including another */
  changesBetween(after: number, until: number): readonly RecordedChange[];
}

const recordingWanted: ExpectedInput = {
  what: 'recording',
  ifEmpty: 'record again',
  ifOther: 'give a file written by record',
};

/** The most changes: far more than a large control plane has in a day; each takes a kilobyte or two. */
const MAX_CHANGES = 2_000_000;

interface WholePart extends RecordingPart {
  facts: SnapshotFacts;
  isTorn: boolean;
  ended?: string;
  /** by identity, at its start and at its end */
  first: ReadonlyMap<string, KubernetesObject>;
  last: ReadonlyMap<string, KubernetesObject>;
  changes: RecordedChange[];
  /** in the order in which kinds fell silent and responded again */
  gaps: RecordingGap[];
}

/**
 * Reads a complete recording, from one file or the series that a recorder filled; skips other files in archives.
 * Throws a StateError that names the file, the line and the field if it is not a recording, is invalid, or files do
 * not belong together.
 */
export async function openRecording(
  paths: readonly string[],
  stdin: () => Chunks = () => process.stdin,
): Promise<Recording> {
  const files = inputFiles(paths, stdin, recordingWanted);
  const found = new Set<InputFile>();
  const all: WholePart[] = [];
  let unbegun: IncompleteStartError | undefined;
  for (const file of files)
    for await (const text of inputTexts(file.chunks(), file.name, recordingWanted)) {
      if (text.format !== 'recording') {
        await text.chunks.return(undefined);
        continue;
      }
      const count = all.reduce((sum, { changes }) => sum + changes.length, 0);
      try {
        all.push({ ...(await wholePart(text, MAX_CHANGES - count)), isFound: found.has(file) });
      } catch (error) {
        if (!(error instanceof IncompleteStartError)) throw error;
        unbegun = error;
      }
      if (found.has(file) || file.chunks === stdin || text.name !== file.name) continue;
      for (const earlier of await earlierFiles(file, files)) {
        // the loop reaches them, too
        files.push(earlier);
        found.add(earlier);
      }
    }
  const { parts } = orderedParts(all, unbegun !== undefined);
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last)
    throw unbegun ?? new StateError(`${paths.join(', ')}: is not a recording; give a file written by record`);
  const { changes, gaps } = joinedParts(parts);
  const { ended } = last;
  return {
    file: last.file,
    facts: first.facts,
    from: first.from,
    to: last.to,
    isTorn: last.isTorn || unbegun !== undefined,
    changes,
    // a kind may have been silent since just before the start
    gaps: gaps.map((gap) => (gap.from < first.from ? { ...gap, from: first.from } : gap)),
    kinds: kindsOf(first.first.values(), changes),
    ...(ended === undefined ? {} : { ended }),
    worldAt: moving(new Map(first.first), changes, first.facts.unread),
    changesBetween: (after, until) =>
      changes.slice(changesUntil(changes, after), changesUntil(changes, until)),
  };
}

function kindsOf(objects: Iterable<KubernetesObject>, changes: readonly RecordedChange[]): Set<string> {
  const kinds = new Set<string>();
  for (const { kind } of objects) kinds.add(kind);
  for (const { before, after } of changes) kinds.add((after ?? before).kind);
  return kinds;
}

async function wholePart(text: InputText, most: number): Promise<Omit<WholePart, 'isFound'>> {
  const { name: file } = text;
  const changes: RecordedChange[] = [];
  const gaps: RecordingGap[] = [];
  const open = new Map<string, RecordingGap>();
  let start: Pick<WholePart, 'facts' | 'from' | 'first' | 'last' | 'clusters'> | undefined;
  let to = NaN;
  let isTorn = false;
  let ended: string | undefined;
  for await (const row of recordedRows(text)) {
    if (row.type === 'torn') {
      isTorn = true;
      continue;
    }
    to = row.at;
    if (row.type === 'start') {
      const { facts, at: from, objects } = row;
      // these maps keep changing
      const [first, clusters] = [new Map(objects), clustersOf(objects.values())];
      start = { facts, from, first, last: objects, clusters };
    } else if (row.type === 'end') ended = row.why;
    else if (row.type === 'change') {
      if (changes.length >= most)
        throw new StateError(`${file}: more than ${MAX_CHANGES} changes; record in several files`);
      const { type: _, ...change } = row;
      changes.push(change);
    } else if (row.type === 'silent')
      for (const kind of row.kinds) open.set(kind, { kind, from: row.since, lost: false });
    else if (row.type === 'heard')
      for (const kind of row.kinds) {
        gaps.push({ kind, from: open.get(kind)?.from ?? row.since, to: row.at, lost: row.lost });
        open.delete(kind);
      }
  }
  gaps.push(...open.values());
  const isFull = ended === FILE_FULL;
  return {
    ...start!,
    file,
    to,
    isTorn,
    isFull,
    changes,
    gaps,
    ...(ended === undefined ? {} : { ended }),
  };
}

function changesUntil(changes: readonly RecordedChange[], instant: number): number {
  return firstWith(changes, ({ at }) => at > instant);
}

/** Returns the world after a number of changes, starting from its last result. */
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
    for (const { of, after } of changes.slice(done, wanted)) put(of, after);
    for (const { of, before } of changes.slice(wanted, done).reverse()) put(of, before);
    done = wanted;
    const world: World = { ...emptyWorld(), ...(unread ? { unread } : {}) };
    for (const object of objects.values()) addObjects(world, object.kind, [object]);
    return world;
  };
}
