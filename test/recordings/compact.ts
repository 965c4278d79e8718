// node scripts/run-ts.mjs test/recordings/compact.ts FOLDER TARGET: stores a recording for the tests, gzipped and without data that no
// simulation reads.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';

const [folder = '', target = ''] = process.argv.slice(2);
if (!existsSync(join(folder, 'scenario.yaml')) || !target) {
  console.error('usage: node scripts/run-ts.mjs test/recordings/compact.ts FOLDER TARGET');
  process.exit(2);
}
mkdirSync(target, { recursive: true });
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const write = (name: string, text: string) =>
  writeFileSync(join(target, `${name}.gz`), gzipSync(text, { level: 9 }));

const { items } = JSON.parse(read('01-before.json')) as { items: KubernetesObject[] };
const rows = read('watch.jsonl')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as { object: KubernetesObject });
const kinds = new Set([...items, ...rows.map(({ object }) => object)].map(({ kind }) => kind));

write(
  '01-before.json',
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items: items.map(withoutOtherKinds) }),
);
write(
  'watch.jsonl',
  rows.map((row) => JSON.stringify({ ...row, object: withoutOtherKinds(row.object) })).join('\n'),
);
for (const name of ['readiness.jsonl', 'scenario.yaml', 'failures.yaml'])
  if (existsSync(join(folder, name))) write(name, read(name));

/** A cluster's list of served kinds is long, and only those in the recording are ever looked up. */
function withoutOtherKinds(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'Cluster') return object;
  const { status, ...rest } = object as unknown as Cluster;
  const apiEnablements = status?.apiEnablements?.map(({ resources, ...group }) => ({
    ...group,
    resources: resources?.filter(({ kind }) => kinds.has(kind)) ?? [],
  }));
  return {
    ...rest,
    status: { ...status, ...(apiEnablements ? { apiEnablements } : {}) },
  } as unknown as KubernetesObject;
}
