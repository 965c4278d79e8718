import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { existsSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { stateFromFiles } from '../../../src/state/fileSource.ts';
import { openRecording } from '../../../src/state/recording/recording.ts';
import { createRecording } from '../../../src/state/recording/recordingWriter.ts';
import { breaches } from '../../commands/schema.ts';
import { wholeRecording } from '../../fuzz/mutatedRecording.ts';
import {
  checked,
  lastAt,
  recordingPlace,
  recordTurns,
  shop,
  shown,
  START,
  startOf,
  turns,
  wasShown,
  type Turn,
} from './recorded.ts';

const place = recordingPlace();
afterAll(() => place.end());

describe('a recording', () => {
  test('contains a state at any of its times, and is read at its end by default', async () => {
    await fc.assert(
      fc.asyncProperty(turns(20), fc.nat(100), async (plan, chosen) => {
        const file = place.file();
        const moments = await recordTurns(file, plan);
        const { at } = moments[chosen % moments.length]!;
        const then = await stateFromFiles([file]).load({ at });
        expect(shown(then.world)).toEqual(wasShown(lastAt(moments, at)));
        const end = await stateFromFiles([file]).load();
        expect(shown(end.world)).toEqual(wasShown(moments.at(-1)!));
        expect(end.recorded).toEqual({
          file,
          from: START,
          to: moments.at(-1)!.at,
          isTorn: false,
          paths: [file],
        });
      }),
      { numRuns: 15 },
    );
  });

  test('that is truncated shows its complete part, or is refused if it has no state', async () => {
    const plan: Turn[] = Array.from({ length: 30 }, (_, i) => ({
      after: 1000,
      object: i * 7,
      value: 1 + (i % 9),
      what: i % 5 === 0 ? 'delete' : 'change',
    }));
    const file = place.file();
    const moments = await recordTurns(file, plan, { flushEvery: 1 });
    const whole = readFileSync(file);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: whole.length - 1 }), async (length) => {
        const torn = place.file();
        writeFileSync(torn, whole.subarray(0, length));
        const recording = await openRecording([torn]).catch((error: Error) => error);
        if (recording instanceof Error) {
          expect(recording.message).toMatch(/ends before it holds a complete state|is binary|truncated/);
          return;
        }
        expect(shown(recording.worldAt(recording.to))).toEqual(wasShown(lastAt(moments, recording.to)));
      }),
      { numRuns: 60 },
    );
    // only part of the last flush is missing
    const torn = place.file();
    writeFileSync(torn, whole);
    truncateSync(torn, whole.length - 5);
    const recording = await openRecording([torn]);
    expect(recording.isTorn).toBe(true);
    expect(recording.to).toBeGreaterThanOrEqual(moments.at(-2)!.at);
  });

  test('takes less than a kilobyte per change', async () => {
    const plan: Turn[] = Array.from({ length: 200 }, (_, i) => ({
      after: 500,
      object: i,
      value: 1 + (i % 9),
      what: 'change' as const,
    }));
    const file = place.file();
    await recordTurns(file, [], { flushEvery: 1 });
    const start = statSync(file).size;
    const other = place.file();
    await recordTurns(other, plan, { flushEvery: 2 });
    expect((statSync(other).size - start) / plan.length).toBeLessThan(1000);
  });

  test('lists the changes between two times, with the object before and after', async () => {
    const file = place.file();
    await recordTurns(file, [
      { after: 1000, object: 0, what: 'label', value: 1 },
      { after: 1000, object: 0, what: 'label', value: 2 },
      { after: 1000, object: 0, what: 'delete', value: 1 },
    ]);
    const recording = await openRecording([file]);
    const between = recording.changesBetween(START + 1000, START + 3000);
    expect(
      between.map(({ at, before, after }) => [at - START, before?.metadata.labels?.['value'], !!after]),
    ).toEqual([
      [2000, '1', true],
      [3000, '2', false],
    ]);
  });
});

