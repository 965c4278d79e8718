import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Feed } from '../../../src/analysis/overview/feed.ts';
import { colourStyle, plainStyle } from '../../../src/presentation/text/style.ts';
import { type DashboardFeed } from '../../../src/terminal/dashboard/answers.ts';
import { screenTexts } from '../../../src/terminal/screen/screenLine.ts';
import { keysIn } from '../../../src/terminal/screen/keys.ts';
import { reduce } from '../../../src/terminal/dashboard/reduce.ts';
import { firstState, pageShown, type DashboardState } from '../../../src/terminal/dashboard/state.ts';
import { advanceReplay } from '../../../src/terminal/dashboard/reduce/replaying.ts';
import type { Answered } from '../../../src/views/dashboard/answered.ts';
import { placeKey, type Place } from '../../../src/views/dashboard/place.ts';
import { NO_CHANGES, type WhatIf } from '../../../src/views/dashboard/whatIf.ts';
import { feedOf, viewOf } from './feeds.ts';
import { screenLines, typedKeys } from './typed.ts';
import { screenOf } from './screenOf.tsx';

let shop: Feed;
let incident: Feed;
let source: DashboardFeed;
beforeAll(async () => {
  ({ feed: shop, source } = await feedOf('examples/shop'));
  ({ feed: incident } = await feedOf('examples/incident'));
});

const ESC = '\u001b';

/** Types keys, and returns the screen. */
async function typed(keys: string, size = { columns: 80, rows: 24 }) {
  const ask = (place: Place) => source.ask(place).catch(failedAnswer);
  const { state, view, effects } = await typedKeys({ feed: shop, source: { ask } }, keys, size);
  return { lines: screenLines(state, view), state, effects };
}

const failedAnswer = (error: unknown): Answered => ({ type: 'failed', why: (error as Error).message });
const failing = (...names: string[]): WhatIf => ({ ...NO_CHANGES, failing: names });
const placesOf = ({ trail }: DashboardState) => trail.map(({ place }) => place.view);

