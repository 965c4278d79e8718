#!/usr/bin/env node
// Runs the bundle with the code that V8 compiled of it at build time. Another Node than the one that built it
// rejects that code; newer ones then keep some of their own. Modules of Node come from getBuiltinModule: an import
// would load all that they re-export.
const { readFileSync } = process.getBuiltinModule('node:fs');
const module = process.getBuiltinModule('node:module');
const { dirname, join } = process.getBuiltinModule('node:path');
const { fileURLToPath } = process.getBuiltinModule('node:url');
const { Script } = process.getBuiltinModule('node:vm');

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const requireFromDist = module.createRequire(join(dist, 'main.cjs'));
const chunks = new Map();

// A chunk of the bundle; undefined where there is no compiled code of it that this V8 takes.
function loadCached(name) {
  const loaded = chunks.get(name);
  if (loaded) return loaded.exports;
  const filename = join(dist, name);
  let cachedData;
  try {
    cachedData = readFileSync(`${filename}.cache`);
  } catch {
    return undefined;
  }
  const script = new Script(module.wrap(readFileSync(filename, 'latin1')), { filename, cachedData });
  if (script.cachedDataRejected) return undefined;
  const chunk = { exports: {} };
  chunks.set(name, chunk);
  script.runInThisContext()(chunk.exports, requireChunk, chunk, filename, dist);
  return chunk.exports;
}

function requireChunk(id) {
  return (id.startsWith('./') ? loadCached(id.slice(2)) : undefined) ?? requireFromDist(id);
}

function load() {
  module.enableCompileCache?.();
  try {
    return requireFromDist('./main.cjs');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    process.stderr.write(`error: there is no bundle in ${dist}; run npm run build in ${root}\n`);
    process.exit(70);
  }
}

const { main } = loadCached('main.cjs') ?? load();
process.exitCode = await main(process.argv.slice(2), root);
