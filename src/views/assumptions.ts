import type { AnsweredAssumption } from '../karmada/configuration/assumptions.ts';
import type { Block } from '../presentation/model.ts';
import { faint } from '../presentation/words.ts';
import type { Shown } from './answer.ts';
import { groupedBy } from '../kubernetes/nonEmpty.ts';

export type { AnsweredAssumption };

/** The most defaults named; more are only counted. */
const MAX = 2;

/**
 * The assumptions: one line with what matters most, or with `wide` a line per source with all values; nothing if
 * everything is known.
 * @param deciding the assumptions that the answer depends on: named even among many defaults
 */
export function assumptionBlocks(
  assumptions: AnsweredAssumption[],
  { wide, names }: Pick<Shown, 'wide' | 'names'>,
  deciding: readonly string[] = [],
): Block[] {
  const bySource = groupedBy(
    assumptions.filter(({ assumed }) => assumed),
    ({ source }) => source,
  );
  if (bySource.size === 0) return [];
  if (!wide) return [{ type: 'oneLine', wordings: wordings(bySource, deciding).map((text) => faint(text)) }];
  const lines = [...bySource].map(([source, values]): Block => ({
    type: 'paragraph',
    words: faint(`Assumed: ${values.map(valueText).join(', ')} (${sourceText(source, names.assume)})`),
  }));
  return [{ type: 'section', blocks: lines }];
}

/** Wordings from long to short: with values, with names only, with a count only. */
function wordings(
  bySource: ReadonlyMap<string, AnsweredAssumption[]>,
  deciding: readonly string[],
): string[] {
  // values other than defaults were guessed or read from the state: these matter most
  const sorted = [...bySource].sort(([, a], [, b]) => Number(areDefaults(a)) - Number(areDefaults(b)));
  const parts = (text: (one: AnsweredAssumption) => string) =>
    sorted.flatMap(([source, values]) => {
      if (!areDefaults(values) || values.length <= MAX) return values.map(text);
      const named = values.filter(({ name }) => deciding.includes(name));
      const others = values.length - named.length;
      const rest = source
        .replace(/^default/, others === 1 ? 'default' : 'defaults')
        .replace(/ \(assumed\)$/, '');
      const count = named.length === 0 ? others : `${others} other`;
      return [...named.map(text), ...(others > 0 ? [`${count} ${rest}`] : [])];
    });
  const count = [...bySource.values()].flat().length;
  return [
    `Assumed: ${parts(valueText).join(', ')} (-o wide says why)`,
    `Assumed: ${parts(({ name }) => name).join(', ')} (-o wide says what)`,
    `Assumed: ${count} ${count === 1 ? 'value' : 'values'} (-o wide)`,
  ];
}

const valueText = ({ name, value }: AnsweredAssumption) => `${name}=${String(value)}`;

const areDefaults = (values: AnsweredAssumption[]) => values.every(({ byDefault }) => byDefault);

function sourceText(source: string, assume: string): string {
  return source.replace(/ \(assumed\)$/, `; set others with ${assume} NAME=VALUE`);
}
