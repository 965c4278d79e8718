import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import type { ApiServer } from '../../../src/state/live/apiServer.ts';
import { listWorks } from '../../../src/operations/eviction/readWorks.ts';
import { slimServer } from '../../../src/operations/slimServer.ts';
import { apiPath, WORKS } from '../../../src/state/live/resources.ts';
import { Workbench } from './connecting.ts';

const ID = 'resourcebinding.karmada.io/permanent-id';
const work = (cluster: string, resourceVersion: string) => ({
  metadata: {
    name: 'web',
    namespace: `karmada-es-${cluster}`,
    resourceVersion,
    labels: { [ID]: 'a' },
  },
});
const binding = { metadata: { namespace: 'shop', labels: { [ID]: 'a' } } } as unknown as ResourceBinding;

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.end());

test.each<[string, (server: ApiServer) => Promise<(string | undefined)[]>]>([
  [
    'a list',
    async (server) =>
      (await server.list(apiPath(WORKS))).items.map(({ metadata }) => metadata.resourceVersion),
  ],
  [
    'a reduced list',
    async (server) =>
      (await slimServer(server).list(apiPath(WORKS))).items.map(({ metadata }) => metadata.resourceVersion),
  ],
  [
    "the list of a binding's Works",
    async (server) =>
      [...(await listWorks(server, binding)).values()].map(({ metadata }) => metadata.resourceVersion),
  ],
])('%s keeps the newest version of a duplicate object, with a warning', async (_, versionsOf) => {
  const items = [work('m1', '9'), work('m1', '10'), work('m2', '11'), work('m1', '8'), work('m2', '7')];
  const server = await bench.server(() => ({
    body: { kind: 'WorkList', apiVersion: 'work.karmada.io/v1alpha1', metadata: {}, items },
  }));
  const warnings: string[] = [];
  const api = await bench.connect(server, { warn: (text) => void warnings.push(text) });
  expect(await versionsOf(api)).toEqual(['10', '11']);
  expect(warnings).toEqual([
    `the list of ${apiPath(WORKS)} holds Work karmada-es-m1/web twice, and 2 more are: it changed while the list was read; the newest one counts`,
  ]);
});
