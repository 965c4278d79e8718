// Serves a control plane that changes all the time over HTTP: prints the path of its kubeconfig, and serves until it is killed.
//   FILE CHANGES: a state, and how many changes a second
import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { liveServer } from '../../test/commands/liveServer.ts';

const [file, changes] = process.argv.slice(2);
const { items } = JSON.parse(readFileSync(file!, 'utf8')) as { items: KubernetesObject[] };
const { kubeconfig, store } = await liveServer(items);
console.log(kubeconfig);

const bindings = items.filter(({ kind }) => kind === 'ResourceBinding') as ResourceBinding[];
let next = 0;
let health = 'Unhealthy';
if (Number(changes) > 0) setInterval(change, 1000 / Number(changes));
process.on('SIGUSR2', () => console.log(next));

/** Changes the health of one workload after another, in turn. */
function change(): void {
  const { metadata, status } = bindings[(next * 7919) % bindings.length]!;
  if (++next % bindings.length === 0) health = health === 'Healthy' ? 'Unhealthy' : 'Healthy';
  const aggregatedStatus = status?.aggregatedStatus?.map((item) => ({ ...item, health }));
  store.patch(
    `/apis/work.karmada.io/v1alpha2/namespaces/${metadata.namespace}/resourcebindings/${metadata.name}`,
    { status: { aggregatedStatus } },
    { subresource: 'status', fieldManager: 'karmada-controller-manager' },
  );
}
