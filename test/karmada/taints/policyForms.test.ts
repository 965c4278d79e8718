import { describe, expect, test } from '@jest/globals';
import { inactivePolicies } from '../../../src/karmada/taints/inactivePolicies.ts';
import { policiesByTaint } from '../../../src/karmada/taints/policiesByTaint.ts';
import { listedTaints, namedConditions } from '../../../src/karmada/taints/policyFields.ts';
import { policyPass, wantsTaints } from '../../../src/karmada/taints/policyPass.ts';
import type { ClusterTaintPolicySpec } from '../../../src/karmada/api/policy.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';
import { taint, taintPolicy, when } from '../../analysis/taintPolicy/policies.ts';
import { at, clusterWith, windowPolicy } from './windows/windows.ts';

const design = dialectOf('proposal').dialect;
const shipped = (spec: ClusterTaintPolicySpec, name = 'p') => taintPolicy(name, spec);

describe('a ClusterTaintPolicy adds its taints', () => {
  const notReady = clusterWith(['Ready=False@0']);

  test('in the shipped form if all addOnConditions hold, and never without conditions', () => {
    const wanting = (...conditions: string[]) =>
      wantsTaints(shipped({ addOnConditions: conditions.map(when) }), notReady, v1_18.rules);
    expect(wanting('Ready In False')).toBe(true);
    expect(wanting('Ready In False', 'Disk In True')).toBe(false);
    expect(wanting()).toBe(false);
  });

  test('in the proposed form if all matchConditions hold or there are no conditions', () => {
    const wanting = (...conditions: string[]) =>
      wantsTaints(windowPolicy(conditions, []), notReady, design.rules);
    expect(wanting('Ready In False')).toBe(true);
    expect(wanting('Ready In False', 'Disk In True')).toBe(false);
    expect(wanting()).toBe(true);
    expect(wantsTaints(shipped({}), notReady, design.rules)).toBe(true);
  });

  test('not by a condition of a cluster without a status', () => {
    const fresh = { metadata: { name: 'm1' } };
    expect(wantsTaints(shipped({ addOnConditions: [when('Ready In True')] }), fresh, v1_18.rules)).toBe(
      false,
    );
    expect(wantsTaints(windowPolicy(['Ready In True'], []), fresh, design.rules)).toBe(false);
  });
});

describe('a pass of the ClusterTaintPolicy controller', () => {
  const both = shipped({
    addOnConditions: [when('Ready In False')],
    taints: [taint('shipped:NoSchedule')],
    matchConditions: [when('Ready In False')],
    taintsToAdd: [{ key: 'designed', effect: 'NoSchedule', addOnMatchSeconds: 0 }],
  });
  const passOf = ({ rules }: typeof v1_18) =>
    policyPass({ cluster: clusterWith(['Ready=False@0']), policies: [both], now: at(10), rules });

  test('adds taints of the shipped form at once, without memory', () => {
    const pass = passOf(v1_18);
    expect(pass.taints.map(({ key }) => key)).toEqual(['shipped']);
    expect(pass.memory).toBeUndefined();
  });

  test('adds taints of the proposed form at the end of their windows, with memory', () => {
    const pass = passOf(design);
    expect(pass.taints.map(({ key }) => key)).toEqual(['designed']);
    expect(pass.memory).toBeDefined();
  });
});

describe('both forms of a ClusterTaintPolicy', () => {
  test('name the conditions of all their lists', () => {
    const named = (spec: ClusterTaintPolicySpec) =>
      namedConditions(shipped(spec)).map(({ conditionType }) => conditionType);
    expect(named({ addOnConditions: [when('A In True')], removeOnConditions: [when('B In True')] })).toEqual([
      'A',
      'B',
    ]);
    expect(named({ matchConditions: [when('C In True')] })).toEqual(['C']);
    expect(named({})).toEqual([]);
  });

  test('list no taints for a policy without taints', () => {
    expect(listedTaints(shipped({}))).toEqual([]);
  });

  test('are found by the key and effect of a taint, once each and in order', () => {
    const listing = policiesByTaint([
      shipped({ taints: [taint('a=1:NoSchedule'), taint('a=2:NoSchedule')] }, 'p'),
      shipped({ taints: [taint('a:NoExecute')] }, 'q'),
      windowPolicy([], ['a:NoSchedule'], { name: 'r' }),
    ]);
    const names = (text: string) => listing(taint(text)).map(({ metadata: { name } }) => name);
    expect(names('a:NoSchedule')).toEqual(['p', 'r']);
    expect(names('a:NoExecute')).toEqual(['q']);
    expect(names('b:NoSchedule')).toEqual([]);
  });
});

describe('a ClusterTaintPolicy has no effect', () => {
  const { defaults } = v1_18;
  const live = { ...defaults, featureGates: { ...defaults.featureGates, Failover: true } };

  test('without the gate Failover', () => {
    expect(inactivePolicies(live)).toBeUndefined();
    expect(inactivePolicies({ ...live, featureGates: { ...live.featureGates, Failover: false } })).toBe(
      'Failover',
    );
  });

  test('in versions without its controller, even with the gate Failover', () => {
    const old = dialectOf('v1.13.10').dialect.defaults;
    expect(inactivePolicies({ ...old, featureGates: { ...old.featureGates, Failover: true } })).toBe(
      'version',
    );
  });

  test('if --controllers disables its controller', () => {
    const { controllerManager } = live;
    const controllers = '*,-clustertaintpolicy';
    expect(inactivePolicies({ ...live, controllerManager: { ...controllerManager, controllers } })).toBe(
      'controllers',
    );
  });
});
