import { parseJsonText } from '../../json/positionedJson.ts';
import { piecesOf, yamlDocuments } from '../yamlDocuments.ts';
import { DocumentText } from './documentText.ts';

/** A part of a text that can be edited by itself: the documents between two "---", or a whole JSON text. */
export interface EditablePiece {
  text: string;
  /** those that are not empty; the offsets of their nodes count from the beginning of the piece */
  documents: DocumentText[];
}

/**
 * The pieces of a text. Their documents are those that `readPositioned` reads, in the same order. Throws a StateError
 * as that does.
 */
export function editablePieces(text: string, source: string): EditablePiece[] {
  const bom = text.startsWith('\ufeff') ? 1 : 0;
  const json = /^\s*[{[]/.test(text.slice(bom)) && 'value' in parseJsonText(text.slice(bom));
  const pieces = json ? [{ text: text.slice(bom), line: 1 }] : piecesOf(text.slice(bom));
  const count = { tokens: 0 };
  return [...pieces].map((piece) => ({
    text: piece.text,
    documents: [...yamlDocuments(piece, source, count, true)].map(
      ({ contents }) => new DocumentText(piece.text, contents, json),
    ),
  }));
}
