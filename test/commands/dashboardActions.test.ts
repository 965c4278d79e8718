import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { root, run } from './cli.ts';
import { liveServer, type LiveServer } from './liveServer.ts';

const file = 'examples/incident/control-plane.json';
const { items } = JSON.parse(readFileSync(file, 'utf8')) as { items: KubernetesObject[] };

const REDRAW = '\u000c';

/** The dashboard in a process of its own, with somebody who types and waits for what the screen says. */
function open(server: LiveServer, ...more: string[]) {
  const argv = ['bin/kubectl-karmada_failover.js', 'dashboard', '--karmada-version', 'v1.18', ...more];
  const { PATH, HOME } = process.env;
  const preload = `--require ${join(import.meta.dirname, 'asScreen.cjs')}`;
  const child = spawn(process.execPath, argv, {
    cwd: root,
    env: { PATH, HOME, KUBECONFIG: server.kubeconfig, NODE_OPTIONS: preload, TERM: 'xterm', NO_COLOR: '1' },
    stdio: 'pipe',
  });
  let drawn = '';
  let stderr = '';
  let heard: () => void = () => undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    drawn += text;
    heard();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    ended,
    stderr: () => stderr,
    type: (keys: string) => void child.stdin.write(keys),
    /** Draws the screen anew until it says this; the changed cells alone are no text. */
    async until(text: string): Promise<void> {
      for (;;) {
        drawn = '';
        const more = new Promise<void>((resolve) => (heard = resolve));
        child.stdin.write(REDRAW);
        await Promise.race([more, ended]);
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (plain(drawn).includes(text)) return;
        if (child.exitCode !== null) throw new Error(`it ended before it said "${text}": ${stderr}`);
      }
    },
  };
}

// eslint-disable-next-line no-control-regex
const plain = (text: string) => text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');

test('with --allow-actions a key shows the plan, asks, and does it; the terminal is given back', async () => {
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
}, 60_000);

test('without it the key names the flag and the command, and nothing is written', async () => {
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
}, 60_000);

test('actions need a live control plane and a screen', () => {
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
