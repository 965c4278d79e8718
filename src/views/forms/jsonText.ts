import { redactedJson } from '../../kubernetes/redaction/redactedData.ts';
import { visibleJson } from '../../presentation/visible.ts';
import type { PrintedDocument } from '../answer.ts';

/** How many items of a list are printed at a time. */
const BATCH = 1000;

/**
 * A document as JSON.stringify(document, null, 2) prints it, in pieces: the text of a large fleet may exceed the longest string. Secrets
 * are redacted, and terminal control characters are escaped.
 */
export function* jsonText(document: object): Generator<string> {
  let separator = '{\n';
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue;
    yield separator;
    separator = ',\n';
    if ((Array.isArray(value) || value instanceof LazyList) && value.length > BATCH)
      yield* listText(name, value);
    else yield fieldText(name, value);
  }
  yield separator === '{\n' ? '{}\n' : '\n}\n';
}

/** A field of the document on its own lines; its name decides whether it is redacted. */
function fieldText(name: string, value: unknown): string {
  return visibleJson(redactedJson({ [name]: value }, 2)).slice('{\n'.length, -'\n}'.length);
}

function* listText(name: string, items: Pick<readonly unknown[], 'length' | 'slice'>): Generator<string> {
  const opening = fieldText(name, []).slice(0, -']'.length);
  yield opening;
  for (let at = 0; at < items.length; at += BATCH) {
    // In two pieces: concatenating would copy the long text.
    yield at === 0 ? '\n' : ',\n';
    yield fieldText(name, items.slice(at, at + BATCH)).slice(`${opening}\n`.length, -'\n  ]'.length);
  }
  yield '\n  ]';
}

/** A document as one line of JSON, like `jsonText`; for documents printed while a command runs. */
export function jsonLine(document: object): string {
  return visibleJson(redactedJson(document));
}

/** The same for a command's output. */
export const documentLine = (document: PrintedDocument): string => jsonLine(document);

/** A list whose items are created while iterating: all items of a large fleet at once would take too much memory. */
export class LazyList<From, To> {
  readonly #from: readonly From[];
  readonly #make: (one: From) => To;

  constructor(from: readonly From[], make: (one: From) => To) {
    this.#from = from;
    this.#make = make;
  }

  get length(): number {
    return this.#from.length;
  }

  slice(start: number, end: number): To[] {
    return this.#from.slice(start, end).map(this.#make);
  }

  /** JSON contains all items. */
  toJSON(): To[] {
    return this.slice(0, this.length);
  }
}