describe('given a settled control plane', () => {
  test('the first screen shows whether failover is enabled, and the state of the clusters', async () => {
    const { lines } = await typed('', { columns: 120, rows: 14 });
    expect(lines).toMatchSnapshot();
  });

  test.each([
    [60, 15],
    [80, 24],
    [200, 60],
  ])(':workloads lists workloads with their verdicts on %s × %s', async (columns, rows) => {
    const { lines } = await typed(':workloads\r', { columns, rows });
    expect(lines).toMatchSnapshot();
  });

  test('Enter opens the workloads of a cluster, then an explanation, its evidence, and the field', async () => {
    const { state } = await typed('/frank\r\r/ledger\r\r\r/not dublin\r\r');
    expect(placesOf(state)).toEqual(['clusters', 'workloads', 'workload', 'evidence', 'object']);
    expect(pageShown(state).place).toMatchObject({
      object: { kind: 'ResourceBinding', name: 'ledger-statefulset' },
      field: expect.stringMatching(/^spec\.placement/),
    });
  });

  test('Esc returns, and [ and ] move through the history', async () => {
    const { state } = await typed(`${ESC}[B\r\r${ESC}${ESC}`);
    expect(placesOf(state)).toEqual(['clusters']);
    expect(placesOf((await typed(`\r\r${ESC}${ESC}[`)).state)).toEqual(['clusters', 'workloads']);
    expect(placesOf((await typed(`\r\r${ESC}${ESC}[[]`)).state)).toEqual(['clusters', 'workloads']);
  });

  test('the selection stays on its item when a filter adds items before it', async () => {
    const { lines } = await typed(`:w\r/cart|search\r${ESC}[B/${'\u0015'}`);
    expect(lines.find((line) => line.startsWith('▸'))).toContain('shop/deploy/');
  });

  test('a column sorts in both directions', async () => {
    const order = async (keys: string) =>
      (await typed(keys, { columns: 120, rows: 14 })).lines
        .slice(4, 9)
        .map((line) => line.slice(2).split(' ')[0]);
    expect(await order('1')).toEqual(['dublin', 'frankfurt', 'oregon', 'tokyo', 'virginia']);
    expect(await order('11')).toEqual(['virginia', 'tokyo', 'oregon', 'frankfurt', 'dublin']);
    expect((await order('6'))[0]).toBe('frankfurt');
  });

  test('a namespace hides workloads of other namespaces', async () => {
    const { lines } = await typed(':w\rndata\r', { columns: 100, rows: 24 });
    const rows = lines.slice(4, 18).filter((line) => line !== '');
    expect(rows).toHaveLength(5);
    expect(rows.every((line) => line.includes(' data/') || line.startsWith('▸ data/'))).toBe(true);
  });

  test.each([
    [':w\rnnowhere\r', 'There are no workloads in namespace nowhere; N shows all.'],
    [':evictions\rnnowhere\r', 'No evictions are in flight in namespace nowhere; N shows all.'],
    ['wnnowhere\r', 'Nothing changes in namespace nowhere; N shows all.'],
  ])('%j: an empty list names its namespace, which may be misspelled', async (keys, none) => {
    expect((await typed(keys)).lines).toContain(none);
  });

  test.each([
    [':', 'clusters evictions workloads events', 80],
    ['/', 'regular expression; ! leaves out', 80],
    ['t', 'KEY[=VALUE]:NoSchedule|NoExecute', 60],
  ])('%j shows an input hint that fits the width', async (key, hint, columns) => {
    expect((await typed(key, { columns, rows: 24 })).lines.at(-1)).toContain(hint);
  });

  test('/ on a page of text reports that only lists have filters', async () => {
    expect((await typed('?/cart')).lines.at(-1)).toContain('only lists are filtered');
  });

  test('PgDn is offered while a text continues below the screen', async () => {
    const keys = async (typing: string) => (await typed(typing)).lines.at(-1);
    expect(await keys('?')).toMatch(/^PgDn more/);
    expect(await keys('?G')).toMatch(/^Esc back/);
  });

  test('each page shows its equivalent command, and can copy it', async () => {
    const { lines, effects } = await typed(':w\r/cart\r\rx', { columns: 120, rows: 24 });
    const command = 'kubectl karmada-failover failover explain shop/deployment/cart --state examples/shop';
    expect(lines.at(-2)).toBe(`$ ${command}`);
    expect(effects).toEqual([{ type: 'copy', text: command }]);
    const { lines: page } = await typed(':w\r/cart\r\rc', { columns: 120, rows: 24 });
    expect(page.join('\n')).toContain(`▸ ${command}`);
  });

  test('the page of commands keeps its order during navigation', async () => {
    const { effects } = await typed(':evictions\r:w\r/cart\r\rcjjx', { columns: 120, rows: 24 });
    expect(effects).toEqual([
      { type: 'copy', text: 'kubectl karmada-failover eviction inspect --state examples/shop' },
    ]);
  });

  test(':policies lists taint policies and propagation policies; Enter opens one', async () => {
    const { state } = await typed(':policies\r/PropagationPolicy shop.cart\r\r');
    const object = { kind: 'PropagationPolicy', namespace: 'shop', name: 'cart' };
    expect(pageShown(state).place).toEqual({ view: 'object', object });
  });

  test('an unknown view is reported', async () => {
    expect((await typed(':nowhere\r')).lines.at(-1)).toBe('There is no view "nowhere"; ? lists them.');
  });

  test('q quits, Ctrl-C interrupts and Ctrl-Z suspends, also during input', async () => {
    expect((await typed('q')).effects).toEqual([{ type: 'quit' }]);
    expect((await typed('/q\u001a\u0003')).effects).toEqual([
      { type: 'suspend' },
      { type: 'quit', interrupted: true },
    ]);
  });
});

