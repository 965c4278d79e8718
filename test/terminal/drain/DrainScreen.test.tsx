import { describe, expect, test } from '@jest/globals';
import { renderToString } from 'ink';
import type { DrainProgress } from '../../../src/engine/drain/drainEvent.ts';
import { followPhases, type PhaseTimes } from '../../../src/views/drain/phaseTimes.ts';
import { displayWidth } from '../../../src/presentation/text/displayWidth.ts';
import { colourStyle, plainStyle, type Style } from '../../../src/presentation/text/style.ts';
import type { DrainView } from '../../../src/terminal/drain/drainFrame.ts';
import { DrainScreen } from '../../../src/terminal/drain/DrainScreen.tsx';
import { asciiBlocks, blocks } from '../../../src/terminal/screen/barCharacters.ts';
import { StyleContext } from '../../../src/terminal/screen/Lines.tsx';
import { pausedPace, progressAfter } from '../../views/drain/scriptedDrain.ts';

const DEPARTURE = 37_000;

const looked = new Map<string, PhaseTimes>();

/** Since when each workload is in its phase, of a drain that was looked at every second. */
function timesAfter(seconds: number, count: number): PhaseTimes {
  const key = `${seconds}/${count}`;
  let times = looked.get(key);
  if (!times) {
    times = new Map();
    for (let second = 0; second <= seconds; second++)
      times = followPhases(times, progressAfter(second, count));
    looked.set(key, times);
  }
  return times;
}

function frameAfter(
  seconds: number,
  count: number,
  view: Partial<DrainView> & { style?: Style },
  more: Partial<DrainProgress> = {},
): string[] {
  const { style = plainStyle, columns = 80, rows = 24 } = view;
  const screen = (
    <StyleContext value={style}>
      <DrainScreen
        progress={{ ...progressAfter(seconds, count), ...more }}
        times={timesAfter(seconds, count)}
        departure={DEPARTURE}
        characters={blocks}
        state="going"
        {...view}
        columns={columns}
        rows={rows}
      />
    </StyleContext>
  );
  return renderToString(screen, { columns })
    .split('\n')
    .map((line) => line.trimEnd());
}

describe('a terminal of 80 columns', () => {
  test('shows how far it is, how long it takes, and who is waited for and why', () => {
    expect(frameAfter(29, 12, {})).toEqual([
      'Draining frankfurt   29s, about 30s left',
      `${'▓'.repeat(60)}   0 of 12 gone`,
      '12 starting',
      '',
      'starting   27s   data/deployment/cart               2 of 2 replicas ready on du…',
      'starting   25s   shop/deployment/checkout           2 of 3 replicas ready on vi…',
      'starting   23s   shop/statefulset/search            2 of 4 replicas ready on or…',
      'starting   21s   data/configmap/recommendations     1 of 1 replicas ready on du…',
      'starting   19s   shop/deployment/ledger             1 of 6 replicas ready on vi…',
      'starting   17s   shop/deployment/storefront         1 of 2 replicas ready on or…',
      'starting   15s   data/statefulset/pricing           1 of 3 replicas ready on du…',
      'starting   13s   shop/configmap/session-cache       1 of 1 replicas ready on vi…',
      'starting   11s   shop/deployment/cart-1             1 of 5 replicas ready on or…',
      'starting   9s    data/deployment/checkout-1         0 of 6 replicas ready on du…',
      'starting   7s    shop/statefulset/search-1          0 of 2 replicas ready on vi…',
      'starting   5s    shop/configmap/recommendations-1   0 of 1 replicas ready on or…',
      '',
      'Ctrl-C stops between two writes; the same command goes on later.',
    ]);
  });

  test('promises less and less time while the last copies leave, and none once it takes longer than planned', () => {
    const headlines = [23, 33, 43, 53, 59].map((seconds) => frameAfter(seconds, 12, {})[0]);
    expect(headlines).toEqual([
      'Draining frankfurt   23s, about 35s left',
      'Draining frankfurt   33s, about 25s left',
      'Draining frankfurt   43s, about 15s left',
      'Draining frankfurt   53s, about 5s left',
      'Draining frankfurt   59s, about 5s left',
    ]);
    const late = { ...progressAfter(59, 12), now: progressAfter(61, 12).now };
    expect(frameAfter(59, 12, { progress: late })[0]).toBe('Draining frankfurt   1m1s');
  });

  test('shows what is stuck before what takes its time, and the longest before the shorter', () => {
    const [, , , , first = '', second = '', third = ''] = frameAfter(50, 214, {});
    expect(first).toMatch(/^stuck +18s +shop\/deployment\/storefront /);
    expect(second).toMatch(/^starting +30s/);
    expect(third).toMatch(/^starting +28s/);
  });

  test('counts what is not shown', () => {
    expect(frameAfter(60, 214, {}).at(-3)).toMatch(/^and \d+ more$/);
  });

  test('says why the pace is not the normal one, and then no time that is left', () => {
    const lines = frameAfter(29, 40, {}, { pace: pausedPace });
    expect(lines[0]).toBe('Draining frankfurt   29s');
    expect(lines.slice(3, 5)).toEqual([
      'Paused: 3 of 5 clusters are faulty (dublin, oregon, tokyo); evictions go on when',
      'they are Ready again',
    ]);
  });

  test('warns when it has not heard of the server', () => {
    const { now } = progressAfter(29, 12);
    expect(frameAfter(29, 12, {}, { staleSince: now - 8000 })[3]).toBe(
      'The server has been silent for 8s: this may be old.',
    );
  });

  test('says what a second Ctrl-C does once there was a first', () => {
    expect(frameAfter(29, 12, { state: 'stopping' }).at(-1)).toBe(
      'Stopping after this write; Ctrl-C again ends at once.',
    );
  });

  test('leaves the figures alone at the end', () => {
    expect(frameAfter(80, 12, { state: 'ended' })).toEqual([
      'Drain of frankfurt   1m20s',
      `${'█'.repeat(55)}${'▓'.repeat(5)}   11 of 12 gone`,
      '1 stuck',
    ]);
  });
});

