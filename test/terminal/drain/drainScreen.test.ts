import { describe, expect, test } from '@jest/globals';
import { createElement } from 'react';
import type { DrainProgress } from '../../../src/analysis/drain/decide/drainStep.ts';
import { displayWidth } from '../../../src/presentation/text/displayWidth.ts';
import { lineText } from '../../../src/presentation/text/renderText.ts';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import { drainHead, type DrainView } from '../../../src/terminal/drain/drainHead.ts';
import { DRAIN_SECTIONS, drainScreen } from '../../../src/terminal/drain/drainScreen.ts';
import { browse, type BrowseEffect, firstBrowsing } from '../../../src/terminal/screen/browse/browsing.ts';
import { BrowseScreen } from '../../../src/terminal/screen/browse/BrowseScreen.tsx';
import { asciiCharacters, unicodeCharacters } from '../../../src/terminal/screen/characters.ts';
import { keysIn } from '../../../src/terminal/screen/keys.ts';
import { followPhases, type PhaseTimes } from '../../../src/views/drain/phases.ts';
import { withEvent, type DrainCause } from '../../../src/views/screen/drainCauses.ts';
import { eventsBetween, pausedPace, progressAfter, START } from '../../views/drain/scriptedDrain.ts';
import { Rows } from '../../../src/terminal/screen/Row.tsx';
import type { ScreenLine } from '../../../src/terminal/screen/screenLine.ts';
import { laidOut } from '../screen/laidOut.ts';

interface Looked {
  times: PhaseTimes;
  causes: readonly DrainCause[];
}
const looked = new Map<string, Looked>();

/** The observations of a drain, one per second. */
function lookedAt(seconds: number, count: number): Looked {
  const key = `${seconds}/${count}`;
  let seen = looked.get(key);
  if (!seen) {
    let times: PhaseTimes = new Map();
    let causes: readonly DrainCause[] = [];
    for (let second = 0; second <= seconds; second++) {
      const [before, now] = [progressAfter(second - 1, count), progressAfter(second, count)];
      times = followPhases(times, now);
      for (const event of eventsBetween(before, now)) causes = withEvent(causes, event, START);
    }
    looked.set(key, (seen = { times, causes }));
  }
  return seen;
}

function viewAfter(
  seconds: number,
  count: number,
  view: Partial<DrainView> = {},
  more: Partial<DrainProgress> = {},
): DrainView {
  return {
    progress: { ...progressAfter(seconds, count), ...more },
    times: lookedAt(seconds, count).times,
    departure: 37_000,
    characters: unicodeCharacters,
    state: 'going',
    columns: 80,
    ...view,
  };
}

const text = (lines: readonly ScreenLine[]) => lines.map(({ line }) => lineText(line, plainStyle).trimEnd());

function headAfter(...given: Parameters<typeof viewAfter>): string[] {
  const view = viewAfter(...given);
  const rows = drainHead(view);
  return text(laidOut(createElement(Rows, { rows }), { columns: view.columns, rows: rows.length }));
}

/** The screen after some keys, and their requests. */
function screenAfter(
  seconds: number,
  count: number,
  { columns = 80, rows = 24, keys = '', ...view }: Partial<DrainView> & { rows?: number; keys?: string } = {},
  more: Partial<DrainProgress> = {},
): { lines: string[]; effects: BrowseEffect[] } {
  const { causes } = lookedAt(seconds, count);
  const shown = drainScreen(viewAfter(seconds, count, { ...view, columns }, more), causes, { columns, rows });
  let state = firstBrowsing(DRAIN_SECTIONS.length);
  const effects: BrowseEffect[] = [];
  for (const key of keysIn(keys, true).keys) {
    const reduced = browse(state, key, shown);
    ({ state } = reduced);
    if (reduced.effect) effects.push(reduced.effect);
  }
  return { lines: text(laidOut(createElement(BrowseScreen, { state, view: shown }), shown)), effects };
}

