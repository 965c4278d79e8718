import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { declaredHooks } from '../../src/karmada/status/healthInterpreter.ts';
import { admitObject } from '../../src/karmada/defaults/admitObject.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ApplicationFailoverBehavior, PropagationPolicy } from '../../src/karmada/api/policy.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import {
  APPLICATION_ALTERNATIVE,
  APPLICATION_BINDING,
  APPLICATION_POLICY,
  HEALTH_INTERPRETATION,
} from './documentsOfFailover.ts';

const VERSION = 'proposal+application-failover';

function admit(object: unknown, version = VERSION) {
  const { kind } = object as KubernetesObject;
  return admitObject({
    kind,
    operation: 'CREATE',
    namespace: 'default',
    permanentId: 'uuid',
    object: object as Record<string, unknown>,
    rules: dialectOf(version).dialect.rules,
  });
}

const policyWith = (application: object, propagateDeps = true) => ({
  ...(parse(APPLICATION_POLICY) as PropagationPolicy),
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx' }],
    propagateDeps,
    placement: {},
    failover: { application },
  },
});

function admitted(application: object, version = VERSION): ApplicationFailoverBehavior {
  const verdict = admit(policyWith(application), version);
  if (!verdict.allowed) throw new Error(verdict.message);
  return (verdict.object as unknown as PropagationPolicy).spec.failover!.application!;
}

function refusals(application: object, propagateDeps?: boolean): string[] {
  const verdict = admit(policyWith(application, propagateDeps));
  return verdict.allowed ? [] : verdict.errors.map(({ message }) => message);
}

describe('004 API change: defaults', () => {
  test('004 defaults: tolerationSeconds 10, purgeMode Graciously, gracePeriodSeconds 600, blockPredecessorSeconds 600', () => {
    expect(admitted({ decisionConditions: {} })).toEqual({
      decisionConditions: { tolerationSeconds: 10 },
      purgeMode: 'Graciously',
      gracePeriodSeconds: 600,
      blockPredecessorSeconds: 600,
    });
  });

  test('004 defaults: without the option, the API has the defaults of releases and drops the new fields', () => {
    for (const version of ['v1.18', 'proposal'])
      expect(
        admitted(
          { decisionConditions: {}, preConditions: { delaySeconds: 1 }, blockPredecessorSeconds: 0 },
          version,
        ),
      ).toEqual({
        decisionConditions: { tolerationSeconds: 300 },
        purgeMode: 'Gracefully',
        gracePeriodSeconds: 600,
      });
  });

  test('004 blockPredecessorSeconds: 0 is kept', () => {
    expect(admitted({ decisionConditions: {}, blockPredecessorSeconds: 0 })).toMatchObject({
      blockPredecessorSeconds: 0,
    });
  });

  test.each(['Immediately', 'Never'])(
    '004 gracePeriodSeconds: not set by default for mode %s',
    (purgeMode) => {
      expect(admitted({ decisionConditions: {}, purgeMode })).not.toHaveProperty('gracePeriodSeconds');
    },
  );
});

describe('004 karmada-webhook: invalid values', () => {
  test.each<[string, object, string]>([
    [
      'a delay below 0',
      { preConditions: { delaySeconds: -1 } },
      'preConditions.delaySeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'a state other than Healthy',
      { preConditions: { healthyState: 'Unhealthy' } },
      'preConditions.healthyState: Unsupported value: "Unhealthy": supported values: "Healthy"',
    ],
    [
      'a toleration below 0',
      { decisionConditions: { tolerationSeconds: -1 } },
      'decisionConditions.tolerationSeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'a block below 0',
      { blockPredecessorSeconds: -1 },
      'blockPredecessorSeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'a grace period that is not positive',
      { gracePeriodSeconds: 0 },
      'gracePeriodSeconds: Invalid value: 0: must be greater than 0',
    ],
    [
      'a grace period in mode Never',
      { purgeMode: 'Never', gracePeriodSeconds: 60 },
      'gracePeriodSeconds: Invalid value: 60: only takes effect when purgeMode is gracefully',
    ],
    ['an unknown purge mode', { purgeMode: 'Later' }, 'purgeMode: Unsupported value: "Later"'],
  ])('004 webhook: refuses %s', (_, application, message) => {
    const [refusal = '', ...others] = refusals({ decisionConditions: {}, ...application });
    expect(refusal).toContain(`spec.failover.application.${message}`);
    expect(others).toEqual([]);
  });

  test('004 webhook: application failover requires propagateDeps', () => {
    expect(refusals({ decisionConditions: {} }, false)).toEqual([
      'spec.propagateDeps: Invalid value: false: application failover is set, propagateDeps must be true',
    ]);
  });

  test.each(['Immediately', 'Graciously', 'Never'])('004 purgeMode: %s is valid', (purgeMode) => {
    expect(refusals({ decisionConditions: {}, purgeMode })).toEqual([]);
  });
});