describe('a what-if', () => {
  test('fails the marked clusters together, and compares the outcome with the present, worst first', async () => {
    const { lines, state } = await typed('/frank\rm/\u0015virg\rmw', { columns: 140, rows: 24 });
    expect(pageShown(state).place).toEqual({ view: 'tomorrow', whatIf: failing('frankfurt', 'virginia') });
    expect(lines).toMatchSnapshot();
  });

  test('fails the selected cluster if there are no marks; M marks or unmarks its region', async () => {
    expect(pageShown((await typed('/dublin\rw')).state).place).toEqual({
      view: 'tomorrow',
      whatIf: failing('dublin'),
    });
    expect((await typed('/dublin\rM')).state.marks).toEqual(failing('dublin', 'frankfurt'));
    expect((await typed('/dublin\rMM')).state.marks).toEqual(NO_CHANGES);
  });

  test('can be replayed step by step or by eviction, and Enter explains the step', async () => {
    const { lines, state } = await typed('/frank\rwr>', { columns: 120, rows: 14 });
    expect(lines).toMatchSnapshot();
    expect(placesOf(state)).toEqual(['clusters', 'tomorrow', 'replay']);
    const { state: why } = await typed('/frank\rwr>\r');
    expect(pageShown(why).place).toMatchObject({ view: 'workload', ifFails: ['frankfurt'] });
  });

  test('plays at the selected speed until the end', async () => {
    const place = { view: 'replay', whatIf: failing('frankfurt') } as const;
    const answer = await source.ask(place);
    const view = viewOf(shop, { columns: 80, rows: 24 }, { answers: new Map([[placeKey(place), answer]]) });
    if (answer.type !== 'steps') throw new Error('no steps');
    let state = firstState(place);
    for (const key of keysIn(' ++', true).keys) ({ state } = reduce(state, key, view));
    expect(state.playing).toEqual({ at: answer.start, speed: 64 });
    state = advanceReplay(state, 1000, view);
    expect(answer.steps[pageShown(state).line]!.time).toBeLessThanOrEqual(answer.start + 64_000);
    expect(answer.steps[pageShown(state).line + 1]!.time).toBeGreaterThan(answer.start + 64_000);
    state = advanceReplay(state, 60_000, view);
    expect(state.playing).toBeUndefined();
    expect(pageShown(state).line).toBe(answer.steps.length - 1);
  });

  test('taints the marked clusters, as --taint does, and shows the steps of a workload', async () => {
    const { lines, state } = await typed('/frank\rmtmaintenance:NoExecute\rw', { columns: 140, rows: 12 });
    const mark = { cluster: 'frankfurt', taint: { key: 'maintenance', effect: 'NoExecute' } };
    expect(pageShown(state).place).toEqual({ view: 'tomorrow', whatIf: { ...NO_CHANGES, taints: [mark] } });
    expect(lines).toMatchSnapshot();
    const why = await typed('/frank\rmtmaintenance:NoExecute\rw\r', { columns: 140, rows: 30 });
    expect(pageShown(why.state).place).toMatchObject({
      view: 'fate',
      key: 'data/ledger-statefulset',
    });
    expect(why.lines).toMatchSnapshot();
  });

  test('removes a taint with -, a mark with the same taint again, and all marks with W', async () => {
    const taints = async (keys: string) => (await typed(`/dublin\r${keys}`)).state.marks.taints;
    expect(await taints('tmaintenance=x:NoSchedule-\r')).toEqual([
      { cluster: 'dublin', taint: { key: 'maintenance', value: 'x', effect: 'NoSchedule' }, removed: true },
    ]);
    const { lines } = await typed('/dublin\rtmaintenance=x:NoExecute\r', { columns: 200, rows: 24 });
    expect(lines.join('\n')).toMatch(/ \+maintenance=x:NoExecute/);
    expect(lines.join('\n')).not.toContain('none, +');
    // the last taint is suggested again
    expect(await taints('tmaintenance:NoExecute\rt\r')).toEqual([]);
    expect(await taints('tmaintenance:NoExecute\rW')).toEqual([]);
    expect(await taints('tmaintenance:NoExecute\rm')).toEqual([]);
  });

  test.each([
    [':w\rt', 't marks clusters for a taint, in the list of clusters.'],
    ['W', 'Nothing is marked.'],
  ])('explains why %j does nothing', async (keys, answer) => {
    expect((await typed(keys, { columns: 120, rows: 12 })).lines.at(-1)).toBe(answer);
  });

  test.each([
    ['nonsense', 'add : and an effect, such as :NoExecute'],
    ['maintenance=x:NoExcute', '"NoExcute" is not an effect: NoSchedule, NoExecute, PreferNoExecute'],
    ['maintenance:', 'add an effect: NoSchedule, NoExecute, PreferNoExecute'],
    ['=x:NoExecute', 'begin with the key of the taint'],
    ['a=b=c:NoExecute', 'only one = between key and value'],
    ['a:NoExecute:NoSchedule', 'only one : before the effect'],
  ])('keeps an invalid taint %j in the input, with the problem', async (text, problem) => {
    const size = { columns: 120, rows: 12 };
    const [last] = (await typed(`t${text}\r`, size)).lines.slice(-1);
    expect(last).toMatch(new RegExp(`^taint: ${text}.* ${problem}$`));
    const { lines, state } = await typed(`t${text}\r\u0015maintenance=x:NoExecute\r`, size);
    expect(state.marks.taints).toHaveLength(1);
    expect(lines.at(-1)).not.toContain('taint:');
  });

  test('wraps evidence, and shows the selected evidence in full', async () => {
    const { lines } = await typed(`:w\r/ledger\r\re${'j'.repeat(10)}`, { columns: 60, rows: 15 });
    const from = lines.findIndex((line) => line.startsWith('▸ not tokyo'));
    expect(lines.slice(from, -2).join(' ')).toMatch(
      /maintenance=kernel-upgrade:NoSchedule .*"timeAdded":.*\]$/,
    );
  });

  test.each([
    [200, 'ResourceBinding data/session-cache-statefulset'],
    [80, 's   data/session-cache-statefulset   '],
    [60, 's   data/session-cache-sta…  '],
  ])('names the objects of replayed steps on %s columns', async (columns, named) => {
    const { lines } = await typed('/frank\rmr', { columns, rows: 20 });
    expect(lines.join('\n')).toContain(named);
  });

  test('shows the end of an input that is longer than the line, and limits its length', async () => {
    const size = { columns: 60, rows: 12 };
    const { lines } = await typed(`/${'a'.repeat(100)}the-end`, size);
    expect(lines.at(-1)).toMatch(/^\/…a+the-end▏$/);
    const tooLong = await typed(`/${'a'.repeat(1001)}`, size);
    expect(tooLong.lines.at(-1)).toContain('at most 1000');
  });

  test("reports Karmada's own message for a taint that it refuses", async () => {
    const { lines } = await typed('/frank\rtmaintenance:PreferNoExecute\rw', { columns: 140, rows: 12 });
    expect(lines.join('\n')).toContain('PreferNoExecute');
    expect(lines).toMatchSnapshot();
  });

  test('stops a replay when its page is left', async () => {
    expect((await typed(`/frank\rwr ${ESC}`)).state.playing).toBeUndefined();
  });
});

test('given an incident, :evictions shows a bar until each deadline, worst first', () => {
  const state = reduceAll(firstState(), ':evictions\r', incident);
  const view = viewOf(incident, { columns: 160, rows: 12 });
  expect(screenLines(state, view)).toMatchSnapshot();
});

function reduceAll(first: DashboardState, keys: string, feed: Feed, size = { columns: 80, rows: 24 }) {
  return keysIn(keys, true).keys.reduce((state, key) => reduce(state, key, viewOf(feed, size)).state, first);
}

test('the selected line is inverted with colours, and has a mark in any case', () => {
  const lines = screenOf(firstState(), viewOf(shop, { columns: 60, rows: 12 }));
  const coloured = screenTexts(lines, colourStyle, true).join('\n');
  expect(coloured).toContain(`${ESC}[7m▸ oregon`);
  const plain = screenTexts(lines, plainStyle, false).join('\n');
  expect(plain).toContain('▸ oregon');
  expect(plain).not.toContain(ESC);
});
