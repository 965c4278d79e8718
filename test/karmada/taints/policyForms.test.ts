import { describe, expect, test } from '@jest/globals';
import { deadPolicies } from '../../../src/karmada/taints/deadPolicies.ts';
import { policiesByTaint } from '../../../src/karmada/taints/policiesByTaint.ts';
import { listedTaints, namedConditions } from '../../../src/karmada/taints/policyFields.ts';
import { policyPass, wants } from '../../../src/karmada/taints/policyPass.ts';
import type { ClusterTaintPolicySpec } from '../../../src/karmada/api/policy.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';
import { taint, taintPolicy, when } from '../../analysis/taintPolicy/policies.ts';
import { at, clusterWith, windowPolicy } from './windows/windows.ts';

const design = dialectOf('proposal').dialect;
const shipped = (spec: ClusterTaintPolicySpec, name = 'p') => taintPolicy(name, spec);

describe('a policy wants to add its taints', () => {
  const notReady = clusterWith(['Ready=False@0']);

  test('as Karmada ships it, if all of its addOnConditions hold, and never without any', () => {
    const wanting = (...conditions: string[]) =>
      wants(shipped({ addOnConditions: conditions.map(when) }), notReady, v1_18.rules);
    expect(wanting('Ready In False')).toBe(true);
    expect(wanting('Ready In False', 'Disk In True')).toBe(false);
    expect(wanting()).toBe(false);
  });

  test('in the form of the design, if all of its matchConditions hold, or it has none', () => {
    const wanting = (...conditions: string[]) => wants(windowPolicy(conditions, []), notReady, design.rules);
    expect(wanting('Ready In False')).toBe(true);
    expect(wanting('Ready In False', 'Disk In True')).toBe(false);
    expect(wanting()).toBe(true);
    expect(wants(shipped({}), notReady, design.rules)).toBe(true);
  });

  test('not by a condition of a cluster that has no status yet', () => {
    const fresh = { metadata: { name: 'm1' } };
    expect(wants(shipped({ addOnConditions: [when('Ready In True')] }), fresh, v1_18.rules)).toBe(false);
    expect(wants(windowPolicy(['Ready In True'], []), fresh, design.rules)).toBe(false);
  });
});

describe('a pass uses the form that the version knows', () => {
  const both = shipped({
    addOnConditions: [when('Ready In False')],
    taints: [taint('shipped:NoSchedule')],
    matchConditions: [when('Ready In False')],
    taintsToAdd: [{ key: 'designed', effect: 'NoSchedule', addOnMatchSeconds: 0 }],
  });
  const passOf = ({ rules }: typeof v1_18) =>
    policyPass({ cluster: clusterWith(['Ready=False@0']), policies: [both], now: at(10), rules });

  test('the shipped one adds at once, and leaves nothing for the next pass', () => {
    const pass = passOf(v1_18);
    expect(pass.taints.map(({ key }) => key)).toEqual(['shipped']);
    expect(pass.memory).toBeUndefined();
  });

  test('that of the design adds at the end of windows, and remembers them', () => {
    const pass = passOf(design);
    expect(pass.taints.map(({ key }) => key)).toEqual(['designed']);
    expect(pass.memory).toBeDefined();
  });
});

describe('what both forms have in common', () => {
  test('the conditions that a policy names are those of all its lists', () => {
    const named = (spec: ClusterTaintPolicySpec) =>
      namedConditions(shipped(spec)).map(({ conditionType }) => conditionType);
    expect(named({ addOnConditions: [when('A In True')], removeOnConditions: [when('B In True')] })).toEqual([
      'A',
      'B',
    ]);
    expect(named({ matchConditions: [when('C In True')] })).toEqual(['C']);
    expect(named({})).toEqual([]);
  });

  test('a policy without taints lists none', () => {
    expect(listedTaints(shipped({}))).toEqual([]);
  });

  test('the policies that list a taint are found by its key and effect, each once, in their order', () => {
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

describe('no ClusterTaintPolicy has an effect', () => {
  const { defaults } = v1_18;
  const live = { ...defaults, featureGates: { ...defaults.featureGates, Failover: true } };

  test('without the gate Failover', () => {
    expect(deadPolicies(live)).toBeUndefined();
    expect(deadPolicies({ ...live, featureGates: { ...live.featureGates, Failover: false } })).toBe(
      'Failover',
    );
  });

  test('in versions that have none, whatever the gate', () => {
    const old = dialectOf('v1.13.10').dialect.defaults;
    expect(deadPolicies({ ...old, featureGates: { ...old.featureGates, Failover: true } })).toBe('version');
  });

  test('if --controllers leaves their controller out', () => {
    const { controllerManager } = live;
    const controllers = '*,-clustertaintpolicy';
    expect(deadPolicies({ ...live, controllerManager: { ...controllerManager, controllers } })).toBe(
      'controllers',
    );
  });
});
