import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withContext, commandLineOf } from '../../../src/cli/dashboard/commandLineOf.ts';

const folder = mkdtempSync(join(tmpdir(), 'context-'));
afterAll(() => rmSync(folder, { recursive: true }));

function kubeconfig(current: string): string {
  const file = join(folder, `${current}.json`);
  const contexts = ['prod', 'stage'].map((name) => ({ name, context: { cluster: name, user: name } }));
  writeFileSync(file, JSON.stringify({ 'current-context': current, contexts, clusters: [], users: [] }));
  return file;
}

test('a screen keeps the current context of the kubeconfig, and adds it to printed commands', async () => {
  const file = kubeconfig('prod');
  const flags = await withContext({ kubeconfig: file });
  expect(flags).toEqual({ kubeconfig: file, 'karmada-context': 'prod' });
  expect(commandLineOf(flags)(['drain', 'member1'])).toBe(
    `kubectl karmada-failover drain member1 --kubeconfig=${file} --karmada-context=prod`,
  );
});

test.each([
  [{ context: 'stage' }],
  [{ 'karmada-context': 'stage' }],
  [{ server: 'https://karmada:5443' }],
  [{ state: ['incident.json'] }],
])('a given context, server or state is unchanged: %j', async (named) => {
  const flags = { kubeconfig: kubeconfig('prod'), ...named };
  expect(await withContext(flags)).toEqual(flags);
});

test('a missing context or kubeconfig is reported by the connection', async () => {
  const lost = { kubeconfig: kubeconfig('gone') };
  expect(await withContext(lost)).toEqual(lost);
  const missing = { kubeconfig: '/nowhere/config' };
  expect(await withContext(missing)).toEqual(missing);
});
