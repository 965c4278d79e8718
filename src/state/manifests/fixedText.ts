import { applyDataChange, changeTree, type DataChange } from '../../kubernetes/dataChange.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { documentEdits } from '../yaml/edit/editDocument.ts';
import { editablePieces } from '../yaml/edit/documentText.ts';
import { applyTextEdits } from '../yaml/edit/textEdits.ts';
import { readPositioned } from '../yaml/positions.ts';
import type { ManifestText } from './readManifests.ts';

/**
 * A text with changes to its objects; everything else stays as written. If it cannot be edited to the intended
 * values, the reason.
 *
 * @param changes of each document, with paths relative to it
 */
export function fixedText(
  { text, source, values }: ManifestText,
  changes: ReadonlyMap<number, readonly DataChange[]>,
): { text: string } | { why: string } {
  const trees = values.map((_, at) => changeTree(changes.get(at) ?? []));
  let at = 0;
  let after = text.startsWith('\ufeff') ? '\ufeff' : '';
  for (const piece of editablePieces(text, source)) {
    const edits = piece.documents.flatMap((document) => documentEdits(document, trees[at++]!));
    const mended = applyTextEdits(piece.text, edits);
    if (mended === undefined) return { why: 'its edit overlaps with another one' };
    after += mended;
  }
  const { documents } = readPositioned(after, source);
  const says = documents.map(({ value }) => value);
  const wanted = trees.map((tree, document) => applyDataChange(values[document], tree));
  return deepEqual(says, wanted) ? { text: after } : { why: 'the edit would also change other values' };
}
