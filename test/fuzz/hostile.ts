import { fieldsOf, withField, type Step } from './mutations.ts';
import type { Random } from './random.ts';
import type { Json, Manifest } from './world.ts';

/** Follows terminal control sequences, so that output shows whether they worked. */
export const MARK = 'HOSTILE';
/** Follows a colour that the style has, too. */
export const SMUGGLED = 'SMUGGLED';
/** Follows a line break: begins a line only if that line break worked. */
export const FORGED = 'FORGED';

const PIECES: readonly string[] = [
  `\u001b[35m${MARK}\u001b[39m`,
  `\u001b[31m${SMUGGLED}`,
  `\u001b[0;31m${MARK}\u001b[m`,
  `\u001b]0;${MARK}\u0007`,
  `\u001b]8;;http://evil/\u001b\\${MARK}\u001b]8;;\u001b\\`,
  `\u001b[2J\u001b[H${MARK}`,
  `\u009b31m${MARK}`,
  `\u009d0;${MARK}\u009c`,
  `\u001bP${MARK}\u001b\\`,
  `a\n${FORGED} error: all is well`,
  `a\r\n${FORGED}`,
  `a\u2028${FORGED}`,
  `a\u0085${FORGED}`,
  `\u202e${MARK}\u202c`,
  `\u2066${MARK}\u2069`,
  `\u200f${MARK}`,
  `${MARK}\b\b\b\b\b\b\b`,
  `${MARK}\r`,
  `a\tb\u000b\u000c${MARK}`,
  `\u0000${MARK}`,
  `\u007f${MARK}`,
  `de\u200bfault\ufeff`,
  `a\u00adb\u3164`,
  `\ud800${MARK}`,
  `\u{e0041}${MARK}`,
  `\ufdd0${MARK}\ufdd1`,
  '%s%n%d',
  '${jndi:x}`id`$(id)',
  '<script>alert(1)</script>',
  '"\'\\',
  '__proto__',
  'constructor',
  'e\u0301'.repeat(40),
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'x'.repeat(300),
  '東京'.repeat(30),
];

/** Text that an attacker may have put anywhere. */
export function hostileText(random: Random): string {
  const pieces = Array.from({ length: 1 + random.below(3) }, () => random.of(PIECES));
  return pieces.join(random.of(['', ' ', '/', ':']));
}

/** The same objects with hostile text in some of their strings. */
export function hostileItems(items: readonly Manifest[], random: Random): Manifest[] {
  return withTextsIn(items, random, () => hostileText(random));
}

/** The same objects with texts in some of their strings: instead of the value, before or after it. */
export function withTextsIn(
  items: readonly Manifest[],
  random: Random,
  textOf: () => string,
  except: ReadonlySet<Step> = new Set(),
): Manifest[] {
  const changed = [...items];
  for (let left = 1 + random.below(4); left > 0; left--) {
    const at = random.below(changed.length);
    const object = changed[at]!;
    const places = fieldsOf(object).filter((one) => isText(object, one) && !except.has(one.at(-1)!));
    const steps = random.of(places);
    const found = random.next();
    const text = textOf();
    changed[at] = withField(object, steps, (before) =>
      found < 0.5 ? text : found < 0.8 ? `${String(before)}${text}` : `${text}${String(before)}`,
    ) as Manifest;
  }
  return changed;
}

/** Every string in turn, each object separately: the field with index `at` (modulo their number) is hostile. */
export function withHostileField(items: readonly Manifest[], at: number, text: string): Manifest[] {
  const places = items.flatMap((object, index) =>
    fieldsOf(object)
      .filter((steps) => isText(object, steps))
      .map((steps) => ({ index, steps })),
  );
  const { index, steps } = places[at % places.length]!;
  return items.map((object, other) =>
    other === index ? (withField(object, steps, (before) => `${String(before)}${text}`) as Manifest) : object,
  );
}

function isText(value: Json, steps: readonly (string | number)[]): boolean {
  let found: unknown = value;
  for (const step of steps) found = (found as Record<string | number, unknown>)[step];
  return typeof found === 'string';
}
