// The package of npm: the bundle alone. The sources' own package.json is private, as it lists what only a build needs; this one names no
// dependency and runs no script when it is installed.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KEPT = ['name', 'version', 'description', 'license', 'type', 'engines', 'bin', 'oclif'];

/** Packs what users install with npm into a folder; returns the file. */
export function npmPackage(packageJson, out) {
  const stage = mkdtempSync(join(tmpdir(), 'npm-package-'));
  const own = Object.fromEntries(KEPT.map((field) => [field, packageJson[field]]));
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  for (const file of ['bin', 'examples', 'LICENSE', 'README.md', 'oclif.manifest.json'])
    cpSync(file, join(stage, file), { recursive: true });
  // V8's compiled code belongs to the very Node that made it: others make their own
  const isPortable = (name) => !name.endsWith('.cache');
  mkdirSync(join(stage, 'dist'));
  for (const name of readdirSync('dist').filter(isPortable))
    cpSync(join('dist', name), join(stage, 'dist', name), { recursive: true });
  mkdirSync(out, { recursive: true });
  const argv = ['pack', '--silent', '--ignore-scripts', `--pack-destination=${out}`];
  const file = execFileSync('npm', argv, { cwd: stage, encoding: 'utf8' }).trim();
  rmSync(stage, { recursive: true });
  return join(out, file);
}
