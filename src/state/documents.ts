import type { Position } from './position.ts';

import type { Path } from '../kubernetes/fieldPath.ts';

/**
 * Receives what the parsers find. A document is one object of a file; the items of a List come one by one, before the
 * List itself is complete, so that a List of any length passes through.
 */
export interface DocumentSink {
  /** the next document is a list; its items follow, then the document itself */
  beginItems(): void;
  /** one entry of `items`; `line` counts from 1 and is where it begins */
  item(value: unknown, line: number, at?: PlaceOfField): void;
  /** a whole document; for a list, the rest of it, with `items` empty; for a bare JSON array, [] */
  document(value: unknown, line: number, at?: PlaceOfField): void;
  /** something may not mean what its author intended */
  warn(line: number, message: string): void;
}

/** Finds where in its file a field of a value is; called only if something is wrong with the field. */
export type PlaceOfField = (path: Path) => Position;

/** Far more than Kubernetes stores (etcd takes 1.5 MiB): anything larger is not an object. */
export const LARGEST_OBJECT = 64 * 1024 * 1024;
/** Objects are walked recursively: deeper ones would exhaust the stack. */
export const DEEPEST_OBJECT = 1000;
