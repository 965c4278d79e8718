import { describe, expect, test } from '@jest/globals';
import { apiTypes } from '../../../src/karmada/api/kinds.ts';
import { admitObject, crdDefaults, crdErrors } from '../../../src/karmada/defaults/admitObject.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';

const { rules } = v1_18;
const defaultsOf = (kind: string, object: Record<string, unknown>, version = rules) =>
  crdDefaults(kind, object, apiTypes(version));

const selector = { apiVersion: 'apps/v1', kind: 'Deployment' };

describe('defaults of the CRDs', () => {
  test('a PropagationPolicy as short as it may be', () => {
    const spec = { resourceSelectors: [selector], placement: { replicaScheduling: {} } };
    expect(defaultsOf('PropagationPolicy', { spec }).spec).toEqual({
      resourceSelectors: [selector],
      placement: { replicaScheduling: { replicaSchedulingType: 'Divided' } },
      priority: 0,
      preemption: 'Never',
      schedulerName: 'default-scheduler',
      conflictResolution: 'Abort',
    });
  });

  test('failover is graceful, after five minutes for applications', () => {
    const failover = { application: { decisionConditions: {} }, cluster: {} };
    expect(defaultsOf('ClusterPropagationPolicy', { spec: { failover } }).spec).toMatchObject({
      failover: {
        application: { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Gracefully' },
        cluster: { purgeMode: 'Gracefully' },
      },
    });
  });

  test('nothing is defaulted within what is absent', () => {
    expect(defaultsOf('PropagationPolicy', { spec: {} }).spec).not.toHaveProperty('failover');
    expect(defaultsOf('PropagationPolicy', { spec: {} }).spec).not.toHaveProperty('placement');
  });

  test('null means absent; fields that the CRD lacks go', () => {
    const spec = { priority: null, suspension: null, color: 'red' };
    const defaulted = defaultsOf('PropagationPolicy', { spec }).spec;
    expect(defaulted).toMatchObject({ priority: 0 });
    expect(defaulted).not.toHaveProperty('suspension');
    expect(defaulted).not.toHaveProperty('color');
  });

  test('metadata and other kinds are not changed', () => {
    const metadata = { name: 'p', unknown: null };
    expect(defaultsOf('PropagationPolicy', { metadata, spec: {} }).metadata).toBe(metadata);
    const deployment = { spec: { replicas: null } };
    expect(defaultsOf('Deployment', deployment)).toBe(deployment);
  });
});

describe('an object that is written', () => {
  const admit = (object: Record<string, unknown>, kind = 'PropagationPolicy') =>
    admitObject({ kind, operation: 'CREATE', namespace: 'shop', permanentId: 'uuid', object, rules });

  test('is stored with defaults of CRD and webhook', () => {
    const failover = { application: { decisionConditions: {} } };
    const object = {
      metadata: { name: 'p', namespace: 'shop' },
      spec: { resourceSelectors: [selector], propagateDeps: true, failover },
    };
    expect(admit(object)).toMatchObject({
      allowed: true,
      object: {
        metadata: { labels: { 'propagationpolicy.karmada.io/permanent-id': 'uuid' } },
        spec: {
          resourceSelectors: [{ ...selector, namespace: 'shop' }],
          failover: {
            application: {
              decisionConditions: { tolerationSeconds: 300 },
              purgeMode: 'Gracefully',
              gracePeriodSeconds: 600,
            },
          },
        },
      },
    });
  });

  test('is refused by its CRD before the validating webhook sees it', () => {
    const spec = {
      resourceSelectors: [],
      placement: {
        spreadConstraints: [{ spreadByField: 'rack' }],
        clusterAffinities: [{ affinityName: 'x'.repeat(33) }],
      },
      failover: { cluster: { purgeMode: 'Never' } },
    };
    expect(admit({ metadata: { name: 'p' }, spec })).toMatchObject({
      allowed: false,
      code: 422,
      reason: 'Invalid',
      message:
        'PropagationPolicy.policy.karmada.io "p" is invalid: ' +
        '[spec.resourceSelectors: Invalid value: 0: spec.resourceSelectors in body should have at least 1 items, ' +
        'spec.placement.clusterAffinities[0].affinityName: Too long: may not be more than 32 bytes, ' +
        'spec.placement.spreadConstraints[0].spreadByField: Unsupported value: "rack": supported values: "cluster", "region", "zone", "provider", ' +
        'spec.failover.cluster.purgeMode: Unsupported value: "Never": supported values: "Directly", "Gracefully"]',
    });
  });

  test('is refused by its webhooks', () => {
    const spec = { resourceSelectors: [selector], priority: 'high' };
    expect(admit({ metadata: { name: 'p' }, spec })).toMatchObject({ allowed: false, code: 400 });
    const taints = [{ key: 'k', effect: 'NoExecute' }];
    expect(admit({ metadata: { name: 'p' }, spec: { taints } }, 'ClusterTaintPolicy')).toMatchObject({
      allowed: false,
      code: 403,
    });
  });
});

describe('an object that is stored with what its CRD no longer knows', () => {
  const { rules: head } = dialectOf('v1.19').dialect;
  const stored = defaultsOf('PropagationPolicy', {
    metadata: {
      name: 'p',
      namespace: 'shop',
      labels: { 'propagationpolicy.karmada.io/permanent-id': 'uuid' },
    },
    spec: {
      resourceSelectors: [selector],
      propagateDeps: true,
      failover: { application: { decisionConditions: {}, purgeMode: 'Graciously' } },
    },
  }) as { spec: Record<string, unknown> };
  const update = (object: Record<string, unknown>, oldObject: Record<string, unknown>) =>
    admitObject({
      kind: 'PropagationPolicy',
      operation: 'UPDATE',
      namespace: 'shop',
      permanentId: 'uuid',
      object,
      oldObject,
      rules: head,
    });

  test('may be changed elsewhere: the API server holds nothing against what stays as it is', () => {
    const changed = { ...stored, spec: { ...stored.spec, priority: 7 } };
    expect(update(changed, stored)).toMatchObject({ allowed: true, object: { spec: { priority: 7 } } });
  });

  test('is refused if that comes new', () => {
    const { failover: _, ...spec } = stored.spec;
    expect(update(stored, { ...stored, spec })).toMatchObject({
      allowed: false,
      code: 422,
      message: expect.stringContaining('Unsupported value: "Graciously"'),
    });
  });
});

describe('in other versions', () => {
  const written = (version: string, purgeMode?: string) => {
    const { rules: ofVersion } = dialectOf(version).dialect;
    const failover = { application: { decisionConditions: {}, purgeMode }, cluster: {} };
    const object = {
      metadata: { name: 'p', namespace: 'shop' },
      spec: { resourceSelectors: [selector], propagateDeps: true, failover },
    };
    const admitted = admitObject({
      kind: 'PropagationPolicy',
      operation: 'CREATE',
      namespace: 'shop',
      permanentId: 'uuid',
      object,
      rules: ofVersion,
    });
    return admitted.allowed
      ? (admitted.object as { spec: { failover: object } }).spec.failover
      : admitted.message;
  };

  test.each([
    ['v1.14.10', 'Graciously'],
    ['v1.15.0', 'Gracefully'],
    ['v1.19', 'Gracefully'],
  ])('%s moves applications %s by default', (version, purgeMode) => {
    expect(written(version)).toMatchObject({ application: { purgeMode, gracePeriodSeconds: 600 } });
  });

  test.each([
    ['v1.10.11', 'Whatever', true],
    ['v1.11.0', 'Whatever', false],
    ['v1.14.10', 'Immediately', true],
    ['v1.14.10', 'Directly', false],
    ['v1.18.2', 'Immediately', true],
    ['v1.18.2', 'Directly', true],
    ['v1.19', 'Immediately', false],
    ['v1.19', 'Directly', true],
  ])('%s: the purge mode %s is taken: %s', (version, purgeMode, taken) => {
    expect(written(version, purgeMode)).toEqual(
      taken
        ? expect.objectContaining({ application: expect.objectContaining({ purgeMode }) })
        : expect.stringContaining(
            `spec.failover.application.purgeMode: Unsupported value: "${purgeMode}": supported values: `,
          ),
    );
  });

  test('fields that the API does not have yet are dropped', () => {
    expect(written('v1.14.10')).not.toHaveProperty('cluster');
    expect(written('v1.15.0')).toHaveProperty('cluster');
  });
});

const types = apiTypes(v1_18.rules);
const messages = (object: Record<string, unknown>, stored?: Record<string, unknown>) =>
  crdErrors('ClusterTaintPolicy', object, types, stored).map(({ message }) => message);

describe('given a ClusterTaintPolicy that was stored without an effect of its taint', () => {
  const taints = [{ key: 'k' }];
  const stored = { metadata: { name: 'p' }, spec: { taints } };
  const missing = ['spec.taints[0].effect: Required value'];

  test('a new one like it is refused', () => {
    expect(messages(stored)).toEqual(missing);
  });

  test('it may be changed elsewhere', () => {
    expect(
      messages({ ...stored, spec: { taints, targetClusters: { clusterNames: ['a'] } } }, stored),
    ).toEqual([]);
  });

  test('a change of that taint is refused, although the effect was missing before', () => {
    expect(messages({ ...stored, spec: { taints: [{ key: 'other' }] } }, stored)).toEqual(missing);
  });
});
