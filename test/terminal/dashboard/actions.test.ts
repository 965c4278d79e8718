import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Feed } from '../../../src/analysis/overview/feed.ts';
import { lineText } from '../../../src/presentation/text/renderText.ts';
import { lineWidth } from '../../../src/presentation/text/spans.ts';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import {
  type ActionRunner,
  createActions,
  type Actions,
} from '../../../src/terminal/dashboard/actions/actions.ts';
import { keysIn, type Key } from '../../../src/terminal/screen/keys.ts';
import { reduce } from '../../../src/terminal/dashboard/reduce.ts';
import {
  type Effect,
  firstState,
  pageShown,
  type DashboardState,
} from '../../../src/terminal/dashboard/state.ts';
import type { Action } from '../../../src/views/dashboard/actions/action.ts';
import type { ActionNews } from '../../../src/views/dashboard/actions/actionShown.ts';
import { placeKey } from '../../../src/views/dashboard/place.ts';
import { feedOf, viewOf } from './feeds.ts';
import { screenOf } from './screenOf.tsx';

let incident: Feed;
/** the same as if it were live */
let live: Feed;
beforeAll(async () => {
  ({ feed: incident } = await feedOf('examples/incident'));
  live = { ...incident, source: { ...incident.source!, live: true } };
});

interface Begun {
  action: Action;
  notify(news: ActionNews): void;
  calls: ('confirm' | 'stop' | 'kill')[];
}

/** A runner that only records its calls. */
function notingRunner(): { runner: ActionRunner; begun: Begun[] } {
  const begun: Begun[] = [];
  return {
    begun,
    runner: {
      begin(action, notify) {
        const one: Begun = { action, notify, calls: [] };
        begun.push(one);
        const note = (call: Begun['calls'][number]) => () => void one.calls.push(call);
        return { confirm: note('confirm'), stop: note('stop'), kill: note('kill') };
      },
    },
  };
}

const PLAN: ActionNews = {
  type: 'plan',
  blocks: [{ type: 'paragraph', words: 'oregon runs 4 workloads' }],
  question: 'Drain oregon? 4 workloads are evicted.',
};
const READ = (now: number): ActionNews => ({
  type: 'read',
  context: 'karmada',
  server: 'https://10.0.0.1:5443',
  now,
});

/** A dashboard without a terminal: keys change states, effects start actions. */
function dashboard(feed: Feed, runner?: ActionRunner, size = { columns: 100, rows: 24 }) {
  let state: DashboardState = firstState();
  const actions: Actions | undefined = runner && createActions(runner, () => undefined);
  const effects: Effect[] = [];
  const view = () =>
    viewOf(feed, size, { ...(actions && { actions: { known: actions.known(), next: actions.next() } }) });
  function press(key: Key): void {
    const reduced = reduce(state, key, view());
    ({ state } = reduced);
    const { effect } = reduced;
    if (effect) effects.push(effect);
    if (effect?.type === 'confirm') actions?.confirm(effect.place);
    if (effect?.type === 'stop') actions?.stop(effect.place);
    actions?.show(pageShown(state).place);
  }
  return {
    type: (keys: string) => keysIn(keys, true).keys.forEach(press),
    press,
    state: () => state,
    actions,
    effects,
    lines: () => screenOf(state, view()).map(({ line }) => lineText(line, plainStyle).trimEnd()),
    widths: () => screenOf(state, view()).map(({ line }) => lineWidth(line)),
  };
}

const ESC = '\u001b';

