import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { openCommand } from './dashboardOnScreen.ts';
import { liveServer, type LiveServer } from './liveServer.ts';

const file = 'examples/incident/control-plane.json';
const { items } = JSON.parse(readFileSync(file, 'utf8')) as { items: KubernetesObject[] };

let server: LiveServer;
beforeAll(async () => {
  server = await liveServer(items);
});
afterAll(() => server.close());

test.each([
  ['q', 0],
  ['\u0003', 130],
])('eviction inspect --watch opens a screen with each task in full, and ends on %j', async (key, code) => {
  const shown = openCommand(server, ['eviction', 'inspect', '--watch']);
  await shown.until('6 evictions');
  shown.type('/oregon\r\r');
  await shown.until('evidence');
  shown.type('\u001b');
  await shown.until('1/1 of 6');
  shown.type(key);
  expect(await shown.ended).toBe(code);
});

test('eviction inspect --watch --plain prints lines on a terminal', async () => {
  const shown = openCommand(server, ['eviction', 'inspect', '--watch', '--plain']);
  let ended = false;
  void shown.ended.then(() => (ended = true));
  while (!ended && !shown.drawn().includes('held, waits for')) await sleep(20);
  expect(shown.drawn()).toMatch(/^WORKLOAD +FROM/);
  shown.kill('SIGKILL');
  await shown.ended;
});

/** Drains a cluster whose workloads are not rescheduled, and records it for a page. */
function drain(folder: string) {
  const words = ['drain', 'oregon', '--yes', '--allow-blocked', '--allow-loss', '--allow-unhealthy'];
  return openCommand(server, [...words, '--report', join(folder, 'page.html')], { TMPDIR: folder });
}

test.each([
  ['the end of its terminal', 'SIGHUP' as const],
  ['Ctrl-C', undefined],
])(
  'drain stops after the current write on %s, and removes its screen and temporary files',
  async (_, signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'screens-live-'));
    try {
      const shown = drain(folder);
      await shown.until('in flight');
      expect(readdirSync(folder).some((name) => name.startsWith('karmada-failover-'))).toBe(true);
      if (signal) {
        shown.kill(signal);
        // shells pass it on, too
        shown.kill(signal);
      } else shown.type('\u0003');
      const code = await shown.ended;
      expect({ code, signal: shown.signal() }).toEqual(
        signal ? { code: null, signal } : { code: 3, signal: null },
      );
      // newer versions of Node keep a cache there
      expect(readdirSync(folder).filter((name) => name !== 'node-compile-cache')).toEqual(['page.html']);
      expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain('</html>');
      expect(shown.drawn()).toMatch(/Drain of oregon[^]*Not finished: interrupted/);
      expect(shown.stderr()).toMatch(/To resume: .*drain oregon/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
