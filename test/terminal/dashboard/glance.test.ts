import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Feed } from '../../../src/analysis/overview/feed.ts';
import { lineText } from '../../../src/presentation/text/renderText.ts';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import { keysIn } from '../../../src/terminal/screen/keys.ts';
import { reduce } from '../../../src/terminal/dashboard/reduce.ts';
import { firstState } from '../../../src/terminal/dashboard/state.ts';
import { feedOf, viewOf } from './feeds.ts';
import { screenOf } from './screenOf.tsx';

let incident: Feed;
beforeAll(async () => {
  ({ feed: incident } = await feedOf('examples/incident'));
});

function screen(feed: Feed, size: { columns: number; rows: number }, keys = ''): string[] {
  const view = viewOf(feed, size);
  let state = firstState();
  for (const key of keysIn(keys, true).keys) ({ state } = reduce(state, key, view));
  return screenOf(state, view).map(({ line }) => lineText(line, plainStyle).trimEnd());
}

/** The names of workloads in the section with this title. */
function rowsOf(lines: string[], title: string): string[] {
  const from = lines.findIndex((line) => line.startsWith(title) && / :[a-z]+$/.test(line));
  if (from === -1) return [];
  const rows = lines.slice(from + 2);
  return rows.slice(
    0,
    rows.findIndex((line) => line === '' || line.startsWith('$ ') || line.endsWith('──')),
  );
}

/** The incident with this many more clusters, all of them Ready. */
function withClusters(feed: Feed, more: number): Feed {
  const { overview } = feed;
  const { status } = overview!;
  const ready = status.clusters.find(({ name }) => name === 'dublin')!;
  const others = Array.from({ length: more }, (_, at) => ({ ...ready, name: `other-${at}` }));
  return {
    ...feed,
    overview: { ...overview!, status: { ...status, clusters: [...status.clusters, ...others] } },
  };
}

describe('given an incident, the first screen', () => {
  test.each([
    [80, 24],
    [120, 40],
  ])(
    'shows evictions, losses first, and workloads in trouble below the clusters on %s × %s',
    (columns, rows) => {
      const lines = screen(incident, { columns, rows });
      const evictions = rowsOf(lines, 'evictions');
      expect(evictions[0]).toMatch(/shop\/deploy\/recomm\S+ +frankfurt .* 8m37s +lost(\?| \(estimate\)) /);
      expect(evictions[1]).toMatch(/data\/sts\/ledger +frankfurt .* 8m37s +lost +stuck/);
      expect(rowsOf(lines, 'workloads in trouble')[0]).toMatch(
        /shop\/deploy\S+recomm\S+ +nowhere .* down: 0/,
      );
      expect(lines[1]).toMatch(/^4 workloads down[ ,]/);
    },
  );

  test('shows workloads in trouble before events, those without a ready replica first, and of them those on no cluster', () => {
    const lines = screen(incident, { columns: 120, rows: 60 });
    expect(rowsOf(lines, 'workloads in trouble')).toEqual([
      expect.stringMatching(/shop\/deployment\/recommendations +nowhere .* down: 0 of 6 ready/),
      expect.stringMatching(/data\/statefulset\/ledger +nowhere .* down: 0 of 3 ready/),
      expect.stringMatching(/shop\/deployment\/checkout .* down: 0 of 6 ready/),
      expect.stringMatching(/data\/statefulset\/session-cache .* down: 0 of 3 ready/),
      expect.stringMatching(/shop\/deployment\/pricing .* not rescheduled: Sc…/),
      expect.stringMatching(/data\/deployment\/archive .* frankfurt not ready/),
    ]);
    const at = (title: string) => lines.findIndex((line) => line.startsWith(title));
    expect(at('workloads in trouble')).toBeLessThan(at('events'));
    expect(rowsOf(lines, 'events')[0]).toContain('the deadline of 5 workloads');
  });

  test('shows at least one eviction and the number of all on 60 × 15', () => {
    const lines = screen(incident, { columns: 60, rows: 15 });
    expect(lines.find((line) => line.startsWith('evictions'))).toMatch(/^evictions {2}1 of 6 +:evictions$/);
    expect(rowsOf(lines, 'evictions')).toHaveLength(1);
  });

  test.each([100, 500])(
    'shows evictions and workloads in trouble beside %s more clusters, all of which can be selected',
    (more) => {
      const size = { columns: 120, rows: 40 };
      const many = withClusters(incident, more);
      expect(rowsOf(screen(many, size), 'evictions').length).toBeGreaterThanOrEqual(3);
      expect(rowsOf(screen(many, size), 'workloads in trouble').length).toBeGreaterThanOrEqual(3);
      const atEnd = screen(many, size, 'G');
      expect(atEnd.filter((line) => line.startsWith('▸'))).toHaveLength(1);
      expect(atEnd[2]).toMatch(new RegExp(`${more + 5}/${more + 5}$`));
      expect(rowsOf(atEnd, 'evictions').length).toBeGreaterThanOrEqual(3);
    },
  );

  test('hides evictions after another page is opened', () => {
    const lines = screen(incident, { columns: 120, rows: 40 }, '\r');
    expect(rowsOf(lines, 'evictions')).toEqual([]);
  });

  test('shows only evictions of the selected namespace, and its name', () => {
    const lines = screen(incident, { columns: 120, rows: 40 }, 'ndata\r');
    expect(lines[2]).toMatch(/^clusters .*namespace data$/);
    expect(rowsOf(lines, 'evictions').every((line) => line.startsWith('  data/'))).toBe(true);
  });
});

describe('an estimated loss', () => {
  test('is counted as uncertain on the first screen', () => {
    expect(screen(incident, { columns: 120, rows: 40 })[1]).toContain(
      '6 evictions, 2 lost (1 uncertain), 4 stuck',
    );
  });
});

describe('on a small screen', () => {
  const small = { columns: 80, rows: 24 };

  test('the pane first shows what happens if the cluster fails, truncated if necessary', async () => {
    const { feed: shop } = await feedOf('examples/shop');
    const lines = screen(shop, small, 'jj');
    expect(lines.find((line) => line.startsWith('▸'))).toContain('frankfurt');
    expect(lines.find((line) => line.startsWith('if it fails'))).toContain('2 lost, 1 blocked');
  });

  test('the last line has the keys for what-if and view in each list', () => {
    expect(screen(incident, small).at(-1)).toMatch(/ w what-if .* : view/);
    expect(screen(incident, small, '\t').at(-1)).toMatch(/ w what-if .* : view/);
  });
});
