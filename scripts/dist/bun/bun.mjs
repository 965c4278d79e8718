// Bun for each platform: npm installs the one for this machine and downloads the others. package-lock.json pins each.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { thisPlatform } from '../platforms.mjs';

const root = resolve(import.meta.dirname, '../../..');

/** Compiles the command line, or another entry point, into an executable for a platform. */
export function compile(platform, outfile, ...entry) {
  const argv = [
    join(import.meta.dirname, 'compile.mjs'),
    ...[platform.bunTarget, bunFor(platform), resolve(outfile), ...entry.map((file) => resolve(file))],
  ];
  execFileSync(bunFor(thisPlatform()), argv, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The file of Bun for a platform. */
function bunFor({ os, bunPackage }) {
  const file = os === 'windows' ? 'bin/bun.exe' : 'bin/bun';
  const installed = join(root, 'node_modules', bunPackage, file);
  return existsSync(installed) ? installed : join(downloaded(bunPackage), file);
}

/** The version of Bun for a platform. */
export function bunVersion({ bunPackage }) {
  return locked(bunPackage).version;
}

function locked(name) {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[`node_modules/${name}`];
}

function downloaded(name) {
  const { version, integrity } = locked(name);
  const folder = join(root, 'node_modules/.cache/dist', name.replace('/', '-'), version);
  if (existsSync(folder)) return join(folder, 'package');
  const fetched = `${folder}.new`;
  rmSync(fetched, { recursive: true, force: true });
  mkdirSync(fetched, { recursive: true });
  const argv = [
    'pack',
    '--silent',
    '--ignore-scripts',
    `--pack-destination=${fetched}`,
    `${name}@${version}`,
  ];
  const archive = join(fetched, execFileSync('npm', argv, { cwd: fetched, encoding: 'utf8' }).trim());
  const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (hash !== integrity)
    throw new Error(`${name}@${version} is ${hash}, and package-lock.json says ${integrity}`);
  execFileSync('tar', ['-xzf', archive, '-C', fetched]);
  rmSync(archive);
  renameSync(fetched, folder);
  return join(folder, 'package');
}
