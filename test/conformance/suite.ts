import { isDeepStrictEqual } from 'node:util';
import type { Dialect } from '../../src/karmada/dialects/dialects.ts';

/** One recorded decision of real Karmada. */
export interface ConformanceCase {
  id: string;
  suite: string;
  /** v1.18.2 if absent */
  karmadaVersion?: string;
  input: never;
  expected: Record<string, unknown>;
}

/** How a suite runs a case in the engine and compares the answer with the recorded one. */
export interface Suite {
  /**
   * The engine's answer under the rules of a version, in the shape of `expected`. Where the version chooses at random it
   * is `{ oneOf: [answer, …] }`, whole answers, one for each possible outcome; with `beyondTrying: true` where the random
   * choices are so many that a recording may hold a single outcome of several.
   */
  answer(input: never, dialect: Dialect): unknown;
  /**
   * Compares values without a unique expected form (several texts possible, order undefined). Returns undefined if they agree, otherwise
   * the differing parts of the expectation and of the answer.
   */
  difference?(expected: never, actual: never, input: never): Difference | undefined;
}

/** The differing parts of an expectation and of an answer. */
export interface Difference {
  expected: unknown;
  actual: unknown;
}

/** Compares an answer with an expectation when absent and zero mean the same. */
export function unequal(expected: unknown, actual: unknown): Difference | undefined {
  const [a, b] = [withoutZeroValues(expected), withoutZeroValues(actual)];
  return isDeepStrictEqual(a, b) ? undefined : { expected: a, actual: b };
}

/** Drops what the API treats as absent: null, 0, "", false and empty lists, but not empty objects. */
export function withoutZeroValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutZeroValues);
  if (value === null || typeof value !== 'object') return value;
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || item === null || item === 0 || item === '' || item === false) continue;
    if (Array.isArray(item) && item.length === 0) continue;
    kept[key] = withoutZeroValues(item);
  }
  return kept;
}
