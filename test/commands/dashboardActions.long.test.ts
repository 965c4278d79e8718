import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { run } from './cli.ts';
import { open } from './dashboardOnScreen.ts';
import { liveServer } from './liveServer.ts';

const file = 'examples/incident/control-plane.json';
const { items } = JSON.parse(readFileSync(file, 'utf8')) as { items: KubernetesObject[] };

test('dashboard --allow-actions shows the plan, executes it after confirmation, and restores the terminal', async () => {
  const server = await liveServer(items);
  try {
    const shown = open(server, '--allow-actions');
    await shown.until('live');
    shown.type('/tokyo\rC');
    await shown.until('Nothing is done yet.');
    expect(server.writes).toEqual([]);
    shown.type('\r');
    await shown.until('context karmada: Cordon tokyo? [y/N]');
    expect(server.writes).toEqual([]);
    shown.type('y\r');
    await shown.until('Done.');
    expect(server.writes).toEqual(['patch /apis/cluster.karmada.io/v1alpha1/clusters/tokyo']);
    shown.type('q');
    expect(await shown.ended).toBe(0);
    expect(shown.stderr()).toBe('');
  } finally {
    server.close();
  }
});

test.each([
  ['q', 0],
  ['SIGTERM', 143],
  // a closed terminal: the process ends by the signal
  ['SIGHUP', null],
] as const)(
  'dashboard stops a running drain on %s, and prints the command to continue',
  async (end, code) => {
    const server = await liveServer(items);
    try {
      const shown = open(server, '--allow-actions');
      await shown.until('live');
      shown.type('/oregon\rD');
      await shown.until('Nothing is done yet.');
      shown.type('\ry\r');
      await shown.until('evicted shop/deployment/');
      if (end === 'q') shown.type('q');
      else shown.kill(end);
      expect(await shown.ended).toBe(code);
      expect(shown.stderr()).toMatch(
        /^Not finished: drain oregon\. To resume: kubectl karmada-failover drain oregon --karmada-context=karmada --karmada-version v1\.18\n$/,
      );
      const cordoned = '/apis/cluster.karmada.io/v1alpha1/clusters/oregon';
      expect(server.writes.filter((one) => one.endsWith(cordoned))).toHaveLength(1);
    } finally {
      server.close();
    }
  },
);

test('dashboard without --allow-actions writes nothing, and shows that flag and the command', async () => {
  const server = await liveServer(items);
  try {
    const shown = open(server);
    await shown.until('live');
    shown.type('/tokyo\rC');
    await shown.until('it was opened without --allow-actions');
    await shown.until('$ kubectl karmada-failover cordon tokyo');
    shown.type('\ry\rq');
    expect(await shown.ended).toBe(0);
    expect(server.writes).toEqual([]);
  } finally {
    server.close();
  }
});

test('dashboard --allow-actions requires a live control plane and a screen', () => {
  const allowed = (...more: string[]) => run(['dashboard', '--allow-actions', ...more]);
  expect(allowed('--state', 'examples/shop')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: --allow-actions: --state reads files/),
  });
  expect(allowed('--plain')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: --allow-actions asks on a screen, and --plain has none/),
  });
});
