import { beforeAll, describe, expect, test } from '@jest/globals';
import { createElement } from 'react';
import { displayWidth } from '../../../src/presentation/text/displayWidth.ts';
import { lineText } from '../../../src/presentation/text/renderText.ts';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import { evictionScreen, SECTIONS } from '../../../src/terminal/eviction/evictionScreen.ts';
import {
  NOTHING_WATCHED,
  withChanges,
  withWarning,
  type WatchedTasks,
} from '../../../src/terminal/eviction/watchedTasks.ts';
import { browse, type BrowseEffect, firstBrowsing } from '../../../src/terminal/screen/browse/browsing.ts';
import { BrowseScreen } from '../../../src/terminal/screen/browse/BrowseScreen.tsx';
import { asciiCharacters, unicodeCharacters } from '../../../src/terminal/screen/characters.ts';
import { keysIn } from '../../../src/terminal/screen/keys.ts';
import { incident } from './incident.ts';
import { laidOut } from '../screen/laidOut.ts';

const PLANE = { name: 'karmada', karmadaVersion: 'v1.18.2', asked: '' };

let begun: WatchedTasks;
let at: number;
beforeAll(async () => {
  const { tasks, now } = await incident();
  at = now;
  begun = withChanges(
    NOTHING_WATCHED,
    tasks.map((task) => ({ type: 'ADDED', task })),
    now,
  );
});

function screenOf(
  known: WatchedTasks,
  keys = '',
  { columns = 80, rows = 24, characters = unicodeCharacters, now = at, plane = PLANE } = {},
): { lines: string[]; effects: BrowseEffect[] } {
  const shown = evictionScreen(known, plane, { columns, rows }, now, characters);
  let state = firstBrowsing(SECTIONS.length);
  const effects: BrowseEffect[] = [];
  for (const key of keysIn(keys, true).keys) {
    const reduced = browse(state, key, shown);
    ({ state } = reduced);
    if (reduced.effect) effects.push(reduced.effect);
  }
  const lines = laidOut(createElement(BrowseScreen, { state, view: shown }), shown);
  return { lines: lines.map(({ line }) => lineText(line, plainStyle).trimEnd()), effects };
}

describe('given evictions in flight', () => {
  test.each([
    [60, 15],
    [80, 24],
    [120, 40],
  ])('the screen lists them with bars, losses first, on %s × %s', (columns, rows) => {
    expect(screenOf(begun, '', { columns, rows }).lines).toMatchSnapshot();
  });

  test('the screen uses only ASCII without Unicode support', () => {
    const { lines } = screenOf(begun, '', { characters: asciiCharacters });
    expect(lines.join('')).toMatch(/^[ -~…–×]*$/);
  });

  test('Enter shows the wait and the evidence of an eviction; Esc returns', () => {
    const { lines } = screenOf(begun, '\r');
    expect(lines[2]).toMatch(/^evictions › \S+ from frankfurt/);
    expect(lines.join('\n')).toMatch(/\n +verdict +stuck, waits for /);
    expect(lines.join('\n')).toMatch(/\n +evidence +\S/);
    expect(screenOf(begun, '\r\u001b').lines).toEqual(screenOf(begun).lines);
  });

  test('/ filters during input, Esc clears the filter, and digits sort by column', () => {
    const { lines } = screenOf(begun, '/oregon\r');
    expect(lines[2]).toMatch(/1\/1 of 6 {2}\/oregon$/);
    expect(lines[4]).toContain('data/deployment/queue');
    expect(screenOf(begun, '/oregon\r\u001b').lines).toEqual(screenOf(begun).lines);
    expect(screenOf(begun, '1').lines[3]).toContain('WORKLOAD ↑');
    const names = (keys: string) =>
      screenOf(begun, keys)
        .lines.slice(4, 10)
        .map((line) => line.slice(2).split(' ')[0]);
    expect(names('1')).toEqual(names('1').toSorted());
    expect(names('11')).toEqual(names('1').toReversed());
    expect(screenOf(begun, '9').lines.at(-1)).toBe('There is no column 9.');
  });

  test('q quits, Ctrl-C interrupts, and ? lists the keys', () => {
    expect(screenOf(begun, 'q').effects).toEqual([{ type: 'quit' }]);
    expect(screenOf(begun, '\u0003').effects).toEqual([{ type: 'interrupt' }]);
    expect(screenOf(begun, '?').lines.join('\n')).toContain('all of an eviction: what it waits for');
  });

  test('stale evictions are marked with their age', () => {
    const { lines } = screenOf({ ...begun, staleSince: at - 12_000 });
    expect(lines[0]).toMatch(/no answer for 12s: may be stale$/);
  });
});

describe('given changes of evictions', () => {
  test('an ended task leaves the list, and its end is listed under changes, where Enter shows it', () => {
    const [first] = begun.tasks!;
    const known = withChanges(begun, [{ type: 'DELETED', task: first!, ended: 'let-go' }], at + 1000);
    expect(known.tasks).toHaveLength(begun.tasks!.length - 1);
    const { lines } = screenOf(known, '\t', { columns: 160 });
    expect(lines[4]).toMatch(/ended, the old copy on frankfurt is deleted/);
    expect(screenOf(known, '\t\r').lines.join('\n')).toContain('ended, the old copy on frankfurt is deleted');
  });

  test('initial evictions are not changes, but later ones are', () => {
    expect(begun.changes).toEqual([]);
    const [task] = begun.tasks!;
    const known = withChanges(begun, [{ type: 'ADDED', task: task! }], at);
    expect(screenOf(known, '\t').lines[4]).toContain('begins: ');
  });

  test('a repeated warning is counted and listed once', () => {
    const known = withWarning(withWarning(begun, 'Works cannot be read'), 'Works cannot be read');
    expect(screenOf(known).lines[1]).toMatch(/ · 1 warning$/);
    expect(screenOf(known, '\t\t').lines[4]).toContain('Works cannot be read');
  });

  test('the empty list names its scope, and reports that the screen is waiting', () => {
    const none = withChanges(NOTHING_WATCHED, [], at);
    const { lines } = screenOf(none, '', { plane: { ...PLANE, asked: 'in namespace shop' } });
    expect(lines.join('\n')).toContain('No evictions in flight in namespace shop; waiting for some.');
    expect(screenOf(NOTHING_WATCHED).lines.join('\n')).toContain('Reading...');
  });
});

const sizes = [10, 20, 40, 60, 80, 200].flatMap((columns) =>
  [1, 7, 8, 15, 50].map((rows) => ({ columns, rows })),
);
test.each(sizes)('on $columns×$rows, the screen fills every row within its width', ({ columns, rows }) => {
  for (const keys of ['', '\r', '\t', '?', '/x']) {
    const { lines } = screenOf(begun, keys, { columns, rows });
    expect(lines).toHaveLength(rows);
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns);
  }
});
