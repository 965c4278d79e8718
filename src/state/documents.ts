import type { Position } from './position.ts';

import type { Path } from '../kubernetes/fieldPath.ts';

/**
 * Receives the output of the parsers. A document is one object of a file; the items of a List arrive one by one,
 * before the List is complete, so that a List of any length fits.
 */
export interface DocumentSink {
  /** the next document is a list; its items follow, then the document itself */
  beginItems(): void;
  /** one entry of `items`, beginning on `line` (from 1) */
  item(value: unknown, line: number, at?: PlaceOfField): void;
  /** a whole document; for a list, the rest with empty `items`; for a bare JSON array, [] */
  document(value: unknown, line: number, at?: PlaceOfField): void;
  /** reports text that may not mean what its author intended */
  warn(line: number, message: string): void;
}

/** Finds the place of a value's field in its file; called only if the field is invalid. */
export type PlaceOfField = (path: Path) => Position;

/** Far more than Kubernetes stores (etcd's limit is 1.5 MiB): anything larger is not an object. */
export const LARGEST_OBJECT = 64 * 1024 * 1024;
/** Objects are walked recursively: deeper ones would exhaust the stack. */
export const DEEPEST_OBJECT = 1000;
