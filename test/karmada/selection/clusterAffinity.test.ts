import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ClusterAffinity } from '../../../src/karmada/api/policy.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../../src/karmada/api/work.ts';
import {
  bindingAffinityMatches as matchesBinding,
  clusterAffinity as filter,
} from '../../../src/karmada/scheduling/filters/clusterAffinity.ts';
import { rejecting } from '../../../src/karmada/scheduling/filters/filters.ts';
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
  rejecting(filter, spec, status, snapshot)(cluster);

const field = (key: string, operator: string, values?: string[]): ClusterAffinity => ({
  fieldSelector: { matchExpressions: [{ key, operator, ...(values && { values }) }] },
});

describe('a cluster affinity', () => {
  test('without parts selects all clusters', () => {
    expect(clusterMatches(bare, {})).toBe(true);
    expect(
      clusterMatches(bare, { clusterNames: [], exclude: [], fieldSelector: {}, labelSelector: {} }),
    ).toBe(true);
  });

  test('selects by name, and excluded names win', () => {
    expect(clusterMatches(frankfurt, { clusterNames: ['paris'] })).toBe(false);
    expect(clusterMatches(frankfurt, { clusterNames: ['frankfurt'] })).toBe(true);
    expect(clusterMatches(frankfurt, { clusterNames: ['frankfurt'], exclude: ['frankfurt'] })).toBe(false);
  });

  test('asks for all of its parts', () => {
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
    ['a zone in common is enough for In', field('zone', 'In', ['eu-2', 'us-1']), true, false],
    ['one in common is too much for NotIn', field('zone', 'NotIn', ['eu-2', 'us-1']), false, true],
    ['the deprecated zone does not count', field('zone', 'In', ['eu-9']), false, false],
    ['zones Exists', field('zone', 'Exists'), true, false],
    ['zones DoesNotExist', field('zone', 'DoesNotExist'), false, true],
    ['values of zones need not be well-formed', field('zone', 'NotIn', ['!!']), true, true],
    ['nor need there be any', field('zone', 'NotIn'), true, true],
    ['values next to Exists of zones are ignored', field('zone', 'Exists', ['x']), true, false],
    ['an unknown operator on zones selects nothing', field('zone', 'Gt', ['1']), false, false],
    ['a provider', field('provider', 'In', ['alpha']), true, false],
    ['NotIn holds for a cluster without the field', field('provider', 'NotIn', ['alpha']), false, true],
    ['a region that DoesNotExist', field('region', 'DoesNotExist'), false, true],
    ['a field that clusters do not have', field('name', 'Exists'), false, false],
    ['its contrary', field('name', 'DoesNotExist'), true, true],
    ['In without values is malformed: nothing', field('region', 'In'), false, false],
    ['a malformed value: nothing', field('region', 'NotIn', ['-']), false, false],
    ['an unknown operator: nothing', field('region', 'Equals', ['eu']), false, false],
    [
      'a malformed label selector: nothing',
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
])('a cluster in two zones of which one is listed is selected by In in %s: %s', (version, selected) => {
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

  test('lets every cluster pass without an affinity, and for a group that does not exist', () => {
    expect(bindingAffinityMatches({ resource }, undefined, frankfurt)).toBe(true);
    expect(bindingAffinityMatches(groups, undefined, frankfurt)).toBe(true);
    expect(bindingAffinityMatches(groups, { schedulerObservingAffinityName: 'gone' }, frankfurt)).toBe(true);
  });

  test('uses the current group of the scheduler', () => {
    const reason = 'cluster(s) did not match the placement cluster affinity constraint';
    expect(clusterAffinityFilter(groups, { schedulerObservingAffinityName: 'first' }, frankfurt)).toBe(
      reason,
    );
    expect(
      clusterAffinityFilter(groups, { schedulerObservingAffinityName: 'second' }, frankfurt),
    ).toBeUndefined();
  });

  test('adds overflow groups only for workloads', () => {
    const status = { schedulerObservingAffinityName: 'second' };
    expect(bindingAffinityMatches({ ...groups, replicas: 0 }, status, frankfurt)).toBe(false);
    expect(
      bindingAffinityMatches({ ...groups, replicas: 0, replicaRequirements: {} }, status, frankfurt),
    ).toBe(true);
    expect(
      bindingAffinityMatches({ ...groups, replicas: 0, components: [{ name: 'x' }] }, status, frankfurt),
    ).toBe(true);
  });

  test('asks the single affinity first, whatever group is observed', () => {
    const both = {
      ...groups,
      placement: { ...groups.placement, clusterAffinity: { exclude: ['frankfurt'] } },
    };
    expect(bindingAffinityMatches(both, { schedulerObservingAffinityName: 'second' }, frankfurt)).toBe(false);
  });
});
