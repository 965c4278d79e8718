import { stat } from 'node:fs/promises';
import { stateFromFiles } from '../../state/fileSource.ts';
import type { World } from '../../karmada/world.ts';
import type { ObjectNames } from './liveNames.ts';

/** The largest file, in bytes: a larger one takes too long for completion. Directories are read regardless. */
const LARGEST = 2 * 1024 * 1024;

/** Names from files, if they are small. */
export function stateNames(paths: string[]): ObjectNames {
  const loaded = load(paths);
  return async ({ kind }, namespace) => {
    const { clusters, bindings, policies, taintPolicies } = await loaded;
    if (kind === 'Namespace')
      return bindings.flatMap(({ metadata }) => (metadata.namespace ? [{ name: metadata.namespace }] : []));
    return [...clusters, ...bindings, ...policies, ...taintPolicies]
      .filter((one) => one.kind === kind && [undefined, one.metadata.namespace].includes(namespace))
      .map(({ metadata: { name, namespace } }) => ({ name, namespace }));
  };
}

const KINDS = new Set([
  'Cluster',
  'ResourceBinding',
  'ClusterResourceBinding',
  'PropagationPolicy',
  'ClusterPropagationPolicy',
  'ClusterTaintPolicy',
]);

async function load(paths: string[]): Promise<World> {
  for (const path of paths) {
    const { size } = await stat(path);
    if (size > LARGEST) throw new Error(`${path} is too large`);
  }
  return (await stateFromFiles(paths).load({ kinds: KINDS })).world;
}
