import { generateBinding } from '../generate/bindings.ts';
import { generateClusters } from '../generate/clusters.ts';
import { generateScheme } from '../generate/policies.ts';
import { seededRandom } from '../generate/random.ts';
import type { Api } from '../../test/e2e/controlPlane/api.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';

const SINCE = '2026-08-03T08:12:40Z';
const SCHEDULED = '2026-08-31T16:04:11Z';
const NAMESPACE_PATH = '/api/v1/namespaces';
const AT_ONCE = 24;

/** Creates bindings as Karmada does: the spec, then the status, each by its own field manager. Resolves with the seconds it took. */
export async function fill(api: Api, count: number): Promise<number> {
  const began = performance.now();
  const random = seededRandom(7);
  const clusters = generateClusters(50, random, SINCE);
  const schemes = Array.from({ length: 200 }, (_, i) =>
    generateScheme(i, clusters, random, undefined, SINCE),
  );
  const namespaces = new Set(schemes.map(({ policy }) => policy.metadata.namespace!));
  await Promise.all(
    clusters.map(({ metadata: { resourceVersion: _, uid: _uid, ...metadata }, ...cluster }) =>
      api.create('/apis/cluster.karmada.io/v1alpha1/clusters', { ...cluster, metadata }),
    ),
  );
  await Promise.all([...namespaces].map((name) => api.create(NAMESPACE_PATH, { metadata: { name } })));
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) {
      const scheme = schemes[index % schemes.length]!;
      await create(api, generateBinding(index, scheme, random, { since: SINCE, scheduled: SCHEDULED }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return (performance.now() - began) / 1000;
}

async function create(api: Api, binding: ResourceBinding): Promise<void> {
  const { resourceVersion: _, uid: _uid, ...metadata } = binding.metadata;
  const path = `/apis/work.karmada.io/v1alpha2/namespaces/${metadata.namespace}/resourcebindings`;
  await api.create(`${path}?fieldManager=karmada-controller-manager`, { ...binding, metadata });
  await api.merge(`${path}/${metadata.name}/status?fieldManager=karmada-scheduler`, {
    status: binding.status,
  });
}
