'use strict';
// Loads the bundle with the code that V8 compiled of it at build time. Another Node than the one that built it rejects
// that code; newer ones then keep some of their own. This file is no ES module (see package.json next to it), because
// Node takes some milliseconds longer to begin with one.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const root = dirname(__dirname);
const dist = join(root, 'dist');
const chunks = new Map();

// Whether V8 is slow with literals that begin with a spread.
const spreadsAreSlow = Number.parseInt(process.versions.node, 10) < 22;

// A chunk as this Node runs it best: from Node 22 on, the empty spreads (scripts/plainSpreads.mjs) make copies six times slower.
const suited = (text) => (spreadsAreSlow ? text : text.replaceAll('{...{},', '{'));

// What V8 has kept of a chunk; undefined where nothing was, as after a build that could not run what it built.
function compiledCode(filename) {
  try {
    return readFileSync(`${filename}.cache`);
  } catch {
    return undefined;
  }
}

function loadChunk(name, needsCompiledCode) {
  const loaded = chunks.get(name);
  if (loaded) return loaded.exports;
  const filename = join(dist, name);
  const cachedData = compiledCode(filename);
  if (needsCompiledCode && !cachedData) return undefined;
  const text = suited(readFileSync(filename, 'latin1'));
  const script = new Script(Module.wrap(text), { filename, cachedData });
  if (needsCompiledCode && script.cachedDataRejected) return undefined;
  const chunk = { exports: {} };
  chunks.set(name, chunk);
  script.runInThisContext()(chunk.exports, requireChunk, chunk, filename, dist);
  return chunk.exports;
}

function requireChunk(id) {
  return id.startsWith('./') ? loadChunk(id.slice(2), false) : require(id);
}

function loadAsNodeDoes(entry) {
  Module.enableCompileCache?.();
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (text, filename, ...rest) {
    return compile.call(this, dirname(filename) === dist ? suited(text) : text, filename, ...rest);
  };
  try {
    return require(join(dist, entry));
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    process.stderr.write(`error: there is no bundle in ${dist}; run npm run build in ${root}\n`);
    process.exit(70);
  }
}

// What an entry of the bundle exports, and the directory of the package.
exports.load = (entry) => ({ ...(loadChunk(entry, true) ?? loadAsNodeDoes(entry)), root });
Object.assign(exports, { suited, spreadsAreSlow });