describe('the gaps of a recording', () => {
  const withGaps = async () => {
    const file = place.file();
    const writer = await createRecording(file, { escaped: (text) => text });
    await writer.start(START, startOf(shop()));
    writer.silent(START + 7000, ['Work'], START + 5000);
    writer.heard(START + 9000, ['Work'], START + 5000, false);
    writer.heard(START + 12_000, ['Cluster'], START + 11_000, true);
    writer.silent(START + 20_000, ['Cluster'], START + 19_000);
    await writer.close(START + 30_000, 'it was over');
    return file;
  };

  test('name the kind, the period and whether changes were lost', async () => {
    const { gaps } = await openRecording([await withGaps()]);
    expect(gaps).toEqual([
      { kind: 'Work', from: START + 5000, to: START + 9000, lost: false },
      { kind: 'Cluster', from: START + 11_000, to: START + 12_000, lost: true },
      { kind: 'Cluster', from: START + 19_000, lost: false },
    ]);
  });

  test.each([
    [6000, 'no changes of Work were received from 2026-09-01T10:00:05.250Z'],
    [
      11_500,
      'no changes of Cluster were received from 2026-09-01T10:00:11.250Z until 2026-09-01T10:00:12.250Z',
    ],
    [25_000, 'no changes of Cluster were received from 2026-09-01T10:00:19.250Z'],
  ])('cause a warning for a state inside a gap (%d)', async (after, expected) => {
    const { warnings } = await stateFromFiles([await withGaps()]).load({ at: START + after });
    expect(warnings.join('\n')).toContain(expected);
  });

  test('cause no warning for a state outside a gap', async () => {
    const { warnings } = await stateFromFiles([await withGaps()]).load({ at: START + 15_000 });
    expect(warnings.join('\n')).not.toContain('were received');
  });
});

describe('the file of a recording', () => {
  test('is readable by its owner only, and never replaces an existing file', async () => {
    const file = place.file();
    await recordTurns(file, []);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const link = join(place.folder, 'link');
    symlinkSync(file, link);
    for (const there of [file, link])
      await expect(createRecording(there, { escaped: (text) => text })).rejects.toThrow(
        'exists and is not overwritten',
      );
    await expect(createRecording('/dev/null', { escaped: (text) => text })).rejects.toThrow(
      'is not a regular file',
    );
    await expect(createRecording('-', { escaped: (text) => text })).rejects.toThrow('needs a regular file');
  });

  test('is removed if it contains no state at its end', async () => {
    const file = place.file();
    const writer = await createRecording(file, { escaped: (text) => text });
    expect(existsSync(file)).toBe(true);
    await writer.close(START, 'it failed');
    expect(existsSync(file)).toBe(false);
  });

  test('is renamed to FILE.1 when it is full, and continued from the current state', async () => {
    const plan: Turn[] = Array.from({ length: 500 }, (_, i) => ({
      after: 1000,
      object: i,
      value: 1 + ((i + Math.floor(i / 40)) % 9),
      what: 'change' as const,
    }));
    const file = place.file();
    await recordTurns(file, [], { flushEvery: 1 });
    const most = 2 * statSync(file).size;
    const rotated = place.file();
    const moments = await recordTurns(rotated, plan, { flushEvery: 1, mostBytes: most });
    const old = await openRecording([`${rotated}.1`]);
    expect(old.ended).toBe('the file was full');
    for (const at of [old.from, old.to])
      expect(shown(old.worldAt(at))).toEqual(wasShown(lastAt(moments, at)));
    writeFileSync(join(place.folder, 'y.1'), '');
    await expect(
      createRecording(join(place.folder, 'y'), { mostBytes: 1, escaped: (text) => text }),
    ).rejects.toThrow('y.1 exists');
    expect(existsSync(join(place.folder, 'y'))).toBe(false);
  });

  test('contains no secrets', async () => {
    const secret = checked({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      data: { a: 'aGlkZGVu' },
    });
    const [cluster] = shop().filter(({ kind }) => kind === 'Cluster');
    const withHeader = { ...cluster!, spec: { proxyHeader: { a: 'hidden' } } } as typeof secret;
    const annotated = {
      ...withHeader,
      metadata: { ...cluster!.metadata, annotations: { 'other.io/note': 'hidden' } },
    };
    const file = place.file();
    const writer = await createRecording(file, { escaped: (text) => text });
    await writer.start(START, startOf([secret, withHeader]));
    writer.change(START, { before: withHeader, after: annotated });
    writer.change(START, {
      before: secret,
      after: { ...secret, data: { a: 'aGlkZGVuIQ==' } } as typeof secret,
    });
    await writer.close(START, 'it was over');
    expect(gunzipSync(readFileSync(file)).toString()).not.toMatch(/hidden|aGlkZGVu/);
  });
});

