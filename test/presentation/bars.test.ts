import { expect, test } from '@jest/globals';
import { renderHtml } from '../../src/presentation/html/renderHtml.ts';
import type { Bars } from '../../src/presentation/model.ts';
import { renderText } from '../../src/presentation/text/renderText.ts';
import { colourStyle, plainStyle } from '../../src/presentation/text/style.ts';

const bars: Bars = {
  type: 'bars',
  from: 0,
  to: 100,
  ticks: [
    { at: 0, text: 'T+0s' },
    { at: 3, text: 'too near' },
    { at: 50, text: '50s' },
  ],
  lines: [
    {
      label: 'east-1',
      stretches: [
        { from: 0, to: 50, mark: '━', tone: 'good', words: 'ready until 50s' },
        { from: 50, to: 50.1, mark: '!', tone: 'bad', words: 'for a moment' },
        { from: 50.1, to: 100, mark: '░', words: 'leaving' },
      ],
      note: 'gone',
    },
    {
      label: 'east-2',
      levels: [
        { from: 0, value: 0 },
        { from: 50, value: 8 },
        { from: 75, value: 4 },
      ],
      highest: 8,
    },
  ],
  legend: [{ mark: '━', tone: 'good', text: 'ready' }],
};

test('bars and curves share one scale, and short spans are visible', () => {
  expect(renderText({ blocks: [bars] }, { style: plainStyle, width: 36 }).split('\n')).toEqual([
    '        T+0s       50s',
    'east-1  ━━━━━━━━━━━!░░░░░░░░░░  gone',
    'east-2             █████▄▄▄▄▄▄',
    '━ ready',
  ]);
});

test('only tones are coloured', () => {
  expect(renderText({ blocks: [bars] }, { style: colourStyle, width: 36 })).toContain(
    '\u001b[31m!\u001b[39m',
  );
});

test('an HTML page describes each span', () => {
  const html = renderHtml({ blocks: [bars] });
  expect(html).toContain(
    '<rect class="bar-good" x="0.00" width="50.00" y="0" height="10"><title>ready until 50s</title></rect>',
  );
  expect(html).toContain(
    '<rect class="level" x="75.00" width="25.00" y="5.00" height="5.00"><title>4</title></rect>',
  );
});

test('without lines, nothing is printed', () => {
  expect(renderText({ blocks: [{ ...bars, lines: [] }] }, { style: plainStyle })).toBe('');
});
