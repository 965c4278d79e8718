import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ClusterAffinity } from '../../../src/karmada/api/policy.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../../src/karmada/api/work.ts';
import {
  bindingAffinityMatches as matchesBinding,
  clusterAffinity as filter,
} from '../../../src/karmada/scheduling/filters/clusterAffinity.ts';
import { rejectionReason } from '../../../src/karmada/scheduling/filters/filters.ts';
import { clusterMatches as matchesBy } from '../../../src/karmada/selection/clusterAffinity.ts';
import { clusterIndexes, clusterSetOf } from '../../../src/karmada/selection/clusterSet.ts';
import { createClusterSnapshot } from '../../../src/karmada/scheduling/clusterSnapshot.ts';
import { schedulerOptions } from '../../../src/karmada/scheduling/schedulerOptions.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';

const frankfurt: Cluster = {
  metadata: { name: 'frankfurt', labels: { env: 'prod' } },
  spec: { provider: 'alpha', region: 'eu', zone: 'eu-9', zones: ['eu-1', 'eu-2'] },
};
const bare: Cluster = { metadata: { name: 'bare' } };

const snapshot = createClusterSnapshot([bare, frankfurt], schedulerOptions(v1_18.defaults));

const clusterMatches = (cluster: Cluster, affinity: ClusterAffinity) =>
  matchesBy(cluster, affinity, snapshot.rules);
const bindingAffinityMatches = (
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  cluster: Cluster,
) => matchesBinding(spec, status, cluster, snapshot);
const clusterAffinityFilter = (spec: ResourceBindingSpec, status: ResourceBindingStatus, cluster: Cluster) =>
  rejectionReason(filter, spec, status, snapshot)(cluster);

const field = (key: string, operator: string, values?: string[]): ClusterAffinity => ({
  fieldSelector: { matchExpressions: [{ key, operator, ...(values && { values }) }] },
});

describe('a cluster affinity', () => {
  test('without fields selects all clusters', () => {
    expect(clusterMatches(bare, {})).toBe(true);
    expect(
      clusterMatches(bare, { clusterNames: [], exclude: [], fieldSelector: {}, labelSelector: {} }),
    ).toBe(true);
  });

  test('selects clusters by name and rejects excluded names', () => {
    expect(clusterMatches(frankfurt, { clusterNames: ['paris'] })).toBe(false);
    expect(clusterMatches(frankfurt, { clusterNames: ['frankfurt'] })).toBe(true);
    expect(clusterMatches(frankfurt, { clusterNames: ['frankfurt'], exclude: ['frankfurt'] })).toBe(false);
  });

  test('selects only clusters that match all its fields', () => {
    const affinity = {
      clusterNames: ['frankfurt'],
      labelSelector: { matchLabels: { env: 'prod' } },
      ...field('region', 'In', ['eu']),
    };
    expect(clusterMatches(frankfurt, affinity)).toBe(true);
    expect(clusterMatches({ ...frankfurt, metadata: { name: 'frankfurt' } }, affinity)).toBe(false);
    expect(clusterMatches({ ...frankfurt, spec: { region: 'us' } }, affinity)).toBe(false);
  });

  test.each<[string, ClusterAffinity, boolean, boolean]>([
    ['selects a cluster with one listed zone by In', field('zone', 'In', ['eu-2', 'us-1']), true, false],
    [
      'rejects a cluster with one listed zone by NotIn',
      field('zone', 'NotIn', ['eu-2', 'us-1']),
      false,
      true,
    ],
    ['ignores the deprecated field zone', field('zone', 'In', ['eu-9']), false, false],
    ['selects clusters with zones by Exists', field('zone', 'Exists'), true, false],
    ['selects clusters without zones by DoesNotExist', field('zone', 'DoesNotExist'), false, true],
    ['accepts malformed zone values', field('zone', 'NotIn', ['!!']), true, true],
    ['accepts NotIn without zone values', field('zone', 'NotIn'), true, true],
    ['ignores the values of Exists for zones', field('zone', 'Exists', ['x']), true, false],
    ['selects nothing by an unknown operator for zones', field('zone', 'Gt', ['1']), false, false],
    ['selects clusters by provider', field('provider', 'In', ['alpha']), true, false],
    ['selects clusters without the field by NotIn', field('provider', 'NotIn', ['alpha']), false, true],
    ['selects clusters without a region by DoesNotExist', field('region', 'DoesNotExist'), false, true],
    ['selects nothing by Exists of an unknown field', field('name', 'Exists'), false, false],
    ['selects all clusters by DoesNotExist of an unknown field', field('name', 'DoesNotExist'), true, true],
    ['selects nothing by In without values', field('region', 'In'), false, false],
    ['selects nothing by a malformed value', field('region', 'NotIn', ['-']), false, false],
    ['selects nothing by an unknown operator', field('region', 'Equals', ['eu']), false, false],
    [
      'selects nothing by a malformed label selector',
      { labelSelector: { matchExpressions: [{ key: 'env', operator: 'NotIn' }] } },
      false,
      false,
    ],
  ])('%s', (_name, affinity, onFrankfurt, onBare) => {
    expect([clusterMatches(bare, affinity), clusterMatches(frankfurt, affinity)]).toEqual([
      onBare,
      onFrankfurt,
    ]);
    const set = clusterSetOf([0, 1], 2);
    snapshot.affinities.keep(set, snapshot, affinity);
    expect(clusterIndexes(set)).toEqual([...(onBare ? [0] : []), ...(onFrankfurt ? [1] : [])]);
  });
});

