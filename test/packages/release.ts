import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import type { Ran } from '../commands/cli.ts';

/** The folder of the release; `freshRelease.mjs` has created it. */
export const release = resolve(process.env['RELEASE']!);
export const { version } = packageJson;
export const EXECUTABLE = 'kubectl-karmada_failover';

/** The file of a package for a platform, such as `linux-amd64`. */
export function packaged(platform: string, ending: 'tar.gz' | 'deb' = 'tar.gz'): string {
  return join(release, `${EXECUTABLE}-${version}-${platform}.${ending}`);
}

/** Unpacks a platform's archive there. */
export function unpack(platform: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  succeed('tar', ['-xzf', packaged(platform), '-C', folder]);
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** A cache between runs for what takes minutes: bases, tools. */
export function kept(name: string): string {
  const folder = join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    'karmada-failover-packages',
    name,
  );
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Starts a program, with nothing of ours in the environment. */
export function start(file: string, argv: readonly string[], env: object = {}): Ran {
  const { status, stdout, stderr, error } = spawnSync(file, argv, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/nowhere', ...env },
  });
  if (error) throw error;
  return { code: status, stdout, stderr };
}

/** Runs a program that must succeed; returns its output. */
export function succeed(file: string, argv: readonly string[], env: object = process.env): string {
  const { code, stdout, stderr } = start(file, argv, env);
  if (code !== 0) throw new Error(`${file} ${argv.join(' ')}: exit code ${code}\n${stdout}${stderr}`);
  return stdout;
}

/** `test` if all of these programs exist, and if it is root; otherwise it is skipped, or fails if nothing may be skipped. */
export function testWith(
  programs: readonly string[],
  { asRoot = true } = {},
): typeof test | typeof test.skip {
  const missing = programs.filter((name) => spawnSync('which', [name]).status !== 0);
  if (asRoot && process.getuid?.() !== 0) missing.push('root');
  if (missing.length === 0) return test;
  if (process.env['NOTHING_SKIPPED']) throw new Error(`missing: ${missing.join(', ')}`);
  return test.skip;
}

/** The mirror that this machine's apt reads, for `debootstrap`. */
function debianMirror(): string {
  const lists = '/etc/apt/sources.list.d';
  const texts = ['/etc/apt/sources.list', ...readdirSync(lists).map((name) => join(lists, name))].map(
    (file) => {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return '';
      }
    },
  );
  return /https?:\/\/\S+\/debian(?=\s)/.exec(texts.join('\n'))?.[0] ?? 'http://deb.debian.org/debian';
}

/** The root of a minimal Debian. It is created once. */
export function bareDebian(): string {
  const root = kept('debian');
  if (!readdirSync(root).includes('complete')) {
    succeed('debootstrap', ['--variant=minbase', 'bookworm', join(root, 'root'), debianMirror()]);
    mkdirSync(join(root, 'complete'));
  }
  return join(root, 'root');
}
