import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { plainNames } from '../../../src/karmada/configuration/inputNames.ts';
import {
  controllerManifests,
  type ManifestsRequest,
} from '../../../src/useCases/controller/manifests/controllerManifests.ts';
import type { AnyManifest } from '../../../src/useCases/controller/manifests/controlPlaneManifests.ts';
import { withDesignFields } from '../../../src/useCases/controller/manifests/designFields.ts';

const noFields = { type: 'object', properties: {} };

/** A CRD as stored in a server, whose spec has these fields. */
function crd(kind: string, name: string, properties: object, required: string[] = []): AnyManifest {
  const schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', required, properties },
      status: {
        type: 'object',
        properties: { aggregatedStatus: { type: 'array', items: structuredClone(noFields) } },
      },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name, uid: 'u', resourceVersion: '3' },
    spec: { names: { kind }, versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
    status: { storedVersions: ['v1'] },
  };
}
const failover = () => ({
  failover: {
    type: 'object',
    properties: {
      cluster: {
        type: 'object',
        properties: { purgeMode: { type: 'string', enum: ['Directly', 'Gracefully'] } },
      },
      application: structuredClone(noFields),
    },
  },
});
const crds = [
  crd(
    'ClusterTaintPolicy',
    'clustertaintpolicies.policy.karmada.io',
    { targetClusters: noFields, addOnConditions: { type: 'array' }, taints: { type: 'array' } },
    ['taints'],
  ),
  crd('PropagationPolicy', 'propagationpolicies.policy.karmada.io', failover()),
  crd('ClusterPropagationPolicy', 'clusterpropagationpolicies.policy.karmada.io', failover()),
  crd('ResourceBinding', 'resourcebindings.work.karmada.io', failover()),
  crd('ClusterResourceBinding', 'clusterresourcebindings.work.karmada.io', failover()),
];

const made = (given: Record<string, unknown>, more: Partial<ManifestsRequest> = {}) =>
  controllerManifests({
    given: Object.entries(given).map(([name, value]) => ({ name, value, place: `--${name}` })),
    crds,
    connect: () => Promise.reject(new Error('nothing is asked')),
    namespace: 'karmada-system',
    image: 'image:v1',
    replicas: 2,
    kubeconfigSecret: 'kubeconfig',
    tlsSecret: undefined,
    args: ({ config, certificate }) => ['run', config, ...Object.values(certificate ?? {})],
    names: plainNames,
    ...more,
  });
