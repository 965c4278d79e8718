import { describe, expect, test } from '@jest/globals';
import { relationsAmong, viewOfWorld } from '../../../../src/analysis/drain/decide/drainView.ts';
import type { KubernetesObject } from '../../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../../src/karmada/api/work.ts';
import { world } from '../../../simulator/simulation/controlPlane.ts';
import { heldTask } from '../aDrain.ts';
import { fleet, on } from './placedOn.ts';

const web = on('web', 4, { 'west-1': 4 }, { gracefulEvictionTasks: [heldTask('east-1')] });
const api = on('api', 2, { 'east-1': 2 });
const config = on('config', 0, {}, { requiredBy: [{ namespace: 'shop', name: 'web-deployment' }] });
const { namespace: _shop, ...clusterWide } = config.metadata;
const role: ResourceBinding = {
  ...config,
  metadata: { ...clusterWide, name: 'role' },
  spec: { ...config.spec, requiredBy: [], gracefulEvictionTasks: [heldTask('east-1')] },
};

describe('among bindings', () => {
  const bindings = [web, api, config, role];
  const { find, attachedTo, leaving } = relationsAmong(bindings);

  test('one is found by its key', () => {
    expect(find('shop/web-deployment')).toBe(web);
    expect(find('/role')).toBe(role);
    expect(find('shop/role')).toBeUndefined();
  });

  test('those that a workload needs are found by it', () => {
    expect(attachedTo(web)).toEqual([config]);
    expect(attachedTo(api)).toEqual([]);
  });

  test('those that leave a cluster are found by their namespace', () => {
    expect([...leaving('shop')]).toEqual([web]);
    expect([...leaving('')]).toEqual([role]);
    expect([...leaving('data')]).toEqual([]);
  });

  test('all are read once, and only when something is asked', () => {
    let reads = 0;
    function* read() {
      reads++;
      yield* bindings;
    }
    const relations = relationsAmong({ [Symbol.iterator]: read });
    expect(reads).toBe(0);
    expect(relations.find('shop/api-deployment')).toBe(api);
    expect(relations.attachedTo(web)).toEqual([config]);
    expect(relations.find('shop/web-deployment')).toBe(web);
    expect(reads).toBe(1);
  });
});

describe('a world', () => {
  const template = (kind: string, name: string, namespace?: string): KubernetesObject => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, ...(namespace ? { namespace } : {}), labels: { kind, in: namespace ?? '' } },
  });
  const others = [
    template('Deployment', 'web', 'data'),
    template('StatefulSet', 'web', 'shop'),
    template('Deployment', 'web', 'shop'),
    template('Deployment', 'web'),
  ];

  test('shows the template of each binding, for its labels', () => {
    const { templateOf } = viewOfWorld({ ...world(fleet, [web, api]), others });
    expect(templateOf(web)).toBe(others[2]);
    expect(templateOf(api)).toBeUndefined();
    const { namespace: _namespace, ...resource } = web.spec.resource;
    expect(templateOf({ ...web, spec: { ...web.spec, resource } })).toBe(others[3]);
  });

  test('shows who is of one affinity group', () => {
    const grouped = (binding: ResourceBinding): ResourceBinding => ({
      ...binding,
      spec: { ...binding.spec, workloadAffinityGroups: { affinityGroup: 'near' } },
    });
    const bindings = [grouped(web), api, grouped(on('db', 1, { 'east-1': 1 }))];
    const { workloads } = viewOfWorld(world(fleet, bindings));
    expect(workloads?.members('affinityGroup', 'shop', 'near')).toEqual([bindings[0], bindings[2]]);
    expect(workloads?.members('affinityGroup', 'shop', 'far')).toEqual([]);
    expect(workloads?.members('antiAffinityGroup', 'shop', 'near')).toEqual([]);
  });

  test('shows its clusters and bindings as they are', () => {
    const view = viewOfWorld(world(fleet, [web, api]));
    expect(view.clusters).toEqual(fleet);
    expect([...view.bindings]).toEqual([web, api]);
    expect(view.find('shop/api-deployment')).toBe(api);
    expect(view.worksOf(web).size).toBe(0);
  });
});
