import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { open, openCommand } from './dashboardOnScreen.ts';
import { liveServer, runLive } from './liveServer.ts';

const file = 'examples/incident/control-plane.json';
const { items } = JSON.parse(readFileSync(file, 'utf8')) as { items: KubernetesObject[] };

test('dashboard --plain shows that its control plane is live', async () => {
  const server = await liveServer(items);
  try {
    const { code, stdout } = await runLive(['dashboard', '--plain', '--karmada-version', 'v1.18'], server);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\blive \d\d:\d\d:\d\dZ$/m);
    expect(stdout).toMatch(/frankfurt not Ready; 6 evictions, \d lost/);
  } finally {
    server.close();
  }
});

/** An instant in the format of Leases. */
const ago = (seconds: number) => `${new Date(Date.now() - seconds * 1000).toISOString().slice(0, -1)}000Z`;

test.each([
  ['running', { renewTime: ago(5), leaseDurationSeconds: 3600 }, 'controller run active for 1h'],
  [
    'silent',
    { renewTime: ago(36_000), leaseDurationSeconds: 15 },
    'controller run: last Lease renewal 10h ago',
  ],
])('dashboard shows controller run as %s, based on its Lease', async (_, times, said) => {
  const lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace: 'karmada-system', name: 'karmada-failover-controller' },
    spec: { holderIdentity: 'host-1', acquireTime: ago(3600), leaseTransitions: 1, ...times },
  };
  const server = await liveServer([...items, lease]);
  try {
    const shown = open(server);
    await shown.until(said);
    shown.type(':failover\rG');
    await shown.until('host-1');
    shown.type('q');
    expect(await shown.ended).toBe(0);
  } finally {
    server.close();
  }
});

test('dashboard shows an eviction that begins and ends between two reads', async () => {
  const server = await liveServer(items);
  try {
    const evict = (name: string, tasks: object[] | null) =>
      server.store.patch(`/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/${name}`, {
        spec: { gracefulEvictionTasks: tasks },
      });
    const creationTimestamp = new Date().toISOString();
    const task = { fromCluster: 'dublin', reason: 'Maintenance', producer: 'somebody', creationTimestamp };
    // given a dashboard that reports an eviction in progress
    const shown = open(server);
    await shown.until('live');
    shown.type(':events\r');
    await shown.until('WHEN');
    evict('cart-deployment', [task]);
    await shown.until('deployment/cart is evicted by somebody');
    // when another workload leaves at once
    evict('search-deployment', [task]);
    evict('search-deployment', null);
    // then both are reported, although nothing of it is left
    await shown.until('2 workloads are evicted by somebody');
    shown.type('q');
    expect(await shown.ended).toBe(0);
  } finally {
    server.close();
  }
});

test('dashboard edits a policy with E only for a what-if', async () => {
  const server = await liveServer(items);
  try {
    const shown = openCommand(server, ['dashboard'], { EDITOR: 'sed -i s/frankfurt/dublin/' });
    await shown.until('live');
    shown.type(':policies\r');
    await shown.until('data/ledger');
    shown.type('/data.ledger\r');
    await shown.until('1/1');
    shown.type('E');
    await shown.until('is edited; w shows the effect');
    shown.type(':clusters\rw');
    await shown.until('OUTCOME');
    shown.type('q');
    expect(await shown.ended).toBe(0);
    expect(server.writes).toEqual([]);
  } finally {
    server.close();
  }
});

const simulating = (...more: string[]) => ['failover', 'simulate', '--interactive', ...more];

test('failover simulate --interactive shows the outcome of a live control plane', async () => {
  const server = await liveServer(items);
  try {
    const shown = openCommand(server, simulating('--fail', 'virginia'));
    await shown.until('OUTCOME');
    shown.type('q');
    expect(await shown.ended).toBe(0);
    expect(server.writes).toEqual([]);
  } finally {
    server.close();
  }
});

test.each([
  ['a cluster', ['--fail', 'nosuch'], 'nosuch'],
  ['a region', ['--fail-region', 'nowhere'], 'nowhere'],
])(
  'failover simulate --interactive exits with 2 for %s that does not exist, and reports it on stderr',
  async (_, more, said) => {
    const server = await liveServer(items);
    try {
      const shown = openCommand(server, simulating(...more));
      expect(await shown.ended).toBe(2);
      expect(shown.stderr()).toMatch(new RegExp(`^error: .*${said}`, 'm'));
    } finally {
      server.close();
    }
  },
);
