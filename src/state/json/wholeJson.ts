import { isUtf8 } from 'node:buffer';
import { DEEPEST_OBJECT, type DocumentSink } from '../documents.ts';
import { isNestedDeeper, tooDeep } from './depth.ts';
import { colonsIn, namesIn } from './repeatedNames.ts';
import { isObject } from '../../kubernetes/json.ts';

/**
 * Up to this size, nesting is counted in the parsed value, which takes a tenth of the time in a new process. A larger
 * text of only brackets would take too much memory, so its nesting is counted in the text before it is parsed.
 */
const PARSED_FIRST = 1024 * 1024;

/**
 * Passes a JSON text to the sink like JsonStream, but parsed natively at once: faster for small texts. Lines are
 * unknown: all are 0. If the text is not one valid document, or an object has a repeated name, it passes nothing and
 * returns false.
 */
export function readWholeJson(bytes: Buffer, sink: DocumentSink): boolean {
  if (!isUtf8(bytes)) return false;
  const text = bytes.toString('utf8');
  if (text.length > PARSED_FIRST && tooDeep(text) !== -1) return false;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof value !== 'object' || value === null) return false;
  if (text.length <= PARSED_FIRST && isNestedDeeper(value, DEEPEST_OBJECT)) return false;
  if (namesIn(value) !== colonsIn(bytes)) return false;
  const items: unknown = isObject(value) ? value.items : value;
  if (!Array.isArray(items)) {
    sink.document(value, 0);
    return true;
  }
  sink.beginItems();
  for (const item of items) sink.item(item, 0);
  sink.document(Array.isArray(value) ? [] : { ...value, items: [] }, 0);
  return true;
}
