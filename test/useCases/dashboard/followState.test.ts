import { expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ApiServer } from '../../../src/state/live/apiServer.ts';
import { followState } from '../../../src/useCases/dashboard/followState.ts';
import { cluster, deployment } from '../../simulator/simulation/controlPlane.ts';
import { servingObjects } from '../../state/live/servingObjects.ts';
import { quietPorts } from '../quietPorts.ts';

const HPAS = '/apis/autoscaling.karmada.io/v1alpha1/namespaces/shop/federatedhpas';
const hpa = {
  apiVersion: 'autoscaling.karmada.io/v1alpha1',
  kind: 'FederatedHPA',
  metadata: { namespace: 'shop', name: 'cart' },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'cart' }, minReplicas: 1, maxReplicas: 9 },
};

test('a dashboard follows every kind that affects outcomes, including autoscalers', async () => {
  const cart = deployment('cart', { placement: {}, clusters: [{ name: 'east', replicas: 2 }], replicas: 2 });
  const server: ApiServer = {
    ...servingObjects([cluster('east'), cluster('west'), cart] as unknown as KubernetesObject[]),
    // the running controllers are queried separately
    typed: () => new Promise(() => undefined),
  };
  const { store } = server as ReturnType<typeof servingObjects>;
  let created = false;
  const stop = new AbortController();
  const followed = followState(
    { source: { connect: () => Promise.resolve(server) }, version: 'v1.18' },
    {
      notify(news) {
        if (news.type !== 'overview' || created) return;
        created = true;
        setTimeout(() => store.create(HPAS, hpa), 50);
      },
      nameOf: () => 'a server',
      signal: stop.signal,
      stopwatch: () => 0,
    },
    quietPorts(),
  );
  while (!followed.current()?.world.others.some(({ kind }) => kind === 'FederatedHPA'))
    await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  await followed.over;
  expect(followed.current()?.world.clusters).toHaveLength(2);
});