const named = (objects: readonly AnyManifest[]) =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe('the controller manifests for the Karmada API server', () => {
  test('contain only the rights of docs/rbac.yaml for a release', async () => {
    const { karmada } = await made({}, { crds: undefined });
    expect(named(karmada).map((name) => name.split(' ')[0])).toEqual([
      ...['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
    ]);
    const documented = (loadAll(readFileSync('docs/rbac.yaml', 'utf8')) as AnyManifest[]).filter(
      ({ metadata }) => metadata.name === 'karmada-failover-controller',
    );
    const roles = karmada.filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role');
    expect(roles.map(({ rules }) => rules)).toEqual(documented.map(({ rules }) => rules));
  });

  test('contain the right to write conditions for the proposal, as docs/rbac.yaml does', async () => {
    const rulesOf = async (version: string) => {
      const { karmada } = await made({ 'karmada-version': version });
      return karmada.find(({ kind }) => kind === 'ClusterRole')!['rules'] as unknown[];
    };
    const [more] = (loadAll(readFileSync('docs/rbac.yaml', 'utf8')) as AnyManifest[]).filter(
      ({ metadata }) => metadata.name === 'karmada-failover-controller-conditions',
    );
    expect(await rulesOf('proposal')).toEqual([
      ...(await rulesOf('v1.18')),
      ...(more!['rules'] as unknown[]),
    ]);
  });

  test('contain a Role for the Lease in the settings', async () => {
    const { karmada } = await made({
      'leader-elect-resource-namespace': 'leases',
      'leader-elect-resource-name': 'mine',
    });
    expect(karmada.find(({ kind }) => kind === 'Role')).toMatchObject({
      metadata: { namespace: 'leases' },
      rules: expect.arrayContaining([expect.objectContaining({ resourceNames: ['mine'] })]),
    });
  });

  test('add the fields of the proposal to CRDs, and remove only server metadata and the required taints', async () => {
    const { karmada, missing } = await made({
      'karmada-version': 'proposal',
      'feature-gates': 'Failover=true',
    });
    expect(missing).toEqual([]);
    const [policies] = karmada;
    expect(policies!.metadata).toEqual({ name: 'clustertaintpolicies.policy.karmada.io' });
    expect(policies!.status).toBeUndefined();
    const text = JSON.stringify(policies);
    for (const field of [
      'targetClusters',
      'targetCluster',
      'addOnConditions',
      'matchConditions',
      'taintsToAdd',
    ])
      expect(text).toContain(`"${field}"`);
    expect(text).not.toContain('"required":["taints"]');
    for (const kind of karmada.slice(1, 5))
      expect(JSON.stringify(kind)).toContain('"tolerationSeconds":{"type":"integer","format":"int32"');
  });

  test('list a missing CRD', async () => {
    const { missing } = await made({ 'karmada-version': 'proposal' }, { crds: crds.slice(0, 2) });
    expect(missing).toEqual(['ClusterPropagationPolicy', 'ResourceBinding', 'ClusterResourceBinding']);
  });

  test('add the fields of each option of the proposal', () => {
    const rules = (version: string) => dialectOf(version).dialect.rules;
    const binding = JSON.stringify(withDesignFields(crds[3]!, rules('proposal+application-failover')));
    for (const field of ['preConditions', 'blockPredecessorSeconds', 'activeEvictionHistory', 'settled'])
      expect(binding).toContain(`"${field}"`);
    const policy = JSON.stringify(
      withDesignFields(crds[1]!, rules('proposal+configurable-cluster-failover')),
    );
    expect(policy).toContain('"gracePeriodSeconds"');
    expect(policy).toContain('"Never"');
    expect(withDesignFields(crds[1]!, rules('v1.18'))).toBeUndefined();
  });
});

describe('the controller manifests for the host cluster', () => {
  test('contain two replicas with probes, settings and a PodDisruptionBudget', async () => {
    const { host } = await made({ 'resource-eviction-rate': '3', 'feature-gates': 'Failover=true' });
    expect(named(host)).toEqual([
      'ConfigMap karmada-failover-controller',
      'Deployment karmada-failover-controller',
      'PodDisruptionBudget karmada-failover-controller',
      'NetworkPolicy karmada-failover-controller',
    ]);
    const [config, deployment, , network] = host as [AnyManifest, ...AnyManifest[]];
    expect(JSON.parse((config.data as Record<string, string>)['controller.yaml']!)).toEqual({
      'resource-eviction-rate': '3',
      'feature-gates': 'Failover=true',
    });
    expect(deployment).toMatchObject({ spec: { replicas: 2 } });
    const text = JSON.stringify(deployment);
    for (const part of [
      '"/healthz"',
      '"/readyz"',
      '["run","/etc/karmada-failover/config/controller.yaml"]',
      '"image:v1"',
      '"runAsNonRoot":true',
    ])
      expect(text).toContain(part);
    const [rule] = (network!['spec'] as { ingress: object[] }).ingress;
    // only the port for probes and Prometheus
    expect(rule).toEqual({ ports: [{ protocol: 'TCP', port: 'health' }] });
    expect(text).toContain('"ports":[{"name":"health"');
    expect(text).toContain('"limits":{"memory":"1Gi"}');
    for (const key of ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'])
      expect(text).toContain(`"topologyKey":"${key}"`);
    expect(text).not.toContain('tls');
  });

  test('expose metrics only with a certificate: over TLS, with reviews, a Service and alerts', async () => {
    expect((await made({})).scraped).toBe(false);
    const { host, karmada, scraped } = await made({}, { tlsSecret: 'serving' });
    expect(scraped).toBe(true);
    const [, deployment, , , service, alerts] = host as [AnyManifest, ...AnyManifest[]];
    const text = JSON.stringify(deployment);
    for (const part of [
      '"/etc/karmada-failover/tls/tls.crt","/etc/karmada-failover/tls/tls.key"',
      '{"name":"tls","mountPath":"/etc/karmada-failover/tls","readOnly":true}',
      '{"name":"tls","secret":{"secretName":"serving"}}',
    ])
      expect(text).toContain(part);
    expect(text.match(/"scheme":"HTTPS"/g)).toHaveLength(3);
    expect(service).toMatchObject({
      kind: 'Service',
      metadata: { annotations: { 'prometheus.io/scheme': 'https' } },
    });
    expect(JSON.stringify(alerts)).toContain('KarmadaFailoverNoLeader');
    const [reviews] = (loadAll(readFileSync('docs/rbac.yaml', 'utf8')) as AnyManifest[]).filter(
      ({ metadata }) => metadata.name === 'karmada-failover-controller-reviews',
    );
    expect(karmada.find(({ kind }) => kind === 'ClusterRole')!['rules']).toEqual(
      expect.arrayContaining(reviews!['rules'] as unknown[]),
    );
  });
});
