// Writes a control plane as `kubectl get … -o json` prints it, the same for the same seed:
//   node scripts/run-ts.mjs bench/generate.ts --bindings 10000 --clusters 500 --out state.json.gz
// Prints which cluster holds a fifth of the bindings, as JSON.
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { generateBinding, worksOf } from './generate/bindings.ts';
import { generateClusters } from './generate/clusters.ts';
import { componentDeployments, taintPolicies } from './generate/components.ts';
import { generateScheme } from './generate/policies.ts';
import { seededRandom } from './generate/random.ts';
import { settledOn } from './generate/settled.ts';

export interface GenerateOptions {
  bindings: number;
  clusters: number;
  seed: number;
  /** Works too: one per binding and cluster */
  works: boolean;
}

export interface GeneratedState {
  /** the cluster that runs a fifth of the bindings */
  failing: string;
  objects: Iterable<object>;
}

const SINCE = '2026-08-03T08:12:40Z';
const SCHEDULED = '2026-08-31T16:04:11Z';
const BINDINGS_PER_POLICY = 25;
const HELD_BY_ONE = 5;

/** A steady control plane with failover enabled; objects are generated one by one on demand. */
export function generateState(options: GenerateOptions): GeneratedState {
  const random = seededRandom(options.seed);
  const clusters = generateClusters(options.clusters, random, SINCE);
  const [failing] = clusters;
  if (!failing || clusters.length < 10) throw new Error('at least 10 clusters are needed');
  const policies = Math.max(HELD_BY_ONE, Math.ceil(options.bindings / BINDINGS_PER_POLICY));
  const schemes = Array.from({ length: policies }, (_, index) =>
    generateScheme(index, clusters, random, index % HELD_BY_ONE === 0 ? failing : undefined, SINCE),
  );
  const held = schemes.filter((_, index) => index % HELD_BY_ONE === 0);
  const rest = schemes.filter((_, index) => index % HELD_BY_ONE !== 0);

  const settled = settledOn(clusters);

  function* objects() {
    yield* clusters;
    yield* componentDeployments(SINCE);
    yield* taintPolicies(SINCE);
    for (const { policy } of schemes) yield policy;
    for (let index = 0; index < options.bindings; index++) {
      const among = index % HELD_BY_ONE === 0 ? held : rest;
      const scheme = among[Math.floor(index / HELD_BY_ONE) % among.length]!;
      const scheduled = between(SINCE, SCHEDULED, (index + 1) / options.bindings);
      const binding = settled(generateBinding(index, scheme, random, { since: SINCE, scheduled }));
      yield binding;
      if (options.works) yield* worksOf(binding);
    }
  }
  return { failing: failing.metadata.name, objects: objects() };
}

/** An instant between the two, to the second. */
function between(from: string, to: string, part: number): string {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return new Date(start + part * (end - start)).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Writes the state as one List, indented as kubectl does; compressed if the file name ends in .gz. */
export async function writeState(state: GeneratedState, file: string): Promise<void> {
  const out = createWriteStream(file);
  if (file.endsWith('.gz')) {
    await pipeline(Readable.from(listText(state.objects)), createGzip({ level: 1 }), out);
    return;
  }
  for (const text of listText(state.objects)) if (!out.write(text)) await once(out, 'drain');
  out.end();
  await once(out, 'close');
}

function* listText(objects: Iterable<object>): Generator<string> {
  let text = '{\n    "apiVersion": "v1",\n    "items": [';
  let separator = '\n        ';
  for (const object of objects) {
    text += separator + JSON.stringify(object, undefined, 4).replaceAll('\n', '\n        ');
    separator = ',\n        ';
    if (text.length > 1_000_000) {
      yield text;
      text = '';
    }
  }
  yield `${text}\n    ],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n`;
}

if (process.argv[1]?.endsWith('generate.ts')) {
  const { values } = parseArgs({
    options: {
      bindings: { type: 'string', default: '1000' },
      clusters: { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
      works: { type: 'boolean', default: false },
      out: { type: 'string' },
    },
  });
  if (!values.out) throw new Error('--out FILE is missing');
  const options = {
    bindings: Number(values.bindings),
    clusters: Number(values.clusters),
    seed: Number(values.seed),
    works: values.works,
  };
  const state = generateState(options);
  await writeState(state, values.out);
  console.log(JSON.stringify({ ...options, file: values.out, failing: state.failing }));
}
