import type { Column, Narrowing, Table, Words } from '../presentation/model.ts';
import { displayWidth } from '../presentation/text/displayWidth.ts';
import { plain } from '../presentation/words.ts';
import type { Answer } from './answer.ts';

/** Renders changes as they come. */
export interface ShownChanges<Change> {
  document(change: Change, now: number): Answer['document'];
  /** The changes that a text shows: those that alter its last line about the thing. */
  visible(changes: Change[], wide: boolean): Change[];
  /** Several changes at one instant as an answer; `now` is epoch milliseconds. */
  answer(changes: Change[], now: number): Answer;
}

/** A table printed row by row: columns keep their widths until a longer cell widens them. */
export interface GrowingTable {
  /** The next rows; the first ones come with the column names. */
  rows(cells: readonly (readonly Words[])[]): Table;
}

export function growingTable(columns: readonly Column[], narrowing: readonly Narrowing[] = []): GrowingTable {
  // the widest cell of each column so far
  let widest: Words[] | undefined;
  return {
    rows(cells) {
      const table: Table = {
        type: 'table',
        columns,
        rows: cells,
        narrowing,
        ...(widest ? { continues: [widest] } : {}),
      };
      widest = columns.map((_, at) =>
        cells.map((row) => row[at]!).reduce((a, b) => (width(a) >= width(b) ? a : b), widest?.[at] ?? ''),
      );
      return table;
    },
  };
}

const width = (words: Words) => displayWidth(plain(words));

/**
 * Remembers the last shown text of each thing, and returns the changes that alter it. Forgets deleted things.
 * @param keyOf the thing that a change is about
 * @param shownOf its text, without times that grow by themselves
 */
export function shownChangesFilter<Change extends { type: string }>(
  keyOf: (change: Change) => string,
  shownOf: (change: Change, wide: boolean) => unknown,
): (changes: Change[], wide: boolean) => Change[] {
  const last = new Map<string, string>();
  return (changes, wide) =>
    changes.filter((change) => {
      const key = keyOf(change);
      const shown = JSON.stringify(shownOf(change, wide));
      if (last.get(key) === shown) return false;
      if (change.type === 'DELETED') last.delete(key);
      else last.set(key, shown);
      return true;
    });
}
