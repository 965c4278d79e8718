import { stringify } from 'yaml';
import { secretTexts } from './canaries.ts';
import { hostileItems, withTextsIn } from './hostile.ts';
import { mutatedText, mutatedValue } from './mutations.ts';
import { withExtremeNumber } from './numbers.ts';
import { oddShape, withNameTwice } from './oddShapes.ts';
import type { Random } from './random.ts';
import type { Json, Manifest } from './world.ts';

/** A mutation of a file. */
export const TREATMENTS = [
  'mutated',
  'hostile strings in',
  'secrets in',
  'largest numbers in',
  'odd shapes in',
] as const;
export type Treatment = (typeof TREATMENTS)[number];

/** A mutated document: broken fields, or texts put into some of its strings. */
export function treated(document: Manifest, treatment: Treatment, random: Random): Json {
  switch (treatment) {
    case 'mutated':
      return mutatedValue(document, random) as Json;
    case 'hostile strings in':
      return hostileItems([document], random)[0]!;
    case 'secrets in':
      return withTextsIn([document], random, () => random.of(secretTexts))[0]!;
    case 'largest numbers in':
      return withExtremeNumber(document, random);
    case 'odd shapes in':
      return oddShape(document, random);
  }
}

/** The text of the file: YAML or JSON, some mutated ones with a broken part. */
export function treatedText(document: Manifest, treatment: Treatment, random: Random): string {
  // the library that prints YAML here is recursive
  const isYaml = treatment !== 'odd shapes in' && random.next() >= 0.8;
  const print = (value: Json) =>
    isYaml ? (stringify(value, { aliasDuplicateObjects: false }) ?? '') : JSON.stringify(value, null, 2);
  if (treatment === 'mutated' && random.next() < 0.25) return mutatedText(print(document), random);
  if (treatment === 'odd shapes in' && random.next() < 0.25)
    return withNameTwice(JSON.stringify(document, null, 2), random);
  return print(treated(document, treatment, random));
}
