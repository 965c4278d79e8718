/** A value with one field broken. */
export interface Broken<T> {
  /** the kind of value */
  of: T;
  /** the field's path, with `*` for any key of a record and `[]` for any position in a list */
  pattern: string;
  how: How;
  value: unknown;
}

type How = 'wrong type' | 'missing' | 'null' | 'huge' | 'negative' | 'a fraction' | 'a stranger';
type Step = string | number;

/**
 * Each field of some values broken in each way, once for each pattern.
 * @param valueOf the part of each that is broken
 * @param isRecord whether the keys of an object, by its pattern, are names and not fields
 */
export function brokenFields<T>(
  all: readonly T[],
  valueOf: (one: T) => unknown,
  isRecord: (pattern: string) => boolean,
): Broken<T>[] {
  const seen = new Set<string>();
  return all.flatMap((of) =>
    [...fieldsOf(valueOf(of), [], '', isRecord)].flatMap(({ steps, pattern, found }) => {
      if (seen.has(pattern)) return [];
      seen.add(pattern);
      return waysToBreak(found).map(([how, other]) => ({
        of,
        pattern,
        how,
        value: replaced(valueOf(of), steps, other),
      }));
    }),
  );
}

function* fieldsOf(
  value: unknown,
  steps: Step[],
  pattern: string,
  isRecord: (pattern: string) => boolean,
): Generator<{ steps: Step[]; pattern: string; found: unknown }> {
  if (steps.length > 0) yield { steps, pattern, found: value };
  if (value === null || typeof value !== 'object') return;
  for (const [key, item] of Object.entries(value)) {
    const own = Array.isArray(value) ? '[]' : isRecord(pattern) ? '*' : key;
    const path = pattern === '' || own === '[]' ? `${pattern}${own}` : `${pattern}.${own}`;
    yield* fieldsOf(item, [...steps, Array.isArray(value) ? Number(key) : key], path, isRecord);
  }
}

const MISSING = Symbol('missing');

function waysToBreak(found: unknown): [How, unknown][] {
  const gone: [How, unknown][] = [
    ['missing', MISSING],
    ['null', null],
  ];
  switch (typeof found) {
    case 'number':
      return [
        ...gone,
        ['wrong type', String(found)],
        ['huge', 1e300],
        ['negative', -1 - Math.abs(found)],
        ['a fraction', found + 0.5],
      ];
    case 'string':
      return [...gone, ['wrong type', { is: found }], ['a stranger', 'nobody']];
    case 'boolean':
      return [...gone, ['wrong type', String(found)]];
    default:
      return [...gone, ['wrong type', 'broken']];
  }
}

function replaced(value: unknown, [step, ...rest]: readonly Step[], other: unknown): unknown {
  if (step === undefined) return other;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, at) => (at === step ? replaced(item, rest, other) : item));
    return items.filter((item) => item !== MISSING);
  }
  const entries = Object.entries(value as object).map(([key, item]: [string, unknown]) => [
    key,
    key === step ? replaced(item, rest, other) : item,
  ]);
  return Object.fromEntries(entries.filter(([, item]) => item !== MISSING));
}
