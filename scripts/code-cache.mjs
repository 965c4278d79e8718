// Writes V8's compiled code of each chunk in dist/ after running what users run, so that it includes the functions that a start needs.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Script } from 'node:vm';
import bundle from '../bin/bundle.js';

const root = resolve(import.meta.dirname, '..');
const dist = resolve(root, 'dist');
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
        ['drain', 'frankfurt', '--dry-run=client', '--state', example],
      ]
    : []),
];

const requireFromDist = createRequire(resolve(dist, 'main.cjs'));
const chunks = new Map();
function load(name) {
  const loaded = chunks.get(name);
  if (loaded) return loaded.chunk.exports;
  const filename = resolve(dist, name);
  const script = new Script(module.wrap(bundle.suited(readFileSync(filename, 'latin1'))), { filename });
  const chunk = { exports: {} };
  chunks.set(name, { script, chunk });
  const require = (id) => (id.startsWith('./') ? load(id.slice(2)) : requireFromDist(id));
  script.runInThisContext()(chunk.exports, require, chunk, filename, dist);
  return chunk.exports;
}

const { main } = load('main.cjs');
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;
for (const argv of runs) await main(argv, root);
const { main: complete } = load('complete.cjs');
for (const words of [[''], ['eviction', 'inspect', '-'], ['failover', 'status', '--state', example, '']])
  await complete(words);
for (const name of readdirSync(dist).filter((name) => name.endsWith('.cjs'))) {
  load(name);
  const cache = resolve(dist, `${name}.cache`);
  writeFileSync(`${cache}.new`, chunks.get(name).script.createCachedData());
  renameSync(`${cache}.new`, cache);
}
process.exitCode = 0;
