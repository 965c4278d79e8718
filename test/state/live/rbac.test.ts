import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { HOST_KINDS } from '../../../src/state/live/hostComponents.ts';
import { HISTORY_ROLE, READER_ROLE, TEMPLATES_ROLE } from '../../../src/state/live/kindReader.ts';
import {
  CLUSTER_RESOURCE_BINDINGS,
  CLUSTER_TAINT_POLICIES,
  CLUSTERS,
  RESOURCE_BINDINGS,
  WORKS,
  type ApiResource,
} from '../../../src/state/live/resources.ts';
import { STATE_KINDS } from '../../../src/state/live/stateKinds.ts';

interface Role {
  kind: 'Role' | 'ClusterRole';
  metadata: { name: string; namespace?: string };
  rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
}

const roles = loadAll(readFileSync('docs/rbac.yaml', 'utf8')) as Role[];

/** "list works.work.karmada.io", in a namespace "… in karmada-cluster" */
function grants(name: string): string[] {
  return roles
    .filter(({ metadata }) => metadata.name === name)
    .flatMap(({ metadata, rules }) =>
      rules.flatMap(({ apiGroups, resources, verbs }) =>
        verbs.flatMap((verb) =>
          apiGroups.flatMap((group) =>
            resources.map((resource) => grant(verb, { group, resource }, metadata.namespace)),
          ),
        ),
      ),
    )
    .sort();
}

function grant(
  verb: string,
  { group, resource }: Pick<ApiResource, 'group' | 'resource'>,
  namespace?: string,
) {
  return `${verb} ${resource}${group === '' ? '' : `.${group}`}${namespace ? ` in ${namespace}` : ''}`;
}

const EVENTS = { group: '', resource: 'events' };
const LEASES = { group: 'coordination.k8s.io', resource: 'leases' };
const taintPolicies = STATE_KINDS.find(({ kind }) => kind === 'ClusterTaintPolicy')!;
const followed = [CLUSTERS, RESOURCE_BINDINGS, CLUSTER_RESOURCE_BINDINGS, WORKS, taintPolicies];
const written = [CLUSTERS, RESOURCE_BINDINGS, CLUSTER_RESOURCE_BINDINGS];

describe('docs/rbac.yaml', () => {
  test('grants to read exactly what is read', () => {
    expect(grants('karmada-failover-reader')).toEqual(
      [
        ...STATE_KINDS.map((kind) => grant('list', kind, kind.inNamespace)),
        ...followed.map((kind) => grant('watch', kind)),
      ].sort(),
    );
  });

  test('grants to act on clusters and bindings alone, and to ask what is allowed', () => {
    expect(grants('karmada-failover-operator')).toEqual(
      [
        ...written.flatMap((kind) => [grant('get', kind), grant('patch', kind)]),
        ...[RESOURCE_BINDINGS, CLUSTER_RESOURCE_BINDINGS].map(({ group, resource }) =>
          grant('patch', { group, resource: `${resource}/status` }),
        ),
        grant('get', WORKS),
        grant('create', { group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' }),
      ].sort(),
    );
  });

  test('grants on the host cluster what tells how components were started', () => {
    expect(grants('karmada-failover-host')).toEqual(
      HOST_KINDS.map((kind) => grant('list', kind, 'karmada-system')).sort(),
    );
  });

  test('grants to change ClusterTaintPolicies to those alone who are to', () => {
    expect(grants('karmada-failover-policies').sort()).toEqual(
      ['create', 'delete', 'get', 'patch'].map((verb) => grant(verb, CLUSTER_TAINT_POLICIES)),
    );
  });

  test('grants controllers to follow, to write taints and bindings, and to tell Events', () => {
    const interpreters = STATE_KINDS.filter(({ group }) => group === 'config.karmada.io');
    expect(grants('karmada-failover-controller')).toEqual(
      [
        ...written.flatMap((kind) => ['get', 'list', 'watch', 'patch'].map((verb) => grant(verb, kind))),
        ...[CLUSTER_TAINT_POLICIES, ...interpreters].flatMap((kind) => [
          grant('list', kind),
          grant('watch', kind),
        ]),
        ...['create', 'patch'].map((verb) => grant(verb, EVENTS)),
        ...['create', 'get', 'get', 'update'].map((verb) => grant(verb, LEASES, 'karmada-system')),
      ].sort(),
    );
  });

  test('grants a dashboard to see which controllers are at work', () => {
    expect(grants('karmada-failover-leases')).toEqual([grant('get', LEASES, 'karmada-system')]);
  });

  test('grants no writing of anything else, nothing by wildcard, and no Secret', () => {
    const all = [...new Set(roles.flatMap(({ metadata }) => grants(metadata.name)))];
    expect(all.filter((one) => one.includes('*') || one.includes('secrets'))).toEqual([]);
    const making = all.filter((one) => /^(create|delete) /.test(one));
    expect(making).toEqual([
      // what is asked is stored nowhere
      grant('create', { group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' }),
      grant('create', CLUSTER_TAINT_POLICIES),
      grant('delete', CLUSTER_TAINT_POLICIES),
      grant('create', EVENTS),
      grant('create', LEASES, 'karmada-system'),
    ]);
    const others = all.filter((one) => !making.includes(one));
    expect(new Set(others.map((one) => one.split(' ')[0]))).toEqual(
      new Set(['get', 'list', 'watch', 'patch', 'update']),
    );
    expect(others.filter((one) => one.startsWith('update '))).toEqual([
      grant('update', LEASES, 'karmada-system'),
    ]);
  });

  test('grants the Events of the past apart, since answers about the present do without', () => {
    expect(grants('karmada-failover-history')).toEqual(['list', 'watch'].map((verb) => grant(verb, EVENTS)));
  });

  test('has the roles that messages name', () => {
    for (const text of [READER_ROLE, TEMPLATES_ROLE, HISTORY_ROLE])
      expect(roles.map(({ metadata }) => metadata.name)).toContain(/ClusterRole (\S+) /.exec(text)?.[1]);
  });
});
