// The npm package: only the bundle. Its package.json has no dependencies and no scripts, since those in the sources are for building. `npm
// pack` and `npm publish` in the sources make the same package: they run `trim` before and `restore` after.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const KEPT = ['name', 'version', 'description', 'license', 'type', 'files', 'engines', 'bin', 'oclif'];
/** Where the package.json of the sources is kept during packing. */
const ASIDE = 'node_modules/.cache/package.json';

/** The package.json that is published, as text. */
function trimmed(packageJson) {
  const own = Object.fromEntries(KEPT.map((field) => [field, packageJson[field]]));
  return `${JSON.stringify(own, null, 2)}\n`;
}

/** Packs what users install with npm into a folder without changing the sources; returns the file. */
export function npmPackage(packageJson, out) {
  const stage = mkdtempSync(join(tmpdir(), 'npm-package-'));
  writeFileSync(join(stage, 'package.json'), trimmed(packageJson));
  const named = packageJson.files.filter((pattern) => !pattern.startsWith('!'));
  for (const file of [...named, 'LICENSE', 'README.md']) cpSync(file, join(stage, file), { recursive: true });
  mkdirSync(out, { recursive: true });
  const argv = ['pack', '--silent', '--ignore-scripts', `--pack-destination=${out}`];
  const file = execFileSync('npm', argv, { cwd: stage, encoding: 'utf8' }).trim();
  rmSync(stage, { recursive: true });
  return join(out, file);
}

if (process.argv[1] === import.meta.filename) {
  process.chdir(resolve(import.meta.dirname, '../..'));
  if (process.argv[2] === 'trim') {
    const packageJson = readFileSync('package.json', 'utf8');
    mkdirSync('node_modules/.cache', { recursive: true });
    writeFileSync(ASIDE, packageJson);
    writeFileSync('package.json', trimmed(JSON.parse(packageJson)));
  } else renameSync(ASIDE, 'package.json');
}
