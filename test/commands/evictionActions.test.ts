import { describe, expect, test } from '@jest/globals';
import { json, run } from './cli.ts';
import { breaches } from './schema.ts';

const AT = '2026-09-01T09:33:00Z';
const incident = ['--state', 'examples/incident', '--at', AT];
const dryRun = [...incident, '--dry-run=client'];
const act = (action: string, ...args: string[]) => run(['eviction', action, ...args]);
const next = (command: string) =>
  `kubectl karmada-failover ${command} --state=examples/incident --at=${AT}\n`;
const HELD = 'resourcebinding.work.karmada.io/queue-deployment';

describe('an eviction action on a captured control plane', () => {
  test('hold keeps the old copy', () => {
    expect(act('hold', 'deployment/checkout', ...dryRun)).toEqual({
      code: 0,
      stdout:
        'resourcebinding.work.karmada.io/checkout-deployment held in shop (dry run): the copy on frankfurt stays until it is released or completed; otherwise the task would have ended at 2026-09-01T09:41:35Z at the latest\n' +
        next('eviction inspect shop/deployment/checkout'),
      stderr: '',
    });
  });

  test('release lets the passed deadline end the task', () => {
    const { code, stdout } = act('release', 'rb/queue-deployment', '-n', 'data', ...dryRun);
    expect(code).toBe(0);
    expect(stdout).toBe(
      `${HELD} released in data (dry run): Karmada ends the task now, because the time limit of 10m ended at 2026-09-01T01:27:42Z (graceful-eviction-timeout): the copy on oregon is deleted; virginia keeps running\n${next('eviction inspect data/deployment/queue')}`,
    );
  });

  test('cancel restores the old copy', () => {
    expect(act('cancel', 'deploy.apps/queue', '--from', 'oregon', ...dryRun).stdout).toBe(
      `${HELD} cancelled in data (dry run): back on oregon with 2 replicas, for which virginia loses 2; the scheduler does not change it\n${next('explain data/deployment/queue')}`,
    );
  });

  test('refuses to delete the last ready copy, with the flag that accepts it', () => {
    const refused = act('complete', 'deployment/checkout', ...dryRun);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^error: resourcebinding.work.karmada.io\/checkout-deployment not completed in shop: .*virginia: 0 of 6 replicas ready.*; --allow-loss accepts that$/m,
    );
    expect(act('complete', 'deployment/checkout', '--allow-loss', ...dryRun)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/completed in shop \(dry run\): Karmada ends the task now/),
    });
  });

  test('continues with other evictions after a refused one', () => {
    const { code, stdout, stderr } = act('complete', '--all', '--from', 'frankfurt', '-A', ...dryRun);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^resourcebinding.work.karmada.io\/session-cache-statefulset completed in data/);
    expect(stderr.match(/^error: /gm)).toHaveLength(4);
  });

  test('reports an unchanged eviction without failing', () => {
    expect(act('hold', 'deploy/queue', ...dryRun)).toMatchObject({
      code: 0,
      stdout: `${HELD} unchanged in data: held already: the copy on oregon stays until it is released or completed\n${next('eviction inspect data/deployment/queue')}`,
    });
    expect(act('complete', 'deploy/search', ...dryRun)).toMatchObject({ code: 0 });
    expect(act('hold', 'deploy/search', ...dryRun)).toMatchObject({ code: 1, stdout: '' });
  });

  test('prints bindings with -o name, without the refused ones', () => {
    expect(act('cancel', '--all', '--from', 'frankfurt', '-n', 'data', '-o', 'name', ...dryRun).stdout).toBe(
      'resourcebinding.work.karmada.io/ledger-statefulset\n',
    );
  });

  test('prints its evidence with -o wide', () => {
    expect(act('release', 'deploy/queue', '-o', 'wide', ...dryRun).stdout).toMatch(
      /\n {2}the time limit of 10m ended .*\[spec.gracefulEvictionTasks\[0\].creationTimestamp: /,
    );
  });

  test.each(['hold', 'release', 'cancel', 'complete'])(
    '%s prints a document that is valid against its schema',
    (action) => {
      const { stdout } = act(action, '--all', '--from', 'frankfurt', '-A', '-o', 'json', ...dryRun);
      const document = JSON.parse(stdout) as { items: unknown[] };
      expect(document).toMatchObject({ kind: 'EvictionActionList', action, dryRun: 'client' });
      expect(document.items).toHaveLength(5);
      expect(breaches('eviction-action-list', document)).toBe('');
    },
  );

  test('selects bindings by field', () => {
    const argv = ['eviction', 'hold', '--field-selector', 'metadata.name=ledger-statefulset'];
    expect(json([...argv, '--from', 'frankfurt', '-A', ...dryRun])).toMatchObject({
      items: [{ workload: { name: 'ledger' }, result: 'planned' }],
    });
  });

  test('reports no evictions in flight, with the selection', () => {
    const other = act('hold', '--from', 'frankfurt', '-n', 'shop', '-l', 'app=chekout', ...dryRun);
    expect(other).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No evictions from frankfurt in flight of workloads with app=chekout in namespace shop.\n',
    });
    const nothing = act('hold', '--all', '--from', 'tokyo', '-A', ...dryRun);
    expect(nothing.stderr).toBe('No evictions from tokyo in flight.\n');
  });

  test('warns that deadlines depend on an assumed flag', () => {
    const state = ['--state', 'examples/incident/control-plane.json', '--at', AT, '--dry-run=client'];
    const { code, stderr } = act('hold', 'deployment/checkout', ...state);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: deadlines depend on graceful-eviction-timeout=10m.*--assume/m);
  });
});

test.each([
  [
    ['hold'],
    'name a workload, as in deployment/cart, or give --all --from CLUSTER for all that leave a cluster',
  ],
  [['hold', '--all'], '--all needs --from CLUSTER'],
  [['hold', '--all', '--from', 'frankfurt'], '--all needs a namespace; give -n NAMESPACE, or -A for all'],
  [['hold', '-l', 'app=cart', '-A'], '--selector needs --from CLUSTER'],
  [
    ['hold', 'deploy/queue', '--all', '--from', 'oregon'],
    'deploy/queue and --all both choose workloads; give one of them',
  ],
  [
    ['release', 'deploy/queue', ...incident],
    '--state reads files, which this command cannot change; give --dry-run=client to see what it would do',
  ],
  [
    ['release', 'deploy/queue', '--at', AT],
    '--at is for captured states (--state): a live control plane has its own clock',
  ],
  [
    ['cancel', 'deploy/queue', '--from', 'oregn', ...dryRun],
    '--from: there is no cluster "oregn", did you mean oregon?',
  ],
  [
    ['complete', 'deploy/que', ...dryRun],
    'no binding for deploy/que in the state, did you mean deploy/queue?',
  ],
  [['inspect', '--plain'], '--plain requires --watch; leave it out, or add --watch'],
  [['inspect', '-w', '--sort-by', '.reason'], '--watch prints changes as they come; leave --sort-by out'],
])('%j is wrong usage', (argv, message) => {
  expect(run(['eviction', ...argv])).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` });
});
