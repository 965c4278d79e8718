import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Feed } from '../../../src/analysis/overview/feed.ts';
import { createRecording } from '../../../src/state/recording/recordingWriter.ts';
import { identityOf } from '../../../src/state/world/validateObject.ts';
import { type DashboardFeed } from '../../../src/terminal/dashboard/answers.ts';
import { keysIn } from '../../../src/terminal/screen/keys.ts';
import { reduce } from '../../../src/terminal/dashboard/reduce.ts';
import { advanceReplay } from '../../../src/terminal/dashboard/reduce/replaying.ts';
import { firstState, pageShown } from '../../../src/terminal/dashboard/state.ts';
import type { Answered, Replayed } from '../../../src/views/dashboard/answered.ts';
import { placeKey, type Place } from '../../../src/views/dashboard/place.ts';
import { writeRecordedFile } from '../../recordings/recordedFile.ts';
import { readRecording } from '../../recordings/recording.ts';
import { shop as shopObjects, START, startOf } from '../../state/recording/recorded.ts';
import { feedOf, viewOf, type Followed } from './feeds.ts';
import { screenLines, typedKeys } from './typed.ts';

let folder: string;
let feed: Feed;
let source: DashboardFeed;
let replayed: Replayed;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
  const file = join(folder, 'incident.rec');
  await writeRecordedFile(readRecording('test/recordings/data/incidents/0002'), file);
  ({ feed, source } = await feedOf(file));
  const answer = await source.ask({ view: 'recording' });
  if (answer.type !== 'steps') throw new Error('no steps');
  replayed = answer;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Types keys, and returns the screen. */
async function typed(keys: string, of: Followed = { feed, source }) {
  const { state, view } = await typedKeys(of, keys, { columns: 120, rows: 24 });
  return { lines: screenLines(state, view), state };
}

describe('a recording in the dashboard', () => {
  test('opens at its end, and offers r to replay it', async () => {
    const { lines } = await typed('');
    expect(lines[0]).toContain('as of 2026-11-22T06:00:50Z');
    expect(lines.at(-1)).toContain('r replay');
  });

  test('replays the recording with r; after a mark or on a what-if page, r replays the what-if', async () => {
    expect(pageShown((await typed('r')).state).place).toEqual({ view: 'recording' });
    expect(pageShown((await typed('mr')).state).place).toMatchObject({ view: 'replay' });
    expect(pageShown((await typed('wr')).state).place).toMatchObject({ view: 'replay' });
  });

  test('opens exactly the steps of an event about many workloads', async () => {
    const { state, lines } = await typed(':events\r/workloads evicted\r\r');
    const { of } = pageShown(state).place as Extract<Place, { view: 'recording' }>;
    const evicted = replayed.steps.filter(
      ({ type, cluster, time }) =>
        type === 'Evicted' && cluster === of!.cluster && of!.from <= time && time <= of!.until,
    );
    expect(evicted.length).toBeGreaterThan(1);
    expect(lines[2]).toMatch(
      new RegExp(`^events › ${evicted.length} workloads evicted from \\S+ +1/${evicted.length}$`),
    );
    const { lines: why } = await typed(':events\r/workloads evicted\r\r\r');
    expect(why[2]).toContain(` at ${new Date(evicted[0]!.time).toISOString()}`);
  });

  test('moves from eviction to eviction, and Enter explains the workload at that moment', async () => {
    const { state } = await typed('r>>\r');
    const { steps } = replayed;
    const second = steps.filter(({ type }) => type === 'Evicted')[1]!;
    expect(pageShown(state).place).toEqual({
      view: 'workload',
      key: `${second.object.namespace!}/${second.object.name}`,
      at: second.time,
    });
    const { lines } = await typed('r>>\r');
    const { time } = second;
    expect(lines[2]).toContain(` at ${new Date(time).toISOString()}`);
    expect(lines.at(-2)).toContain(`--at ${new Date(time).toISOString()}`);
  });

  test('gives different explanations for a moment and for its end', async () => {
    const { object, time } = replayed.steps.find(({ type }) => type === 'Evicted')!;
    const key = `${object.namespace!}/${object.name}`;
    const [then, atEnd] = [
      await source.ask({ view: 'workload', key, at: time }),
      await source.ask({ view: 'workload', key }),
    ];
    expect(then.type).toBe('blocks');
    expect(then).not.toEqual(atEnd);
    const yaml = async (at?: number) => {
      const answer = await source.ask({ view: 'object', object, ...(at === undefined ? {} : { at }) });
      return answer.type === 'text' ? answer.lines.join('\n') : '';
    };
    expect(await yaml(time)).toContain('gracefulEvictionTasks');
    expect(await yaml(replayed.start)).not.toContain('gracefulEvictionTasks');
  });

  test('shows evidence and YAML of the selected moment', async () => {
    const { time } = replayed.steps.find(({ type }) => type === 'Evicted')!;
    expect(pageShown((await typed('r>\re')).state).place).toMatchObject({ view: 'evidence', at: time });
    expect(pageShown((await typed('r>\ry')).state).place).toMatchObject({ view: 'object', at: time });
  });

  test('plays until its end', () => {
    const place = { view: 'recording' } as const;
    const answers = new Map<string, Answered>([[placeKey(place), { type: 'steps', ...replayed }]]);
    const view = viewOf(feed, { columns: 80, rows: 24 }, { answers });
    let state = firstState(place);
    for (const key of keysIn(' ', true).keys) ({ state } = reduce(state, key, view));
    const from = replayed.steps[0]!.time;
    state = advanceReplay(state, 1000, view);
    expect(replayed.steps[pageShown(state).line]!.time).toBeLessThanOrEqual(from + 16_000);
    expect(replayed.steps[pageShown(state).line + 1]!.time).toBeGreaterThan(from + 16_000);
    state = advanceReplay(state, 1_000_000, view);
    expect(state.playing).toBeUndefined();
    expect(pageShown(state).line).toBe(replayed.steps.length - 1);
  });

  test('has the events of the timeline, including events missing from the last state', async () => {
    const { lines } = await typed(':events\r/evicted');
    expect(lines.join('\n')).toMatch(/5 workloads evicted from member4 by taint-manager/);
    expect(lines.join('\n')).toMatch(/6 workloads evicted from member2 by taint-manager/);
  });
});

