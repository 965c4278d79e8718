import { describe, expect, test } from '@jest/globals';
import { bindingsConcernedBy } from '../../../../src/analysis/drain/decide/bindingState.ts';
import { templatesOf } from '../../../../src/analysis/drain/decide/selects.ts';
import type { KubernetesObject } from '../../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../../src/karmada/api/work.ts';
import { world } from '../../../simulator/simulation/controlPlane.ts';
import { heldTask, viewOf } from '../aDrain.ts';
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

test('a view lists each binding on the clusters, and each eviction from them, once', () => {
  const both = on('both', 2, { 'east-1': 2 }, { gracefulEvictionTasks: [heldTask('east-1')] });
  const view = viewOf({ clusters: fleet, bindings: [web, api, both, role] });
  const names = (...clusters: string[]) =>
    [...bindingsConcernedBy(view, clusters)].map(({ metadata }) => metadata.name).sort();
  expect(names('east-1')).toEqual(['api-deployment', 'both-deployment', 'role', 'web-deployment']);
  expect(names('west-1', 'west-2')).toEqual(['web-deployment']);
  expect(names('north-1')).toEqual([]);
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

  test('finds the template of each binding', () => {
    const templateOf = templatesOf({ ...world(fleet, [web, api]), others });
    expect(templateOf(web)).toBe(others[2]);
    expect(templateOf(api)).toBeUndefined();
    const { namespace: _namespace, ...resource } = web.spec.resource;
    expect(templateOf({ ...web, spec: { ...web.spec, resource } })).toBe(others[3]);
  });
});
