// Bundles the command line into dist/cli.cjs and stores V8's compiled code of it next to it. One CommonJS
// file with a code cache starts in about half the time that oclif takes from node_modules; the parts of a
// bundle that a command does not use are neither compiled nor run. docs/architecture.md has the numbers.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const dist = resolve(root, 'dist');

// What @oclif/core loads for plugins, TypeScript, spinners and WSL, none of which is used here.
const absent = {
  'ansi-escapes': '',
  'cli-spinners': '',
  debug: 'module.exports = () => () => {};',
  'get-package-type': '',
  lilconfig: '',
  minimatch: '',
  semver: '',
  tinyglobby: '',
  'wsl-utils': 'exports.isWsl = false;',
};
const withoutAbsent = {
  name: 'absent',
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, ({ path }) =>
      path in absent ? { path, namespace: 'absent' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({ contents: absent[path] }));
  },
};

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
await build({
  entryPoints: { cli: resolve(root, 'src/main.ts') },
  outdir: dist,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // a bundle has no module of its own to resolve an import() from
  supported: { 'dynamic-import': false },
  external: ['ts-node', 'tsx', 'typescript', 'pnpapi'],
  plugins: [withoutAbsent],
  legalComments: 'linked',
  logLevel: 'warning',
});
// In a process of its own, with the flags that users run with; without the cache all works, slower.
const cache = spawnSync(process.execPath, [resolve(root, 'scripts/code-cache.mjs')], { encoding: 'utf8' });
if (cache.status !== 0) console.warn(`no code cache: ${cache.stderr.trim()}`);
