import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { View } from '../../../src/karmada/controllers/view.ts';
import type { Write } from '../../../src/karmada/controllers/write.ts';
import { bindingKey } from '../../../src/karmada/objects/identities.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import { createStore } from '../../../src/simulator/store/store.ts';
import { emptyWorld } from '../../../src/karmada/world.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { createMergePatch } from '../../../src/kubernetes/mergePatch.ts';
import { slimBinding } from '../../../src/operations/controllers/slimBinding.ts';
import { cluster, deployment, START } from '../../simulator/simulation/controlPlane.ts';
import { worldOfSeed } from '../../worlds/worldOfSeed.ts';
import { ours } from './ours.ts';

const members = { workloadReadyAfter: 0, neverReady: [] };
const empty = (configuration: Configuration) =>
  createStore(createStartingWorld(emptyWorld(), configuration, { start: START, members }));

/** The writes of each of our controllers for each binding and cluster, as sent to the API. */
function patchesOf(view: View, configuration: Configuration, now: number): string[] {
  const keys = [
    ...[...view.all('Cluster')].map(({ metadata }) => metadata.name),
    ...[...view.all('Binding')].map(bindingKey),
    ...[...view.all('Binding')].flatMap((binding) =>
      (binding.spec.clusters ?? []).map(({ name }) => `${name}|${bindingKey(binding)}`),
    ),
  ];
  return ours
    .filter((controller) => controller.runs(configuration))
    .flatMap((controller) =>
      keys.flatMap((key) => {
        const step = controller.reconcile({
          key,
          view,
          memory: undefined,
          configuration,
          now,
          evidence: undefined,
        });
        return (step.writes ?? []).map((write: Write) => {
          const { base, object } = write as { base: unknown; object: unknown };
          return `${controller.name} ${key} ${JSON.stringify(createMergePatch(base, object))}`;
        });
      }),
    );
}

describe('a live view', () => {
  test.each(['v1.18', 'proposal', 'proposal+configurable-cluster-failover+application-failover'])(
    'with reduced bindings leads to the same writes of controllers (%s)',
    (version) => {
      const { defaults } = dialectOf(version).dialect;
      const gates = { ...defaults.featureGates, Failover: true, StatefulFailoverInjection: true };
      const configuration: Configuration = {
        ...defaults,
        featureGates: gates,
        controllerManager: { ...defaults.controllerManager, 'enable-no-execute-taint-eviction': true },
      };
      let writes = 0;
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 5000 }), (seed) => {
          const { world, scenario } = worldOfSeed(seed);
          const [whole, slim] = [empty(configuration), empty(configuration)];
          const fault = { key: 'fault', effect: 'NoExecute' as const };
          for (const one of world.clusters) {
            const tainted = { ...one, spec: { ...one.spec, taints: [...(one.spec?.taints ?? []), fault] } };
            for (const store of [whole, slim]) store.observe('Cluster', one.metadata.name, tainted);
          }
          for (const one of world.taintPolicies)
            for (const store of [whole, slim]) store.observe('ClusterTaintPolicy', one.metadata.name, one);
          for (const one of world.bindings) {
            const typed = { kind: 'ResourceBinding', apiVersion: 'work.karmada.io/v1alpha2', ...one };
            whole.observe('Binding', bindingKey(one), typed);
            const kept = slimBinding(typed as unknown as KubernetesObject, true);
            slim.observe('Binding', bindingKey(one), kept as unknown as ResourceBinding);
          }
          const now = scenario.start + 3_600_000;
          const patches = patchesOf(whole, configuration, now);
          writes += patches.length;
          expect(patchesOf(slim, configuration, now)).toEqual(patches);
        }),
        { numRuns: 40 },
      );
      expect(writes).toBeGreaterThan(20);
    },
  );

  test('drops deleted bindings and lists the existing clusters', () => {
    const { defaults } = dialectOf('v1.18').dialect;
    const store = empty(defaults);
    const web = deployment('web', { placement: {}, clusters: [{ name: 'east-1' }] });
    store.observe('Cluster', 'east-1', cluster('east-1'));
    expect([...store.all('Cluster')].map(({ metadata }) => metadata.name)).toEqual(['east-1']);
    for (let round = 0; round < 3; round++) {
      store.observe('Binding', bindingKey(web), web);
      expect(store.bindingsOn('east-1')).toEqual([web]);
      store.observe('Binding', bindingKey(web), undefined);
      expect([store.bindingsOn('east-1'), [...store.all('Binding')]]).toEqual([[], []]);
      expect(store.bindingFor(web.spec.resource)).toBeUndefined();
    }
    store.observe('Cluster', 'west-1', cluster('west-1'));
    store.observe('Cluster', 'east-1', undefined);
    expect([...store.all('Cluster')].map(({ metadata }) => metadata.name)).toEqual(['west-1']);
  });
});
