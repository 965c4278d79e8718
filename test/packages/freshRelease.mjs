// Before the tests of packages: builds the release, unless RELEASE names a folder that has it.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import freshBundle from '../freshBundle.mjs';

export default function freshRelease() {
  if (process.env.RELEASE) return;
  freshBundle();
  process.env.RELEASE = resolve(import.meta.dirname, '../../node_modules/.cache/packages/release');
  execFileSync('node', ['scripts/dist/run.mjs', '--deb', '--sbom', '--out', process.env.RELEASE], {
    stdio: 'ignore',
  });
}
