import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { RecordedChange } from './recordedRows.ts';
import { isContinued, type RecordingPart } from './recordingParts.ts';

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
 * The changes and gaps of parts that are in order of time. If a part does not go on from the one before, nobody recorded in between:
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

/** A gap that was open when the next part began: that part tells it again if it went on. */
function endedBy(gap: RecordingGap, { from, gaps }: JoinedPart): RecordingGap[] {
  if (gap.to !== undefined) return [gap];
  const goesOn = gaps.some((one) => one.kind === gap.kind && one.from === gap.from);
  return goesOn ? [] : [{ ...gap, to: from, lost: true }];
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
