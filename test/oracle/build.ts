// Builds the oracle of a version: our Go files in the module that pins Karmada's.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { adapters } from './versions.ts';

const HERE = resolve('test/oracle');
const CACHE = resolve('node_modules/.cache/oracle');

/** Whether there is a Go tool chain to build with. */
export function goIsThere(): boolean {
  return spawnSync('go', ['version']).status === 0;
}

/**
 * The oracle's executable for a version, built unless it exists for the same sources. The first build of a version compiles Karmada and its
 * pinned Kubernetes libraries, which takes minutes.
 * @throws when the build fails
 *
 * @throws when the build fails
 */
export async function buildOracle(version: string): Promise<string> {
  const sources = sourcesOf(version);
  const hash = createHash('sha256');
  for (const source of sources) hash.update(basename(source)).update(readFileSync(source));
  const directory = join(CACHE, `${version}-${hash.digest('hex').slice(0, 16)}`);
  const executable = join(directory, 'oracle');
  if (existsSync(executable)) return executable;
  mkdirSync(directory, { recursive: true });
  for (const source of sources) copyFileSync(source, join(directory, basename(source)));
  const partial = `${executable}.${process.pid}`;
  await run(directory, ['build', '-trimpath', '-ldflags=-s -w', '-o', partial, '.']);
  copyFileSync(partial, executable);
  return executable;
}

function sourcesOf(version: string): string[] {
  const shared = readdirSync(join(HERE, 'go')).map((file) => join(HERE, 'go', file));
  const own = (adapters[version] ?? []).map((name) => join(HERE, 'adapters', `${name}.go`));
  return [...shared, ...own, ...['go.mod', 'go.sum'].map((file) => join(HERE, 'versions', version, file))];
}

function run(directory: string, args: string[]): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn('go', args, { cwd: directory, stdio: ['ignore', 'inherit', 'inherit'] });
    if (child.pid !== undefined) setPriority(child.pid, 10);
    child.on('error', failed);
    child.on('exit', (code) =>
      code === 0 ? done() : failed(new Error(`go ${args.join(' ')} in ${directory} ended with ${code}`)),
    );
  });
}
