// Bundles the command line into dist/cli.cjs and stores V8's compiled code of it next to it. One CommonJS
// file with a code cache starts in about half the time that oclif takes from node_modules; the parts of a
// bundle that a command does not use are neither compiled nor run. docs/architecture.md has the numbers.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const dist = resolve(root, 'dist');

// What @oclif/core loads for plugins, TypeScript, spinners and WSL, none of which is used here. Whether there
// is colour is decided as in src/cli/print.ts, without loading node:tty.
const replaced = {
  'ansi-escapes': '',
  'cli-spinners': '',
  debug: 'module.exports = () => () => {};',
  // help texts are templates; ours use values of the context alone, for which nothing needs to be compiled
  ejs: `exports.render = (text, context) =>
    text.replace(/<%= ?([\\w.]+) ?%>/g, (_, path) => path.split('.').reduce((value, key) => value[key], context));`,
  'get-package-type': '',
  lilconfig: '',
  minimatch: '',
  semver: '',
  'supports-color': `const { NO_COLOR, TERM } = process.env;
    exports.stdout = exports.stderr = Boolean(process.stdout.isTTY) && !NO_COLOR && TERM !== 'dumb';`,
  tinyglobby: '',
  'wsl-utils': 'exports.isWsl = false;',
};
// Parts of Node that @oclif/core loads at the start and hardly ever needs: loaded when they are.
const lazy = new Set(['node:child_process', 'node:fs/promises', 'node:perf_hooks']);

const leanOclif = {
  name: 'lean-oclif',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, importer }) => {
      if (path in replaced) return { path, namespace: 'replaced' };
      if (lazy.has(path) && importer.includes('@oclif')) return { path, namespace: 'lazy' };
      return undefined;
    });
    build.onLoad({ filter: /./, namespace: 'replaced' }, ({ path }) => ({ contents: replaced[path] }));
    build.onLoad({ filter: /./, namespace: 'lazy' }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => require('${path}')[name] });`,
    }));
  },
};

const { outputFiles } = await build({
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
  plugins: [leanOclif],
  legalComments: 'linked',
  logLevel: 'warning',
  write: false,
});
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
for (const { path, contents } of outputFiles) writeFileSync(path, contents);
// In a process of its own, with the flags that users run with; without the cache all works, slower.
const cache = spawnSync(process.execPath, [resolve(root, 'scripts/code-cache.mjs')], { encoding: 'utf8' });
if (cache.status !== 0) console.warn(`no code cache: ${cache.stderr.trim()}`);
