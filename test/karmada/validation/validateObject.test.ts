import { describe, expect, test } from '@jest/globals';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { validateObject } from '../../../src/karmada/validation/validateObject.ts';
import { v1_18 } from '../../dialects.ts';

const { rules } = v1_18;

const refusal = (code: number, message: string) => expect.objectContaining({ allowed: false, code, message });

describe.each([
  ['PropagationPolicy', 'propagationpolicy.karmada.io/permanent-id'],
  ['ClusterPropagationPolicy', 'clusterpropagationpolicy.karmada.io/permanent-id'],
])('a %s', (kind, label) => {
  const policy = (spec: object = {}, labels: object = { [label]: 'id' }) => ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind,
    metadata: { name: 'p', labels },
    spec: { resourceSelectors: [], ...spec },
  });
  const create = (object: unknown) => validateObject({ kind, operation: 'CREATE', object, rules });
  const update = (oldObject: unknown, object: unknown) =>
    validateObject({ kind, operation: 'UPDATE', object, oldObject, rules });

  test('is accepted if it is valid', () => {
    expect(create(policy())).toEqual({ allowed: true });
    expect(update(policy(), policy({ priority: 5 }))).toEqual({ allowed: true });
  });

  test('requires its permanent id', () => {
    expect(create(policy({}, {}))).toEqual(
      refusal(
        403,
        `label ${label} is required, it should be set by the mutating admission webhook during creation`,
      ),
    );
  });

  test('cannot change its scheduler or its permanent id', () => {
    expect(update(policy(), policy({ schedulerName: 'other' }))).toEqual(
      refusal(403, 'the schedulerName should not be updated'),
    );
    expect(update(policy(), policy({}, { [label]: 'other' }))).toEqual(
      refusal(403, `label ${label} is immutable, it can only be set by the system during creation`),
    );
  });

  test('is refused with each error once, and with several errors in brackets', () => {
    const verdict = create(
      policy({
        placement: {
          clusterTolerations: [{ operator: 'Lt' }],
          spreadConstraints: [{ spreadByField: 'region' }],
        },
      }),
    );
    expect(verdict).toEqual(
      refusal(
        403,
        '[spec.placement.spreadConstraints: Invalid value: [{"spreadByField":"region"}]: the cluster spread constraint must be enabled in one of the constraints in case of SpreadByField is enabled, ' +
          'spec.placement.clusterTolerations[0].operator: Unsupported value: "Lt": supported values: "", "Exists", "Equal"]',
      ),
    );
  });

  test('crashes the webhook without tolerationSeconds in application failover', () => {
    const failover = { application: { decisionConditions: {} } };
    expect(create(policy({ failover }))).toEqual(
      refusal(500, 'panic: runtime error: invalid memory address or nil pointer dereference [recovered]'),
    );
  });

  test('is refused if a field has another type', () => {
    expect(create(policy({ priority: '5' }))).toEqual(
      refusal(
        400,
        'json: cannot unmarshal string into Go struct field PropagationSpec.spec.priority of type int32',
      ),
    );
    expect(update({ ...policy(), spec: [] }, policy())).toEqual(
      refusal(
        400,
        `json: cannot unmarshal array into Go struct field ${kind}.spec of type v1alpha1.PropagationSpec`,
      ),
    );
    expect(update(undefined, policy())).toEqual(refusal(400, 'there is no content to decode'));
  });

  test('is refused if it has another kind', () => {
    expect(create({ ...policy(), kind: 'ClusterTaintPolicy', spec: { taints: [] } })).toEqual(
      refusal(
        400,
        `unable to decode policy.karmada.io/v1alpha1, Kind=ClusterTaintPolicy into *v1alpha1.${kind}`,
      ),
    );
  });
});

