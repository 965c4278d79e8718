import { readDuration } from '../kubernetes/time.ts';
import { isDnsLabel, isDnsSubdomain } from '../kubernetes/validation/names.ts';
import { nearMatches } from '../kubernetes/spelling.ts';
import { UserError, withSuggestion } from './errors.ts';

/** The value of a flag; undefined if it was not given. */
type Read<Value, Given> = Value | Extract<Given, undefined>;
type Text = string | undefined;

/** One of a flag's values, in upper or lower case. Throws a UserError with the flag and its values. */
export function choice<Value extends string, Given extends Text>(
  flag: string,
  given: Given,
  values: readonly Value[],
): Read<Value, Given>;
export function choice(flag: string, given: Text, values: readonly string[]): Text {
  if (given === undefined) return undefined;
  const found = values.find((value) => value.toLowerCase() === given.toLowerCase());
  if (found) return found;
  throw unknownChoice(flag, given, values);
}

/** The error for a text that is none of the flag's values. */
export function unknownChoice(flag: string, given: string, values: readonly string[]): UserError {
  const message = `${flag} "${given}" is not known`;
  return new UserError(
    withSuggestion(
      message,
      nearMatches(given, [...values]),
      values.length === 1 ? `give ${values[0]}, or leave it out` : `choose from ${values.join(', ')}`,
    ),
  );
}

const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/** The number in a flag's text. Throws a UserError with the `expected` form if it does not match. */
export function number<Given extends Text>(
  flag: string,
  given: Given,
  expected: string,
  fits: (value: number) => boolean,
): Read<number, Given>;
export function number(
  flag: string,
  given: Text,
  expected: string,
  fits: (value: number) => boolean,
): number | undefined {
  if (given === undefined) return undefined;
  const value = DECIMAL.test(given.trim()) ? Number(given) : NaN;
  if (!Number.isFinite(value) || !fits(value)) throw new UserError(`${flag} "${given}" is not ${expected}`);
  return value;
}

/** A whole number, `least` or more. Throws a UserError that names the flag and the text. */
export function wholeNumber<Given extends Text>(
  flag: string,
  given: Given,
  least: number,
): Read<number, Given> {
  const most = Number.MAX_SAFE_INTEGER;
  const isTooLarge = Number(given) > most;
  const expected = isTooLarge
    ? `a whole number from ${least} to ${most}`
    : `a whole number, ${least} or more`;
  return number(flag, given, expected, (n) => Number.isInteger(n) && n >= least && n <= most);
}

/** A namespace name. Throws a UserError that names the flag and the text if it is invalid. */
export function namespaceName(flag: string, given: string): string {
  if (isDnsLabel(given)) return given;
  throw new UserError(
    `${flag} ${JSON.stringify(given)} cannot be the name of a namespace; give lower case letters, digits and -, at most 63`,
  );
}

/**
 * A name valid for objects of most kinds. Throws a UserError likewise; the name comes first, because a word after a
 * flag for a Secret's name is redacted as a secret.
 */
export function objectName(flag: string, given: string): string {
  if (isDnsSubdomain(given)) return given;
  throw new UserError(
    `${JSON.stringify(given)} (${flag}) cannot be the name of an object; give lower case letters, digits, - and ., at most 253`,
  );
}

/** Milliseconds of a duration that a flag gives, 0 or more. Throws a UserError that names the flag and the text. */
export function duration<Given extends Text>(flag: string, text: Given): Read<number, Given>;
export function duration(flag: string, text: Text): number | undefined {
  if (text === undefined) return undefined;
  const parsed = readDuration(text);
  if (parsed === undefined || parsed < 0)
    throw new UserError(`${flag}: "${text}" is not a duration such as 90s or 5m`);
  return parsed;
}

/** Milliseconds of "90", "90s" or "5m", as kubectl takes them. Throws a UserError that names the flag and the text. */
export function durationOrSeconds<Given extends Text>(flag: string, given: Given): Read<number, Given>;
export function durationOrSeconds(flag: string, given: Text): number | undefined {
  if (given === undefined || !/^\d+$/.test(given)) return duration(flag, given);
  const seconds = readDuration(`${given}s`);
  if (seconds === undefined)
    throw new UserError(`${flag} "${given}" is more seconds than a duration holds; give at most 9223372036`);
  return seconds;
}

/** Throws a UserError if two flags read stdin: the second one would get nothing. */
export function stdinOnce(flags: Record<string, string | readonly string[] | undefined>): void {
  const named = Object.entries(flags).flatMap(([flag, paths = []]) =>
    [paths].flat().flatMap((path) => (path === '-' ? [`${flag} -`] : [])),
  );
  if (named.length < 2) return;
  const different = [...new Set(named)];
  const next = different.length > 1 ? 'name a file for one of them' : 'name it once';
  throw new UserError(`${different.join(' and ')}: stdin can be read only once; ${next}`);
}
