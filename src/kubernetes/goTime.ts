// RFC 3339 times as Go's time.Parse reads them.
import { utf8Bytes } from './utf8.ts';

const LAYOUT = '2006-01-02T15:04:05Z07:00';

/** Go's time.ParseError. */
class Unparsable extends Error {}

/**
 * The time in epoch milliseconds, fractions dropped, or Go's error text. Accepts whatever time.Parse accepts, even
 * "2024-01-02T3:04:05,6+07:00".
 */
export function parseGoTime(text: string): { value: number } | { error: string } {
  try {
    return { value: parse(text) };
  } catch (error) {
    if (error instanceof Unparsable) return { error: error.message };
    throw error;
  }
}

function parse(text: string): number {
  let rest = text;
  const unlike = (at: string, element: string): Unparsable =>
    new Unparsable(
      `parsing time ${quoted(text)} as ${quoted(LAYOUT)}: cannot parse ${quoted(at)} as ${quoted(element)}`,
    );
  const wrong = (what: string) => new Unparsable(`parsing time ${quoted(text)}: ${what}`);
  const literal = (character: string) => {
    if (!rest.startsWith(character)) throw unlike(rest, character);
    rest = rest.slice(character.length);
  };
  const number = (element: string, pattern: RegExp, name: string, from: number, to: number): number => {
    const digits = pattern.exec(rest)?.[0];
    if (digits === undefined) throw unlike(rest, element);
    rest = rest.slice(digits.length);
    if (Number(digits) < from || Number(digits) > to) throw wrong(`${name} out of range`);
    return Number(digits);
  };

  const yearText = rest.slice(0, 4);
  if (!/^\d{4}$/.test(yearText)) throw unlike(rest, '2006');
  rest = rest.slice(4);
  literal('-');
  const month = number('01', /^\d\d/, 'month', 1, 12);
  literal('-');
  const day = number('02', /^\d\d/, 'day', 0, 99);
  literal('T');
  const hour = number('15', /^\d\d?/, 'hour', 0, 23);
  literal(':');
  const minute = number('04', /^\d\d/, 'minute', 0, 59);
  literal(':');
  const second = number('05', /^\d\d/, 'second', 0, 59);
  const fraction = /^[.,](\d+)/.exec(rest);
  if (fraction) rest = rest.slice(fraction[0].length);
  const milliseconds = fraction ? Number(fraction[1]!.padEnd(3, '0').slice(0, 3)) : 0;
  const offset = zoneOffset();
  if (rest !== '') throw wrong(`extra text: ${quoted(rest)}`);
  const time = utc(Number(yearText), month, day, hour, minute, second, milliseconds);
  if (day < 1 || new Date(utc(Number(yearText), month, day, 0, 0, 0, 0)).getUTCMonth() !== month - 1)
    throw wrong('day out of range');
  return time - offset;

  /** milliseconds east of UTC */
  function zoneOffset(): number {
    if (rest.startsWith('Z')) {
      rest = rest.slice(1);
      return 0;
    }
    const zone = /^[\s\S][\s\S]{2}:[\s\S]{2}/.exec(rest)?.[0];
    if (zone === undefined) throw unlike(rest, 'Z07:00');
    const [hours, minutes] = [zone.slice(1, 3), zone.slice(4, 6)];
    const parsable = /^\d\d$/.test(hours) && /^\d\d$/.test(minutes);
    const held = rest;
    rest = rest.slice(zone.length);
    if (/^\d\d$/.test(hours) && Number(hours) > 24) throw wrong('time zone offset hour out of range');
    if (parsable && Number(minutes) > 60) throw wrong('time zone offset minute out of range');
    if (!parsable || !'+-'.includes(zone[0]!)) throw unlike(held, 'Z07:00');
    return (zone.startsWith('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  }
}

// Date.UTC would read the years 0 to 99 as 1900 to 1999.
function utc(year: number, month: number, day: number, ...clock: [number, number, number, number]): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(...clock);
  return date.getTime();
}

/** The zero time.Time, January 1 of the year 1, which the API treats as absent. */
export const GO_ZERO_TIME = utc(1, 1, 1, 0, 0, 0, 0);

// Go's time package has its own quoting: bytes outside printable ASCII as \xNN.
function quoted(text: string): string {
  let out = '"';
  for (const byte of utf8Bytes(text)) {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte >= 0x80) out += `\\x${byte.toString(16).padStart(2, '0')}`;
    else out += character === '"' || character === '\\' ? `\\${character}` : character;
  }
  return `${out}"`;
}
