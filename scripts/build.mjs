// Bundles the command line into dist/: a chunk for what every start needs, one for each command and each part loaded on demand, and V8's
// compiled code next to each. It starts in half the time that oclif takes from node_modules; docs/benchmarks.md has the numbers.
import { build, transform } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { compiledSchema } from './compiledSchema.mjs';
import { inkAsScript } from './inkAsScript.mjs';
import { leanOclif } from './leanOclif.mjs';
import { pageAssets } from './pageAssets.mjs';
import { plainSpreads } from './plainSpreads.mjs';
import { thirdParty } from './thirdParty.mjs';

const root = resolve(import.meta.dirname, '..');
const dist = resolve(root, 'dist');

// V8 reads JSON twice as fast from a string as from an object literal, and an ASCII string takes half the memory. Most of the manifest is
// flags, which help and completion read for one command: they are parsed on demand.
const manifestAsText = {
  name: 'manifest-as-text',
  setup(build) {
    build.onLoad({ filter: /oclif\.manifest\.json$/ }, ({ path }) => {
      const { commands, ...rest } = JSON.parse(readFileSync(path, 'utf8'));
      const entries = Object.entries(commands).map(
        ([id, { flags, ...command }]) =>
          `${JSON.stringify(id)}: command(${literal(command)}, ${literal(flags)}),`,
      );
      return {
        contents: `
          const command = (text, flags) => Object.defineProperty(JSON.parse(text), 'flags', {
            configurable: true, enumerable: true,
            get() {
              const value = JSON.parse(flags);
              Object.defineProperty(this, 'flags', { value });
              return value;
            },
          });
          export default { ...JSON.parse(${literal(rest)}), commands: { ${entries.join('')} } };`,
      };
    });
  },
};

/** The JSON text of a value as an ASCII JavaScript literal. */
function literal(value) {
  const text = JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return JSON.stringify(text);
}

const { outputFiles, metafile } = await build({
  entryPoints: Object.fromEntries(
    ['main', 'complete', 'dashboardFeed'].map((name) => [name, resolve(root, `src/${name}.ts`)]),
  ),
  outdir: dist,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  jsx: 'automatic',
  // node-fetch needs it only if Node has no URL; it loads `punycode`, which Node 21 and later warn about
  alias: { 'whatwg-url': 'node:url' },
  external: ['ts-node', 'tsx', 'typescript', 'pnpapi'],
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [inkAsScript, leanOclif, manifestAsText, compiledSchema, pageAssets, plainSpreads],
  legalComments: 'linked',
  logLevel: 'warning',
  write: false,
  metafile: true,
});
// for scripts/dependencies.mjs
if (process.env.METAFILE) writeFileSync(process.env.METAFILE, JSON.stringify(metafile));
// A chunk exports getters that call getters: a call across chunks could take longer than the function itself. Exports do not change once a
// chunk has run, so values replace the getters.
const PLAIN_EXPORTS = `module.exports = Object.defineProperty({ ...module.exports }, '__esModule', { value: true });`;

// V8 can cache compiled scripts, not ES modules; esbuild splits ES modules, not scripts.
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
      footer: PLAIN_EXPORTS,
    });
    return { name: basename(path), text: code };
  }),
);
const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
files.push({ name: 'THIRD-PARTY', text: thirdParty(root, bundled) });

// A cache fits one text only: none exists while chunks are replaced, in case the program runs meanwhile.
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

// In its own process, with the flags that users run with; without the cache everything works, slower.
const cache = spawnSync(process.execPath, [resolve(root, 'scripts/code-cache.mjs')], { encoding: 'utf8' });
if (cache.status !== 0) console.warn(`no code cache: ${cache.stderr.trim()}`);

// Last, because it runs the bundle; without these texts oclif makes them, slower.
const help = spawnSync(process.execPath, [resolve(root, 'scripts/help-texts.mjs')], { encoding: 'utf8' });
if (help.status !== 0) console.warn(`no help texts: ${help.stderr.trim()}`);
