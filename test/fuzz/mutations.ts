import type { Random } from './random.ts';

export type Step = string | number;

/** Represents a missing field. */
const MISSING = Symbol('missing');

/** Replacement values for a field; each may be written by a program, an operator or an attacker. */
const INSTEAD: readonly unknown[] = [
  MISSING,
  null,
  true,
  false,
  '',
  ' ',
  'nobody',
  '__proto__',
  'constructor',
  '.nan',
  '-1',
  '1e400',
  '12 parsecs',
  '2026-13-41T25:61:61Z',
  '9999-12-31T23:59:59Z',
  '0001-01-01T00:00:00Z',
  '\u001b]0;owned\u0007\u202e\u0000',
  'x'.repeat(5000),
  0,
  -0,
  -1,
  0.5,
  1e300,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  -(2 ** 63) * 4,
  Number.MIN_VALUE,
  [],
  [null],
  [[]],
  {},
  { __proto__: 1 },
  JSON.parse('{"__proto__": {"taints": [null]}, "constructor": null, "": 0}'),
  nested(60),
];

function nested(levels: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level++) value = level % 2 ? { a: value } : [value];
  return value;
}

/** Every field of a value, by its path: the deepest ones too. */
export function fieldsOf(value: unknown, steps: Step[] = []): Step[][] {
  if (value === null || typeof value !== 'object') return steps.length > 0 ? [steps] : [];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    fieldsOf(item, [...steps, Array.isArray(value) ? Number(key) : key]),
  );
  return steps.length > 0 ? [steps, ...inner] : inner;
}

/** The value with another one at the path; the rest is shared. */
export function withField(
  value: unknown,
  [step, ...rest]: readonly Step[],
  other: (found: unknown) => unknown,
): unknown {
  if (step === undefined) return other(value);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, at) => (at === step ? withField(item, rest, other) : item));
    return items.filter((item) => item !== MISSING);
  }
  const entries = Object.entries(value as object).map(([key, item]: [string, unknown]) => [
    key,
    key === step ? withField(item, rest, other) : item,
  ]);
  return Object.fromEntries(entries.filter(([, item]) => item !== MISSING));
}

/** A value with one to three of its fields broken. */
export function mutatedValue(value: unknown, random: Random): unknown {
  let mutated = value;
  for (let left = 1 + random.below(3); left > 0; left--) {
    const fields = fieldsOf(mutated);
    if (fields.length === 0) return mutated;
    const found = random.of(fields);
    // most of a document is deeply nested; half of the time a field near its top is chosen
    const steps = random.next() < 0.5 ? found.slice(0, 1 + random.below(found.length)) : found;
    mutated = withField(mutated, steps, (before) => otherThan(before, random));
  }
  return mutated;
}

function otherThan(found: unknown, random: Random): unknown {
  const chance = random.next();
  if (Array.isArray(found) && found.length > 0 && chance < 0.4)
    return [...(found as unknown[]), random.of(found as unknown[])];
  if (typeof found === 'number' && chance < 0.4)
    return random.of([-found, found + 0.5, found * 1e9, String(found)]);
  if (typeof found === 'object' && found !== null && chance < 0.2)
    return {
      ...found,
      [random.of(['__proto__', 'constructor', 'toString', 'surprise'])]: random.of(INSTEAD.slice(1)),
    };
  if (typeof found === 'string' && chance < 0.2)
    return found + random.of(['\u001b[31m', '\u0000', ' ', '/x', ':x', '"']);
  return random.of(INSTEAD);
}

/** A text with a part missing, doubled or overwritten, as by broken disks, tools and people. */
export function mutatedText(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const to = Math.min(text.length, at + 1 + random.below(random.of([1, 8, 200, text.length])));
  const piece = text.slice(at, to);
  switch (random.below(5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(to);
    case 2:
      return text.slice(0, to) + piece + text.slice(to);
    case 3:
      return text.slice(0, at) + random.of(SIGNS) + text.slice(at);
    default:
      return text.slice(0, at) + random.of(SIGNS) + text.slice(to);
  }
}

const SIGNS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  ':',
  ',',
  '\n',
  '\t',
  '- ',
  '---\n',
  '\n...\n',
  '*a',
  '&a ',
  '<<: ',
  '!!int ',
  '|',
  '>',
  '#',
  '%',
  '\u0000',
  '\ud800',
  '\ufeff',
  '\u2028',
  '\u001b',
  '0x',
  '1e999',
  '.nan',
  '~',
  '\\',
  '\\u',
  '//',
];

/** The value at a place of a document. */
export function valueAt(value: unknown, steps: readonly Step[]): unknown {
  let found: unknown = value;
  for (const step of steps) found = (found as Record<Step, unknown> | null | undefined)?.[step];
  return found;
}
