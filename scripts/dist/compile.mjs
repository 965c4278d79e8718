/* global Bun */
// Compiles the command line into one executable. Bun runs it, not Node: bun scripts/dist/compile.mjs TARGET BASE OUTFILE, where BASE is
// the Bun of the platform that TARGET names. The help texts in dist/ are embedded; npm run build writes them.
//
// What Bun needs otherwise than Node is here, and in src/executable.ts. Nothing is read beside the executable: no .env, no bunfig.toml.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compiledSchema } from '../compiledSchema.mjs';
import { leanOclif } from '../leanOclif.mjs';
import { pageAssets } from '../pageAssets.mjs';

const [target, executablePath, outfile] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../..');
process.chdir(root);

const forBun = {
  name: 'for-bun',
  setup(build) {
    // node-fetch asks for it only if there is no URL
    build.onResolve({ filter: /^whatwg-url$/ }, () => ({ path: 'node:url', external: true }));
    // Ink's development tools; they need what is not installed
    build.onLoad({ filter: /[/\\]ink[/\\]build[/\\]devtools\.js$/ }, () => ({ contents: '', loader: 'js' }));
    // threads run the file that npm's package has in the same place
    build.onLoad({ filter: /[/\\]bin[/\\]dashboardFeed\.js$/ }, () => ({
      contents: `import { main } from '../src/dashboardFeed.ts'; await main();`,
      loader: 'ts',
    }));
  },
};

const embedded = mkdtempSync(join(tmpdir(), 'embedded-'));
cpSync('dist/help', join(embedded, 'dist/help'), { recursive: true });
const { success, logs } = await Bun.build({
  entrypoints: ['src/executable.ts', 'bin/dashboardFeed.js'],
  root: '.',
  format: 'esm',
  splitting: true,
  bytecode: true,
  target: 'bun',
  minify: { whitespace: true, syntax: true },
  // modules that ask for their directory would get the one of this build
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
    assets: [join(embedded, 'dist')],
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
  throw: false,
});
rmSync(embedded, { recursive: true });
for (const log of logs) console.error(String(log));
process.exit(success ? 0 : 1);
