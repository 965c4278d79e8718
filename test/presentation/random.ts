import fc from 'fast-check';
import type { Bars, Block, Presentation, Table, Words } from '../../src/presentation/model.ts';
import { asBad, asFaint } from '../../src/presentation/words.ts';

const hostile = [
  '\u001b[2J',
  '\u001b]0;x\u0007',
  '\u009b31m',
  '\u202e',
  'a\nb',
  '\t',
  '漢字',
  'e\u0301',
  '<b>"&\'',
];
const word = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^[a-z0-9./:-]{1,14}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-z0-9./:-]{30,60}$/) },
  { weight: 1, arbitrary: fc.constantFrom(...hostile) },
);
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));

/** Words as a view may combine them, containing foreign strings. */
export const words: fc.Arbitrary<Words> = fc.oneof(
  text,
  text.map((one) => asBad(one)),
  fc.tuple(text, text).map(([one, other]): Words => [one, ' ', asFaint(other)]),
  fc.constantFrom({ certainty: 'estimate', dependsOn: ['the order in which things happen', 'chance'] }),
);

/** A table with any of the properties that a view can set. */
export const table: fc.Arbitrary<Table> = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 5 }))
  .chain(([columns, rows]) =>
    fc.record({
      type: fc.constant('table' as const),
      columns: fc.tuple(
        ...Array.from({ length: columns }, (_, at) =>
          fc.option(fc.integer({ min: 8, max: 30 }), { nil: undefined }).map((wraps) => ({
            name: `COLUMN ${at}`,
            ...(wraps === undefined ? {} : { wraps }),
          })),
        ),
      ),
      rows: fc.array(fc.array(words, { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
      narrowing: fc.array(
        fc
          .integer({ min: 0, max: columns - 1 })
          .chain((at) =>
            fc.constantFrom(
              { fold: { [`COLUMN ${at}`]: at % 2 === 0 ? '' : 'label' } },
              { drop: [`COLUMN ${at}`] },
              { cut: `COLUMN ${at}`, to: 12 },
              { wrap: `COLUMN ${at}`, to: 8 },
            ),
          ),
        { maxLength: 5 },
      ),
    }),
  );

const place = fc.integer({ min: 0, max: 1000 });
const stretch = fc.record({
  from: place,
  to: place,
  mark: fc.constantFrom('━', '!'),
  words: text,
});

/** Bars and curves along one scale. */
const bars: fc.Arbitrary<Bars> = fc.record({
  type: fc.constant('bars' as const),
  from: fc.constant(0),
  to: fc.integer({ min: 0, max: 1000 }),
  ticks: fc.array(fc.record({ at: place, text: fc.constant('T+1m') }), { maxLength: 3 }),
  lines: fc.array(
    fc.oneof(
      fc.record({ label: words, note: words, stretches: fc.array(stretch, { maxLength: 4 }) }),
      fc.record({
        label: words,
        levels: fc.array(fc.record({ from: place, value: place }), { maxLength: 4 }),
        highest: place,
      }),
    ),
    { maxLength: 4 },
  ),
  legend: fc.array(fc.record({ mark: fc.constant('━'), text: fc.constant('ready') }), { maxLength: 3 }),
});

const block: fc.Arbitrary<Block> = fc.letrec<{ block: Block }>((tie) => ({
  block: fc.oneof(
    { depthSize: 'small' },
    fc.record({ type: fc.constant('paragraph' as const), words }),
    table,
    bars,
    fc.record({
      type: fc.constant('heading' as const),
      parts: fc.array(words, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      type: fc.constant('oneLine' as const),
      wordings: fc.array(words, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      type: fc.constant('keyValues' as const),
      entries: fc.array(fc.tuple(words, words), { maxLength: 4 }),
    }),
    fc.record({
      type: fc.constant('rows' as const),
      rows: fc.array(fc.array(words, { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
    }),
    fc.record({
      type: fc.constant('timeline' as const),
      steps: fc.array(
        fc.record({
          when: fc.constant('T+1m3s'),
          actor: word,
          words,
          details: fc.array(words, { maxLength: 2 }),
        }),
        { maxLength: 4 },
      ),
    }),
    fc.record({
      type: fc.constant('tree' as const),
      nodes: fc.array(
        fc.record({
          mark: fc.constant('✓'),
          words,
          children: fc.array(fc.record({ words }), { maxLength: 2 }),
        }),
        { maxLength: 3 },
      ),
    }),
    fc.record({
      type: fc.constant('section' as const),
      title: fc.option(words, { nil: undefined }),
      blocks: fc.array(tie('block'), { maxLength: 3 }),
    }),
  ),
})).block;

export const presentation: fc.Arbitrary<Presentation> = fc.record({
  blocks: fc.array(block, { maxLength: 4 }),
});