test.each([
  ['v1.17.5', false],
  ['v1.18.0', true],
])('in %s, In selects a cluster with one listed and one unlisted zone: %s', (version, selected) => {
  const rules = dialectOf(version).dialect.rules.scheduling;
  expect(matchesBy(frankfurt, field('zone', 'In', ['eu-1', 'us-1']), rules)).toBe(selected);
  expect(matchesBy(frankfurt, field('zone', 'In', ['eu-1', 'eu-2']), rules)).toBe(true);
  expect(matchesBy(bare, field('zone', 'In', ['eu-1']), rules)).toBe(false);
});

describe('the ClusterAffinity filter', () => {
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const groups: ResourceBindingSpec = {
    resource,
    replicas: 1,
    placement: {
      clusterAffinities: [
        { affinityName: 'first', clusterNames: ['paris'] },
        {
          affinityName: 'second',
          clusterNames: ['london'],
          overflowAffinities: [{ affinityName: 'more', clusterNames: ['frankfurt'] }],
        },
      ],
    },
  };

  test('accepts every cluster without an affinity or with an unknown group', () => {
    expect(bindingAffinityMatches({ resource }, undefined, frankfurt)).toBe(true);
    expect(bindingAffinityMatches(groups, undefined, frankfurt)).toBe(true);
    expect(bindingAffinityMatches(groups, { schedulerObservingAffinityName: 'gone' }, frankfurt)).toBe(true);
  });

  test('uses the group that the scheduler observes', () => {
    const reason = 'cluster(s) did not match the placement cluster affinity constraint';
    expect(clusterAffinityFilter(groups, { schedulerObservingAffinityName: 'first' }, frankfurt)).toBe(
      reason,
    );
    expect(
      clusterAffinityFilter(groups, { schedulerObservingAffinityName: 'second' }, frankfurt),
    ).toBeUndefined();
  });

  test('uses overflow groups only for workloads', () => {
    const status = { schedulerObservingAffinityName: 'second' };
    expect(bindingAffinityMatches({ ...groups, replicas: 0 }, status, frankfurt)).toBe(false);
    expect(
      bindingAffinityMatches({ ...groups, replicas: 0, replicaRequirements: {} }, status, frankfurt),
    ).toBe(true);
    expect(
      bindingAffinityMatches({ ...groups, replicas: 0, components: [{ name: 'x' }] }, status, frankfurt),
    ).toBe(true);
  });

  test('uses clusterAffinity before the observed group', () => {
    const both = {
      ...groups,
      placement: { ...groups.placement, clusterAffinity: { exclude: ['frankfurt'] } },
    };
    expect(bindingAffinityMatches(both, { schedulerObservingAffinityName: 'second' }, frankfurt)).toBe(false);
  });
});
