import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { run } from '../commands/cli.ts';
import { EXECUTABLE, packaged, release, sha256, start, succeed, unpack, version } from './release.ts';

const folder = mkdtempSync(join(tmpdir(), 'archive-'));
const unpacked = join(folder, 'unpacked');
const executable = join(unpacked, EXECUTABLE);
const inspect = ['eviction', 'inspect', '--state', 'examples/shop', '-o', 'wide'];

beforeAll(() => unpack('linux-amd64', unpacked));
afterAll(() => rmSync(folder, { recursive: true }));

test('every published file has a checksum', () => {
  const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  const named = sums.map((line) => line.split('  ') as [string, string]);
  const files = readdirSync(release, { withFileTypes: true }).filter((entry) => entry.isFile());
  expect([...named.map(([, name]) => name), 'SHA256SUMS'].sort()).toEqual(
    files.map(({ name }) => name).sort(),
  );
  for (const [sum, name] of named) expect(sha256(readFileSync(join(release, name)))).toBe(sum);
});

test('the README installs existing files', () => {
  const table = readFileSync('README.md', 'utf8').split('## Install')[1]!.split('\n## ')[0]!;
  const named = table.match(/[\w.-]*karmada[\w.-]+\.(?:tar\.gz|tgz|deb|yaml)\b/g) ?? [];
  const files = named.map((name) => name.replace('VERSION', version).replace('PLATFORM', 'linux-amd64'));
  expect(new Set(files).size).toBe(4);
  expect(files.filter((name) => !existsSync(join(release, name)))).toEqual([]);
});

test('repeated builds are identical to the byte', () => {
  const again = join(folder, 'again');
  execFileSync('node', ['scripts/dist/run.mjs', '--only', 'linux-amd64,darwin-amd64', '--out', again]);
  for (const platform of ['linux-amd64', 'darwin-amd64'])
    expect(sha256(readFileSync(join(again, basename(packaged(platform)))))).toBe(
      sha256(readFileSync(packaged(platform))),
    );
});

describe('the archive', () => {
  test('contains the executable and its files, in at most 70 MB', () => {
    expect(readdirSync(unpacked).sort()).toEqual(
      ['LICENSE', 'README.md', 'THIRD-PARTY', 'examples', EXECUTABLE].sort(),
    );
    expect(readFileSync(join(unpacked, 'THIRD-PARTY'), 'utf8')).toMatch(/^Bun \d/m);
    expect(readFileSync(packaged('linux-amd64')).length).toBeLessThan(70_000_000);
  });

  test('contains no path of the build machine', () => {
    expect(readFileSync(executable).includes(process.cwd())).toBe(false);
  });

  test('gives the same answers as on Node, with a read-only disk and no PATH', () => {
    expect(start(executable, inspect, { PATH: '', TMPDIR: '/proc' })).toEqual(run(inspect));
    const { stdout } = start(executable, ['--help']);
    expect(stdout).toContain('$ kubectl karmada-failover [COMMAND]');
    expect(stdout).toContain(`${version} linux-x64 bun-v`);
  });

  test('contains the worker threads of the dashboard, and the HTML report', () => {
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

  test('provides completion under the name that kubectl looks up', () => {
    const name = join(unpacked, 'kubectl_complete-karmada_failover');
    symlinkSync(executable, name);
    const { stdout } = start(name, ['failover', 'status', '--state', 'examples/shop', 't']);
    expect(stdout).toBe('tokyo\n:4\n');
  });

  test('reads no files from its own directory', () => {
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

test('compiled as in the executable, the engine makes the recorded decisions of Karmada', () => {
  const runner = join(folder, 'conformance');
  execFileSync('node', ['scripts/dist/compileEntry.mjs', 'test/conformance/run.ts', runner]);
  expect(succeed(runner, ['test/conformance/cases'])).toMatch(/^[1-9]\d{3} passed, 0 failed$/m);
});

test('the npm package installs offline, without dependencies or scripts, and gives the same answers', () => {
  const prefix = join(folder, 'prefix');
  const argv = ['install', '--global', '--offline', '--cache', join(folder, 'cache'), '--prefix', prefix];
  execFileSync('npm', [...argv, join(release, `${packageJson.name}-${version}.tgz`)], { stdio: 'ignore' });
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

test('the npm package contains only the bundle and its files', () => {
  const packed = join(release, `${packageJson.name}-${version}.tgz`);
  const files = succeed('tar', ['-tzf', packed]).trimEnd().split('\n');
  const [bundle, rest] = [true, false].map((want) =>
    files.filter((name) => /^package\/(dist|examples|bin)\//.test(name) === want),
  );
  expect(rest!.sort()).toEqual(
    ['LICENSE', 'README.md', 'oclif.manifest.json', 'package.json'].map((name) => `package/${name}`),
  );
  expect(bundle!.filter((name) => !/\.(cjs|js|json|rec|txt)$|\/THIRD-PARTY$/.test(name))).toEqual([]);
});

test('npm pack in the sources creates the same package, and leaves package.json unchanged', () => {
  const sources = join(folder, 'sources');
  for (const file of [
    ...packageJson.files,
    'LICENSE',
    'README.md',
    'package.json',
    'scripts/dist/npmPackage.mjs',
  ])
    if (!file.startsWith('!')) cpSync(file, join(sources, file), { recursive: true });
  // what prepack and postpack run, except for the build
  expect(packageJson.scripts.prepack).toBe('npm run build && node scripts/dist/npmPackage.mjs trim');
  expect(packageJson.scripts.postpack).toBe('node scripts/dist/npmPackage.mjs restore');
  const inSources = { cwd: sources };
  execFileSync('node', ['scripts/dist/npmPackage.mjs', 'trim'], inSources);
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts'], inSources);
  execFileSync('node', ['scripts/dist/npmPackage.mjs', 'restore'], inSources);
  const name = `${packageJson.name}-${version}.tgz`;
  expect(sha256(readFileSync(join(sources, name)))).toBe(sha256(readFileSync(join(release, name))));
  expect(readFileSync(join(sources, 'package.json'))).toEqual(readFileSync('package.json'));
});
