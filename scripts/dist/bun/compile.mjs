/* global Bun */
// Compiles the command line into one executable. Bun runs it, not Node: bun scripts/dist/bun/compile.mjs TARGET BASE OUTFILE [ENTRY], where
// BASE is the Bun of the platform that TARGET names. The help texts in dist/ are embedded; npm run build writes them. THIRD-PARTY next to
// OUTFILE has the licences of the bundled packages. Another ENTRY is compiled the same way, without help texts and licences.
//
// This folder handles all differences between Bun and Node. The executable reads no files next to it: no .env, no bunfig.toml.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { compiledSchema } from '../../compiledSchema.mjs';
import { leanOclif } from '../../leanOclif.mjs';
import { pageAssets } from '../../pageAssets.mjs';
import { thirdParty } from '../../thirdParty.mjs';

const [target, executablePath, outfile, entry] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../../..');
process.chdir(root);

const forBun = {
  name: 'for-bun',
  setup(build) {
    // node-fetch needs it only if there is no URL
    build.onResolve({ filter: /^whatwg-url$/ }, () => ({ path: 'node:url', external: true }));
    // Ink's development tools; their dependencies are not installed
    build.onLoad({ filter: /[/\\]ink[/\\]build[/\\]devtools\.js$/ }, () => ({ contents: '', loader: 'js' }));
    // threads run the file that npm's package has in the same place
    build.onLoad({ filter: /[/\\]bin[/\\]dashboardFeed\.js$/ }, () => ({
      contents: `import { main } from '../src/dashboardFeed.ts'; await main();`,
      loader: 'ts',
    }));
  },
};

const embedded = mkdtempSync(join(tmpdir(), 'embedded-'));
if (!entry) cpSync('dist/help', join(embedded, 'dist/help'), { recursive: true });
const { success, logs, metafile } = await Bun.build({
  entrypoints: entry ? [entry] : ['scripts/dist/bun/executable.ts', 'bin/dashboardFeed.js'],
  root: '.',
  format: 'esm',
  splitting: true,
  bytecode: true,
  target: 'bun',
  minify: { whitespace: true, syntax: true },
  // modules that ask for their directory would get that of this build
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env.DEV': '"false"',
    __dirname: '"/"',
    __filename: '"/"',
  },
  external: ['ts-node', 'tsx', 'typescript', 'pnpapi'],
  plugins: [forBun, compiledSchema, leanOclif, pageAssets],
  compile: {
    target,
    executablePath,
    outfile,
    assets: entry ? [] : [join(embedded, 'dist')],
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
  metafile: true,
  throw: false,
});
rmSync(embedded, { recursive: true });
for (const log of logs) console.error(String(log));
// Bun bundles other files than esbuild does
if (success && !entry) {
  const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  writeFileSync(join(dirname(outfile), 'THIRD-PARTY'), thirdParty(root, bundled));
}
process.exit(success ? 0 : 1);