describe('the lines of a recording', () => {
  test('match their schema and are sorted by time', async () => {
    const file = place.file();
    await recordTurns(file, [
      { after: 1000, object: 0, what: 'label', value: 1 },
      { after: 1000, object: 0, what: 'delete', value: 1 },
      { after: 1000, object: 0, what: 'change', value: 1 },
    ]);
    const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as { at?: string });
    for (const row of [...rows, ...wholeRecording()]) expect(breaches('recording', row)).toBe('');
    const instants = rows.flatMap(({ at }) => at ?? []);
    expect(instants).toEqual(instants.toSorted());
    expect(instants).toHaveLength(4);
  });
});

describe('an invalid recording', () => {
  const header = JSON.stringify({
    kind: 'Recording',
    schemaVersion: 'v1',
    started: '2026-09-01T10:00:00Z',
    components: { commandLines: [] },
  });
  const cluster = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name: 'a' } };
  const object = JSON.stringify({ object: cluster });
  const at = '2026-09-01T10:00:01Z';
  const of = 'cluster.karmada.io/Cluster//a';
  const start = [header, object, '{"complete":1}'];
  const row = (value: unknown) => JSON.stringify(value);

  test.each([
    ['without a state', [header], ':2: the recording ends before it holds a complete state'],
    ['with another version', [header.replace('"v1"', '"v2"')], ':1: Recording: schemaVersion is "v2"'],
    ['without a start', [header.replace('started', 'began')], ':1: Recording.started'],
    [
      'with fewer objects than its count',
      [header, object, '{"complete":2}'],
      ':3: complete: the initial state has 1 objects, not 2',
    ],
    ['with invalid JSON', [...start, '{"at":'], ':4:7: the text is truncated'],
    ['with a list as a line', [...start, '[]'], ':4: is not a JSON object'],
    ['with an unknown line', [...start, '{"x":1}'], ':4: is not a line of a recording'],
    [
      'with an invalid time',
      [...start, row({ at: 'x', alive: true })],
      ':4: alive.at: "x" is not an RFC 3339 time',
    ],
    [
      'with a time before the previous line',
      [...start, row({ at: '2026-09-01T09:00:00Z', alive: true })],
      ':4: at: 2026-09-01T09:00:00Z is before the line above',
    ],
    [
      'with a patch of an unknown object',
      [...start, row({ at, of: 'x', patch: [] })],
      ':4: of: there is no x',
    ],
    [
      'with a patch of a missing field',
      [...start, row({ at, of, patch: [{ op: 'remove', path: '/spec/x' }] })],
      `:4: patch[0]: of ${of}: there is no such field at /spec/x`,
    ],
    [
      'with a patch to an invalid object',
      [...start, row({ at, of, patch: [{ op: 'add', path: '/spec', value: { taints: 3 } }] })],
      ':4: patch: Cluster a: spec.taints: 3 is a number, expected a list',
    ],
    [
      'with a patch to another object',
      [...start, row({ at, of, patch: [{ op: 'replace', path: '/metadata/name', value: 'b' }] })],
      ':4: patch: makes cluster.karmada.io/Cluster//a another object',
    ],
    [
      'with an object twice',
      [...start, row({ at, added: cluster })],
      ':4: added: cluster.karmada.io/Cluster//a is there already',
    ],
    [
      'with a line after the end',
      [...start, row({ at, end: 'x' }), row({ at, alive: true })],
      ':5: follows the end of the recording',
    ],
  ])('is refused with its place: %s', async (_, lines, expected) => {
    for (const pack of [(text: string) => text, gzipSync]) {
      const file = place.file();
      writeFileSync(file, pack(`${lines.join('\n')}\n`));
      const name = (error: Error) => error.message.replace(file, '');
      await expect(openRecording([file]).catch(name)).resolves.toContain(expected);
      await expect(stateFromFiles([file]).load().catch(name)).resolves.toContain(expected);
    }
  });

  test('is refused if it is the file of a state', async () => {
    await expect(openRecording(['examples/shop/control-plane.json'])).rejects.toThrow('is not a recording');
  });

  test('is refused for a time outside the recording, with the recorded period', async () => {
    const file = place.file();
    await recordTurns(file, []);
    await expect(stateFromFiles([file]).load({ at: START + 60_000 })).rejects.toThrow(
      /recorded from 2026-09-01T10:00:00.250Z to 2026-09-01T10:00:00.250Z, without 2026-09-01T10:01:00.250Z; give a time/,
    );
  });
});