describe('a ClusterTaintPolicy', () => {
  const taintPolicy = (...taints: object[]) => ({ metadata: { name: 'p' }, spec: { taints } });
  const create = (object: unknown, allowNoExecuteTaintPolicy = false) =>
    validateObject({
      kind: 'ClusterTaintPolicy',
      operation: 'CREATE',
      object,
      allowNoExecuteTaintPolicy,
      rules,
    });

  test('sets NoExecute taints only if administrators allow it', () => {
    const object = taintPolicy({ key: 'k', effect: 'NoSchedule' }, { key: 'k', effect: 'NoExecute' });
    expect(create(object, true)).toEqual({ allowed: true });
    expect(create(object)).toEqual(
      refusal(
        403,
        'spec.taints[1]: Forbidden: Configuring taint with NoExecute effect is not allowed, this capability must be explicitly enabled by administrators through command-line flags',
      ),
    );
  });

  test('is refused with a repeated key and effect, with an error for the first taint', () => {
    const taint = { key: 'k', effect: 'NoSchedule' };
    expect(create(taintPolicy(taint, { ...taint, value: 'v' }))).toEqual(
      refusal(
        403,
        'spec.taints[0]: Duplicate value: "Duplicate taint with the same key(k) and effect(NoSchedule) is not allowed"',
      ),
    );
  });
});

describe('a ResourceBinding', () => {
  const binding = (spec: object = {}, dependencies?: string) => ({
    metadata: {
      name: 'w-deployment',
      namespace: 'default',
      annotations:
        dependencies === undefined ? {} : { 'resourcebinding.karmada.io/dependencies': dependencies },
    },
    spec,
  });
  const create = (object: unknown, featureGates = {}) =>
    validateObject({ kind: 'ResourceBinding', operation: 'CREATE', object, featureGates, rules });

  test.each(['null', '[]', '[null]', '[{"apiVersion":"v1","kind":"Secret","unknown":{}}]'])(
    'accepts %s as dependencies',
    (dependencies) => {
      expect(create(binding({}, dependencies))).toEqual({ allowed: true });
    },
  );

  test.each(['', '{}', '"s"', '[1]', '[{"apiVersion":5}]', '[{"APIVERSION":5}]', '[', 'not json'])(
    'refuses %j as dependencies',
    (dependencies) => {
      expect(create(binding({}, dependencies))).toEqual(
        refusal(
          403,
          `metadata.annotations.resourcebinding.karmada.io/dependencies: Invalid value: ${JSON.stringify(dependencies)}: annotation value must be a valid JSON`,
        ),
      );
    },
  );

  test('requires unique component names with the gate MultiplePodTemplatesScheduling', () => {
    const object = binding({ components: [{ name: 'a' }, { name: '' }, { name: 'a' }] });
    expect(create(object)).toEqual({ allowed: true });
    expect(create(object, { MultiplePodTemplatesScheduling: true })).toEqual(
      refusal(
        403,
        '[spec.components[1].name: Invalid value: "": component names must be non-empty, ' +
          'spec.components[2].name: Invalid value: "a": component names must be unique]',
      ),
    );
  });

  describe('under a FederatedResourceQuota', () => {
    const quota = {
      metadata: { name: 'q', namespace: 'default' },
      spec: { overall: { cpu: '2' } },
      status: { overallUsed: { cpu: '500m' } },
    };
    const scheduled = (replicas: number) =>
      binding({
        clusters: [{ name: 'm1', replicas }, { name: 'm2' }],
        replicaRequirements: { resourceRequest: { cpu: '500m', memory: '1Gi' } },
      });
    const update = (before: object, after: object, FederatedQuotaEnforcement = true, { rules } = v1_18) =>
      validateObject({
        kind: 'ResourceBinding',
        operation: 'UPDATE',
        oldObject: before,
        object: after,
        featureGates: { FederatedQuotaEnforcement },
        federatedResourceQuotas: [quota],
        rules,
      });

    test('can use the remaining quota', () => {
      expect(update(scheduled(0), scheduled(3))).toEqual({ allowed: true });
    });

    test('cannot exceed the remaining quota', () => {
      const message =
        'FederatedResourceQuota(default/q) exceeded for resource cpu: requested sum 2500m, limit 2.';
      expect(update(scheduled(0), scheduled(4))).toEqual({
        allowed: false,
        code: 403,
        reason: 'QuotaExceeded',
        message,
        errors: [],
      });
    });

    test('uses the quota only for its additional replicas', () => {
      expect(update(scheduled(1), scheduled(4))).toEqual({ allowed: true });
      expect(update(scheduled(4), scheduled(4))).toEqual({ allowed: true });
    });

    test.each([
      ['v1.13.10', undefined, undefined],
      [
        'v1.14.10',
        'Quota exceeded for FederatedResourceQuota default/q. ResourceBinding default/w-deployment will be denied.',
        undefined,
      ],
      ['v1.15.4', expect.stringContaining('requested sum 2500m, limit 2.'), undefined],
      ['v1.15.5', expect.stringContaining('requested sum 2500m, limit 2.'), 'QuotaExceeded'],
      ['v1.16.1', expect.stringContaining('requested sum 2500m, limit 2.'), undefined],
      ['v1.16.2', expect.stringContaining('requested sum 2500m, limit 2.'), 'QuotaExceeded'],
    ])('in %s, is refused beyond the quota with: %s', (version, message, reason) => {
      const verdict = update(scheduled(0), scheduled(4), true, dialectOf(version).dialect);
      expect(verdict).toEqual(
        message === undefined
          ? { allowed: true }
          : { allowed: false, code: 403, message, errors: [], ...(reason ? { reason } : {}) },
      );
    });

    test('fails with negative replicas in v1.14', () => {
      expect(update(scheduled(0), scheduled(-1), true, dialectOf('v1.14.0').dialect)).toEqual(
        refusal(500, 'total replicas in clusters cannot be negative for RB default/w-deployment: -1'),
      );
    });

    test.each([
      ['v1.15.2', refusal(500, expect.stringContaining('nil pointer dereference') as unknown as string)],
      ['v1.15.3', { allowed: true }],
    ])('is accepted from v1.15.3 on if components have no requirements (%s)', (version, verdict) => {
      const components = (...names: string[]) =>
        binding({ components: [{ name: 'a', replicas: 1 }], clusters: names.map((name) => ({ name })) });
      expect(update(components('m1'), components('m1'), true, dialectOf(version).dialect)).toEqual(verdict);
    });

    test('has no limit without the gate FederatedQuotaEnforcement', () => {
      expect(update(scheduled(0), scheduled(100), false)).toEqual({ allowed: true });
    });
  });
});

