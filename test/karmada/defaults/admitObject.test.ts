import { describe, expect, test } from '@jest/globals';
import { apiTypes } from '../../../src/karmada/api/kinds.ts';
import { admitObject, crdDefaults, crdErrors } from '../../../src/karmada/defaults/admitObject.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';

const { rules } = v1_18;
const defaultsOf = (kind: string, object: Record<string, unknown>, version = rules) =>
  crdDefaults(kind, object, apiTypes(version));

const selector = { apiVersion: 'apps/v1', kind: 'Deployment' };

describe('the CRD defaults', () => {
  test('complete a minimal PropagationPolicy', () => {
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

  test('set graceful failover, with a toleration of five minutes for applications', () => {
    const failover = { application: { decisionConditions: {} }, cluster: {} };
    expect(defaultsOf('ClusterPropagationPolicy', { spec: { failover } }).spec).toMatchObject({
      failover: {
        application: { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Gracefully' },
        cluster: { purgeMode: 'Gracefully' },
      },
    });
  });

  test('set nothing inside an absent field', () => {
    expect(defaultsOf('PropagationPolicy', { spec: {} }).spec).not.toHaveProperty('failover');
    expect(defaultsOf('PropagationPolicy', { spec: {} }).spec).not.toHaveProperty('placement');
  });

  test('replace null and drop fields that the CRD does not have', () => {
    const spec = { priority: null, suspension: null, color: 'red' };
    const defaulted = defaultsOf('PropagationPolicy', { spec }).spec;
    expect(defaulted).toMatchObject({ priority: 0 });
    expect(defaulted).not.toHaveProperty('suspension');
    expect(defaulted).not.toHaveProperty('color');
  });

  test('do not change metadata or other kinds', () => {
    const metadata = { name: 'p', unknown: null };
    expect(defaultsOf('PropagationPolicy', { metadata, spec: {} }).metadata).toBe(metadata);
    const deployment = { spec: { replicas: null } };
    expect(defaultsOf('Deployment', deployment)).toBe(deployment);
  });
});

describe('a new object', () => {
  const admit = (object: Record<string, unknown>, kind = 'PropagationPolicy') =>
    admitObject({ kind, operation: 'CREATE', namespace: 'shop', permanentId: 'uuid', object, rules });

  test('is stored with the defaults of its CRD and its webhook', () => {
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

  test('is refused by its CRD before the validating webhook runs', () => {
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

  test('is refused by an admission webhook', () => {
    const spec = { resourceSelectors: [selector], priority: 'high' };
    expect(admit({ metadata: { name: 'p' }, spec })).toMatchObject({ allowed: false, code: 400 });
    const taints = [{ key: 'k', effect: 'NoExecute' }];
    expect(admit({ metadata: { name: 'p' }, spec: { taints } }, 'ClusterTaintPolicy')).toMatchObject({
      allowed: false,
      code: 403,
    });
  });
});

describe('a stored object with a value that its CRD no longer allows', () => {
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

  test('accepts changes of other fields', () => {
    const changed = { ...stored, spec: { ...stored.spec, priority: 7 } };
    expect(update(changed, stored)).toMatchObject({ allowed: true, object: { spec: { priority: 7 } } });
  });

  test('is refused if the update adds that value', () => {
    const { failover: _, ...spec } = stored.spec;
    expect(update(stored, { ...stored, spec })).toMatchObject({
      allowed: false,
      code: 422,
      message: expect.stringContaining('Unsupported value: "Graciously"'),
    });
  });
});

describe('admission by version', () => {
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
  ])('%s sets the purge mode %s by default', (version, purgeMode) => {
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
  ])('%s accepts the purge mode %s: %s', (version, purgeMode, taken) => {
    expect(written(version, purgeMode)).toEqual(
      taken
        ? expect.objectContaining({ application: expect.objectContaining({ purgeMode }) })
        : expect.stringContaining(
            `spec.failover.application.purgeMode: Unsupported value: "${purgeMode}": supported values: `,
          ),
    );
  });

  test('v1.14 drops fields that its API does not have', () => {
    expect(written('v1.14.10')).not.toHaveProperty('cluster');
    expect(written('v1.15.0')).toHaveProperty('cluster');
  });
});

const types = apiTypes(v1_18.rules);
const messages = (object: Record<string, unknown>, stored?: Record<string, unknown>) =>
  crdErrors('ClusterTaintPolicy', object, types, stored).map(({ message }) => message);

describe('given a ClusterTaintPolicy that was stored without an effect', () => {
  const taints = [{ key: 'k' }];
  const stored = { metadata: { name: 'p' }, spec: { taints } };
  const missing = ['spec.taints[0].effect: Required value'];

  test('a new policy without an effect is refused', () => {
    expect(messages(stored)).toEqual(missing);
  });

  test('a change of its target clusters is accepted', () => {
    expect(
      messages({ ...stored, spec: { taints, targetClusters: { clusterNames: ['a'] } } }, stored),
    ).toEqual([]);
  });

  test('a change of its taint is refused', () => {
    expect(messages({ ...stored, spec: { taints: [{ key: 'other' }] } }, stored)).toEqual(missing);
  });
});
