import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { generateState, writeState, type GenerateOptions } from './generate.ts';
import { cacheDirectory } from './measure.ts';

/** A generated state, kept between runs until the generator changes. */
export async function stateFile(options: GenerateOptions): Promise<{ file: string; failing: string }> {
  const { bindings, clusters, seed, works } = options;
  const state = generateState(options);
  const hash = createHash('sha256').update(JSON.stringify({ bindings, clusters, seed, works }));
  hash.update(readFileSync('bench/generate.ts'));
  for (const part of readdirSync('bench/generate').sort())
    hash.update(readFileSync(`bench/generate/${part}`));
  const file = join(cacheDirectory(), `state-${bindings}-${hash.digest('hex').slice(0, 12)}.json`);
  if (!existsSync(file)) {
    await writeState(state, `${file}.part`);
    renameSync(`${file}.part`, file);
  }
  return { file, failing: state.failing };
}
