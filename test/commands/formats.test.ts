import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './cli.ts';

const state = ['--state', 'examples/incident'];
const names = ['-o', 'custom-columns=NAME:.workload.name', '--no-headers'];

/** The stdout; fails unless the command exits with success and prints nothing else. */
function printed(...argv: string[]): string {
  const { code, stdout, stderr } = run([...argv, ...state]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('-o jsonpath', () => {
  test('prints fields, with whole numbers as kubectl prints them and without a newline', () => {
    expect(printed('eviction', 'inspect', 'deploy/queue', '-o', 'jsonpath={.items[*].ageSeconds}')).toBe(
      '29658',
    );
    expect(
      printed(
        'failover',
        'status',
        '-o',
        'jsonpath={range .clusters[?(@.ready.status!="True")]}{.name}{"\\n"}{end}',
      ),
    ).toBe('frankfurt\n');
  });

  test('prints nothing for a missing field', () => {
    expect(printed('eviction', 'inspect', '-o', 'jsonpath={.items[*].nope.deeper}')).toBe('');
  });

  test('prints JSON with jsonpath-as-json', () => {
    const text = printed('failover', 'status', '-o', 'jsonpath-as-json={.clusters[*].name}');
    expect(JSON.parse(text)).toEqual(['dublin', 'frankfurt', 'oregon', 'tokyo', 'virginia']);
  });

  test('prints a template without braces, with a warning', () => {
    const { code, stdout, stderr } = run(['failover', 'status', ...state, '-o', 'jsonpath=.kind']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '.kind' });
    expect(stderr).toMatch(/^warning: -o jsonpath=\.kind has nothing in braces.*\n$/);
  });
});

describe('-o custom-columns', () => {
  test('prints one line for each list item', () => {
    expect(
      printed('failover', 'status', '-o', 'custom-columns=CLUSTER:.name,READY:.ready.status,NOPE:.nope'),
    ).toBe(
      [
        'CLUSTER     READY   NOPE',
        'dublin      True    <none>',
        'frankfurt   False   <none>',
        'oregon      True    <none>',
        'tokyo       True    <none>',
        'virginia    True    <none>',
        '',
      ].join('\n'),
    );
  });

  test('prints one line for each workload of a simulation', () => {
    const lines = printed('failover', 'simulate', '--fail', 'dublin', '-o', 'custom-columns=W:.kind,N:.name')
      .trim()
      .split('\n');
    expect(lines).toContain('Deployment    storefront');
  });

  test('prints one line for a document without a list', () => {
    const columns = 'custom-columns=KIND:.kind,WORKLOAD:.workload.name';
    expect(printed('failover', 'explain', 'deploy/cart', '-o', columns)).toBe(
      'KIND          WORKLOAD\nExplanation   cart\n',
    );
  });

  test('reads columns from a file', () => {
    const directory = mkdtempSync(join(tmpdir(), 'columns-'));
    const file = join(directory, 'columns.txt');
    writeFileSync(file, 'CLUSTER REPLICAS\n.name   {.replicas}\n');
    const text = printed('failover', 'status', 'tokyo', '-o', `custom-columns-file=${file}`, '--no-headers');
    expect(text).toBe('tokyo   0\n');
    rmSync(directory, { recursive: true });
  });
});

describe('--sort-by sorts', () => {
  const byAge = ['--sort-by', '.ageSeconds'];
  const sorted = printed('eviction', 'inspect', ...names, ...byAge)
    .trim()
    .split('\n');

  test('the items of a template', () => {
    const ages = printed('eviction', 'inspect', '-o', 'jsonpath={.items[*].ageSeconds}', ...byAge)
      .split(' ')
      .map(Number);
    expect(ages.length).toBeGreaterThan(3);
    expect(ages).toEqual([...ages].sort((a, b) => a - b));
  });

  test('the items of a document', () => {
    const { items } = JSON.parse(printed('eviction', 'inspect', '-o', 'json', ...byAge)) as {
      items: { workload: { name: string } }[];
    };
    expect(items.map(({ workload }) => workload.name)).toEqual(sorted);
  });

  test('the rows of a table', () => {
    const rows = printed('eviction', 'inspect', '--no-headers', ...byAge)
      .trim()
      .split('\n');
    expect(rows.map((row) => row.split(/ +/)[0]!.split('/').at(-1))).toEqual(sorted);
  });

  test('the clusters of failover status', () => {
    const text = printed('failover', 'status', '--no-headers', '--sort-by', '.replicas');
    const replicas = text
      .trim()
      .split('\n')
      .map((row) => Number(row.split(/ {3,}/)[3]));
    expect(replicas).toEqual([...replicas].sort((a, b) => a - b));
  });

  test('the workloads of failover simulate, which otherwise lists the worst first', () => {
    const text = printed('failover', 'simulate', '--no-headers', '-o', 'wide', '--sort-by', '.name');
    const workloads = [...text.matchAll(/^[a-z-]+\?? +\S*\/(\S+) /gm)].map(([, name]) => name!);
    expect(workloads.length).toBeGreaterThan(10);
    expect(workloads).toEqual([...workloads].sort());
  });
});
