import type { Position } from './position.ts';

/** The steps to a field: names in objects, indexes in lists. */
export type Path = readonly (string | number)[];

const STEP = /\.?([^.[\]]+)|\[(\d+)\]|\[("[^"\\]*(?:\\.[^"\\]*)*")\]|\[([^\]]*)\]/y;

/**
 * The steps of a path as messages show it: `spec.taints[0].key`, `metadata.labels[app.kubernetes.io/name]` (as the API server names a
 * key) or `labels["a.b"]`. Parts that cannot be read are left out.
 */
export function stepsOf(path: string): Path {
  const steps: (string | number)[] = [];
  STEP.lastIndex = 0;
  for (;;) {
    const found = STEP.exec(path);
    if (!found) return steps;
    const [, name, index, quoted, key] = found;
    if (index !== undefined) steps.push(Number(index));
    else if (quoted !== undefined) steps.push(unquoted(quoted));
    else steps.push(name ?? key!);
  }
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}

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
