import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { ScenarioAction } from '../../src/simulator/scenario.ts';
import { queuePace } from '../../src/karmada/taints/evictionPace.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { PropagationPolicy } from '../../src/karmada/api/policy.ts';
import { admitObject } from '../../src/karmada/defaults/admitObject.ts';
import { validateObject } from '../../src/state/world/validateObject.ts';
import { unknownFieldWarnings } from '../../src/useCases/scenario/unknownFields.ts';
import {
  failoverByDesign,
  MEMBER1_AS_WRITTEN,
  MEMBER1_TAINTED_AS_WRITTEN,
  NGINX_PROPAGATION_AS_WRITTEN,
  proposal,
} from './documents.ts';
import { APPLICATION_POLICY } from './documentsOfFailover.ts';

const applied = (yaml: string) =>
  new Map<ScenarioAction, string>([
    [{ type: 'apply', objects: [parse(yaml) as KubernetesObject] }, 'the file'],
  ]);

describe('001 examples with mistakes, taken literally', () => {
  test('001 the example Cluster: has a boolean condition status, which the API refuses with the path of the field', () => {
    expect(validateObject(parse(MEMBER1_AS_WRITTEN))).toMatchObject({
      problem: 'Cluster member1: status.conditions[0].status: false is a boolean, expected a string',
    });
  });

  test('001 the example Cluster with its taint: the field spec.taint has no effect', () => {
    const member1 = parse(MEMBER1_TAINTED_AS_WRITTEN) as Cluster;
    expect(queuePace([member1], failoverByDesign.controllerManager).faulty).toEqual([]);
    const { taint: taints, ...spec } = member1.spec as { taint: unknown };
    const meant = { ...member1, spec: { ...spec, taints } } as Cluster;
    expect(queuePace([meant], failoverByDesign.controllerManager).faulty).toEqual(['member1']);
  });

  test('001 nginx-propagation: the API drops the unknown field pureMode, and purgeMode has its default', () => {
    const verdict = admitObject({
      kind: 'PropagationPolicy',
      operation: 'CREATE',
      namespace: 'default',
      permanentId: 'uuid',
      object: parse(NGINX_PROPAGATION_AS_WRITTEN) as Record<string, unknown>,
      rules: proposal.rules,
    });
    expect(verdict).toMatchObject({ allowed: true });
    const { failover } = (verdict as unknown as { object: PropagationPolicy }).object.spec;
    expect(failover).toEqual({ cluster: { purgeMode: 'Gracefully', tolerationSeconds: 100 } });
  });

  test('001 nginx-propagation: a simulation warns of the unknown field pureMode', () => {
    expect(unknownFieldWarnings(applied(NGINX_PROPAGATION_AS_WRITTEN), 'proposal', proposal.rules)).toEqual([
      'the file: PropagationPolicy nginx-propagation: proposal has no field spec.failover.cluster.pureMode; dropped here, and refused by kubectl apply',
    ]);
  });
});

test('004 example policy: a simulation warns of healthyState in decisionConditions', () => {
  const [warning, ...others] = unknownFieldWarnings(applied(APPLICATION_POLICY), 'proposal', proposal.rules);
  expect(warning).toContain('spec.failover.application.decisionConditions.healthyState');
  expect(others).toEqual([]);
});
