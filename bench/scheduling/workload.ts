import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type {
  ResourceBindingSpec,
  ResourceBindingStatus,
  TargetCluster,
} from '../../src/karmada/api/work.ts';

export interface Workload {
  bindings: { spec: ResourceBindingSpec; status?: ResourceBindingStatus }[];
  clusters: Cluster[];
  /** what Karmada answers, clusters by name */
  results: Answer[];
}

export interface Answer {
  clusters?: TargetCluster[];
  error?: string;
}

/** Reads bindings-1000, clusters-N and results-N of a directory, .json or .json.gz. */
export function readWorkload(directory: string, clusters: number): Workload {
  const read = (name: string): unknown => {
    const path = join(directory, `${name}.json`);
    const text = existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`));
    return JSON.parse(text.toString('utf8'));
  };
  return {
    bindings: read('bindings-1000') as Workload['bindings'],
    clusters: read(`clusters-${clusters}`) as Cluster[],
    results: read(`results-${clusters}`) as Answer[],
  };
}
