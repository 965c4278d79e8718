import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Feed } from '../../../src/analysis/overview/feed.ts';
import { colourStyle, plainStyle } from '../../../src/presentation/text/style.ts';
import { type DashboardFeed } from '../../../src/terminal/dashboard/answers.ts';
import { screenTexts } from '../../../src/terminal/screen/screenLine.ts';
import { keysIn } from '../../../src/terminal/screen/keys.ts';
import { reduce } from '../../../src/terminal/dashboard/reduce.ts';
import { firstState, pageShown, type DashboardState } from '../../../src/terminal/dashboard/state.ts';
import { passed } from '../../../src/terminal/dashboard/reduce/replaying.ts';
import type { Answered } from '../../../src/views/dashboard/answered.ts';
import { placeKey, type Place } from '../../../src/views/dashboard/place.ts';
import { NOTHING, type WhatIf } from '../../../src/views/dashboard/whatIf.ts';
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
const failing = (...names: string[]): WhatIf => ({ ...NOTHING, failing: names });
const placesOf = ({ trail }: DashboardState) => trail.map(({ place }) => place.view);

describe('given a settled control plane', () => {
  test('the first screen says whether failover is on, and how the clusters are', async () => {
    const { lines } = await typed('', { columns: 120, rows: 14 });
    expect(lines).toMatchSnapshot();
  });

  test.each([
    [60, 15],
    [80, 24],
    [200, 60],
  ])('the workloads with their verdicts on %s × %s', async (columns, rows) => {
    const { lines } = await typed(':workloads\r', { columns, rows });
    expect(lines).toMatchSnapshot();
  });

  test('Enter leads from a cluster to its workloads, an explanation, its evidence, and the field that was read', async () => {
    const { state } = await typed('/frank\r\r/ledger\r\r\r/not dublin\r\r');
    expect(placesOf(state)).toEqual(['clusters', 'workloads', 'workload', 'evidence', 'object']);
    expect(pageShown(state).place).toMatchObject({
      object: { kind: 'ResourceBinding', name: 'ledger-statefulset' },
      field: expect.stringMatching(/^spec\.placement/),
    });
  });

  test('Esc leads back, and [ and ] through the history', async () => {
    const { state } = await typed(`${ESC}[B\r\r${ESC}${ESC}`);
    expect(placesOf(state)).toEqual(['clusters']);
    expect(placesOf((await typed(`\r\r${ESC}${ESC}[`)).state)).toEqual(['clusters', 'workloads']);
    expect(placesOf((await typed(`\r\r${ESC}${ESC}[[]`)).state)).toEqual(['clusters', 'workloads']);
  });

  test('what is chosen stays chosen when a filter lets others in before it', async () => {
    const { lines } = await typed(`:w\r/cart|search\r${ESC}[B/${'\u0015'}`);
    expect(lines.find((line) => line.startsWith('▸'))).toContain('shop/deploy/');
  });

  test('a column sorts both ways', async () => {
    const order = async (keys: string) =>
      (await typed(keys, { columns: 120, rows: 14 })).lines
        .slice(4, 9)
        .map((line) => line.slice(2).split(' ')[0]);
    expect(await order('1')).toEqual(['dublin', 'frankfurt', 'oregon', 'tokyo', 'virginia']);
    expect(await order('11')).toEqual(['virginia', 'tokyo', 'oregon', 'frankfurt', 'dublin']);
    expect((await order('6'))[0]).toBe('frankfurt');
  });

  test('a namespace leaves out the workloads of the others', async () => {
    const { lines } = await typed(':w\rndata\r', { columns: 100, rows: 24 });
    const rows = lines.slice(4, 18).filter((line) => line !== '');
    expect(rows).toHaveLength(5);
    expect(rows.every((line) => line.includes(' data/') || line.startsWith('▸ data/'))).toBe(true);
  });

  test.each([
    [':w\rnnowhere\r', 'There are no workloads in namespace nowhere; N shows all.'],
    [':evictions\rnnowhere\r', 'No evictions are in flight in namespace nowhere; N shows all.'],
    ['wnnowhere\r', 'Nothing changes in namespace nowhere; N shows all.'],
  ])(
    '%j: a list that is empty in a namespace says which, because it may be misspelled',
    async (keys, none) => {
      expect((await typed(keys)).lines).toContain(none);
    },
  );

  test.each([
    [':', 'clusters evictions workloads events', 80],
    ['/', 'regular expression; ! leaves out', 80],
    ['t', 'KEY[=VALUE]:NoSchedule|NoExecute', 60],
  ])('%j says what can be typed, as far as the width allows', async (key, hint, columns) => {
    expect((await typed(key, { columns, rows: 24 })).lines.at(-1)).toContain(hint);
  });

  test('a text has no filter, and says so', async () => {
    expect((await typed('?/cart')).lines.at(-1)).toContain('only lists are filtered');
  });

  test('PgDn is offered while a text continues below the screen', async () => {
    const keys = async (typing: string) => (await typed(typing)).lines.at(-1);
    expect(await keys('?')).toMatch(/^PgDn more/);
    expect(await keys('?G')).toMatch(/^Esc back/);
  });

  test('each page names the command that shows the same, and keeps it to be copied', async () => {
    const { lines, effects } = await typed(':w\r/cart\r\rx', { columns: 120, rows: 24 });
    const command = 'kubectl karmada-failover failover explain shop/deployment/cart --state examples/shop';
    expect(lines.at(-2)).toBe(`$ ${command}`);
    expect(effects).toEqual([{ type: 'copy', text: command }]);
    const { lines: page } = await typed(':w\r/cart\r\rc', { columns: 120, rows: 24 });
    expect(page.join('\n')).toContain(`▸ ${command}`);
  });

  test('the page of commands keeps its order while one goes through it', async () => {
    const { effects } = await typed(':evictions\r:w\r/cart\r\rcjjx', { columns: 120, rows: 24 });
    expect(effects).toEqual([
      { type: 'copy', text: 'kubectl karmada-failover eviction inspect --state examples/shop' },
    ]);
  });

  test(':policies lists those that taint and those that propagate; Enter shows one', async () => {
    const { state } = await typed(':policies\r/PropagationPolicy shop.cart\r\r');
    const object = { kind: 'PropagationPolicy', namespace: 'shop', name: 'cart' };
    expect(pageShown(state).place).toEqual({ view: 'object', object });
  });

  test('an unknown view is said to be one', async () => {
    expect((await typed(':nowhere\r')).lines.at(-1)).toBe('There is no view "nowhere"; ? lists them.');
  });

  test('q leaves, Ctrl-C interrupts, Ctrl-Z suspends, also while something is typed', async () => {
    expect((await typed('q')).effects).toEqual([{ type: 'quit' }]);
    expect((await typed('/q\u001a\u0003')).effects).toEqual([
      { type: 'suspend' },
      { type: 'quit', interrupted: true },
    ]);
  });
});

