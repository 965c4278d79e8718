import type { AnsweredAssumption } from '../karmada/configuration/assumptions.ts';
import type { Block, Words } from '../presentation/model.ts';
import { asFaint, joined, lineBlocks, asWarning } from '../presentation/words.ts';
import type { Shown } from './answer.ts';
import { groupedBy } from '../kubernetes/nonEmpty.ts';
import { plural } from './words/amounts.ts';

export type { AnsweredAssumption };

/** The most defaults named; more are only counted. */
const MAX = 2;

/** A caveat of an answer, besides the assumptions. */
export interface Caveat {
  /** from long to short */
  wordings: readonly Words[];
  /** with `-o wide`; absent: the longest wording */
  whole?: readonly Block[];
}

/**
 * Caveats and assumptions: one line with the most important ones, or with `wide` all caveats, then a line per source
 * with all values; nothing if everything is known.
 * @param deciding the assumptions that the answer depends on: named even among many defaults
 */
export function assumptionBlocks(
  assumptions: AnsweredAssumption[],
  { wide, names }: Pick<Shown, 'wide' | 'names'>,
  { deciding = [], caveats = [] }: { deciding?: readonly string[]; caveats?: readonly Caveat[] } = {},
): Block[] {
  const bySource = groupedBy(
    assumptions.filter(({ assumed }) => assumed),
    ({ source }) => source,
  );
  const said = caveats.filter(({ wordings }) => wordings.length > 0);
  if (wide) {
    const values = [...bySource].map(([source, values]) =>
      asFaint(`Assumed: ${values.map(valueText).join(', ')} (${sourceText(source, names.assume)})`),
    );
    const whole = said.flatMap((one) => one.whole ?? lineBlocks(one.wordings.slice(0, 1)));
    return [{ type: 'section', blocks: [...whole, ...lineBlocks(values)] }];
  }
  const parts = [
    ...said.map((one) => one.wordings),
    ...(bySource.size === 0 ? [] : [wordings(bySource, deciding)]),
  ];
  const steps = Math.max(0, ...parts.map(({ length }) => length));
  const lines = Array.from({ length: steps }, (_, step) =>
    asFaint([
      joined(
        parts.map((part) => part[step] ?? part.at(-1)!),
        '. ',
      ),
      ' (-o wide)',
    ]),
  );
  return lines.length === 0 ? [] : [{ type: 'oneLine', wordings: lines }];
}

/** The unknowns: all of them, or the number of caveats. */
export function doubtCaveat(texts: readonly string[]): Caveat {
  if (texts.length === 0) return { wordings: [] };
  return {
    wordings: [asWarning(texts.join(' ').replace(/\.$/, '')), asWarning(plural(texts.length, 'caveat'))],
    whole: [
      { type: 'section', detail: 'unknown facts', blocks: lineBlocks(texts.map((text) => asWarning(text))) },
    ],
  };
}

/** Wordings from long to short: with values, with names only, with a count only. */
function wordings(
  bySource: ReadonlyMap<string, AnsweredAssumption[]>,
  deciding: readonly string[],
): string[] {
  // values other than defaults were guessed or read from the state: these matter most
  const sorted = [...bySource].sort(([, a], [, b]) => Number(areDefaults(a)) - Number(areDefaults(b)));
  const parts = (text: (one: AnsweredAssumption) => string, short = false) =>
    sorted.flatMap(([source, values]) => {
      if (!areDefaults(values) || values.length <= MAX) return values.map(text);
      const named = values.filter(({ name }) => deciding.includes(name));
      const others = values.length - named.length;
      const rest = source
        .replace(/^default/, others === 1 ? 'default' : 'defaults')
        .replace(short ? / .*$/ : / \(assumed\)$/, '');
      const count = named.length === 0 ? others : `${others} other`;
      return [...named.map(text), ...(others > 0 ? [`${count} ${rest}`] : [])];
    });
  const count = [...bySource.values()].flat().length;
  return [
    `Assumed: ${parts(valueText).join(', ')}`,
    `Assumed: ${parts(({ name }) => name, true).join(', ')}`,
    `Assumed: ${plural(count, 'value')}`,
  ];
}

const valueText = ({ name, value }: AnsweredAssumption) => `${name}=${String(value)}`;

const areDefaults = (values: AnsweredAssumption[]) => values.every(({ byDefault }) => byDefault);

function sourceText(source: string, assume: string): string {
  return source.replace(/ \(assumed\)$/, `; set others with ${assume} NAME=VALUE`);
}