describe('004 the examples', () => {
  test('004 example policy: admitted with propagateDeps; healthyState is dropped, as decisionConditions has no such field', () => {
    const example = parse(APPLICATION_POLICY) as PropagationPolicy;
    expect(admit(example)).toMatchObject({
      allowed: false,
      message: expect.stringContaining('propagateDeps'),
    });
    const verdict = admit({ ...example, spec: { ...example.spec, propagateDeps: true } });
    expect(verdict).toMatchObject({ allowed: true });
    const { spec } = (verdict as unknown as { object: PropagationPolicy }).object;
    expect(spec.failover).toEqual({
      application: {
        preConditions: { delaySeconds: 5000 },
        decisionConditions: { tolerationSeconds: 200 },
        purgeMode: 'Graciously',
        gracePeriodSeconds: 600,
        blockPredecessorSeconds: 600,
      },
    });
  });

  test('004 example binding: admitted if its times are named creationTimestamp, as in the Go types', () => {
    const renamed = APPLICATION_BINDING.replaceAll('createTimestamp', 'creationTimestamp');
    expect(admit(parse(renamed))).toMatchObject({
      allowed: true,
      object: {
        spec: {
          activeEvictionHistory: [{ clusterName: 'member2', creationTimestamp: '2023-04-03T01:44:31Z' }],
          failover: { application: { preConditions: { delaySeconds: 5000 } } },
        },
        status: { aggregatedStatus: [{ settled: true, creationTimestamp: '2023-04-03T02:44:31Z' }] },
      },
    });
    const verdict = admit(parse(APPLICATION_BINDING)) as unknown as { object: { spec: object } };
    expect(verdict.object.spec).toMatchObject({ activeEvictionHistory: [{ clusterName: 'member2' }] });
    expect(JSON.stringify(verdict.object)).not.toContain('createTimestamp');
  });

  test('004 example binding: a release drops unknown fields', () => {
    const renamed = APPLICATION_BINDING.replaceAll('createTimestamp', 'creationTimestamp');
    const stored = JSON.stringify(admit(parse(renamed), 'v1.18'));
    for (const field of ['activeEvictionHistory', 'preConditions', 'settled'])
      expect(stored).not.toContain(field);
  });

  test('004 alternatives: the rejected alternative, failover as a list of behaviors, is refused', () => {
    expect(admit(parse(APPLICATION_ALTERNATIVE))).toMatchObject({ allowed: false });
  });

  test('004 dependency: the interpreter of the example works under spec.customizations, as in the API', () => {
    const { rules } = dialectOf(VERSION).dialect;
    const example = parse(HEALTH_INTERPRETATION) as KubernetesObject & {
      spec: { target: { apiVersion: string; kind: string }; healthInterpretation: object };
    };
    const { target, healthInterpretation } = example.spec;
    const declares = (spec: object) =>
      declaredHooks([{ ...example, spec } as KubernetesObject], rules).enabled(target, 'InterpretHealth');
    expect(declares({ target, customizations: { healthInterpretation } })).toBe(true);
    expect(declares(example.spec)).toBe(false);
  });
});
