#!/usr/bin/env node
// Runs the bundle with the code that V8 compiled of it at build time. Another Node than the one that built
// it rejects that cache; newer ones then keep one of their own.
import { readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const filename = join(root, 'dist', 'cli.cjs');
const require = createRequire(filename);

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
