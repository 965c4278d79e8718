import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { run } from './cli.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const state = ['--state', 'examples/incident'];

/** A document's values of a field, as one word each. */
function fields(path: string, ...argv: string[]): string[] {
  const { code, stdout, stderr } = run([...argv, ...state, '-o', `jsonpath={${path}}`]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout === '' ? [] : stdout.split(' ');
}

const evicted = (...flags: string[]) => fields('.items[*].workload.name', 'eviction', 'inspect', ...flags);

describe('eviction inspect selects evictions', () => {
  const all = evicted();

  test('by field', () => {
    const inShop = evicted('--field-selector', 'metadata.namespace=shop');
    expect(inShop).toEqual(evicted('-n', 'shop'));
    expect(inShop.length).toBeGreaterThan(1);
    expect(inShop.length).toBeLessThan(all.length);
    expect(evicted('--field-selector', 'metadata.name=checkout-deployment')).toEqual(['checkout']);
    expect(
      evicted('--field-selector', 'metadata.name!=checkout-deployment,metadata.namespace==shop'),
    ).toEqual(inShop.filter((name) => name !== 'checkout'));
  });

  test('by the labels of the workload', () => {
    expect(evicted('-l', 'app in (checkout,gone)')).toEqual(['checkout']);
    expect(evicted('-n', 'shop', '--selector', 'app!=checkout')).toEqual(
      evicted('-n', 'shop').filter((name) => name !== 'checkout'),
    );
  });

  test('without an error if no eviction matches', () => {
    expect(evicted('--field-selector', 'metadata.name=gone')).toEqual([]);
    expect(evicted('-l', 'no=where')).toEqual([]);
  });
});

test('failover status counts the selected workloads, also in its forecast', () => {
  const counts = (...flags: string[]) =>
    fields('.clusters[?(@.name=="virginia")].workloads', 'failover', 'status', ...flags).map(Number);
  const [all, data, others] = [
    counts(),
    counts('-n', 'data'),
    counts('--field-selector', 'metadata.namespace!=data'),
  ];
  expect(data[0]).toBeGreaterThan(0);
  expect(data[0]! + others[0]!).toBe(all[0]);
  const fate = fields('.clusters[?(@.name=="virginia")].ifItFails', 'failover', 'status', '-n', 'data');
  const sum = Object.values(JSON.parse(fate.join(' ')) as Record<string, number>).reduce((a, b) => a + b);
  expect(sum).toBe(data[0]);
});

test('failover simulate reports the selected workloads, and simulates all', () => {
  const simulate = ['failover', 'simulate', '--fail', 'virginia'];
  const chosen = ['--field-selector', 'metadata.name=cart-deployment'];
  expect(fields('.workloads[*].name', ...simulate, ...chosen)).toEqual(['cart']);
  const objects = fields('.events[*].object.name', ...simulate, ...chosen);
  expect(new Set(objects)).toEqual(new Set(['virginia', 'cart-deployment']));
  expect(fields('.clusters', ...simulate, ...chosen)).toEqual(fields('.clusters', ...simulate));
});

test.each([
  [['-l', 'app in cart'], '--selector "app in cart": has "cart" where "(" is expected; write app=cart,'],
  [
    ['--field-selector', 'metadata.name'],
    '--field-selector "metadata.name": "metadata.name" is not FIELD=VALUE',
  ],
  [
    ['--field-selector', 'spec.replicas=1'],
    '--field-selector "spec.replicas=1": bindings have no selectable field "spec.replicas"; use metadata.name',
  ],
  [
    ['--field-selector', 'metadata.nam=x'],
    'have no selectable field "metadata.nam", did you mean metadata.name or ',
  ],
  [['deploy/cart', '-l', 'app=cart'], 'deploy/cart and a selector both choose workloads; give one of them'],
])('the selection %j is refused', (argv, message) => {
  const { code, stderr } = run(['eviction', 'inspect', ...argv, ...state]);
  expect(stderr).toContain(message);
  expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 2, lines: 2 });
});

describe('a printed name is accepted by every command', () => {
  const shop = ['--state', 'examples/shop'];
  const forms = [
    ['statefulset/ledger'],
    ['statefulset', 'ledger'],
    ['sts', 'ledger'],
    ['sts.apps/ledger'],
    ['data/statefulset/ledger'],
    ['rb/ledger-statefulset'],
    ['resourcebinding.work.karmada.io/ledger-statefulset'],
  ];

  test.each(forms)('explain %s %s', (...words) => {
    const named = run(['failover', 'explain', ...words, ...shop, '-o', 'jsonpath={.workload.name}']);
    expect(named).toMatchObject({ code: 0, stdout: 'ledger' });
  });

  test.each(forms.filter((words) => words.length === 1))('drain --skip %s', (name) => {
    const path = '{.workloads[?(@.fate=="stays")].workload.name}';
    const kept = run([
      'drain',
      'cluster/frankfurt',
      '--skip',
      name,
      ...shop,
      '-o',
      `jsonpath=${path}`,
      '--dry-run',
    ]);
    expect(kept.stdout.split(' ')).toContain('ledger');
  });

  test('as several names after one kind', () => {
    expect(evicted('deployment', 'checkout', 'pricing')).toEqual(['checkout', 'pricing']);
    const held = run([
      'eviction',
      'hold',
      'deploy',
      'checkout',
      'pricing',
      '--dry-run=client',
      ...state,
      '-o',
      'name',
    ]);
    expect(held.stdout.trim().split('\n')).toHaveLength(2);
  });

  test('as a cluster', () => {
    const status = run(['failover', 'status', 'cluster/oregon', ...shop, '-o', 'name']);
    expect(status).toMatchObject({ code: 0, stdout: 'cluster.cluster.karmada.io/oregon\n' });
    const failed = run([
      'failover',
      'simulate',
      '--fail',
      'cluster/oregon@1m',
      ...shop,
      '-o',
      'jsonpath={.kind}',
    ]);
    expect(failed).toMatchObject({ code: 0, stdout: 'Simulation' });
  });
});

test('simulate and diff accept the patches of explain', () => {
  const path = '{.changes.items[0].patches}';
  const explained = run([
    ...['failover', 'explain', 'sts/ledger', '--if-fails', 'frankfurt', '--state', 'examples/shop'],
    ...['-o', `jsonpath=${path}`],
  ]);
  const file = join(temporaryFolder('patches-'), 'patches.json');
  writeFileSync(file, explained.stdout);
  const ledger = '{.workloads[?(@.workload.name=="ledger")].outcome}';
  const simulate = [
    'failover',
    'simulate',
    '--fail',
    'frankfurt',
    '--state',
    'examples/shop',
    '-o',
    `jsonpath=${ledger}`,
  ];
  expect(run(simulate).stdout).toBe('lost');
  expect(run([...simulate, '--apply', file]).stdout).toBe('moves');
  const differing = '{.items[*].workload.name}';
  const diff = ['failover', 'diff', '--fail', 'frankfurt', '--apply-to', file, '--state', 'examples/shop'];
  expect(run([...diff, '-o', `jsonpath=${differing}`])).toMatchObject({ code: 1, stdout: 'ledger' });
});