describe('a dashboard with actions enabled', () => {
  test('shows the plan of a drain with context and server, and asks for confirmation', () => {
    const { runner, begun } = notingRunner();
    const shown = dashboard(live, runner);
    shown.type('/oregon\rD');
    expect(begun.map(({ action }) => action)).toEqual([{ name: 'drain', cluster: 'oregon' }]);
    shown.type('\ry\r');
    expect(begun[0]!.calls).toEqual([]);
    begun[0]!.notify(READ(live.overview!.now - 3000));
    begun[0]!.notify(PLAN);
    expect(shown.lines()).toMatchSnapshot('the plan');
    shown.type('\ry');
    expect(shown.lines().at(-1)).toBe('context karmada: Drain oregon? 4 workloads are evicted. [y/N] y▏');
    expect(begun[0]!.calls).toEqual([]);
    shown.type('\r');
    expect(begun[0]!.calls).toEqual(['confirm']);
    begun[0]!.notify({ type: 'begun' });
    expect(shown.lines().join('\n')).toContain('Running.');
    expect(shown.lines()[1]).toContain('1 action running');
  });

  test.each(['n\r', '\r', 'yy\r', 'no\r', ESC])('treats the answer %j as no', (answer) => {
    const { runner, begun } = notingRunner();
    const shown = dashboard(live, runner);
    shown.type('/oregon\rD');
    begun[0]!.notify(PLAN);
    shown.type(`\r${answer}`);
    expect(begun[0]!.calls).toEqual([]);
  });

  test('executes an action only once, whatever is typed after the first yes', () => {
    const { runner, begun } = notingRunner();
    const shown = dashboard(live, runner);
    shown.type('/oregon\rD');
    begun[0]!.notify(PLAN);
    shown.type('\ry\r\ry\r');
    begun[0]!.notify({ type: 'begun' });
    shown.type('\ry\r');
    expect(begun[0]!.calls).toEqual(['confirm']);
  });

  test('discards the plan when its page is left, and creates a new plan on request', () => {
    const { runner, begun } = notingRunner();
    const shown = dashboard(live, runner);
    shown.type('/oregon\rD');
    begun[0]!.notify(PLAN);
    shown.type(ESC);
    expect(begun[0]!.calls).toEqual(['kill']);
    shown.type('[');
    expect(shown.lines().join('\n')).toContain('This plan was discarded.');
    shown.type('\ry\r');
    expect(begun[0]!.calls).toEqual(['kill']);
    shown.type(`${ESC}D`);
    expect(begun).toHaveLength(2);
  });

  test('keeps a plan that changed after the confirmation, and executes it only after another one', () => {
    const { runner, begun } = notingRunner();
    const shown = dashboard(live, runner);
    shown.type('/oregon\rD');
    begun[0]!.notify(PLAN);
    shown.type(`\ry\r${ESC}`);
    begun[0]!.notify({
      type: 'plan',
      blocks: [],
      question: 'Drain oregon? 3 workloads are evicted.',
      changes: ['Cluster dublin: labels'],
    });
    shown.type(':actions\r');
    expect(begun[0]!.calls).toEqual(['confirm']);
    expect(shown.lines().join('\n')).toContain('▸ planned   drain oregon');
    shown.type('\r');
    expect(shown.lines().join('\n')).toContain('The state has changed since you confirmed.');
    shown.type('\ry\r');
    expect(begun[0]!.calls).toEqual(['confirm', 'confirm']);
  });

  test('continues an action while other pages are shown, lists it, and stops it with s', () => {
    const { runner, begun } = notingRunner();
    const shown = dashboard(live, runner);
    shown.type('/oregon\rD');
    begun[0]!.notify(PLAN);
    shown.type('\ry\r');
    begun[0]!.notify({ type: 'begun' });
    shown.type(`${ESC}:actions\r`);
    expect(begun[0]!.calls).toEqual(['confirm']);
    expect(shown.lines().join('\n')).toContain('▸ running   drain oregon');
    shown.type('\rs');
    expect(begun[0]!.calls).toEqual(['confirm', 'stop']);
    begun[0]!.notify({
      type: 'ended',
      outcome: 'not-finished',
      blocks: [],
      next: [['To resume', ['drain', 'oregon']]],
    });
    expect(shown.lines().join('\n')).toMatch(/Not finished\.[^]*To resume:[^]*karmada-failover drain oregon/);
  });

  test('when closed, stops running actions, starts no others, waits for their end, and returns unfinished ones', async () => {
    const { runner, begun } = notingRunner();
    const shown = dashboard(live, runner);
    shown.type('/oregon\rD');
    begun[0]!.notify(PLAN);
    shown.type('\ry\r');
    const closed = shown.actions!.close();
    expect(begun[0]!.calls).toEqual(['confirm', 'stop']);
    shown.type(`${ESC}C`);
    expect(begun).toHaveLength(1);
    begun[0]!.notify({ type: 'ended', outcome: 'not-finished', blocks: [] });
    expect(await closed).toEqual([{ name: 'drain', cluster: 'oregon' }]);
  });

  test('lists the actions for an eviction, a cluster or a drain', () => {
    const { runner, begun } = notingRunner();
    const shown = dashboard(live, runner);
    shown.type(':evictions\r/queue\ra');
    expect(shown.lines().slice(3, 7)).toMatchSnapshot();
    shown.type('jj\r');
    expect(begun.map(({ action }) => action)).toEqual([
      { name: 'cancel', workload: 'data/deployment/queue', from: 'oregon' },
    ]);
  });

  test.each([
    ['/oregon\rC', { name: 'cordon', cluster: 'oregon' }],
    ['/oregon\rU', { name: 'uncordon', cluster: 'oregon' }],
    ['/oregon\rB', { name: 'take-back', clusters: ['oregon'] }],
    [':evictions\r/queue\rH', { name: 'hold', workload: 'data/deployment/queue', from: 'oregon' }],
    [':w\r/queue\rR', { name: 'release', workload: 'data/deployment/queue', from: 'oregon' }],
    [':w\r/queue\r\rX', { name: 'cancel', workload: 'data/deployment/queue', from: 'oregon' }],
    ['Apolicy.yaml\r', { name: 'apply-policies', file: 'policy.yaml' }],
  ])('shows a plan first for the keys %j', (keys, action) => {
    const { runner, begun } = notingRunner();
    dashboard(live, runner).type(keys);
    expect(begun).toEqual([expect.objectContaining({ action, calls: [] })]);
  });

  test('explains a key that the selected item does not support', () => {
    const { runner, begun } = notingRunner();
    const shown = dashboard(live, runner);
    shown.type(':w\r/cart\rH');
    expect(shown.lines().at(-1)).toBe('H holds an eviction, of a workload that is being evicted.');
    shown.type(':w\rD');
    expect(shown.lines().at(-1)).toBe('D drains a cluster, in the list of clusters.');
    expect(begun).toEqual([]);
  });
});

