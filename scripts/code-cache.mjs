// Writes dist/cli.cjs.cache: V8's compiled code of the bundle after it has run what users run most, so that
// the functions used at start-up are in it.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { Script } from 'node:vm';

const root = resolve(import.meta.dirname, '..');
const filename = resolve(root, 'dist/cli.cjs');
const example = resolve(root, 'examples/shop');
const runs = [
  ['--help'],
  ['failover', '--help'],
  ['eviction', 'inspect', '--help'],
  ...(existsSync(example)
    ? [
        ['eviction', 'inspect', '--state', example],
        ['failover', 'status', '--state', example],
        ['failover', 'status', '--state', example, '-o', 'json'],
        ['failover', 'simulate', '--state', example, '--fail', 'frankfurt'],
      ]
    : []),
];

const script = new Script(module.wrap(readFileSync(filename, 'latin1')), { filename });
const bundle = { exports: {} };
script.runInThisContext()(bundle.exports, createRequire(filename), bundle, filename, dirname(filename));
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;
for (const argv of runs) await bundle.exports.main(argv, root);
writeFileSync(`${filename}.cache.new`, script.createCachedData());
renameSync(`${filename}.cache.new`, `${filename}.cache`);
process.exitCode = 0;
