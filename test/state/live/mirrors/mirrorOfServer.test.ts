import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../../src/karmada/api/meta.ts';
import { slimServer } from '../../../../src/operations/slimServer.ts';
import type { Mirror } from '../../../../src/state/live/mirrors/mirror.ts';
import type { ApiServer } from '../../../../src/state/live/apiServer.ts';
import { mirror } from '../../../../src/state/live/mirrors/reflector.ts';
import type { Timing } from '../../../../src/state/live/mirrors/timing.ts';
import { Workbench } from '../connecting.ts';
import type { Reply } from '../fakeHttpServer.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.end());

const PATH = '/apis/cluster.karmada.io/v1alpha1/clusters';

/** The clock of the machine, with pauses a hundred times as short. */
const hasty: Timing = {
  now: Date.now,
  random: () => 1,
  sleep: (milliseconds, signal) => sleep(milliseconds / 100, undefined, signal ? { signal } : {}),
};

const cluster = (name: string, resourceVersion: string, spec: unknown = {}) => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name, resourceVersion },
  spec,
});
const listOf = (resourceVersion: string, ...items: unknown[]): Reply => ({
  body: {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'ClusterList',
    metadata: { resourceVersion },
    items,
  },
});
const event = (object: unknown) => JSON.stringify({ type: 'MODIFIED', object });

/** A server whose lists return the current setting, and whose watches deliver events by their starting version. */
async function serving(list: () => Reply, events: Record<string, string[]>) {
  const asked = { lists: 0, watches: [] as string[] };
  const server = await bench.server(({ query }, response: ServerResponse) => {
    if (query.get('watch') === null) {
      asked.lists++;
      return list();
    }
    const from = query.get('resourceVersion')!;
    asked.watches.push(from);
    response.writeHead(200).flushHeaders();
    for (const line of events[from] ?? []) response.write(`${line}\n`);
    return undefined;
  });
  return { asked, api: await bench.connect(server, { timing: hasty }) };
}

function following(server: ApiServer): Mirror {
  const copy = mirror<KubernetesObject>(server, PATH, { timing: hasty });
  bench.atEnd(() => copy.stop());
  return copy;
}

async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await sleep(10);
}

describe.each([
  ['of a server', (server: ApiServer) => server],
  ['of a drain', slimServer],
])('the mirror %s', (_, seen) => {
  test.each([
    ['a broken object', event(cluster('a', '11', { taints: 5 }))],
    ['text that is not JSON', 'garbage'],
    ['an object without metadata', event({ spec: {} })],
    [
      'an object that is nested too deeply',
      event(cluster('a', '11')).replace('{}', `${'['.repeat(2000)}${']'.repeat(2000)}`),
    ],
    ['33 MiB of text', `"${'x'.repeat(33 * 1024 * 1024)}"`],
  ])('is stale after an event with %s, until a valid list', async (_, line) => {
    let list = listOf('10', cluster('a', '10'));
    const events = { 10: [line, event(cluster('a', '12'))] };
    const { api, asked } = await serving(() => list, events);
    const copy = following(seen(api));
    await copy.synced;
    list = listOf('11', cluster('a', '11', { taints: 5 }));
    await until(() => asked.lists >= 3);
    expect([copy.staleSince() === undefined, versions(copy)]).toEqual([false, ['10']]);
    list = listOf('12', cluster('a', '12'));
    await until(() => asked.watches.length === 2);
    expect(asked.watches).toEqual(['10', '12']);
    expect([copy.staleSince(), versions(copy)]).toEqual([undefined, ['12']]);
  });

  test('shares equal parts of its objects, from lists and events', async () => {
    const resourceModels = [{ grade: 0, ranges: [{ name: 'cpu', min: '0', max: '1' }] }];
    const like = (name: string, version: string) => cluster(name, version, { resourceModels });
    const list = listOf('10', like('a', '9'), like('b', '10'));
    const { api } = await serving(() => list, { 10: [event(like('c', '11'))] });
    const copy = following(seen(api));
    await copy.synced;
    await until(() => copy.objects.size === 3);
    const [a, b, c] = [...copy.objects.values()].map(
      (one) => (one as unknown as Cluster).spec?.resourceModels,
    );
    expect(a).toEqual(resourceModels);
    expect([b === a, c === a]).toEqual([true, true]);
  });
});

function versions({ objects }: Mirror): unknown[] {
  return [...objects.values()].map(({ metadata }) => metadata.resourceVersion);
}
