import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { hostComponents } from '../../../src/state/live/hostComponents.ts';
import { servingObjects } from './servingObjects.ts';

const running = (kind: 'Deployment' | 'Pod', namespace: string, name: string, ...command: string[]) => {
  const podSpec = { containers: [{ name: 'main', image: 'example.com/karmada:v1.18.2', command }] };
  return {
    apiVersion: kind === 'Pod' ? 'v1' : 'apps/v1',
    kind,
    metadata: { namespace, name },
    spec: kind === 'Pod' ? podSpec : { template: { spec: podSpec } },
  } as unknown as KubernetesObject;
};
const manager = ['/bin/karmada-controller-manager', '--feature-gates=Failover=true'];
const sources = async (objects: KubernetesObject[], namespace?: string) => {
  const { commandLines, warnings } = await hostComponents(servingObjects(objects), namespace);
  return { found: commandLines.map(({ component, source }) => `${component}: ${source}`), warnings };
};

describe('the flags of Karmada’s components in the host cluster', () => {
  test('are read from Deployments in karmada-system, independently of their names', async () => {
    const objects = [
      running('Deployment', 'karmada-system', 'demo-karmada-controller-manager', ...manager),
      running('Deployment', 'karmada-system', 'demo-karmada-scheduler', 'karmada-scheduler'),
      running('Deployment', 'other', 'karmada-webhook', 'karmada-webhook'),
    ];
    expect(await sources(objects)).toEqual({
      found: [
        'controllerManager: Deployment karmada-system/demo-karmada-controller-manager',
        'scheduler: Deployment karmada-system/demo-karmada-scheduler',
      ],
      warnings: [],
    });
    expect((await sources(objects, 'other')).found).toEqual(['webhook: Deployment other/karmada-webhook']);
  });

  test('are read from static Pods if no Deployment runs the controller manager', async () => {
    const pod = running('Pod', 'kube-system', 'karmada-controller-manager-node1', ...manager);
    expect(await sources([pod])).toEqual({
      found: ['controllerManager: Pod kube-system/karmada-controller-manager-node1'],
      warnings: [],
    });
  });

  test('are read from another namespace if karmada-system has no component', async () => {
    const elsewhere = running('Deployment', 'fleet', 'karmada-controller-manager', ...manager);
    expect((await sources([elsewhere])).found).toEqual([
      'controllerManager: Deployment fleet/karmada-controller-manager',
    ]);
    const another = running('Deployment', 'test', 'karmada-controller-manager', ...manager);
    expect(await sources([elsewhere, another])).toEqual({
      found: [],
      warnings: [
        'the host cluster has Karmada in the namespaces fleet, test; give the namespace of the components; otherwise gates and flags are assumed',
      ],
    });
    expect((await sources([elsewhere, another], 'test')).found).toEqual([
      'controllerManager: Deployment test/karmada-controller-manager',
    ]);
  });

  test('are assumed, with a warning, if the namespace has no component', async () => {
    expect(await sources([], 'fleet')).toEqual({
      found: [],
      warnings: [
        'no component of Karmada runs in namespace fleet of karmada; give the namespace of the components; otherwise gates and flags are assumed',
      ],
    });
  });

  test('are assumed, with a warning, without permission to read them', async () => {
    const objects = [running('Deployment', 'karmada-system', 'karmada-controller-manager', ...manager)];
    const host = servingObjects(objects, { forbidden: ['deployments.apps', 'pods'] });
    const { commandLines, warnings } = await hostComponents(host);
    expect(commandLines).toEqual([]);
    expect(warnings[0]).toMatch(/^deployments\.apps is forbidden: .*gates and flags .* are assumed$/);
  });
});
