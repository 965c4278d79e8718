import { realpathSync, statSync } from 'node:fs';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import { StateError } from '../errors.ts';
import { type InputFile, inputFiles } from '../input/files.ts';
import { isRecording } from './isRecording.ts';
import type { RecordedChange } from './recordedRows.ts';
import { fullEnding } from './rows.ts';

/** One file of a recording, as far as its place among the others goes. Times are epoch milliseconds. */
export interface RecordingPart {
  file: string;
  from: number;
  to: number;
  /** it ended because it was full: the next part begins at the instant at which this one ends */
  isFull: boolean;
  /** the Clusters at its start */
  clusters: ReadonlySet<string>;
  /** nobody named it: it was found beside the file that continues from it */
  isFound: boolean;
}

/** Parts as one recording. */
export interface OrderedParts<Part> {
  /** in order of time */
  parts: Part[];
  /** one line each: what was found and is left out */
  warnings: string[];
}

/**
 * The files that a recorder has filled before this one, FILE.1, FILE.2 and so on, if they are recordings, without those that are named
 * anyway. What cannot be read is taken for none.
 */
export async function earlierFiles({ name }: InputFile, named: readonly InputFile[]): Promise<InputFile[]> {
  const known = new Set(named.map((one) => realPath(one.name)));
  const files: InputFile[] = [];
  for (let number = 1; ; number++) {
    const path = `${name}${fullEnding(number)}`;
    const real = realPath(path);
    if (real === undefined || !statSync(real).isFile()) return files;
    if (known.has(real)) continue;
    const [file] = inputFiles([path], () => []);
    // whatever has such a name may be anything
    if (await isRecording(path)) files.push(file!);
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The Clusters of a state, by what distinguishes them from those of another control plane. */
export function clustersOf(objects: Iterable<KubernetesObject>): Set<string> {
  const clusters = [...objects].filter(({ kind }) => kind === 'Cluster');
  return new Set(clusters.map(({ metadata: { name, uid } }) => `${name} ${uid ?? ''}`));
}

/** Whether nothing can have happened between two parts. */
export function isContinued(before: RecordingPart, after: RecordingPart): boolean {
  return before.isFull && before.to === after.from;
}

/**
 * Puts parts in order. One that was only found counts if the next continues from it. Throws a StateError if parts are of the same time,
 * or of several control planes.
 *
 * @param isBegun whether another part was begun, and holds nothing yet: it may continue from the last of these
 */
export function orderedParts<Part extends RecordingPart>(
  all: readonly Part[],
  isBegun: boolean,
): OrderedParts<Part> {
  const isNamed = ({ isFound }: RecordingPart) => !isFound;
  // a copy of what is named, too
  const isCopy = (part: Part) =>
    all.some((one) => isNamed(one) && one.from === part.from && one.to === part.to);
  const sorted = all.filter((part) => isNamed(part) || !isCopy(part)).sort((a, b) => a.from - b.from);
  const parts: Part[] = [];
  const warnings: string[] = [];
  for (let i = sorted.length - 1; i >= 0; i--) {
    const [part, next] = [sorted[i]!, parts[0]];
    const continues = next ? isContinued(part, next) : isBegun && part.isFull;
    if (part.isFound && !continues) {
      warnings.push(leftOut(part, next));
      continue;
    }
    if (next) checkTogether(part, next);
    parts.unshift(part);
  }
  return { parts, warnings };
}

function leftOut({ file, from, to }: RecordingPart, next: RecordingPart | undefined): string {
  const span = `from ${rfc3339Milliseconds(from)} to ${rfc3339Milliseconds(to)}`;
  return `${file}: is left out: it is a recording ${span}, ${next ? `from which ${next.file} does not continue` : 'and none continues it'}; name it, too, if they belong together`;
}

function checkTogether(part: RecordingPart, next: RecordingPart): void {
  const both = `${part.file} and ${next.file}`;
  if (next.from < part.to)
    throw new StateError(
      `${both} are two recordings of the same time, ${rfc3339Milliseconds(next.from)}; give one: a state shows one instant`,
    );
  const isShared = [...part.clusters].some((cluster) => next.clusters.has(cluster));
  if (!isShared && part.clusters.size > 0 && next.clusters.size > 0)
    throw new StateError(`${both} are recordings of two control planes: they share no Cluster; give one`);
}

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

/** One file of a recording, as far as joining it to the next goes. */
interface JoinedPart extends RecordingPart {
  /** by identity, at its start and at its end */
  first: ReadonlyMap<string, KubernetesObject>;
  last: ReadonlyMap<string, KubernetesObject>;
  changes: readonly RecordedChange[];
  /** in the order in which kinds fell silent and were heard again */
  gaps: readonly RecordingGap[];
}

/**
 * The changes and gaps of parts that are in order of time. If a part does not continue from the one before, nobody recorded in between:
 * that is a gap of all kinds, and what came of it is a change at the start of the part.
 */
export function joinedParts(parts: readonly JoinedPart[]): {
  changes: RecordedChange[];
  gaps: RecordingGap[];
} {
  const changes: RecordedChange[] = [];
  let gaps: RecordingGap[] = [];
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (before) {
      gaps = gaps.flatMap((gap) => endedBy(gap, part));
      if (!isContinued(before, part)) gaps.push(...gapBetween(before, part, gaps));
      for (const change of differences(before.last, part.first, part.from)) changes.push(change);
    }
    for (const change of part.changes) changes.push(change);
    gaps.push(...part.gaps);
  }
  return { changes, gaps };
}

/** A gap that was open when the next part began: that part records it again if it lasted. */
function endedBy(gap: RecordingGap, { from, gaps }: JoinedPart): RecordingGap[] {
  if (gap.to !== undefined) return [gap];
  const continues = gaps.some((one) => one.kind === gap.kind && one.from === gap.from);
  return continues ? [] : [{ ...gap, to: from, lost: true }];
}

function gapBetween(before: JoinedPart, after: JoinedPart, gaps: readonly RecordingGap[]): RecordingGap[] {
  const silent = new Set(gaps.filter(({ to }) => to === after.from).map(({ kind }) => kind));
  const kinds = new Set([...before.last.values(), ...after.first.values()].map(({ kind }) => kind));
  return [...kinds]
    .filter((kind) => !silent.has(kind))
    .sort()
    .map((kind) => ({ kind, from: before.to, to: after.from, lost: true }));
}

function* differences(
  had: ReadonlyMap<string, KubernetesObject>,
  has: ReadonlyMap<string, KubernetesObject>,
  at: number,
): Generator<RecordedChange> {
  for (const [of, before] of had) if (!has.has(of)) yield { at, of, before };
  for (const [of, after] of has) {
    const before = had.get(of);
    if (!before) yield { at, of, after };
    else if (!deepEqual(before, after)) yield { at, of, before, after };
  }
}
