// Before the tests: builds the bundle that the tests of commands run, unless it is newer than the sources. No test runs if that fails.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const inputs = ['src', 'package.json', 'package-lock.json', 'oclif.manifest.json', 'scripts'];

function newest(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(...readdirSync(path).map((name) => newest(join(path, name))));
}

export default function freshBundle() {
  const bundle = statSync(join(root, 'dist/main.cjs'), { throwIfNoEntry: false });
  if (bundle && inputs.every((input) => newest(join(root, input)) < bundle.mtimeMs)) return;
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  // the old bundle would pass for the new one
  if (status !== 0) throw new Error(`the bundle cannot be built, so no command can be tested\n${stderr}`);
}