test('a narrow and low terminal gets two lines for a workload, and the same facts', () => {
  expect(frameAfter(55, 214, { columns: 40, rows: 15, characters: asciiBlocks })).toEqual([
    'Draining frankfurt   55s, ~6m40s left',
    '#==.....................   8 of 210 gone',
    '183 queued, 1 scheduling, 14 starting,',
    '1 ready, 2 leaving, 1 stuck, 4 skipped,',
    '0.5 evictions/s',
    '',
    'stuck 23s shop/deployment/storefront',
    '  0 of 2 replicas ready on oregon: Imag…',
    'starting 29s data/deployment/ledger-1',
    '  2 of 4 replicas ready on dublin',
    'and 17 more',
    '',
    'Ctrl-C stops between two writes.',
  ]);
});

test('a wide one shows where each workload goes', () => {
  const lines = frameAfter(29, 12, { columns: 200, rows: 50 });
  expect(lines[4]).toBe(
    'starting   27s   data/deployment/cart               frankfurt×2 → dublin×2     2 of 2 replicas ready on dublin',
  );
});

const sizes = [10, 25, 40, 59, 60, 80, 99, 100, 200].flatMap((columns) =>
  [1, 3, 5, 6, 7, 8, 10, 15, 24, 50].map((rows) => ({ columns, rows })),
);
test.each(sizes)('never fills more than $columns×$rows', ({ columns, rows }) => {
  const { now } = progressAfter(70, 214);
  for (const state of ['going', 'stopping', 'ended'] as const)
    for (const more of [{}, { pace: pausedPace, staleSince: now - 3000 }]) {
      const lines = frameAfter(70, 214, { columns, rows, state }, more);
      expect(lines.length).toBeLessThanOrEqual(Math.max(3, rows - 2));
      expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns);
      // colours end on the line that they begin on
      for (const line of frameAfter(70, 214, { columns, rows, state, style: colourStyle }, more))
        // eslint-disable-next-line no-control-regex
        expect(line.match(/\u001b\[(\d+)m/g)?.at(-1) ?? '\u001b[39m').toMatch(/\[(22|39)m$/);
    }
});

test('what is skipped is counted apart from what is drained', () => {
  const { workloads } = progressAfter(200, 60);
  const skipped = workloads.filter(({ phase }) => phase === 'skipped').length;
  expect(skipped).toBeGreaterThan(0);
  expect(frameAfter(200, 60, {})[1]).toContain(`of ${60 - skipped} gone`);
});

test('a drain of nothing says so', () => {
  expect(frameAfter(3, 0, {}).slice(0, 2)).toEqual(['Draining frankfurt   3s', '0 of 0 gone']);
});
