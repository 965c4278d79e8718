import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import { endsWith, karmadaFailover } from './tool.ts';
import { createAll, deployment, namespace, policyFor } from './workloads.ts';

type Role = KubernetesObject & { rules: { resources: string[]; verbs: string[] }[] };

const HOME = 'failover-users';
const RBAC = 'rbac.authorization.k8s.io';
const READER = ['karmada-failover-reader', 'karmada-failover-templates'];
const CHECKS = ['karmada-failover-doctor', 'karmada-failover-history'];
const roles = loadAll(readFileSync('docs/rbac.yaml', 'utf8')) as Role[];
const directory = mkdtempSync(join(tmpdir(), 'rbac-'));
let bed: Bed;

beforeAll(async () => {
  const members = defaultOptions.members.slice(0, 2);
  bed = await up({ ...defaultOptions, members });
  const cart = deployment('shop', 'cart', 2);
  await createAll(bed.api(), [
    namespace('shop'),
    namespace(HOME),
    cart,
    policyFor(cart, {
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
    }),
    ...roles,
  ]);
  await steadyBindings(bed, 1);
}, 300_000);

afterAll(async () => {
  rmSync(directory, { recursive: true });
  await bed?.down();
});

/** A token of a new user with these ClusterRoles, and the Roles with their names. */
async function userWith(name: string, roleNames: string[]): Promise<string[]> {
  const subjects = [{ kind: 'ServiceAccount', namespace: HOME, name }];
  const bind = (kind: 'ClusterRole' | 'Role', role: string, within?: string) =>
    ({
      apiVersion: `${RBAC}/v1`,
      kind: `${kind}Binding`,
      metadata: { name: `${name}-${role}`, ...(within ? { namespace: within } : {}) },
      roleRef: { apiGroup: RBAC, kind, name: role },
      subjects,
    }) as KubernetesObject;
  await createAll(bed.api(), [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: HOME, name } },
    ...roleNames.map((role) => bind('ClusterRole', role)),
    ...roles
      .filter(({ kind, metadata }) => kind === 'Role' && roleNames.includes(metadata.name))
      .map(({ metadata }) => bind('Role', metadata.name, metadata.namespace)),
  ]);
  const { status } = await bed
    .api()
    .create<{ status: { token: string } }>(`/api/v1/namespaces/${HOME}/serviceaccounts/${name}/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    });
  return ['--token', status.token];
}

/** The reader's ClusterRole without one resource. */
async function readerWithout(resource: string): Promise<string> {
  const reader = roles.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === READER[0])!;
  const name = `reader-without-${resource}`;
  const rules = reader.rules
    .map((rule) => ({ ...rule, resources: rule.resources.filter((one) => one !== resource) }))
    .filter(({ resources }) => resources.length > 0);
  await createAll(bed.api(), [{ ...reader, metadata: { name }, rules } as KubernetesObject]);
  return name;
}

const CHECKED = [
  ['failover', 'explain', 'deploy/cart', '-n', 'shop', '--if-fails', 'member1'],
  ['snapshot', 'save', '-'],
];

test('the reader may run every query, and no answer is unknown', async () => {
  const token = await userWith('reader', READER);
  for (const command of [
    ['failover', 'status'],
    ['failover', 'simulate', '--fail', 'member1'],
    ['eviction', 'inspect'],
    ['eviction', 'inspect', '-l', 'app=cart'],
  ])
    expect({ command, stderr: (await endsWith(bed, 0, ...command, ...token)).stderr }).toEqual({
      command,
      stderr: '',
    });
});

test('the reader is warned of the checks that need further roles', async () => {
  const token = await userWith('reader-of-checks', READER);
  for (const command of CHECKED)
    expect((await endsWith(bed, 0, ...command, ...token)).stderr).toMatch(
      /^warning: failures that need list on events, .* are not checked; .*karmada-failover-doctor.*karmada-failover-history.*\n$/,
    );
});

test('with the roles for checks, a workload is explained without a warning', async () => {
  const token = await userWith('reader-with-checks', [...READER, ...CHECKS]);
  for (const command of CHECKED)
    expect({ command, stderr: (await endsWith(bed, 0, ...command, ...token)).stderr }).toEqual({
      command,
      stderr: '',
    });
});

test('the reader may not change anything', async () => {
  const token = await userWith('only-reader', READER);
  const { stderr } = await endsWith(bed, 4, 'cordon', 'member2', ...token);
  expect(stderr).toMatch(/clusters\.cluster\.karmada\.io|forbidden|docs\/rbac\.yaml/);
});

test('the operator may cordon and drain', async () => {
  const token = await userWith('operator', [...READER, 'karmada-failover-operator']);
  await endsWith(bed, 0, 'cordon', 'member2', ...token);
  await endsWith(bed, 0, 'uncordon', 'member2', ...token);
  await endsWith(bed, 0, 'drain', 'member1', '--dry-run=server', ...token);
  const { stderr } = await endsWith(bed, 0, 'drain', 'member1', ...token);
  expect(stderr).not.toContain('forbidden');
  await endsWith(bed, 0, 'uncordon', 'member1', ...token);
});

test.each([
  ['works', ['failover', 'simulate', '--fail', 'member1'], 'works.work.karmada.io'],
  ['clustertaintpolicies', ['failover', 'status'], 'clustertaintpolicies.policy.karmada.io'],
  ['propagationpolicies', ['failover', 'simulate'], 'propagationpolicies.policy.karmada.io'],
])('without access to %s, an answer warns about the missing permission', async (resource, command, named) => {
  const token = await userWith(`without-${resource}`, [await readerWithout(resource)]);
  const { stderr } = await endsWith(bed, 0, ...command, ...token);
  expect(stderr).toContain(`list on ${named} is granted by the ClusterRole karmada-failover-reader`);
});

test('without access to taint policies, it is unknown whether failover is enabled', async () => {
  const token = await userWith('without-taint-policies', ['reader-without-clustertaintpolicies']);
  const argv = ['failover', 'status', '-o', 'json', '--assume', 'Failover=true', ...token];
  const { failover } = JSON.parse((await endsWith(bed, 0, ...argv)).stdout) as { failover: object };
  expect(failover).toMatchObject({
    certainty: 'unknown',
    missing: expect.stringContaining('list on clustertaintpolicies.policy.karmada.io'),
  });
});

test.each(['clusters', 'resourcebindings'])(
  'without access to %s, a command fails and names the missing permission',
  async (resource) => {
    const token = await userWith(`without-${resource}`, [await readerWithout(resource)]);
    const { code, stdout, stderr } = await karmadaFailover(bed, 'failover', 'status', ...token);
    expect({ code, stdout, stderr }).toEqual({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(
          `^error: .*list on ${resource}\\..* is granted by the ClusterRole karmada-failover-reader`,
        ),
      ),
    });
  },
);
