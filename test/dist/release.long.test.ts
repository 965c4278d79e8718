import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { run } from '../commands/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'release-'));
const out = join(folder, 'release');
const archive = `kubectl-karmada_failover-${packageJson.version}-linux-amd64.tar.gz`;
const npmArchive = `kubectl-karmada-failover-${packageJson.version}.tgz`;
const unpacked = join(folder, 'unpacked');
const executable = join(unpacked, 'kubectl-karmada_failover');
const inspect = ['eviction', 'inspect', '--state', 'examples/shop', '-o', 'wide'];

beforeAll(() => {
  execFileSync('node', ['scripts/dist/run.mjs', '--only', 'linux-amd64', '--out', out], { encoding: 'utf8' });
  mkdirSync(unpacked);
  execFileSync('tar', ['-xzf', join(out, archive), '-C', unpacked]);
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts it as users do, with nothing of ours in the environment. */
function start(file: string, argv: string[], env: object = {}) {
  const { status, stdout, stderr } = spawnSync(file, argv, {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', HOME: '/nowhere', ...env },
  });
  return { code: status, stdout, stderr };
}

test('all that is published has its sum', () => {
  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  const named = sums.map((line) => line.split('  ') as [string, string]);
  expect(named.map(([, name]) => name).sort()).toEqual(['karmada-failover.yaml', npmArchive, archive].sort());
  for (const [sum, name] of named)
    expect(
      createHash('sha256')
        .update(readFileSync(join(out, name)))
        .digest('hex'),
    ).toBe(sum);
});

describe('the archive', () => {
  test('has the executable and what belongs to it, and at most 70 MB', () => {
    expect(readdirSync(unpacked).sort()).toEqual(
      ['LICENSE', 'README.md', 'THIRD-PARTY', 'examples', 'kubectl-karmada_failover'].sort(),
    );
    expect(readFileSync(join(unpacked, 'THIRD-PARTY'), 'utf8')).toMatch(/^Bun \d/m);
    expect(readFileSync(join(out, archive)).length).toBeLessThan(70_000_000);
  });

  test('names no folder of the build', () => {
    expect(readFileSync(executable).includes(process.cwd())).toBe(false);
  });

  test('answers as the program does on Node, where nothing can be written and no PATH is set', () => {
    expect(start(executable, inspect, { PATH: '', TMPDIR: '/proc' })).toEqual(run(inspect));
    expect(start(executable, ['--help']).stdout).toContain('$ kubectl karmada-failover [COMMAND]');
  });

  test('has the threads of the dashboard, and the report', () => {
    const { code, stdout, stderr } = start('sh', [
      '-c',
      `echo q | ${executable} dashboard --plain --state examples/shop`,
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('examples/shop');
    const page = join(folder, 'report.html');
    const simulate = ['failover', 'simulate', '--state', 'examples/shop', '--fail', 'frankfurt'];
    expect(start(executable, [...simulate, '--report', page]).code).toBe(0);
    expect(readFileSync(page, 'utf8')).toMatch(/<script>.{1000}/s);
  });

  test('completes under the name that kubectl looks for', () => {
    const name = join(unpacked, 'kubectl_complete-karmada_failover');
    symlinkSync(executable, name);
    const { stdout } = start(name, ['failover', 'status', '--state', 'examples/shop', 't']);
    expect(stdout).toBe('tokyo\n:4\n');
  });

  test('reads nothing that lies beside it', () => {
    const place = mkdtempSync(join(folder, 'place-'));
    const { status, stdout } = spawnSync(
      'sh',
      [
        '-c',
        `cd ${place} && echo 'NO_COLOR=1' > .env && echo 'preload = ["./x.js"]' > bunfig.toml && ${executable} version --client`,
      ],
      { encoding: 'utf8' },
    );
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('on Bun ') });
  });
});

test("krew's manifest names the archive by its sum, in as many characters as krew's index takes", () => {
  const manifest = parse(readFileSync(join(out, 'karmada-failover.yaml'), 'utf8')) as {
    metadata: { name: string };
    spec: { version: string; shortDescription: string; platforms: Record<string, unknown>[] };
  };
  expect(manifest.metadata.name).toBe('karmada-failover');
  expect(manifest.spec.version).toBe(`v${packageJson.version}`);
  expect(manifest.spec.shortDescription.length).toBeLessThanOrEqual(50);
  expect(manifest.spec.platforms).toEqual([
    expect.objectContaining({
      selector: { matchLabels: { os: 'linux', arch: 'amd64' } },
      uri: expect.stringMatching(`/releases/download/v${packageJson.version}/${archive}$`),
      sha256: createHash('sha256')
        .update(readFileSync(join(out, archive)))
        .digest('hex'),
      bin: 'kubectl-karmada_failover',
    }),
  ]);
});

test("npm's package installs offline, brings nothing along and runs nothing, and answers the same", () => {
  const prefix = join(folder, 'prefix');
  const argv = ['install', '--global', '--offline', '--cache', join(folder, 'cache'), '--prefix', prefix];
  execFileSync('npm', [...argv, join(out, npmArchive)], { stdio: 'ignore' });
  const modules = join(prefix, 'lib/node_modules');
  expect(readdirSync(modules)).toEqual([packageJson.name]);
  expect(existsSync(join(modules, packageJson.name, 'node_modules'))).toBe(false);
  const own = JSON.parse(readFileSync(join(modules, packageJson.name, 'package.json'), 'utf8')) as object;
  for (const field of ['private', 'scripts', 'dependencies', 'optionalDependencies', 'devDependencies'])
    expect(own).not.toHaveProperty(field);
  expect(start(join(prefix, 'bin/kubectl-karmada_failover'), inspect)).toEqual(run(inspect));
  const complete = join(prefix, 'bin/kubectl_complete-karmada_failover');
  expect(start(complete, ['failover', 'status', '--state', 'examples/shop', 't']).stdout).toBe('tokyo\n:4\n');
});