describe('the progress of a drain', () => {
  test('shows the elapsed and remaining time, the counts, and the clock of the server', () => {
    expect(headAfter(29, 12)).toEqual([
      'Draining frankfurt   29s, about 30s left                          live 09:30:29Z',
      `${'░'.repeat(60)}   0 of 12 gone`,
      '12 starting',
    ]);
  });

  test('reduces the remaining time while the last copies leave, and omits it once the plan is exceeded', () => {
    const left = (seconds: number) => /left|$/.exec(headAfter(seconds, 12)[0]!) && headAfter(seconds, 12)[0];
    expect([23, 33, 43, 53, 59].map((seconds) => left(seconds)!.split('  ')[1]!.trim())).toEqual([
      '23s, about 35s left',
      '33s, about 25s left',
      '43s, about 15s left',
      '53s, about 5s left',
      '59s, about 5s left',
    ]);
    const late = { ...progressAfter(59, 12), now: progressAfter(61, 12).now };
    expect(headAfter(59, 12, { progress: late })[0]).toMatch(/^Draining frankfurt {3}1m1s {2,}live/);
  });

  test('shows why the pace is reduced, and then omits the remaining time', () => {
    const lines = headAfter(29, 40, {}, { pace: pausedPace });
    expect(lines[0]).toMatch(/^Draining frankfurt {3}29s {2,}live/);
    expect(lines.slice(-2)).toEqual([
      'Paused: 3 of 5 clusters are faulty (dublin, oregon, tokyo); evictions go on when',
      'they are Ready again',
    ]);
  });

  test('shows how long the server has been silent', () => {
    const { now } = progressAfter(29, 12);
    expect(headAfter(29, 12, {}, { staleSince: now - 8000 })[0]).toMatch(/no answer for 8s: may be stale$/);
  });

  test('after the first Ctrl-C, shows the effect of a second one', () => {
    expect(headAfter(29, 12, { state: 'stopping' })[1]).toBe(
      'Stopping after this write; Ctrl-C again ends at once.',
    );
  });

  test('shows only the final counts at the end', () => {
    expect(headAfter(80, 12, { state: 'ended' })).toEqual([
      'Drain of frankfurt   1m20s',
      `${'█'.repeat(55)}${'░'.repeat(5)}   11 of 12 gone`,
      '1 stuck',
    ]);
  });

  test('counts skipped workloads separately from drained ones', () => {
    const { workloads } = progressAfter(200, 60);
    const skipped = workloads.filter(({ phase }) => phase === 'skipped').length;
    expect(skipped).toBeGreaterThan(0);
    expect(headAfter(200, 60)[1]).toContain(`of ${60 - skipped} gone`);
  });

  test('shows 0 of 0 for a drain without workloads', () => {
    expect(headAfter(3, 0)[1]).toBe('0 of 0 gone');
  });
});

describe('the screen of a drain', () => {
  test('shows stuck workloads first, the longest waits before shorter ones, with destinations', () => {
    const { lines } = screenAfter(50, 214, { columns: 120 });
    expect(lines).toMatchSnapshot();
  });

  test('shows the most important lines on a narrow and low terminal, also in ASCII', () => {
    const { lines } = screenAfter(55, 214, { columns: 60, rows: 15, characters: asciiCharacters });
    expect(lines).toMatchSnapshot();
  });

  test('opens a workload with Enter, and lists skipped workloads and grouped events with Tab', () => {
    expect(screenAfter(50, 214, { keys: '\r' }).lines).toMatchSnapshot('a workload');
    expect(screenAfter(50, 214, { keys: '\t' }).lines).toMatchSnapshot('not leaving');
    expect(screenAfter(50, 214, { keys: '\t\t' }).lines).toMatchSnapshot('events');
    expect(screenAfter(50, 214, { keys: '\t\t/gone\r\r', rows: 15 }).lines).toMatchSnapshot('each time');
  });

  test('shows a bar until the deadline of an eviction that Karmada would end', () => {
    const { workloads } = progressAfter(29, 1);
    const [one] = workloads;
    const until = [{ ...one!, deadline: progressAfter(601, 1).now }];
    const shown = (timeoutAssumed: boolean, timedByFlag?: true) => {
      const workloads = until.map((one) => ({ ...one, ...(timedByFlag && { timedByFlag }) }));
      return screenAfter(29, 1, { timeoutAssumed }, { workloads }).lines.join('\n');
    };
    expect(shown(false, true)).toMatch(/░{10} 9m32s(?!\?)/);
    expect(shown(true)).toMatch(/░{10} 9m32s(?!\?)/);
    expect(shown(true, true)).toContain('░░░░░░░░░░ 9m32s?');
  });

  test('stops on Ctrl-C; q and s ask for confirmation first', () => {
    expect(screenAfter(29, 12, { keys: '\u0003' }).effects).toEqual([{ type: 'interrupt' }]);
    expect(screenAfter(29, 12, { keys: 'q' }).effects).toEqual([{ type: 'quit' }]);
    expect(screenAfter(29, 12, { keys: 's' }).effects).toEqual([{ type: 'key', text: 's' }]);
  });

  test('lists its keys with ?', () => {
    const { lines } = screenAfter(29, 12, { keys: '?' });
    expect(lines.join('\n')).toContain('stops between two writes; the same command resumes it later');
  });
});

const sizes = [10, 25, 40, 59, 60, 80, 99, 100, 200].flatMap((columns) =>
  [1, 3, 7, 8, 10, 15, 24, 50].map((rows) => ({ columns, rows })),
);
test.each(sizes)('on $columns×$rows, the screen fills every row within its width', ({ columns, rows }) => {
  const { now } = progressAfter(70, 214);
  for (const state of ['going', 'stopping'] as const)
    for (const more of [{}, { pace: pausedPace, staleSince: now - 3000 }])
      for (const keys of ['', '\r', '\t\t', '?', '/x']) {
        const { lines } = screenAfter(70, 214, { columns, rows, state, keys }, more);
        expect(lines).toHaveLength(rows);
        expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns);
      }
});
