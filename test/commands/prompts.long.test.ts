import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { preloading } from '../program.ts';
import { liveServer, runLive, type LiveServer } from './liveServer.ts';

/*
 * Commands that ask: on a terminal they name context and server; without one nothing is asked, and what is piped in answers nothing.
 */
const { items } = JSON.parse(readFileSync('examples/shop/control-plane.json', 'utf8')) as {
  items: KubernetesObject[];
};
const directory = mkdtempSync(join(tmpdir(), 'prompts-'));
const risky = join(directory, 'risky.yaml');
writeFileSync(
  risky,
  `apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata: {name: risky}
spec:
  targetClusters: {clusterNames: [tokyo]}
  addOnConditions: [{conditionType: Ready, operator: In, statusValues: ["False"]}]
  taints: [{key: example.com/risky, effect: NoSchedule}]
`,
);

let server: LiveServer;
beforeAll(async () => {
  server = await liveServer(items);
});
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Command lines that ask, and their exit codes without a terminal. */
const ASKING: readonly (readonly [line: string, piped: string, code: number])[] = [
  // its risk needs confirmation or --accept
  [`taint-policy apply -f ${risky}`, 'y\n', 1],
  ['taint-policy delete evict-when-unreachable', 'n\n', 0],
  ['drain tokyo', 'n\n', 0],
  ['drain tokyo --cancel', 'n\n', 0],
];

describe('a command that asks for confirmation, without a terminal', () => {
  test.each(ASKING)('%s asks nothing and does not read %j', async (line, piped, code) => {
    const argv = [...line.split(' '), '--karmada-context', 'karmada'];
    const ran = await runLive(argv, server, {}, piped);
    expect(ran).toMatchObject({ code });
    expect(ran.stdout + ran.stderr).not.toContain('[y/N]');
  });
});

describe('a command that asks for confirmation, on a terminal', () => {
  const terminal = { ...preloading(join(import.meta.dirname, 'asTerminal.cjs')), NO_COLOR: '1' };

  test.each(ASKING)('%s names context and server in its question', async (line) => {
    const fresh = await liveServer(items);
    const written = () => fresh.writes.filter((write) => !write.endsWith('(dry run)')).length;
    // an old drain to cancel
    if (line.includes('--cancel')) await runLive(['drain', 'tokyo'], fresh);
    const writes = written();
    const argv = [...line.split(' '), '--karmada-context', 'karmada'];
    const { code, stderr } = await runLive(argv, fresh, terminal, 'n\n');
    expect(stderr).toMatch(/context karmada \(https?:\/\/\S+\): .*\?.* \[y\/N\]/);
    expect({ code, writes: written() }).toEqual({ code: 1, writes });
    fresh.close();
  });
});
