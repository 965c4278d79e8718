// Bundles the command line into dist/: a chunk for what every start needs, one for each command and for what is
// loaded on demand, and V8's compiled code next to each. That starts in half the time that oclif takes from
// node_modules; docs/architecture.md has the numbers.
import { build, transform } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { inkAsScript } from './inkAsScript.mjs';
import { plainSpreads } from './plainSpreads.mjs';

const root = resolve(import.meta.dirname, '..');
const dist = resolve(root, 'dist');

// What @oclif/core loads for plugins, TypeScript, spinners and WSL, none of which is used here. Whether there
// is colour is decided as in src/cli/print.ts, without loading node:tty.
const replaced = {
  'ansi-escapes': '',
  // on a terminal oclif makes a spinner that it never shows here
  'cli-spinners': "module.exports = { dots2: { frames: [''] }, line: { frames: [''] } };",
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
const lazy = new Set(['node:child_process', 'node:fs/promises', 'node:perf_hooks', 'node:readline']);

const leanOclif = {
  name: 'lean-oclif',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, importer }) => {
      // Ink draws with what oclif has no use for
      if (/[/\\]ink[/\\]/.test(importer)) return undefined;
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

// V8 reads JSON twice as fast from a string as from an object literal.
const jsonAsText = {
  name: 'json-as-text',
  setup(build) {
    build.onLoad({ filter: /oclif\.manifest\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${JSON.stringify(text)});` };
    });
  },
};

const { outputFiles } = await build({
  entryPoints: { main: resolve(root, 'src/main.ts'), complete: resolve(root, 'src/complete.ts') },
  outdir: dist,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  jsx: 'automatic',
  external: ['ts-node', 'tsx', 'typescript', 'pnpapi'],
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [inkAsScript, leanOclif, jsonAsText, plainSpreads],
  legalComments: 'linked',
  logLevel: 'warning',
  write: false,
});
// Compiled code can be kept for scripts, not for ES modules; esbuild splits ES modules, not scripts.
const files = await Promise.all(
  outputFiles.map(async ({ path, text }) => {
    if (!path.endsWith('.cjs')) return { name: basename(path), text };
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      supported: { 'dynamic-import': false },
      legalComments: 'none',
      minifyWhitespace: true,
    });
    return { name: basename(path), text: code };
  }),
);

// A cache belongs to one text: none is there while chunks are replaced, for whoever runs them meanwhile.
mkdirSync(dist, { recursive: true });
const before = readdirSync(dist);
for (const name of before.filter((name) => name.endsWith('.cache'))) rmSync(resolve(dist, name));
for (const { name, text } of files) {
  writeFileSync(resolve(dist, `${name}.new`), text);
  renameSync(resolve(dist, `${name}.new`), resolve(dist, name));
}
const current = new Set(files.map(({ name }) => name));
for (const name of before.filter((name) => !name.endsWith('.cache') && !current.has(name)))
  rmSync(resolve(dist, name), { recursive: true });

// In a process of its own, with the flags that users run with; without the cache all works, slower.
const cache = spawnSync(process.execPath, [resolve(root, 'scripts/code-cache.mjs')], { encoding: 'utf8' });
if (cache.status !== 0) console.warn(`no code cache: ${cache.stderr.trim()}`);
