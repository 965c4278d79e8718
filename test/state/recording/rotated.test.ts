import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFileSync, linkSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { stateFromFiles } from '../../../src/state/fileSource.ts';
import { openRecording, type Recording } from '../../../src/state/recording/recording.ts';
import { createRecording } from '../../../src/state/recording/recordingWriter.ts';
import { redactedObjects } from '../../../src/state/snapshot/snapshotRedaction.ts';
import { identityOf } from '../../../src/state/world/validateObject.ts';
import { checked, recordingPlace, shop, START, startOf } from './recorded.ts';

const place = recordingPlace();
afterAll(() => place.end());

/** The output of a recorder: each of its files, the oldest first, and its input. */
interface Filled {
  files: string[];
  changes: number;
  end: number;
}

const TURNS = 400;
/** How often a binding is changed: its replicas show the turn. */
const labelAt = (turn: number) => `turn-${turn}`;

/** Records turns that each label one Cluster, into files of that size, all of which are kept. */
async function fill(mostBytes: number): Promise<Filled> {
  const file = place.file();
  const files: string[] = [];
  const objects = new Map(shop().map((one) => [identityOf(one), one]));
  const [of, first] = [...objects].find(([, { kind }]) => kind === 'Cluster')!;
  let before: KubernetesObject = first;
  const writer = await createRecording(file, { mostBytes, escaped: (text) => text });
  await writer.start(START, startOf(objects.values()));
  let inode = 0;
  for (let turn = 1; turn <= TURNS; turn++) {
    const after = checked({ ...before, metadata: { ...before.metadata, labels: { now: labelAt(turn) } } });
    objects.set(of, after);
    writer.change(START + turn * 1000, { before, after });
    before = after;
    await writer.flush(START + turn * 1000, () => startOf(objects.values()));
    const full = statSync(`${file}.1`, { throwIfNoEntry: false });
    if (!full || full.ino === inode) continue;
    inode = full.ino;
    files.push(`${file}.kept-${files.length}`);
    linkSync(`${file}.1`, files.at(-1)!);
  }
  await writer.close(START + TURNS * 1000, 'it was over');
  return { files: [...files, file], changes: TURNS, end: START + TURNS * 1000 };
}

/** The turn that a recording shows at an instant. */
const turnAt = (recording: Recording, at: number) =>
  [...redactedObjects(recording.worldAt(at))].flatMap(({ metadata }) => metadata.labels?.['now'] ?? []);

let filled: Filled;
/** the recording's last file; earlier ones are FILE.1, FILE.2 and so on */
let file: string;
beforeAll(async () => {
  const small = place.file();
  const writer = await createRecording(small, { escaped: (text) => text });
  await writer.start(START, startOf(shop()));
  await writer.close(START, 'it was over');
  filled = await fill(2 * statSync(small).size);
  file = place.file();
  for (const [index, one] of filled.files.toReversed().entries())
    copyFileSync(one, index === 0 ? file : `${file}.${index}`);
});