test('no webhook validates ClusterResourceBindings or other kinds', () => {
  for (const kind of ['ClusterResourceBinding', 'Deployment'])
    expect(validateObject({ kind, operation: 'CREATE', object: 5, rules })).toEqual({ allowed: true });
});

test.each([
  ['v1.14.10', 100],
  ['v1.16.8', 110],
  ['v1.17.0', 111],
])('in %s, the error for an unknown kind contains the source line %i', (version, line) => {
  const { rules: ofVersion } = dialectOf(version).dialect;
  const object = { apiVersion: 'v1', kind: 'Secret' };
  expect(
    validateObject({ kind: 'PropagationPolicy', operation: 'CREATE', object, rules: ofVersion }),
  ).toEqual(
    refusal(400, `no kind "Secret" is registered for version "v1" in scheme "pkg/runtime/scheme.go:${line}"`),
  );
});

test.each(['null', '{'])('v1.15 ignores the dependencies %s of a binding', (dependencies) => {
  const object = {
    metadata: { name: 'b', annotations: { 'resourcebinding.karmada.io/dependencies': dependencies } },
    spec: { resource: {} },
  };
  const { rules: ofVersion } = dialectOf('v1.15.9').dialect;
  expect(validateObject({ kind: 'ResourceBinding', operation: 'CREATE', object, rules: ofVersion })).toEqual({
    allowed: true,
  });
});
