import { renderHtml } from '../../../src/presentation/html/renderHtml.ts';
import type { Block } from '../../../src/presentation/model.ts';
import { presentable } from '../../../src/presentation/presentable.ts';
import { colourStyle, plainStyle } from '../../../src/presentation/text/style.ts';
import { visible } from '../../../src/presentation/visible.ts';
import { asBad, asGood, asStrong, asWarning } from '../../../src/presentation/words.ts';
import { printed, printedLine, type TextOutput } from '../../../src/terminal/textOutput.ts';
import { jsonLine } from '../../../src/views/forms/jsonText.ts';
import { toYaml } from '../../../src/views/forms/yaml.ts';
import { secretTexts } from '../canaries.ts';
import { hostileText } from '../hostile.ts';
import { problemOf } from '../judge.ts';
import type { Make } from './fuzzCase.ts';

type Printer = (text: string, output: TextOutput) => string;

const block =
  (of: (text: string) => Block): Printer =>
  (text, output) =>
    printed({ blocks: [of(text)] }, output);

const documentOf = (text: string) => ({
  kind: text,
  [`a ${visible(text)}`]: [text, { name: text, value: 1 }],
});
const tableOf = (text: string): Block => ({
  type: 'table',
  columns: [{ name: 'A', wraps: 8 }, { name: 'B' }, { name: 'C' }],
  rows: [[text, { certainty: 'estimate', dependsOn: [text] }, asWarning(text)]],
  narrowing: [{ fold: { C: 'c' } }, { cut: 'B', to: 6 }],
});

/** All functions that turn a text into output. */
const PRINTERS: readonly (readonly [string, Printer])[] = [
  ['a line', (text, output) => printedLine([asBad(text), ' ', text], output)],
  ['a paragraph', block((text) => ({ type: 'paragraph', words: ['a ', asBad(text)] }))],
  ['one line', block((text) => ({ type: 'oneLine', wordings: [text] }))],
  ['a command', block((text) => ({ type: 'command', text: `x ${text}` }))],
  ['key and values', block((text) => ({ type: 'keyValues', entries: [[text, [asGood('y'), text]]] }))],
  [
    'a tree',
    block((text) => ({
      type: 'tree',
      nodes: [{ mark: '-', words: text, children: [{ words: [asStrong(text)] }] }],
    })),
  ],
  [
    'a timeline',
    block((text) => ({
      type: 'timeline',
      steps: [{ when: 'T+1s', actor: text, words: text, details: [text] }],
    })),
  ],
  ['a table', block(tableOf)],
  ['a page', (text) => renderHtml({ blocks: [tableOf(text)] })],
  ['JSON', (text) => jsonLine(documentOf(text))],
  ['YAML', (text) => toYaml(documentOf(text))],
];

/** A text with hostile parts or secrets, through one of the printers. */
export const text: Make = (random) => {
  const given = `${random.of(['', 'a ', hostileText(random)])}${random.of([hostileText(random), random.of(secretTexts)])}`;
  const isTerminal = random.next() < 0.5;
  const width = random.of([undefined, 40, 80, 200]);
  const [name, printer] = random.of(PRINTERS);
  return {
    kind: 'text through every printer',
    input: given,
    given: `${name}, ${isTerminal ? 'with' : 'without'} colours, ${width ?? 'any'} columns`,
    async run(changed) {
      const one = String(changed);
      const output = { style: isTerminal ? colourStyle : plainStyle, width };
      const stdout = printer(one, output);
      const stderr = `warning: ${presentable(one)}\n`;
      const isWrapped = width !== undefined;
      const expected = { given: one, isTerminal, isRaw: false, isWrapped, written: [] };
      return problemOf({ code: 0, stdout, stderr }, expected);
    },
  };
};
