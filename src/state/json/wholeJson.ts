import { isUtf8 } from 'node:buffer';
import type { DocumentSink } from '../documents.ts';
import { tooDeep } from './positionedJson.ts';

/**
 * Gives a JSON text to the sink as JsonStream would, but parsed natively in one go, which is faster for a small
 * text. Lines are not known: all are 0. If the text is not one valid document, it gives nothing and returns false.
 */
export function readWholeJson(bytes: Buffer, sink: DocumentSink): boolean {
  if (!isUtf8(bytes)) return false;
  const text = bytes.toString('utf8');
  if (tooDeep(text) !== -1) return false;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof value !== 'object' || value === null) return false;
  const items: unknown = Array.isArray(value) ? value : (value as { items?: unknown }).items;
  if (!Array.isArray(items)) {
    sink.document(value, 0);
    return true;
  }
  sink.beginItems();
  for (const item of items) sink.item(item, 0);
  sink.document(Array.isArray(value) ? [] : { ...value, items: [] }, 0);
  return true;
}