describe('what if', () => {
  test('marked clusters fail together, and what changes stands beside today, worst first', async () => {
    const { lines, state } = await typed('/frank\rm/\u0015virg\rmw', { columns: 140, rows: 24 });
    expect(pageShown(state).place).toEqual({ view: 'tomorrow', whatIf: failing('frankfurt', 'virginia') });
    expect(lines).toMatchSnapshot();
  });

  test('without marks the chosen cluster fails; M marks its region, and takes the marks away again', async () => {
    expect(pageShown((await typed('/dublin\rw')).state).place).toEqual({
      view: 'tomorrow',
      whatIf: failing('dublin'),
    });
    expect((await typed('/dublin\rM')).state.marks).toEqual(failing('dublin', 'frankfurt'));
    expect((await typed('/dublin\rMM')).state.marks).toEqual(NOTHING);
  });

  test('it can be replayed: step by step, to the next eviction, and Enter reports why', async () => {
    const { lines, state } = await typed('/frank\rwr>', { columns: 120, rows: 14 });
    expect(lines).toMatchSnapshot();
    expect(placesOf(state)).toEqual(['clusters', 'tomorrow', 'replay']);
    const { state: why } = await typed('/frank\rwr>\r');
    expect(pageShown(why).place).toMatchObject({ view: 'workload', ifFails: ['frankfurt'] });
  });

  test('it plays on its own, at the chosen speed, until the end', async () => {
    const place = { view: 'replay', whatIf: failing('frankfurt') } as const;
    const answer = await source.ask(place);
    const view = viewOf(shop, { columns: 80, rows: 24 }, { answers: new Map([[placeKey(place), answer]]) });
    if (answer.type !== 'steps') throw new Error('no steps');
    let state = firstState(place);
    for (const key of keysIn(' ++', true).keys) ({ state } = reduce(state, key, view));
    expect(state.playing).toEqual({ at: answer.start, speed: 64 });
    state = passed(state, 1000, view);
    expect(answer.steps[pageShown(state).line]!.time).toBeLessThanOrEqual(answer.start + 64_000);
    expect(answer.steps[pageShown(state).line + 1]!.time).toBeGreaterThan(answer.start + 64_000);
    state = passed(state, 60_000, view);
    expect(state.playing).toBeUndefined();
    expect(pageShown(state).line).toBe(answer.steps.length - 1);
  });

  test('marked clusters get a taint instead of failing, as --taint adds it, and a workload reports its steps', async () => {
    const { lines, state } = await typed('/frank\rmtmaintenance:NoExecute\rw', { columns: 140, rows: 12 });
    const mark = { cluster: 'frankfurt', taint: { key: 'maintenance', effect: 'NoExecute' } };
    expect(pageShown(state).place).toEqual({ view: 'tomorrow', whatIf: { ...NOTHING, taints: [mark] } });
    expect(lines).toMatchSnapshot();
    const why = await typed('/frank\rmtmaintenance:NoExecute\rw\r', { columns: 140, rows: 30 });
    expect(pageShown(why.state).place).toMatchObject({
      view: 'fate',
      key: 'data/ledger-statefulset',
    });
    expect(why.lines).toMatchSnapshot();
  });

  test('a - removes a taint, the same taint again removes the mark, and W all marks', async () => {
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
  ])('%j is answered', async (keys, answer) => {
    expect((await typed(keys, { columns: 120, rows: 12 })).lines.at(-1)).toBe(answer);
  });

  test.each([
    ['nonsense', 'add : and an effect, such as :NoExecute'],
    ['maintenance=x:NoExcute', '"NoExcute" is no effect: NoSchedule, NoExecute, PreferNoExecute'],
    ['maintenance:', 'add an effect: NoSchedule, NoExecute, PreferNoExecute'],
    ['=x:NoExecute', 'begin with the key of the taint'],
    ['a=b=c:NoExecute', 'only one = between key and value'],
    ['a:NoExecute:NoSchedule', 'only one : before the effect'],
  ])('a taint %j stays to be mended, with what is wrong', async (text, problem) => {
    const size = { columns: 120, rows: 12 };
    const [last] = (await typed(`t${text}\r`, size)).lines.slice(-1);
    expect(last).toMatch(new RegExp(`^taint: ${text}.* ${problem}$`));
    const { lines, state } = await typed(`t${text}\r\u0015maintenance=x:NoExecute\r`, size);
    expect(state.marks.taints).toHaveLength(1);
    expect(lines.at(-1)).not.toContain('taint:');
  });

  test('evidence is wrapped, and all of the chosen one is visible', async () => {
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
  ])('the steps of a replay name their objects on %s columns', async (columns, named) => {
    const { lines } = await typed('/frank\rmr', { columns, rows: 20 });
    expect(lines.join('\n')).toContain(named);
  });

  test('a text that is longer than the line shows its end, and one that is too long says so', async () => {
    const size = { columns: 60, rows: 12 };
    const { lines } = await typed(`/${'a'.repeat(100)}the-end`, size);
    expect(lines.at(-1)).toMatch(/^\/…a+the-end▏$/);
    const tooLong = await typed(`/${'a'.repeat(1001)}`, size);
    expect(tooLong.lines.at(-1)).toContain('no more than 1000');
  });

  test('a taint that Karmada refuses is refused in its words', async () => {
    const { lines } = await typed('/frank\rtmaintenance:PreferNoExecute\rw', { columns: 140, rows: 12 });
    expect(lines.join('\n')).toContain('PreferNoExecute');
    expect(lines).toMatchSnapshot();
  });

  test('a replay stops when somebody leaves it', async () => {
    expect((await typed(`/frank\rwr ${ESC}`)).state.playing).toBeUndefined();
  });
});

test('given an incident, the evictions come with a bar to their deadlines, worst first', () => {
  const state = reduceAll(firstState(), ':evictions\r', incident);
  const view = viewOf(incident, { columns: 160, rows: 12 });
  expect(screenLines(state, view)).toMatchSnapshot();
});

function reduceAll(first: DashboardState, keys: string, feed: Feed, size = { columns: 80, rows: 24 }) {
  return keysIn(keys, true).keys.reduce((state, key) => reduce(state, key, viewOf(feed, size)).state, first);
}

test('the chosen line is inverted if there are colours, and has its mark without them too', () => {
  const lines = screenOf(firstState(), viewOf(shop, { columns: 60, rows: 12 }));
  const coloured = screenTexts(lines, colourStyle, true).join('\n');
  expect(coloured).toContain(`${ESC}[7m▸ oregon`);
  const plain = screenTexts(lines, plainStyle, false).join('\n');
  expect(plain).toContain('▸ oregon');
  expect(plain).not.toContain(ESC);
});
