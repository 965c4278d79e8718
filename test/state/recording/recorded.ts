import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { emptyWorld, type World } from '../../../src/karmada/world.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { addObjects } from '../../../src/state/schema/kinds.ts';
import { createRecording, type RecordedStart } from '../../../src/state/recording/recordingWriter.ts';
import { redactedObjects } from '../../../src/state/snapshot/snapshotRedaction.ts';
import { identityOf, validateObject } from '../../../src/state/world/validateObject.ts';

export const START = Date.parse('2026-09-01T10:00:00.250Z');

/** A change to write: one object is replaced, deleted, or restored. */
export interface Turn {
  /** milliseconds after the one before */
  after: number;
  /** which object, by its position among all */
  object: number;
  what: 'change' | 'delete' | 'label';
  /** makes each change unique */
  value: number;
}

export const turns = (most: number) =>
  fc.array(
    fc.record<Turn>({
      after: fc.nat(5000),
      object: fc.nat(1000),
      what: fc.constantFrom('change', 'change', 'delete', 'label'),
      value: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: most },
  );

/** The objects of the bundled control plane, as returned by the reader. */
export function shop(): KubernetesObject[] {
  const { items } = JSON.parse(readFileSync('examples/shop/control-plane.json', 'utf8')) as {
    items: KubernetesObject[];
  };
  return items.filter(({ kind }) => kind !== 'Deployment' && kind !== 'Pod').map(checked);
}

export function checked(value: unknown): KubernetesObject {
  const verdict = validateObject(structuredClone(value));
  if ('problem' in verdict) throw new Error(verdict.problem);
  return verdict.object;
}

export function worldOf(objects: Iterable<KubernetesObject>): World {
  const world = emptyWorld();
  for (const object of objects) addObjects(world, object.kind, [object]);
  return world;
}

export const startOf = (objects: Iterable<KubernetesObject>): RecordedStart => ({
  world: worldOf(objects),
  components: { commandLines: [], versions: [], warnings: [] },
  warnings: [],
});

/** One moment of the recorded state. */
export interface Moment {
  at: number;
  /** by `identityOf` */
  objects: ReadonlyMap<string, KubernetesObject>;
}

/** The directory for a test's recordings; removed by `end`. */
export function recordingPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'));
  let count = 0;
  return {
    folder,
    file: () => join(folder, `${count++}.rec`),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Records turns that begin with the shop; returns the state at each instant, the start first. */
export async function recordTurns(
  file: string,
  plan: readonly Turn[],
  {
    mostBytes,
    flushEvery = 3,
    close = true,
  }: { mostBytes?: number; flushEvery?: number; close?: boolean } = {},
): Promise<Moment[]> {
  const objects = new Map(shop().map((one) => [identityOf(one), one]));
  const all = [...objects];
  const writer = await createRecording(file, { mostBytes, escaped: (text) => text });
  let at = START;
  await writer.start(at, startOf(objects.values()));
  const moments: Moment[] = [{ at, objects: new Map(objects) }];
  for (const [index, turn] of plan.entries()) {
    at += turn.after;
    const [of, first] = all[turn.object % all.length]!;
    const before = objects.get(of);
    const after = before && turn.what === 'delete' ? undefined : before ? changed(before, turn) : first;
    if (after) objects.set(of, after);
    else objects.delete(of);
    writer.change(at, { ...(before ? { before } : {}), ...(after ? { after } : {}) });
    moments.push({ at, objects: new Map(objects) });
    if (index % flushEvery === 0) await writer.flush(at, () => startOf(objects.values()));
  }
  if (close) await writer.close(at, 'it was over');
  else await writer.flush(at, () => startOf(objects.values()));
  return moments;
}

function changed(object: KubernetesObject, { what, value }: Turn): KubernetesObject {
  const copy = structuredClone(object) as KubernetesObject & {
    spec?: { clusters?: { name: string; replicas?: number }[]; taints?: unknown[] };
  };
  if (what === 'label' || !copy.spec)
    copy.metadata.labels = { ...copy.metadata.labels, value: String(value) };
  else if (copy.spec.clusters)
    copy.spec.clusters = copy.spec.clusters
      .map((one, i) => ({ ...one, replicas: value + i }))
      .slice(value % 3);
  else if (copy.kind === 'Cluster')
    copy.spec.taints = Array.from({ length: value % 3 }, (_, i) => ({
      key: `a${i * value}`,
      effect: 'NoSchedule',
    }));
  else copy.metadata.generation = value;
  return checked(copy);
}

/** The content of a world's snapshot, by identity: as data, without unset fields. */
export const shown = (world: World) =>
  JSON.parse(
    JSON.stringify([...redactedObjects(world)].sort((a, b) => (identityOf(a) < identityOf(b) ? -1 : 1))),
  ) as unknown;
export const wasShown = ({ objects }: Moment) => shown(worldOf(objects.values()));
/** The last of the moments at one instant. */
export const lastAt = (moments: Moment[], at: number) => moments.findLast((one) => one.at <= at)!;
