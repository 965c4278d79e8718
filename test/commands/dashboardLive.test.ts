import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { liveServer, runLive } from './liveServer.ts';

const file = 'examples/incident/control-plane.json';
const { items } = JSON.parse(readFileSync(file, 'utf8')) as { items: KubernetesObject[] };

test('on a live control plane it says that it is live, and shows the same', async () => {
  const server = await liveServer(items);
  try {
    const { code, stdout } = await runLive(['dashboard', '--plain', '--karmada-version', 'v1.18'], server);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\blive \d\d:\d\d:\d\dZ$/m);
    expect(stdout).toMatch(/frankfurt not Ready; 6 evictions, \d will be lost/);
  } finally {
    server.close();
  }
});
