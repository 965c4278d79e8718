import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root, run as runDirectly, type Ran } from './cli.ts';
import { installIn } from '../program.ts';

/** KUBECTL, the one of the test bed, or the first on the PATH. */
function findKubectl(): string | undefined {
  const built = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'karmada-failover-e2e');
  const beds = existsSync(built) ? readdirSync(built).map((hash) => join(built, hash)) : [];
  const path = (process.env['PATH'] ?? '').split(delimiter);
  const places = [...beds, ...path].map((directory) => join(directory, 'kubectl'));
  return [process.env['KUBECTL'] ?? '', ...places].find((file) => file !== '' && existsSync(file));
}

const kubectl = findKubectl();
if (kubectl === undefined && process.env['NOTHING_SKIPPED'])
  throw new Error(
    'there is no kubectl: put one on the PATH, name it with KUBECTL, or build it with npm run e2e:build; without NOTHING_SKIPPED these tests are skipped',
  );

(kubectl ? describe : describe.skip)('kubectl with the plugin installed by npm', () => {
  const home = mkdtempSync(join(tmpdir(), 'kubectl-'));
  beforeAll(() => {
    mkdirSync(join(home, 'bin'));
    installIn(join(home, 'bin'));
  });
  afterAll(() => rmSync(home, { recursive: true }));

  function run(...argv: string[]): Ran {
    const { status, stdout, stderr } = spawnSync(kubectl!, argv, {
      cwd: root,
      encoding: 'utf8',
      env: {
        PATH: [join(home, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
        HOME: home,
      },
    });
    return { code: status, stdout, stderr };
  }
  const plugin = (...argv: string[]) => run('karmada-failover', ...argv);

  test('lists the plugin', () => {
    expect(run('plugin', 'list', '--name-only').stdout).toMatch(/^kubectl-karmada_failover$/m);
  });

  test.each([
    [['failover', 'status', '--state', 'examples/shop', '-o', 'name']],
    [['failover', 'status', '--state', 'examples/shop', '-o=jsonpath={.clusters[*].name}']],
    [['--version']],
    [['failover', 'simulate', '-h']],
    [['fly']],
    [['failover', 'status', '--state', 'nowhere.json']],
    [['eviction', 'inspect', '--state', 'examples/shop', '-o', 'pretty']],
  ])('runs %j with the same output and exit code as without kubectl', (argv) => {
    expect(plugin(...argv)).toEqual(runDirectly(argv));
  });

  test('prints the help if the plugin has no arguments', () => {
    const { code, stdout, stderr } = plugin();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('$ kubectl karmada-failover [COMMAND]');
    expect(plugin('-h').stdout).toBe(stdout);
    expect(plugin('help').stdout).toBe(stdout);
  });

  test('suggests a command for a misspelt one', () => {
    expect(plugin('failover', 'statsu', '--state', 'examples/shop')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: unknown command "failover statsu", did you mean "failover status"?\n',
    });
  });

  test.each([
    [
      ['failover', 'st'],
      [
        'status\tShow whether failover is on, evictions, free capacity, and what the loss of each cluster would cost.',
        ':4',
      ],
    ],
    [
      ['failover', 'status', '--state', 'examples/shop', 't'],
      ['tokyo', ':4'],
    ],
    [
      ['failover', 'status', '--state', 'examples/shop', '--output', 'j'],
      ['json', 'jsonpath=', 'jsonpath-as-json=', 'jsonpath-file=', ':4'],
    ],
    [['failover', 'status', '--state', ''], [':0']],
  ])('completes %j', (words, lines) => {
    const { code, stdout } = run('__complete', 'karmada-failover', ...words);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual(lines);
  });
});
