import type { Path } from './fieldPath.ts';
import type { Position } from './position.ts';

/**
 * What the parsers give out. A document is one object of a file; the items of a List come one by one, before
 * the document that they are part of is complete, so that a list of any length passes through.
 */
export interface DocumentSink {
  /** the document that follows is a list of the items from here to its end */
  beginItems(): void;
  /** one entry of `items`; the line, from 1, is where it begins */
  item(value: unknown, line: number, at?: PlaceOfField): void;
  /** a whole document; of a list, the rest of it, with `items` empty; of a bare JSON array, [] */
  document(value: unknown, line: number, at?: PlaceOfField): void;
  /** something was read that may not mean what its author thinks */
  warn(line: number, message: string): void;
}

/** Where in its file a field of a value is, which is asked for only if there is something wrong with it. */
export type PlaceOfField = (path: Path) => Position;

/** Kubernetes stores nothing near this size (etcd takes 1.5 MiB); what is larger is no object. */
export const LARGEST_OBJECT = 64 * 1024 * 1024;
/** Objects are walked recursively. */
export const DEEPEST_OBJECT = 1000;
