import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Feed } from '../../../src/analysis/overview/feed.ts';
import { type DashboardFeed } from '../../../src/terminal/dashboard/answers.ts';
import { reduce } from '../../../src/terminal/dashboard/reduce.ts';
import { type DashboardState, type DashboardView } from '../../../src/terminal/dashboard/state.ts';
import { type Key } from '../../../src/terminal/screen/keys.ts';
import { feedOf } from './feeds.ts';
import { screenLines, typedKeys } from './typed.ts';

let feed: Feed;
let source: DashboardFeed;
beforeAll(async () => {
  ({ feed, source } = await feedOf('examples/incident'));
});

const size = { columns: 120, rows: 100 };

const after = (keys: string) => typedKeys({ feed, source }, keys, size);

/** The keys that `?` lists on a page, one by one: "H R X" are three. */
function listedKeys({ state, view }: { state: DashboardState; view: DashboardView }): Set<string> {
  const help = reduce(state, { text: '?' }, view).state;
  const lines = screenLines(help, view);
  const rows = lines.filter((line) => /^ {2}\S/.test(line) && !/^ {2}:\w/.test(line));
  return new Set(rows.flatMap((line) => line.trim().split(/ {2,}/)[0]!.split(' ')));
}

/** Whether a key does more here than to explain why it does nothing. */
function does(text: string, { state, view }: { state: DashboardState; view: DashboardView }): boolean {
  const key: Key = text === 'Enter' ? { name: 'enter' } : { text };
  const before = { ...state, playing: undefined };
  const { state: next, effect } = reduce(before, key, view);
  if (effect) return text !== 'E' || effect.type === 'edit';
  const { note: _note, commands: _commands, ...rest } = next;
  const { note: _before, commands: _had, ...was } = before;
  return JSON.stringify(rest) !== JSON.stringify(was);
}

/** Keys that work on one page and not on another, whatever was shown before. */
const DEPENDING = ['Enter', 'm', 'M', 't', 'e', 'y', 'a', 'D', 'B', 'C', 'U', 'H', 'R', 'X', '>', 'x'];

const ESC = '\u001b';
const PAGES: readonly (readonly [name: string, keys: string])[] = [
  ['clusters', ''],
  ['evictions', ':evictions\r'],
  ['workloads', ':workloads\r'],
  ['events', ':events\r'],
  ['drains', ':drains\r'],
  ['an eviction', ':evictions\r\r'],
  ['an explanation', ':workloads\r/ledger\r\r'],
  ['evidence', ':workloads\r/ledger\r\r\r'],
  ['an object', ':evictions\ry'],
  ['what if', 'mw'],
  ['a replay', '/virginia\rmwr'],
  ['the evictions on the first page', '\t'],
  ['workloads in trouble on the first page', '\t\t'],
  ['an audit', ':audit\r'],
  ['workloads at risk in an audit', ':audit\r\t'],
  ['findings', ':findings\r'],
  ['a finding', ':findings\r\r'],
  ['failover', ':failover\r'],
  ['policies', ':policies\r'],
  ['commands', `\r${ESC}c`],
  ['warnings', ':warnings\r'],
];

describe('? lists exactly the keys that work on the page', () => {
  test.each(PAGES)('%s', async (_name, keys) => {
    const page = await after(keys);
    const listed = listedKeys(page);
    const reported = Object.fromEntries(DEPENDING.map((key) => [key, listed.has(key)]));
    expect(reported).toEqual(Object.fromEntries(DEPENDING.map((key) => [key, does(key, page)])));
  });

  test('with the digit of each column, also of a column hidden on a narrow screen', async () => {
    const { state, view } = await after(':evictions\r');
    const help = screenLines(reduce(state, { text: '?' }, view).state, view).join('\n');
    expect(help).toContain('1 WORKLOAD, 2 FROM, 3 TO, 4 AGE, 5 DEADLINE, 6 THEN, 7 STATE, 8 WAITS FOR');
    const narrow = { ...view, columns: 60 };
    const sorted = screenLines(reduce(state, { text: '3' }, narrow).state, narrow);
    expect(sorted.at(-1)).toMatch(/^Sorted by TO\. 1 WORKLOAD, 2 FROM, 3 TO, /);
  });

  test('and all keys on the page :help', async () => {
    const { state, view } = await after(':help\r');
    const lines = screenLines(state, view).join('\n');
    for (const key of ['H R X', 'C U', 'Space', 'm ', 'n N']) expect(lines).toContain(`  ${key}`);
  });
});

describe('the page of commands', () => {
  test('begins with the complete commands of the explanation', async () => {
    const { state, view } = await after(':workloads\r/ledger\r\rc');
    const [first] = screenLines(state, view).slice(3);
    expect(first).toMatch(/^▸ kubectl patch propagationpolicy ledger -n data --type merge -p$/);
  });

  test('copies the selected command, also after filtering', async () => {
    const { state, view } = await after(`:workloads\r\r${ESC}:evictions\rc/status\r`);
    const { effect } = reduce(state, { text: 'x' }, view);
    expect(effect).toEqual({ type: 'copy', text: expect.stringContaining('failover status') });
  });
});

describe('a what-if page', () => {
  test('separates the effect of the marks from changes that happen anyway', async () => {
    const { state, view } = await after('/tokyo\rw');
    const rows = screenLines(state, view).filter((line) => /^[▸ ] (shop|data)\//.test(line));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((line) => line.includes(' anyway '))).toBe(true);
  });

  test('lists effects of the marks first', async () => {
    const { state, view } = await after('/virginia\rw');
    const rows = screenLines(state, view).filter((line) => /^[▸ ] \S+\/\S+/.test(line));
    const anyway = rows.map((line) => line.includes(' anyway '));
    expect(anyway[0]).toBe(false);
    expect(anyway).toEqual(anyway.toSorted());
  });

  test('shows that an object opened from it has its current state', async () => {
    const { state, view } = await after('/virginia\rw\ry');
    expect(screenLines(state, view).at(-1)).toContain('the current object');
  });
});
