import { expect, test } from '@jest/globals';
import type { World } from '../../../src/karmada/world.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { rehearseDrain } from '../../../src/operations/drain/rehearseDrain.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import type { ApiServer } from '../../../src/state/live/apiServer.ts';
import { rehearsedText } from '../../../src/views/drain/beforeDrain.ts';
import { handmadePlan } from '../../views/drain/handmadePlan.ts';

const binding = (name: string, kind: string): ResourceBinding => ({
  kind: 'ResourceBinding',
  metadata: { namespace: 'shop', name: `${name}-${kind.toLowerCase()}`, resourceVersion: '4711' },
  spec: {
    resource: { apiVersion: 'apps/v1', kind, namespace: 'shop', name },
    clusters: [{ name: 'frankfurt', replicas: 3 }],
  },
});

const world: World = {
  clusters: [],
  bindings: [
    binding('checkout', 'Deployment'),
    binding('cart', 'Deployment'),
    binding('search', 'Deployment'),
  ],
  works: [],
  policies: [],
  taintPolicies: [],
  others: [],
};

interface Sent {
  path: string;
  patch: { metadata: object; spec: object };
  dryRun: boolean | undefined;
}

function serverThat(answers: (path: string) => unknown): { server: ApiServer; sent: Sent[] } {
  const sent: Sent[] = [];
  const patch: ApiServer['patch'] = async (path, mergePatch, options) => {
    sent.push({ path, patch: mergePatch as Sent['patch'], dryRun: options?.dryRun });
    const answer = answers(path);
    if (answer instanceof Error) throw answer;
    const { metadata, ...content } = mergePatch as Sent['patch'];
    const [, namespace, name] = /(?:\/namespaces\/([^/]+))?\/[^/]+\/([^/]+)$/.exec(path)!;
    return { ...content, metadata: { ...metadata, name, namespace } } as never;
  };
  return { server: { patch } as unknown as ApiServer, sent };
}

const plan = {
  ...handmadePlan,
  workloads: handmadePlan.workloads.filter(({ name }) =>
    ['checkout', 'cart', 'search', 'pricing'].includes(name),
  ),
};

const lines = async (server: ApiServer) => {
  const said: string[] = [];
  for await (const write of rehearseDrain(server, plan, world)) said.push(rehearsedText(write));
  return said;
};

test('a rehearsed drain sends each write as a dry run and reports refusals of the server', async () => {
  const denied = 'admission webhook "policies.example" denied the request: not on Fridays';
  const { server, sent } = serverThat((path) =>
    path.endsWith('cart-deployment') ? new ApiError(denied, { status: 400, reason: 'BadRequest' }) : {},
  );
  expect(await lines(server)).toEqual([
    'cluster/frankfurt cordoned (server dry run)',
    'shop/deployment/checkout evicted from frankfurt (server dry run)',
    `shop/deployment/cart not evicted from frankfurt: ${denied} (server dry run)`,
    'shop/deployment/search evicted from frankfurt (server dry run)',
  ]);
  expect(sent.map(({ dryRun }) => dryRun)).toEqual([true, true, true, true]);
  expect(sent[0]).toMatchObject({
    path: '/apis/cluster.karmada.io/v1alpha1/clusters/frankfurt',
    patch: { metadata: { resourceVersion: '99', uid: 'uid-of-frankfurt' } },
  });
  expect(sent[1]).toMatchObject({
    path: '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/checkout-deployment',
    patch: {
      metadata: { resourceVersion: '4711' },
      spec: { gracefulEvictionTasks: [{ fromCluster: 'frankfurt', suppressDeletion: true }] },
    },
  });
});

test('a rehearsed drain reports a missing permission once', async () => {
  const message = 'clusters is forbidden: User "eve" cannot patch resource "clusters"';
  const { server } = serverThat(() => new ApiError(message, { status: 403, reason: 'Forbidden' }));
  await expect(lines(server)).rejects.toThrow(message);
});