describe('a recording with a gap', () => {
  let gapped: { feed: Feed; source: DashboardFeed };
  beforeAll(async () => {
    const file = join(folder, 'gap.rec');
    const objects = shopObjects();
    const writer = await createRecording(file, { escaped: (text) => text });
    await writer.start(START, startOf(objects));
    const before = objects.find(({ kind }) => kind === 'Cluster')!;
    expect(identityOf(before)).toContain('Cluster');
    const tainted = {
      ...before,
      spec: { taints: [{ key: 'maintenance', effect: 'NoExecute', timeAdded: '2026-09-01T10:00:40Z' }] },
    };
    writer.silent(START + 12_000, ['Cluster', 'Work'], START + 10_000);
    writer.heard(START + 40_000, ['Cluster', 'Work'], START + 10_000, true);
    writer.change(START + 50_000, { before, after: tainted });
    await writer.close(START + 100_000, 'it was over');
    gapped = await feedOf(file);
  });

  test('shows the gap in the list, in the events, and as blanks in the slider', async () => {
    const { lines } = await typed('r', gapped);
    expect(lines[1]).toMatch(/^T\+10s +█{8} {24}░+ T\+1m40s {3}no updates {3}paused$/);
    expect(lines.join('\n')).toMatch(
      /T\+10s .*No updates were received of Cluster, Work: only the results of changes/,
    );
    expect(lines.join('\n')).toMatch(/T\+40s .*reconnected; gap since 2026-09-01T10:00:10Z/);
    expect((await typed('rG', gapped)).lines[1]).not.toContain('no updates');
    expect((await typed(':events\r', gapped)).lines.join('\n')).toContain(
      'No updates were received of Cluster, Work',
    );
  });

  test('warns of the gap only for moments within it', async () => {
    const { key, binding: object } = gapped.feed.workloads[0]!;
    const asked = async (seconds: number) => {
      const at = START + seconds * 1000;
      const answers = [
        await gapped.source.ask({ view: 'workload', key, at }),
        await gapped.source.ask({ view: 'object', object, at }),
      ];
      return answers.map((answer) =>
        JSON.stringify(answer).includes('No updates were received of Cluster, Work'),
      );
    };
    expect(await asked(5)).toEqual([false, false]);
    expect(await asked(20)).toEqual([true, true]);
    expect(await asked(50)).toEqual([false, false]);
  });

  test('opens no explanation or object for the gap', async () => {
    expect(pageShown((await typed('r\r', gapped)).state).place).toEqual({ view: 'recording' });
    expect(pageShown((await typed('ry', gapped)).state).place).toEqual({ view: 'recording' });
  });
});

test('a state that is not a recording cannot be replayed, and the message names --state', async () => {
  const { source: ofShop } = await feedOf('examples/shop');
  expect(await ofShop.ask({ view: 'recording' })).toMatchObject({
    type: 'failed',
    why: expect.stringContaining('--state FILE'),
  });
});
