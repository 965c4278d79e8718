/** A field of a cron expression: its bounds, and the names of its values, starting at the lower bound. */
const FIELDS = [
  { name: 'minute', least: 0, most: 59, names: '' },
  { name: 'hour', least: 0, most: 23, names: '' },
  { name: 'day of month', least: 1, most: 31, names: '' },
  { name: 'month', least: 1, most: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec' },
  { name: 'day of week', least: 0, most: 6, names: 'sun mon tue wed thu fri sat' },
] as const;

type Field = (typeof FIELDS)[number];

/** The maximum length of each month. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Why a cron expression of five fields (robfig/cron, ParseStandard) is never due: an invalid field, or days that its
 * months do not have; undefined if it is due at some time. Descriptors (@daily) are not checked.
 */
export function whyNeverDue(schedule: string): string | undefined {
  const written = schedule.trim().split(/\s+/);
  if (written[0]?.startsWith('@')) return undefined;
  if (written[0]?.includes('=')) written.shift();
  if (written.length !== FIELDS.length) return `it needs ${FIELDS.length} fields, and has ${written.length}`;
  const values = FIELDS.map((field, at) => valuesOf(written[at] ?? '', field));
  const unread = FIELDS.find((_, at) => values[at] === undefined);
  if (unread) return `its ${unread.name} is not within ${unread.least}-${unread.most}`;
  const [, , days = [], months = [], weekdays = []] = values;
  const empty = FIELDS.find(({ name }, at) => !name.startsWith('day') && values[at]?.length === 0);
  if (empty) return `its ${empty.name} is an empty list`;
  const isAnyDay = months.some((month) => days.some((day) => day <= DAYS[month - 1]!));
  const isAnyWeekday = weekdays.length > 0;
  // if both are restricted, either one is enough; "*" with a step counts as restricted
  const isBoth = [written[2], written[4]].some((text) => (text ?? '').split(',').some(isUnrestricted));
  const isDue = isBoth ? isAnyDay && isAnyWeekday : isAnyDay || isAnyWeekday;
  return isDue ? undefined : 'its months have no such day';
}

/** "*" or "*-5", which are equivalent */
function isUnrestricted(range: string): boolean {
  return /^[*?](-[^-/]*)?(\/1)?$/.test(range);
}

/** The values of a list of ranges, in which extra commas are allowed; undefined if it is invalid. */
function valuesOf(text: string, field: Field): number[] | undefined {
  const listed = text.split(',').filter((range) => range !== '');
  const ranges = listed.map((range) => rangeOf(range, field));
  return ranges.includes(undefined) ? undefined : ranges.flatMap((range) => range ?? []);
}

/**
 * "*", "?", "5", "1-5", "mon-fri", each perhaps with a step: "/2"; with a step, a single value extends to the upper
 * bound.
 */
function rangeOf(text: string, { least, most, names }: Field): number[] | undefined {
  const [range = '', step, more] = text.split('/');
  const numberOf = (word: string | undefined) => {
    const at = names.split(' ').indexOf(word?.toLowerCase() ?? '');
    return word && at >= 0 ? least + at : /^\+?\d+$/.test(word ?? '') ? Number(word) : NaN;
  };
  const [low, high, another] = range.split('-');
  const isAny = low === '*' || low === '?';
  const from = isAny ? least : numberOf(low);
  const to = isAny ? most : high !== undefined ? numberOf(high) : step === undefined ? from : most;
  const by = step === undefined ? 1 : /^\d+$/.test(step) ? Number(step) : 0;
  if (another !== undefined || more !== undefined || !(by > 0)) return undefined;
  if (!(from >= least && from <= to && to <= most)) return undefined;
  return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, at) => from + at * by);
}
