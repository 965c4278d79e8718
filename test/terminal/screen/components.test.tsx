import { afterEach, expect, test } from '@jest/globals';
import { cleanup, render } from 'ink-testing-library';
import type { Block } from '../../../src/presentation/model.ts';
import { colourStyle } from '../../../src/presentation/text/style.ts';
import { bad } from '../../../src/presentation/words.ts';
import { Bar } from '../../../src/terminal/screen/Bar.tsx';
import { asciiBlocks } from '../../../src/terminal/screen/barCharacters.ts';
import { Blocks } from '../../../src/terminal/screen/Blocks.tsx';
import { Frame } from '../../../src/terminal/screen/Frame.tsx';
import { StyleContext } from '../../../src/terminal/screen/Lines.tsx';

afterEach(cleanup);

const table: Block = {
  type: 'table',
  columns: [{ name: 'WORKLOAD' }, { name: 'NOTE', wraps: 12 }],
  rows: [
    ['shop/deployment/cart', [bad('lost'), ', nothing replaces it on any of the clusters']],
    ['\u001b[2Jclear', ''],
  ],
  narrowing: [{ fold: { NOTE: '' } }],
};

test('a table of the model is a component: as narrow as its columns, without what steers a terminal', () => {
  const { lastFrame } = render(<Blocks blocks={[table]} columns={32} />);
  expect(lastFrame()).toBe(
    [
      'WORKLOAD',
      'shop/deployment/cart',
      '   lost, nothing replaces it on',
      '   any of the clusters',
      '^[[2Jclear',
    ].join('\n'),
  );
});

test('tones look as the style says that is around them', () => {
  const { lastFrame } = render(
    <StyleContext value={colourStyle}>
      <Blocks blocks={[{ type: 'paragraph', words: [bad('lost'), '!'] }]} columns={20} />
    </StyleContext>,
  );
  expect(lastFrame()).toBe('\u001b[31mlost\u001b[39m!');
});

test('a bar shows at least one column of whatever there is, and is full at the end alone', () => {
  const bar = (done: number, underWay: number) =>
    render(
      <Bar done={done} underWay={underWay} total={100} columns={10} characters={asciiBlocks} />,
    ).lastFrame();
  expect(bar(0, 0)).toBe('..........');
  expect(bar(1, 1)).toBe('#=........');
  expect(bar(99, 1)).toBe('#########=');
  expect(bar(100, 0)).toBe('##########');
});

test('a frame keeps what matters most if rows are scarce', () => {
  const frame = (rows: number, hintMatters = false) =>
    render(
      <Frame
        columns={12}
        rows={rows}
        head={[['head'], ['a line that is too long']]}
        list={(room) => [['one'], ['two'], ['three']].slice(0, Math.max(0, room))}
        hint={['hint']}
        hintMatters={hintMatters}
      />,
    )
      .lastFrame()
      ?.split('\n')
      .map((line) => line.trimEnd());
  expect(frame(12)).toEqual(['head', 'a line that…', '', 'one', 'two', 'three', '', 'hint']);
  expect(frame(8)).toEqual(['head', 'a line that…', '', 'one', '', 'hint']);
  expect(frame(5)).toEqual(['head', 'a line that…']);
  expect(frame(5, true)).toEqual(['head', 'hint']);
});
