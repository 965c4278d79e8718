// Runs a TypeScript entry point: node scripts/run-ts.mjs FILE [ARGUMENT…]
// Node 20 does not strip types, so esbuild bundles the file first.
import { build } from 'esbuild';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import bundle from '../bin/bundle.js';
import { pageAssets } from './pageAssets.mjs';
import { plainSpreads } from './plainSpreads.mjs';

const [entry, ...args] = process.argv.slice(2);
if (!entry) {
  console.error('usage: node scripts/run-ts.mjs FILE [ARGUMENT…]');
  process.exit(2);
}
const outdir = resolve('node_modules/.cache/run-ts', entry.replaceAll(/[^a-zA-Z0-9]+/g, '-'));
mkdirSync(outdir, { recursive: true });
await build({
  entryPoints: { main: resolve(entry) },
  outdir,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  jsx: 'automatic',
  packages: 'external',
  plugins: [pageAssets, ...(bundle.spreadsAreSlow ? [plainSpreads] : [])],
  sourcemap: 'inline',
  outExtension: { '.js': '.mjs' },
  logLevel: 'error',
});
process.argv = [process.argv[0], entry, ...args];
await import(pathToFileURL(`${outdir}/main.mjs`).href);
