import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import { StateError } from '../errors.ts';
import type { Text } from '../input/texts.ts';
import type { SnapshotFacts } from '../snapshot/snapshotHeader.ts';
import { recordedRows } from './recordedRows.ts';
import type { RecordedSpan } from '../source.ts';

/** A recorded control plane at one instant. */
export interface RecordedWorld {
  facts: SnapshotFacts;
  objects: Iterable<KubernetesObject>;
  recorded: RecordedSpan;
  /** one line each: what is not known about this instant */
  warnings: string[];
}

/** Instants that people write have no fractions. */
const SECOND = 1000;

/**
 * The state that a recording shows at an instant (epoch milliseconds; absent: at its end). All of it is checked. Throws
 * a StateError if the instant lies outside of the recording.
 */
export async function recordedWorld(text: Text, at?: number): Promise<RecordedWorld> {
  const { name } = text;
  let facts: SnapshotFacts | undefined;
  let from = NaN;
  let to = NaN;
  const objects = new Map<string, KubernetesObject>();
  /** by kind that the recorder did not hear of at the instant */
  const gaps = new Map<string, { since: number; until?: number }>();
  let isTorn = false;
  const isLater = (instant: number) => at !== undefined && instant > at;
  for await (const row of recordedRows(text)) {
    if (row.type === 'torn') {
      isTorn = true;
      continue;
    }
    to = row.at;
    if (row.type === 'start') {
      facts = row.facts;
      from = row.at;
      for (const [of, object] of row.objects) objects.set(of, object);
    } else if (row.type === 'change' && !isLater(row.at)) {
      if (row.after) objects.set(row.of, row.after);
      else objects.delete(row.of);
    } else if (row.type === 'silent') {
      if (!isLater(row.since)) for (const kind of row.kinds) gaps.set(kind, { since: row.since });
    } else if (row.type === 'heard')
      for (const kind of row.kinds) {
        // a gap that was written only when it was over, as for lost changes
        if (!isLater(row.since) && isLater(row.at)) gaps.set(kind, { since: row.since, until: row.at });
        else if (!isLater(row.at)) gaps.delete(kind);
      }
  }
  if (at !== undefined && (at < from - SECOND || at > to + SECOND))
    throw new StateError(
      `${name}: is a recording of ${rfc3339Milliseconds(from)} to ${rfc3339Milliseconds(to)}, and ${rfc3339Milliseconds(at)} lies outside; give an instant in between`,
    );
  return {
    facts: facts!,
    objects: objects.values(),
    recorded: { file: name, from, to, isTorn },
    warnings: [...gaps].map(
      ([kind, { since, until }]) =>
        `${name}: of ${kind} nothing was heard from ${rfc3339Milliseconds(since)}${until === undefined ? '' : ` until ${rfc3339Milliseconds(until)}`}: what is shown is from before`,
    ),
  };
}
