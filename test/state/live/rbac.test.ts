import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadAll } from 'js-yaml';
import {
  CHECKS_ROLE,
  HISTORY_ROLE,
  READER_ROLE,
  TEMPLATES_ROLE,
} from '../../../src/state/live/kindReader.ts';
import { CLUSTER_TAINT_POLICIES, type ApiResource } from '../../../src/state/live/resources.ts';

interface Role {
  kind: 'Role' | 'ClusterRole';
  metadata: { name: string; namespace?: string };
  /** without groups and resources: about paths */
  rules: { apiGroups?: string[]; resources?: string[]; verbs: string[] }[];
}

const roles = loadAll(readFileSync('docs/rbac.yaml', 'utf8')) as Role[];

/** "list works.work.karmada.io", in a namespace "… in karmada-cluster" */
function grants(name: string): string[] {
  return roles
    .filter(({ metadata }) => metadata.name === name)
    .flatMap(({ metadata, rules }) =>
      rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
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
// test/commands/rights.long.test.ts checks which rights commands need
describe('the roles in docs/rbac.yaml', () => {
  test('grant no wildcards, no Secrets and only the necessary writes', () => {
    const all = [...new Set(roles.flatMap(({ metadata }) => grants(metadata.name)))];
    expect(all.filter((one) => one.includes('*') || one.includes('secrets'))).toEqual([]);
    const making = all.filter((one) => /^(create|delete) /.test(one));
    expect(making).toEqual([
      // reviews are not stored
      grant('create', { group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' }),
      grant('create', CLUSTER_TAINT_POLICIES),
      grant('delete', CLUSTER_TAINT_POLICIES),
      grant('create', EVENTS),
      grant('create', LEASES, 'karmada-system'),
      grant('create', { group: 'authorization.k8s.io', resource: 'subjectaccessreviews' }),
      grant('create', { group: 'authentication.k8s.io', resource: 'tokenreviews' }),
    ]);
    const others = all.filter((one) => !making.includes(one));
    expect(new Set(others.map((one) => one.split(' ')[0]))).toEqual(
      new Set(['get', 'list', 'watch', 'patch', 'update']),
    );
    expect(others.filter((one) => one.startsWith('update '))).toEqual([
      grant('update', LEASES, 'karmada-system'),
    ]);
  });

  test('include the roles that messages name', () => {
    for (const text of [READER_ROLE, TEMPLATES_ROLE, HISTORY_ROLE, CHECKS_ROLE])
      expect(roles.map(({ metadata }) => metadata.name)).toContain(/ClusterRole (\S+) /.exec(text)?.[1]);
  });
});
