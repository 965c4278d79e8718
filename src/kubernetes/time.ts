/** Milliseconds. Kubernetes writes times in whole seconds, so a time from an object is up to this much too early. */
export const SECOND = 1000;
/** Milliseconds. */
export const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The largest time.Duration, 2^63 ns. */
const LONGEST_DURATION = 2 ** 63 / 1e6;

/** days in each month of any year */
const SHORTEST_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Milliseconds, about 24 days: with a longer delay Node fires the timer at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** The end of the year 9999 in epoch milliseconds, the last instant in RFC 3339. */
export const LAST_INSTANT = 253_402_300_799_000;

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * The instant of an RFC 3339 text, in epoch milliseconds; digits below a millisecond are cut off. NaN if the text is
 * not RFC 3339. To Karmada absent and empty are the zero time: callers check for them first.
 */
export function instant(rfc3339: string): number {
  // A fast path for the API server's format, "2026-03-14T09:26:53Z", without Date.
  if (rfc3339.length === 20 && rfc3339.charCodeAt(19) === 90) {
    const year = digits(rfc3339, 0, 4);
    const month = digits(rfc3339, 5, 7);
    const day = digits(rfc3339, 8, 10);
    const hour = digits(rfc3339, 11, 13);
    const minute = digits(rfc3339, 14, 16);
    const second = digits(rfc3339, 17, 19);
    if (
      month >= 1 &&
      month <= 12 &&
      day >= 1 &&
      // the slow path below decides whether there is a 29 February
      day <= SHORTEST_MONTHS[month - 1]! &&
      hour <= 23 &&
      minute <= 59 &&
      second <= 59 &&
      year >= 0 &&
      rfc3339.charCodeAt(4) === 45 &&
      rfc3339.charCodeAt(7) === 45 &&
      rfc3339.charCodeAt(10) === 84 &&
      rfc3339.charCodeAt(13) === 58 &&
      rfc3339.charCodeAt(16) === 58
    )
      return daysSinceEpoch(year, month, day) * DAY + hour * HOUR + minute * MINUTE + second * SECOND;
  }
  if (!RFC3339.test(rfc3339) || !isCalendarDay(rfc3339)) return NaN;
  return Date.parse(rfc3339);
}

/** The instant of a text; undefined if it names none. */
export function knownInstant(text: string | null | undefined): number | undefined {
  const time = text ? instant(text) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The number at text[from, to), NaN unless it is all digits. */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** Days of the proleptic Gregorian calendar, counted in years that begin in March. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const century = Math.floor(marchYear / 100);
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return (
    365 * marchYear + Math.floor(marchYear / 4) - century + Math.floor(century / 4) + dayOfYear - 719_468
  );
}

/** Date.parse accepts 30 February and 24:00, Go does not. */
function isCalendarDay(rfc3339: string): boolean {
  const year = digits(rfc3339, 0, 4);
  const month = digits(rfc3339, 5, 7);
  const day = digits(rfc3339, 8, 10);
  if (!(month >= 1 && month <= 12 && day >= 1) || digits(rfc3339, 11, 13) > 23) return false;
  const [nextYear, nextMonth] = month === 12 ? [year + 1, 1] : [year, month + 1];
  return day <= daysSinceEpoch(nextYear, nextMonth, 1) - daysSinceEpoch(year, month, 1);
}

/** Epoch milliseconds as metav1.Time prints them: whole seconds (truncated), UTC. */
export function rfc3339(at: number): string {
  return calendarText(at, 'Z');
}

/** Epoch milliseconds as RFC 3339 with milliseconds: "2026-03-14T09:26:53.250Z". */
export function rfc3339Milliseconds(at: number): string {
  const milliseconds = Math.floor(at) - Math.floor(at / SECOND) * SECOND;
  return calendarText(at, `.${padded(milliseconds, 3)}Z`);
}

/**
 * "2026-03-14T09:26:53" and the fraction, without Date, whose first use loads the time zones: a fifth of a small
 * command's time. Built from short pieces, which V8 copies; long ones would keep every step in memory.
 */
function calendarText(at: number, fraction: string): string {
  const days = Math.floor(at / DAY);
  const second = Math.floor((at - days * DAY) / SECOND);
  const { year, month, day } = calendarDay(days);
  const date = `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}T`;
  const hours = Math.floor(second / 3600);
  const minutes = Math.floor(second / 60) % 60;
  const time = `${padded(hours, 2)}:${padded(minutes, 2)}:${padded(second % 60, 2)}${fraction}`;
  return `${date}${time}`;
}

/** The inverse of daysSinceEpoch: any 400 years have 146,097 days. */
function calendarDay(daysSinceEpoch: number): { year: number; month: number; day: number } {
  const days = daysSinceEpoch + 719_468;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return { year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day };
}

function padded(number: number, places: number): string {
  return String(number).padStart(places, '0');
}

const UNITS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: SECOND,
  m: MINUTE,
  h: HOUR,
  d: DAY,
};
const DURATION_PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h|d)/y;

/**
 * Parses a duration in Go's format ("1h2m3.5s", "-1.5h", "0") into milliseconds; undefined if Go's time.ParseDuration
 * would refuse it.
 */
export function parseDuration(text: string): number | undefined {
  return text.includes('d') ? undefined : readDuration(text);
}

/** Milliseconds of a duration from a user: in Go's format, or with days, as we print it: "1d2h". */
export function readDuration(text: string): number | undefined {
  const negative = text.startsWith('-');
  const unsigned = negative || text.startsWith('+') ? text.slice(1) : text;
  if (unsigned === '0') return 0;
  if (unsigned === '') return undefined;
  let total = 0;
  let at = 0;
  while (at < unsigned.length) {
    DURATION_PART.lastIndex = at;
    const part = DURATION_PART.exec(unsigned);
    if (!part) return undefined;
    total += Number(part[1]) * UNITS[part[2]!]!;
    at = DURATION_PART.lastIndex;
  }
  if (total > LONGEST_DURATION) return undefined;
  return negative && total !== 0 ? -total : total;
}

/**
 * Milliseconds as a duration that Go can parse, to the nanosecond: "10m", "1h2m3.5s", "250ms", "0s". Zero units are
 * omitted, as in kubectl's ages, unlike Go's own 10m0s.
 */
export function formatDuration(milliseconds: number): string {
  const sign = milliseconds < 0 ? '-' : '';
  const length = Math.abs(milliseconds);
  let nanoseconds = Math.round((length % SECOND) * 1e6);
  let seconds = Math.floor(length / SECOND);
  if (nanoseconds === 1e9) [seconds, nanoseconds] = [seconds + 1, 0];
  if (seconds === 0) {
    if (nanoseconds === 0) return '0s';
    if (nanoseconds < 1e3) return `${sign}${nanoseconds}ns`;
    if (nanoseconds < 1e6) return `${sign}${decimal(nanoseconds, 3)}µs`;
    return `${sign}${decimal(nanoseconds, 6)}ms`;
  }
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  seconds %= 60;
  const exactSeconds = `${seconds}${decimal(nanoseconds, 9).slice(1)}`;
  return [
    sign,
    hours > 0 ? `${hours}h` : '',
    minutes > 0 ? `${minutes}m` : '',
    exactSeconds === '0' ? '' : `${exactSeconds}s`,
  ].join('');
}

/** number / 10^places without trailing zeros: (1500, 3) is "1.5", (0, 9) is "0". */
function decimal(number: number, places: number): string {
  const text = String(number).padStart(places + 1, '0');
  const fraction = text.slice(-places).replace(/0+$/, '');
  return text.slice(0, -places) + (fraction && `.${fraction}`);
}
