import { statSync } from 'node:fs';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import { StateError } from '../errors.ts';
import { type InputFile, inputFiles, realPath } from '../input/files.ts';
import { isRecording } from './isRecording.ts';
import type { RecordedChange } from './recordedRows.ts';
import { fullEnding } from './rows.ts';

/** One file of a recording, with the data to order it among the others. Times are epoch milliseconds. */
export interface RecordingPart {
  file: string;
  from: number;
  to: number;
  /** it ended because it was full: the next part begins at the instant at which this one ends */
  isFull: boolean;
  /** the Clusters at its start */
  clusters: ReadonlySet<string>;
  /** not named by the user, but found beside the file that continues from it */
  isFound: boolean;
}

interface OrderedParts<Part> {
  /** in time order */
  parts: Part[];
  /** one line each: parts that were found but left out */
  warnings: string[];
}

/**
 * The files that a recorder filled before this one, FILE.1, FILE.2 and so on, if they are recordings, without those
 * that are named anyway. Unreadable files do not count.
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
    // a file with such a name may be anything
    if (await isRecording(path)) files.push(file!);
  }
}

/** The Clusters of a state, identified so that those of another control plane differ. */
export function clustersOf(objects: Iterable<KubernetesObject>): Set<string> {
  const clusters = [...objects].filter(({ kind }) => kind === 'Cluster');
  return new Set(clusters.map(({ metadata: { name, uid } }) => `${name} ${uid ?? ''}`));
}

/** Whether two parts are contiguous. */
export function isContinued(before: RecordingPart, after: RecordingPart): boolean {
  return before.isFull && before.to === after.from;
}

/**
 * Puts parts in order. A part that was only found counts if the next continues from it. Throws a StateError if parts
 * overlap in time, or are from several control planes.
 *
 * @param isBegun whether another part was started but is still empty: it may continue from the last of these
 */
export function orderedParts<Part extends RecordingPart>(
  all: readonly Part[],
  isBegun: boolean,
): OrderedParts<Part> {
  const isNamed = ({ isFound }: RecordingPart) => !isFound;
  // also a copy of a named file
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
  return `${file}: is left out: it is a recording ${span}, ${next ? `from which ${next.file} does not continue` : 'and none continues it'}; name it too if they belong together`;
}

function checkTogether(part: RecordingPart, next: RecordingPart): void {
  const both = `${part.file} and ${next.file}`;
  if (next.from < part.to)
    throw new StateError(
      `${both} overlap at ${rfc3339Milliseconds(next.from)}; give one: a state has one time`,
    );
  const isShared = [...part.clusters].some((cluster) => next.clusters.has(cluster));
  if (!isShared && part.clusters.size > 0 && next.clusters.size > 0)
    throw new StateError(`${both} are recordings of two control planes: they share no Cluster; give one`);
}

/** A period in which the server was silent about a kind. */
export interface RecordingGap {
  kind: string;
  /** epoch milliseconds */
  from: number;
  /** when it ended; absent: not before the end */
  to?: number;
  /** only the result of the changes in between is known; absent: they were recorded late, at `to` */
  lost: boolean;
}

/** One file of a recording, with the data to join it to the next. */
interface JoinedPart extends RecordingPart {
  /** by identity, at its start and at its end */
  first: ReadonlyMap<string, KubernetesObject>;
  last: ReadonlyMap<string, KubernetesObject>;
  changes: readonly RecordedChange[];
  /** in the order in which kinds fell silent and responded again */
  gaps: readonly RecordingGap[];
}

/**
 * The changes and gaps of parts in time order. If a part does not continue the previous one, there is a gap of all
 * kinds in between, and its result becomes changes at the start of the part.
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

/** A gap still open when the next part began: if it lasted, that part records it too. */
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