test('what-if pages offer no actions', () => {
  const { runner, begun } = notingRunner();
  const shown = dashboard(live, runner);
  shown.type('/oregon\rwaDCHRX');
  expect(begun).toEqual([]);
  expect(pageShown(shown.state()).place.view).toBe('tomorrow');
});

describe('a dashboard without actions enabled', () => {
  test('names the flag that enables them, and shows the command to copy', () => {
    const shown = dashboard(live);
    shown.type('/oregon\rD');
    expect(shown.lines()).toMatchSnapshot();
    shown.type('x');
    expect(shown.effects).toEqual([
      { type: 'copy', text: 'kubectl karmada-failover drain oregon --state examples/shop' },
    ]);
    shown.type('c');
    expect(shown.lines().join('\n')).toContain('▸ kubectl karmada-failover drain oregon');
  });

  test('shows the command to plan on a captured state', () => {
    const shown = dashboard(incident);
    shown.type('/oregon\rD');
    expect(shown.lines().at(-2)).toContain('drain oregon --dry-run=client --state');
    expect(shown.lines().join('\n')).toContain('this is a captured state, not a live control plane');
    shown.type(`${ESC}C`);
    expect(shown.lines().at(-2)).toBe('');
  });
});

const KEYS: Key[] = [
  ...['up', 'down', 'enter', 'escape', 'tab', 'backspace', 'home'].map((name) => ({ name }) as Key),
  ...[...'aADBCUHRXsyes:wcnm[]jq0123'].map((text) => ({ text })),
];
const keys = fc.array(fc.constantFrom(...KEYS), { maxLength: 80 });

test('for any keys, nothing is confirmed without the flag', () => {
  fc.assert(
    fc.property(keys, (typed) => {
      const shown = dashboard(live);
      typed.forEach(shown.press);
      expect(shown.effects.filter(({ type }) => type === 'confirm')).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

/** Keys that include whole answers to whatever a key starts: random keys rarely confirm. */
const keysAndAnswers = fc
  .array(
    fc.oneof(
      { arbitrary: fc.constantFrom(...KEYS).map((key) => [key]), weight: 4 },
      { arbitrary: fc.constantFrom('D\ry\r', 'C\ry\r', '\ryes\r', '\rn\r').map(typedKeys), weight: 1 },
    ),
    { maxLength: 60 },
  )
  .map((some) => some.flat());

function typedKeys(text: string): readonly Key[] {
  return keysIn(text, true).keys;
}

test('for any keys, an action is executed only on the page of its plan, after a y', () => {
  let carriedOut = 0;
  fc.assert(
    fc.property(keysAndAnswers, fc.boolean(), (typed, answers) => {
      const { runner, begun } = notingRunner();
      const planning: ActionRunner = {
        begin(action, notify) {
          const one = runner.begin(action, notify);
          if (answers) queue.push(() => notify(PLAN));
          return one;
        },
      };
      const queue: (() => void)[] = [];
      const shown = dashboard(live, planning, { columns: 60, rows: 15 });
      for (const [at, key] of typed.entries()) {
        const before = begun.flatMap(({ calls }) => calls).filter((call) => call === 'confirm').length;
        const { input, trail } = shown.state();
        shown.press(key);
        const after = begun.flatMap(({ calls }) => calls).filter((call) => call === 'confirm').length;
        if (after > before) {
          carriedOut++;
          expect(input?.purpose).toBe('confirm');
          expect(['y', 'yes']).toContain(input?.text.trim());
          expect(typed[at]).toEqual({ name: 'enter' });
          expect(shown.actions!.known().get(placeKey(trail.at(-1)!.place))?.plan).toBeDefined();
        }
        queue.splice(0).forEach((notify) => notify());
      }
      for (const width of shown.widths()) expect(width).toBeLessThanOrEqual(60);
      if (!answers) expect(begun.flatMap(({ calls }) => calls)).not.toContain('confirm');
    }),
    { numRuns: 100, examples: [[[...typedKeys('D\ry\r')], true]] },
  );
  expect(carriedOut).toBeGreaterThan(0);
});
