import { redactedJson } from '../kubernetes/redacted.ts';
import { visibleJson } from '../presentation/visible.ts';
import { LazyList } from './lazyList.ts';

/** Items of a list that are printed at once. */
const BATCH = 1000;

/**
 * A document as JSON.stringify(document, null, 2) prints it, in pieces: the text of a large fleet would be longer
 * than a string can be. Secrets are redacted, and what a terminal would obey is escaped.
 */
export function* jsonText(document: object): Generator<string> {
  let separator = '{\n';
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue;
    yield `${separator}  ${visibleJson(JSON.stringify(name))}: `;
    separator = ',\n';
    if ((Array.isArray(value) || value instanceof LazyList) && value.length > BATCH) yield* listText(value);
    else yield within([value], '[\n  ', '\n]');
  }
  yield separator === '{\n' ? '{}\n' : '\n}\n';
}

function* listText(items: Pick<readonly unknown[], 'length' | 'slice'>): Generator<string> {
  for (let at = 0; at < items.length; at += BATCH) {
    // Apart: a long text that is put together is copied as a whole before it is written.
    yield at === 0 ? '[\n' : ',\n';
    yield within([items.slice(at, at + BATCH)], '[\n  [\n', '\n  ]\n]');
  }
  yield '\n  ]';
}

/** What stands between the brackets of lists that give it its margin. */
function within(lists: readonly unknown[], opening: string, closing: string): string {
  return visibleJson(redactedJson(lists, 2)).slice(opening.length, -closing.length);
}

/** A document as one line of JSON, as `jsonText` has it: what is told while a command runs. */
export function jsonLine(document: object): string {
  return visibleJson(redactedJson(document));
}
