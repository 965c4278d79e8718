import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { rfc3339Milliseconds, SECOND } from '../../kubernetes/time.ts';
import { StateError } from '../errors.ts';
import type { InputText } from '../input/texts.ts';
import type { SnapshotFacts } from '../snapshot/snapshotHeader.ts';
import { recordedRows, IncompleteStartError } from './recordedRows.ts';
import { clustersOf, isContinued, orderedParts, type RecordingPart } from './recordingParts.ts';
import { FILE_FULL } from './rows.ts';
import { ofKinds } from './silences.ts';
import type { RecordedSpan } from '../source.ts';

export { earlierFiles } from './recordingParts.ts';

/** A recorded control plane at one instant. */
interface RecordedWorld {
  facts: SnapshotFacts;
  /** the file that shows the instant */
  shown: string;
  objects: Iterable<KubernetesObject>;
  recorded: RecordedSpan;
  /** one line each: unknown facts about this instant */
  warnings: string[];
}

/** The contribution of one file of a recording to the instant. */
interface PartAtInstant extends RecordingPart {
  facts: SnapshotFacts;
  isTorn: boolean;
  objects: Map<string, KubernetesObject>;
  /** silences at the instant, by kind */
  gaps: Map<string, { since: number; until?: number }>;
}

/**
 * The state that a recording shows at an instant (epoch milliseconds; absent: at its end), built from its files in
 * any order. Each file is checked completely.
 */
export class RecordedMoment {
  readonly #at: number | undefined;
  readonly #parts: PartAtInstant[] = [];
  #unbegun: IncompleteStartError | undefined;

  constructor(at: number | undefined) {
    this.#at = at;
  }

  /**
   * Reads one file. Rejects with a StateError if it is invalid.
   *
   * @param isFound the user did not name it; it counts only if another continues from it
   */
  async add(text: InputText, isFound: boolean): Promise<void> {
    try {
      const part = { ...(await partAt(text, this.#at)), isFound };
      this.#parts.push(part);
      // states are large, and only one is needed
      const shown = this.#parts.filter(
        (one) => !one.isFound && !(this.#at !== undefined && one.from > this.#at),
      );
      for (const { from } of shown)
        for (const one of this.#parts) if (one.to <= from && one.from < from) one.objects.clear();
    } catch (error) {
      if (!(error instanceof IncompleteStartError)) throw error;
      this.#unbegun = error;
    }
  }

  /** The resulting world. Throws a StateError outside the recording's span, or if the files are not parts of one. */
  world(): RecordedWorld {
    const { parts, warnings } = orderedParts(this.#parts, this.#unbegun !== undefined);
    const [first, last] = [parts[0], parts.at(-1)];
    if (!first || !last) throw this.#unbegun!;
    const at = this.#at;
    const { from } = first;
    const { file, to } = last;
    if (at !== undefined && (at < from - SECOND || at > to + SECOND))
      throw new StateError(
        `${file}: recorded from ${rfc3339Milliseconds(from)} to ${rfc3339Milliseconds(to)}, without ${rfc3339Milliseconds(at)}; give a time between them`,
      );
    const index =
      at === undefined
        ? parts.length - 1
        : Math.max(
            0,
            parts.findLastIndex((one) => one.from <= at),
          );
    const shown = parts[index]!;
    const next = parts[index + 1];
    const isBetween = at !== undefined && at > shown.to && next && !isContinued(shown, next);
    return {
      facts: shown.facts,
      shown: shown.file,
      objects: shown.objects.values(),
      recorded: { file, from, to, isTorn: last.isTorn || this.#unbegun !== undefined },
      warnings: [
        ...warnings,
        ...(isBetween
          ? [
              `${file}: nothing was recorded from ${rfc3339Milliseconds(shown.to)} to ${rfc3339Milliseconds(next.from)}; this state is older`,
            ]
          : silenceWarnings(shown)),
      ],
    };
  }
}

/** One warning for all kinds that were silent at the instant. */
function silenceWarnings({ file, gaps, objects }: Omit<PartAtInstant, 'isFound'>): string[] {
  if (gaps.size === 0) return [];
  const held = new Set([...objects.values()].map(({ kind }) => kind));
  const of = ofKinds([...gaps.keys()].sort(), held);
  // all of them were silent from this time on
  const since = Math.max(...[...gaps.values()].map((gap) => gap.since));
  const until = Math.min(...[...gaps.values()].map((gap) => gap.until ?? Infinity));
  const end = until === Infinity ? '' : ` until ${rfc3339Milliseconds(until)}`;
  return [
    `${file}: no changes${of} were received from ${rfc3339Milliseconds(since)}${end}; this state is older`,
  ];
}

async function partAt(text: InputText, at: number | undefined): Promise<Omit<PartAtInstant, 'isFound'>> {
  let facts: SnapshotFacts | undefined;
  let from = NaN;
  let to = NaN;
  let clusters: ReadonlySet<string> = new Set();
  const objects = new Map<string, KubernetesObject>();
  const gaps: PartAtInstant['gaps'] = new Map();
  let [isTorn, isFull] = [false, false];
  const isLater = (instant: number) => at !== undefined && instant > at;
  // a row at exactly this instant does not predate it
  const isBefore = (instant: number) => at === undefined || instant < at;
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
      clusters = clustersOf(objects.values());
    } else if (row.type === 'end') isFull = row.why === FILE_FULL;
    else if (row.type === 'change' && !isLater(row.at)) {
      if (row.after) objects.set(row.of, row.after);
      else objects.delete(row.of);
    } else if (row.type === 'silent') {
      if (isBefore(row.since)) for (const kind of row.kinds) gaps.set(kind, { since: row.since });
    } else if (row.type === 'heard')
      for (const kind of row.kinds) {
        // a gap that was recorded only once it was over, as for lost changes
        if (isBefore(row.since) && isLater(row.at)) gaps.set(kind, { since: row.since, until: row.at });
        else if (!isLater(row.at)) gaps.delete(kind);
      }
  }
  return { file: text.name, facts: facts!, from, to, clusters, isTorn, isFull, objects, gaps };
}
