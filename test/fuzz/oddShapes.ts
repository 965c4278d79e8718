import { fieldsOf, valueAt, withField } from './mutations.ts';
import type { Random } from './random.ts';
import type { Json, Manifest } from './world.ts';

/** Groups and kinds similar to Karmada's. */
const NEARLY: readonly Manifest[] = [
  { apiVersion: 'policy.karmada.io/v1alpha2' },
  { apiVersion: 'policy.karmada.io/v1' },
  { apiVersion: 'policy.karmada.io' },
  { apiVersion: 'policies.karmada.io/v1alpha1' },
  { apiVersion: 'Policy.Karmada.io/v1alpha1' },
  { apiVersion: 'karmada.io/v1alpha1' },
  { apiVersion: 'v1' },
  { kind: 'ClusterTaintPolicies' },
  { kind: 'clustertaintpolicy' },
  { kind: 'ClusterTaintPolicyList' },
  { kind: 'ResourceBindings' },
  { kind: 'List' },
];

type Shape = (object: Manifest, random: Random) => Manifest;

/** Well-formed but surprising values: people, generators and attackers write them. */
const SHAPES: readonly Shape[] = [
  (object, random) => ({ ...object, ...random.of(NEARLY) }),
  (object) => {
    const { name, ...metadata } = fieldsIn(object['metadata']);
    return { ...object, metadata: { ...metadata, generateName: `${String(name)}-` } };
  },
  (object, random) => changed(object, random, 'number', (number) => String(number)),
  (object, random) => changed(object, random, 'string', (text) => String(text).repeat(20_000)),
  (object, random) => changed(object, random, 'string', () => deep(random.of([100, 1000, 3000]))),
  (object, random) => changed(object, random, 'string', () => '2999-12-31T23:59:59Z'),
  (object, random) => {
    const lists = fieldsOf(object).filter((steps) => Array.isArray(valueAt(object, steps)));
    if (lists.length === 0) return object;
    return withField(object, random.of(lists), (found) => [
      ...(found as Json[]),
      ...(found as Json[]),
    ]) as Manifest;
  },
];

/** One of the objects in another shape, or twice: identical, or with a difference. */
export function oddlyShaped(items: readonly Manifest[], random: Random): Manifest[] {
  const index = random.below(items.length);
  const odd = random.of(SHAPES)(items[index]!, random);
  switch (random.below(4)) {
    case 0:
      return [...items, items[index]!];
    case 1:
      return [...items, odd];
    default:
      return items.with(index, odd);
  }
}

/** A document in another shape. */
export function oddShape(document: Manifest, random: Random): Manifest {
  return random.of(SHAPES)(document, random);
}

/** JSON in which a name occurs twice in an object, with another value. */
export function withNameTwice(text: string, random: Random): string {
  const names = [...text.matchAll(/"(\w+)":\s*("[^"\\]*"|\d+|true|false|null|\{|\[)/g)];
  if (names.length === 0) return text;
  const { index, 1: name } = random.of(names);
  const value = random.of(['1', 'null', '"twice"', '{}', '[]']);
  return `${text.slice(0, index)}"${name}": ${value}, ${text.slice(index)}`;
}

function deep(levels: number): Json {
  let value: Json = 'deep';
  for (let level = 0; level < levels; level++) value = level % 2 ? { a: value } : [value];
  return value;
}

function changed(
  object: Manifest,
  random: Random,
  type: 'number' | 'string',
  other: (found: unknown) => Json,
): Manifest {
  const places = fieldsOf(object).filter((steps) => typeof valueAt(object, steps) === type);
  return places.length === 0 ? object : (withField(object, random.of(places), other) as Manifest);
}

function fieldsIn(value: Json | undefined): Manifest {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
