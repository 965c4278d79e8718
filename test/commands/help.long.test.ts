import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../oclif.manifest.json' with { type: 'json' };
import { commands } from '../../src/commands/index.ts';
import { root, run } from './cli.ts';
import { preloading } from '../program.ts';

const ids = Object.keys(commands);
const words = (id: string) => id.split(':');
const subjects = new Set(ids.flatMap((id) => words(id).map((_, at, all) => all.slice(0, at + 1).join(' '))));
const manifestFlags: Readonly<Record<string, { flags: object }>> = manifest.commands;
/** Whether a command takes the connection flags, which are on the page of options and not on its own. */
const pointsToConnection = (id: string) => id !== 'options' && 'server' in manifestFlags[id]!.flags;
/** Asks oclif instead of reading the built help. */
const OF_OCLIF = { OCLIF_COLUMNS: 80 };
const ON_A_TERMINAL = {
  ...preloading(join(import.meta.dirname, 'asTerminal.cjs')),
  TERM: 'xterm',
};

test('oclif.manifest.json matches the commands (else: npm run manifest)', () => {
  const { stdout } = spawnSync(process.execPath, ['scripts/manifest.mjs', '--print'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')).toBe(stdout);
});

describe('help', () => {
  test('lists every topic', () => {
    const { code, stdout } = run(['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('$ kubectl karmada-failover [COMMAND]');
    for (const id of ids) expect(stdout).toContain(words(id)[0]);
  });

  test.each(['', ...subjects])('of "%s" written by the build equals the output of oclif', (subject) => {
    const argv = [...subject.split(' ').filter(Boolean), '--help'];
    const written = readFileSync(
      join(root, `dist/help/karmada-failover${subject && ` ${subject}`}.txt`),
      'utf8',
    );
    const { stdout } = run(argv, { env: { ...OF_OCLIF, ...ON_A_TERMINAL } });
    const runtime = new RegExp(`${process.platform}-${process.arch} (?:node|bun)-v[\\d.]+`);
    expect(stdout.replace(runtime, '<runtime>')).toBe(written);
  });

  test.each([
    ['a pipe', {}],
    ['a pipe, with colours forced', { FORCE_COLOR: '1' }],
    ['a terminal, with colours turned off', { ...ON_A_TERMINAL, FORCE_COLOR: '0' }],
    ['a terminal', ON_A_TERMINAL],
    ['a terminal without colours', { ...ON_A_TERMINAL, NO_COLOR: '1' }],
    ['a terminal without any styles', { ...ON_A_TERMINAL, TERM: 'dumb' }],
  ])('on %s equals the output of oclif', (_, env) => {
    for (const argv of [[], ['failover', '--help'], ['help', 'drain'], ['eviction', 'inspect', '-h']]) {
      const shown = run(argv, { env });
      expect(shown).toEqual(run(argv, { env: { ...env, ...OF_OCLIF } }));
      expect(shown.code).toBe(0);
    }
  });

  test('is as wide as the terminal, up to 80 columns', () => {
    const widest = (columns: number) => {
      const env = { ...ON_A_TERMINAL, NO_COLOR: '1', TERMINAL_COLUMNS: String(columns) };
      const lines = run(['failover', 'status', '--help'], { env }).stdout.split('\n');
      return Math.max(...lines.map((line) => line.length));
    };
    expect(widest(60)).toBeLessThanOrEqual(60);
    expect(widest(79)).toBeLessThan(80);
    expect(widest(80)).toBe(80);
    expect(widest(200)).toBe(80);
  });

  test.each(ids)('of %s has a usage line, a description and examples', (id) => {
    const { code, stdout, stderr } = run([...words(id), '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`$ kubectl karmada-failover ${words(id).join(' ')}`);
    expect(stdout).toMatch(/^DESCRIPTION$/m);
    expect(stdout).toMatch(/^EXAMPLES$/m);
    expect(stdout).not.toMatch(/<%|undefined|\[object/);
  });

  test.each(ids)('of %s fits 60 and 80 columns', (id) => {
    for (const columns of [80, 60]) {
      const { stdout } = run([...words(id), '--help'], { env: { OCLIF_COLUMNS: columns } });
      const long = stdout
        .split('\n')
        .filter((line) => line.length > columns && !line.includes('$ kubectl karmada-failover'));
      expect(long).toEqual([]);
    }
  });

  test.each(ids)('of %s prints its description before its flags, and connection flags last', (id) => {
    const headers = [...run([...words(id), '--help']).stdout.matchAll(/^[A-Z][A-Z ]+$/gm)].map(String);
    const first = ['USAGE', 'ARGUMENTS', 'DESCRIPTION', 'EXAMPLES', 'FLAGS'];
    const last = ['STATE FLAGS', 'CONNECTION FLAGS'];
    if (pointsToConnection(id)) expect(headers).not.toContain('CONNECTION FLAGS');
    const between = headers.filter((header) => ![...first, ...last].includes(header));
    expect(headers).toEqual([...first, ...between, ...last].filter((header) => headers.includes(header)));
    expect(between.filter((header) => !header.endsWith(' FLAGS'))).toEqual([]);
    expect(headers).toEqual(expect.arrayContaining(['USAGE', 'DESCRIPTION', 'EXAMPLES']));
  });

  test.each(ids.filter(pointsToConnection))('of %s ends with a reference to the connection flags', (id) => {
    const last = run([...words(id), '--help'])
      .stdout.trimEnd()
      .split('\n\n')
      .at(-1)
      ?.replaceAll(/\s+/g, ' ');
    expect(last).toBe(
      'Use "kubectl karmada-failover options" for the flags of the connection, such as --karmada-context.',
    );
  });

  test('of the connection flags is the same for options and options --help', () => {
    const { code, stdout } = run(['options']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: run(['options', '--help']).stdout });
    for (const { name } of Object.values(manifest.commands.options.flags))
      expect(stdout).toContain(`--${name}`);
  });

  test.each(ids)('of %s aligns its flags in one column', (id) => {
    const sections = run([...words(id), '--help']).stdout.split(/^[A-Z ]+$/m);
    for (const section of sections) {
      const columns = [...section.matchAll(/^( {1,6}(?:-\w, )?)--/gm)].map(([, start]) => start!.length);
      expect(new Set(columns).size).toBeLessThan(2);
    }
  });

  test('of an unknown command suggests a similar one', () => {
    expect(run(['help', 'failover', 'stats'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: unknown command "failover stats", did you mean "failover status"?\n',
    });
  });

  test('ignores --help after --', () => {
    const { code, stderr } = run(['failover', 'explain', '--state', 'examples/shop', '--', '--help']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('"--help" is not KIND/NAME') as unknown as string,
    });
  });

  test('is the same for --help, -h and the help command', () => {
    const { stdout } = run(['failover', 'status', '--help']);
    expect(run(['failover', 'status', '-h']).stdout).toBe(stdout);
    expect(run(['help', 'failover', 'status']).stdout).toBe(stdout);
  });
});

test('--version prints the version of package.json', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(run(['--version']).stdout).toContain(`kubectl-karmada-failover/${version}`);
});

const sortKeys = Object.entries(manifest.commands).flatMap(([id, { flags }]) =>
  'sort-by' in flags ? [[id, / such as (\S+)$/.exec(flags['sort-by'].summary)?.[1] ?? '']] : [],
);

test.each(sortKeys)('%s accepts %s, the example of its help, for --sort-by', (id, field) => {
  const { code, stderr } = run([...words(id!), '--state', 'examples/incident', '--sort-by', field!]);
  expect({ code, refused: stderr.includes('--sort-by') }).toEqual({ code: 0, refused: false });
});
