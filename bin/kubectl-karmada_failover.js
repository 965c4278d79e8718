#!/usr/bin/env node
// Runs the bundle with the code that V8 compiled of it at build time. Another Node than the one that built it
// rejects that code; newer ones then keep some of their own. Modules of Node come from getBuiltinModule: an import
// would load all that they re-export.
const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
const module = process.getBuiltinModule('node:module');
const { dirname, join } = process.getBuiltinModule('node:path');
const { fileURLToPath } = process.getBuiltinModule('node:url');
const { Script } = process.getBuiltinModule('node:vm');

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const filename = join(root, 'dist', 'cli.cjs');
const require = module.createRequire(filename);

if (!existsSync(filename)) {
  process.stderr.write(`error: ${filename} is not there; run npm run build in ${root}\n`);
  process.exit(70);
}

function loadCached() {
  try {
    const cachedData = readFileSync(`${filename}.cache`);
    const script = new Script(module.wrap(readFileSync(filename, 'latin1')), { filename, cachedData });
    if (script.cachedDataRejected) return undefined;
    const bundle = { exports: {} };
    script.runInThisContext()(bundle.exports, require, bundle, filename, dirname(filename));
    return bundle.exports;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function load() {
  module.enableCompileCache?.();
  return require(filename);
}

const { main } = loadCached() ?? load();
process.exitCode = await main(process.argv.slice(2), root);