describe('a recording of several files', () => {
  test('contains the changes of all its files once', async () => {
    expect(filled.files.length).toBeGreaterThanOrEqual(3);
    const recording = await openRecording([file]);
    expect(recording).toMatchObject({ from: START, to: filled.end, isTorn: false, gaps: [], file });
    expect(recording.changes).toHaveLength(filled.changes);
    for (let turn = 1; turn <= TURNS; turn += 7)
      expect(turnAt(recording, START + turn * 1000)).toEqual([labelAt(turn)]);
  });

  test('contains a state at any time of any of its files, and is read at its end by default', async () => {
    for (const turn of [1, TURNS / 2, TURNS]) {
      const { world, recorded, warnings } = await stateFromFiles([file]).load({ at: START + turn * 1000 });
      const labels = world.clusters.flatMap(({ metadata }) => metadata.labels?.['now'] ?? []);
      expect(labels).toEqual([labelAt(turn)]);
      expect(recorded).toMatchObject({ from: START, to: filled.end, paths: [file] });
      expect(warnings.join('\n')).not.toMatch(/nothing was|left out/);
    }
    const { world } = await stateFromFiles([file]).load();
    expect(world.clusters.some(({ metadata }) => metadata.labels?.['now'] === labelAt(TURNS))).toBe(true);
  });

  test('may have files in any order, with any names, and in an archive', async () => {
    const { files } = filled;
    const archive = join(place.folder, 'all.tgz');
    const folder = place.file();
    spawnSync('mkdir', [folder]);
    for (const [index, one] of files.entries()) copyFileSync(one, join(folder, `part.rec.${index}`));
    spawnSync('tar', ['czf', archive, '-C', folder, '.']);
    for (const paths of [files, files.toReversed(), [folder], [archive]]) {
      const recording = await openRecording(paths);
      expect(recording.changes).toHaveLength(filled.changes);
      expect(recording.gaps).toEqual([]);
      const state = await stateFromFiles(paths).load({ at: START + 1000 });
      expect(state.recorded).toMatchObject({ from: START, to: filled.end });
    }
  });

  test('has a gap if a file in the middle is missing', async () => {
    const { files } = filled;
    const [first, , third] = files;
    const both = [first!, third!];
    const recording = await openRecording(both);
    const [one, other] = [await openRecording([first!]), await openRecording([third!])];
    expect(recording.gaps).toContainEqual({ kind: 'Cluster', from: one.to, to: other.from, lost: true });
    // its result is immediately a change
    expect(turnAt(recording, other.from)).toEqual(turnAt(other, other.from));
    const { warnings } = await stateFromFiles(both).load({ at: one.to + 2000 });
    expect(warnings.join('\n')).toContain(
      `nothing was recorded from ${new Date(one.to).toISOString()} to ${new Date(other.from).toISOString()}; this state is older`,
    );
  });

  test('skips a FILE.1 that does not precede FILE, with a warning', async () => {
    const [first, , third] = filled.files;
    const alone = place.file();
    copyFileSync(third!, alone);
    copyFileSync(first!, `${alone}.1`);
    const { from } = await openRecording([third!]);
    expect((await openRecording([alone])).from).toBe(from);
    const { warnings } = await stateFromFiles([alone]).load();
    expect(warnings.join('\n')).toMatch(/\.1: is left out: .* from which .* does not continue/);
    writeFileSync(`${alone}.1`, 'something else');
    expect((await openRecording([alone])).from).toBe(from);
    expect((await stateFromFiles([alone]).load()).warnings.join('\n')).not.toContain('left out');
  });

  test('ends with FILE.1 if the recorder was killed before FILE had a state', async () => {
    const [first, second] = filled.files;
    const killed = place.file();
    copyFileSync(first!, `${killed}.1`);
    const [header, object] = gunzipSync(readFileSync(second!)).toString().split('\n');
    writeFileSync(killed, gzipSync(`${header}\n${object}\n`));
    const { to } = await openRecording([first!]);
    expect(await openRecording([killed])).toMatchObject({ from: START, to, isTorn: true });
    const { recorded } = await stateFromFiles([killed]).load();
    expect(recorded).toMatchObject({ from: START, to, isTorn: true });
  });

  test('is refused with a hint to FILE.1 if the recorder was killed before it created FILE', async () => {
    const killed = place.file();
    copyFileSync(filled.files[0]!, `${killed}.1`);
    const reported = `${killed}: no such file, but ${killed}.1 exists (a full file is renamed to it); give ${killed}.1`;
    await expect(openRecording([killed])).rejects.toThrow(reported);
    await expect(stateFromFiles([killed]).load()).rejects.toThrow(reported);
    await expect(openRecording([`${killed}.1`])).resolves.toMatchObject({ from: START, isTorn: false });
  });

  test('has a gap after a file whose recorder was killed', async () => {
    const [first, second] = filled.files;
    const torn = place.file();
    copyFileSync(first!, torn);
    truncateSync(torn, statSync(torn).size - 20);
    const { to } = await openRecording([torn]);
    const { gaps, isTorn } = await openRecording([torn, second!]);
    expect(isTorn).toBe(false);
    expect(gaps).toContainEqual(expect.objectContaining({ kind: 'Cluster', from: to, lost: true }));
  });

  test('is refused for files of the same time or of different control planes', async () => {
    const [first, second] = filled.files;
    const copy = place.file();
    copyFileSync(first!, copy);
    for (const load of [openRecording, (paths: string[]) => stateFromFiles(paths).load()])
      await expect(load([first!, copy])).rejects.toThrow('overlap at');
    const other = place.file();
    const strange = shop().map((one) =>
      one.kind === 'Cluster'
        ? { ...one, metadata: { ...one.metadata, uid: `other-${one.metadata.uid}` } }
        : one,
    );
    const writer = await createRecording(other, { escaped: (text) => text });
    await writer.start(filled.end + 1000, startOf(strange));
    await writer.close(filled.end + 2000, 'it was over');
    for (const load of [openRecording, (paths: string[]) => stateFromFiles(paths).load()])
      await expect(load([second!, other])).rejects.toThrow('of two control planes: they share no Cluster');
  });
});
