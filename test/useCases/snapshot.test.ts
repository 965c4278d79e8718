import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { simulateFailover } from '../../src/useCases/scenario/simulateFailover.ts';
import { savedState } from '../../src/useCases/snapshot/savedState.ts';
import { takeSnapshot } from '../../src/useCases/snapshot/takeSnapshot.ts';
import { openState } from '../../src/useCases/state/openState.ts';
import { serverVersion } from '../../src/useCases/version/serverVersion.ts';
import { rfc3339Milliseconds } from '../../src/kubernetes/time.ts';
import { cluster } from '../simulator/simulation/controlPlane.ts';
import { servingObjects } from '../state/live/servingObjects.ts';
import { recordingPlace, recordTurns, type Turn } from '../state/recording/recorded.ts';
import { problemOf, quietPorts } from './quietPorts.ts';

const shop = { source: { files: ['examples/shop'] } };

/** Passes the name of a file that contains a text, and removes it afterwards. */
async function inFile<T>(text: Iterable<string>, look: (file: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'snapshot-'));
  try {
    const file = join(directory, 'snapshot.json');
    writeFileSync(file, [...text].join(''));
    return await look(file);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe('a snapshot', () => {
  test('contains the same objects, version and flags as the state', async () => {
    const before = await openState(shop, quietPorts());
    const { text, world } = await takeSnapshot(shop, quietPorts());
    expect(world.bindings).toHaveLength(before.world.bindings.length);
    const after = await inFile(text, (file) => openState({ source: { files: [file] } }, quietPorts()));
    const names = ({ clusters, bindings }: typeof world) =>
      [...clusters, ...bindings].map(({ metadata }) => metadata.name).sort();
    expect(names(after.world)).toEqual(names(before.world));
    expect(after.karmadaVersion).toBe(before.karmadaVersion);
    expect(after.configuration.featureGates).toEqual(before.configuration.featureGates);
  });

  test('of a recording contains the requested instant, or the end', async () => {
    const place = recordingPlace();
    try {
      const file = place.file();
      const turns = [2000, 3000].map((after, value): Turn => ({ after, object: 0, what: 'label', value }));
      const moments = await recordTurns(file, turns);
      const source = { files: [file] };
      for (const at of [moments[1]!.at, undefined]) {
        const moment = at === undefined ? undefined : { time: at, text: rfc3339Milliseconds(at) };
        const { text } = await takeSnapshot({ source, at: moment }, quietPorts());
        const { world, now } = await inFile(text, (saved) =>
          openState({ source: { files: [saved] } }, quietPorts()),
        );
        const wanted = at === undefined ? moments.at(-1)! : moments[1]!;
        expect(now).toBe(wanted.at);
        const labels = [...wanted.objects.values()][0]!.metadata.labels;
        expect(world.clusters[0]!.metadata.labels).toEqual(labels);
      }
    } finally {
      place.end();
    }
  });

  test('of files other than a recording is refused with another instant', async () => {
    const at = { time: 0, text: '1970-01-01T00:00:00Z' };
    await expect(takeSnapshot({ ...shop, at }, quietPorts())).rejects.toMatchObject({
      data: { code: 'moment-of-no-recording', given: at.text },
    });
  });

  test('of a live control plane omits forbidden objects, with a warning', async () => {
    const server = servingObjects([cluster('east')] as unknown as KubernetesObject[], {
      forbidden: ['works.work.karmada.io'],
    });
    const ports = quietPorts();
    const { text, world } = await takeSnapshot({ source: { connect: () => Promise.resolve(server) } }, ports);
    expect(world.clusters.map(({ metadata }) => metadata.name)).toEqual(['east']);
    expect(ports.warnings).toContainEqual(expect.stringContaining('works.work.karmada.io'));
    expect([...text].join('')).toContain('"east"');
  });

  test('of the end of a simulation continues at that end', async () => {
    let saved: Iterable<string> = [];
    const events = [{ type: 'fail', cluster: 'frankfurt', after: 0 } as const];
    const { simulation, state } = await simulateFailover(
      {
        state: { ...shop, assume: ['Failover=true'] },
        scenario: { events },
        selection: {},
        save: async (opened, world, time) => void (saved = [...savedState(opened, world, time)]),
      },
      quietPorts(),
    );
    await inFile(saved, async (file) => {
      const next = await openState({ source: { files: [file] } }, quietPorts());
      expect(next.now).toBe(simulation.end);
      expect(next.assumptions[0]).toMatchObject({ name: 'now', source: 'end of a simulation' });
      // facts about Karmada are saved with it
      expect(next.configuration.featureGates).toEqual(state.configuration.featureGates);
      const other = { time: next.now + 1000, text: 'later' };
      expect(
        await problemOf(() => openState({ source: { files: [file] }, at: other }, quietPorts())),
      ).toEqual({ code: 'instant-of-simulation', given: 'later', end: simulation.end });
    });
  });
});

describe('the version of a control plane', () => {
  const documents = { '/version': { gitVersion: 'v1.35.4' } };

  test('is read from the API server, and the connection is closed', async () => {
    let closed = 0;
    const server = {
      ...servingObjects([cluster('east')] as unknown as KubernetesObject[], { documents }),
      close: () => void closed++,
    };
    const reported = await serverVersion(server);
    expect(reported).toMatchObject({ url: 'https://karmada.example:5443', kubernetesVersion: 'v1.35.4' });
    expect(closed).toBe(1);
  });

  test('fails if the API server is unreachable, and the connection is closed too', async () => {
    let closed = 0;
    const server = { ...servingObjects([]), close: () => void closed++ };
    await expect(serverVersion(server)).rejects.toThrow('/version is not served');
    expect(closed).toBe(1);
  });
});
