import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { json, root, run } from './cli.ts';
import { breaches } from './schema.ts';

const state = ['--state', 'examples/shop'];
const answers: [string, string, string[]][] = [
  ['EvictionTaskList', 'eviction-task-list', ['eviction', 'inspect', ...state]],
  ['EvictionTaskList', 'eviction-task-list', ['eviction', 'inspect', 'deploy/queue', ...state]],
  ['EvictionTaskList', 'eviction-task-list', ['eviction', 'inspect', '-n', 'shop', ...state]],
  ['FailoverStatus', 'failover-status', ['failover', 'status', ...state]],
  ['FailoverStatus', 'failover-status', ['failover', 'status', 'tokyo', ...state]],
  ['FailoverAudit', 'failover-audit', ['failover', 'audit', '-n', 'data', ...state]],
  ['Simulation', 'simulation', ['failover', 'simulate', ...state, '--fail', 'frankfurt']],
];

describe.each(answers)('the document %s (schema %s) of %j', (kind, schema, argv) => {
  const document = json(argv);

  test('is valid against its schema', () => {
    expect(document).toMatchObject({ kind, schemaVersion: 'v1', karmadaVersion: 'v1.18.2' });
    expect(breaches(schema, document)).toBe('');
  });

  test('has the same content in YAML', () => {
    const { code, stdout } = run([...argv, '-o', 'yaml']);
    expect(code).toBe(0);
    expect(load(stdout)).toEqual(document);
  });

  test('has no colour without a terminal, and no trailing spaces', () => {
    for (const format of [[], ['-o', 'wide'], ['--no-headers']]) {
      const { code, stdout, stderr } = run([...argv, ...format]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      // eslint-disable-next-line no-control-regex
      expect(stdout).not.toMatch(/\u001b| $/m);
    }
  });
});

test('-o name prints one name of kubectl in each line', () => {
  expect(run(['eviction', 'inspect', ...state, '-o', 'name']).stdout).toBe(
    'resourcebinding.work.karmada.io/queue-deployment\n',
  );
  expect(run(['failover', 'status', ...state, '-o', 'name']).stdout).toBe(
    ['dublin', 'frankfurt', 'oregon', 'tokyo', 'virginia']
      .map((name) => `cluster.cluster.karmada.io/${name}\n`)
      .join(''),
  );
});

test('--state - reads a state from a pipe', () => {
  const file = 'examples/shop/control-plane.json';
  const stdin = readFileSync(join(root, file), 'utf8');
  const argv = ['eviction', 'inspect', '-o', 'json', '--state'];
  expect(run([...argv, '-'], { stdin })).toEqual(run([...argv, file]));
});
