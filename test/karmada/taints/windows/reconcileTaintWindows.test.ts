import { describe, expect, test } from '@jest/globals';
import { upcomingPasses } from '../../../../src/karmada/taints/upcomingPasses.ts';
import { reconcileTaintWindows } from '../../../../src/karmada/taints/windows/reconcileTaintWindows.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { Taint } from '../../../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../../../src/karmada/api/policy.ts';
import { rfc3339 } from '../../../../src/kubernetes/time.ts';
import { proposal } from '../../../proposal/documents.ts';
import { at, BEGIN, clusterWith, windowPolicy } from './windows.ts';

const { rules } = proposal;
const pass = (cluster: Cluster, second: number, ...policies: ClusterTaintPolicy[]) =>
  reconcileTaintWindows({ cluster, policies, now: at(second), rules });
const names = (taints: readonly Taint[]) =>
  taints.map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`);
const there = (key: string, effect: Taint['effect'], value?: string): Taint => ({
  key,
  ...(value && { value }),
  effect,
  timeAdded: '2025-01-01T00:00:00Z',
});

const down = clusterWith(['Ready=False@10']);
const up = (...taints: Taint[]) => clusterWith(['Ready=True@10'], taints);
const notReady = (...taints: string[]) => windowPolicy(['Ready In False'], taints);

describe('a pass over taint windows', () => {
  test('adds a taint exactly at the end of its match window', () => {
    const policy = notReady('a=v:PreferNoExecute +60');
    expect(pass(down, 69.999, policy)).toMatchObject({ taints: [], changed: false, nextEnd: at(70) });
    expect(pass(down, 70, policy)).toMatchObject({
      taints: [{ key: 'a', value: 'v', effect: 'PreferNoExecute', timeAdded: rfc3339(at(70)) }],
      changed: true,
    });
    expect(pass(down, 70, policy)).not.toHaveProperty('nextEnd');
  });

  test('removes a taint exactly at the end of its mismatch window, even if a user added it', () => {
    const policy = notReady('a:NoExecute -60');
    const before = up(there('a', 'NoExecute', 'by-hand'), there('a', 'NoSchedule'));
    expect(pass(before, 69.999, policy)).toMatchObject({ changed: false, nextEnd: at(70) });
    expect(names(pass(before, 70, policy).taints)).toEqual(['a:NoSchedule']);
  });

  test('uses the windows of each taint, by default 300 and 180 seconds', () => {
    const policy = notReady('fast:NoSchedule +1', 'slow:NoSchedule');
    expect(names(pass(down, 309.999, policy).taints)).toEqual(['fast:NoSchedule']);
    expect(names(pass(down, 310, policy).taints)).toEqual(['fast:NoSchedule', 'slow:NoSchedule']);
    const both = up(there('slow', 'NoSchedule'));
    expect(names(pass(both, 189.999, policy).taints)).toEqual(['slow:NoSchedule']);
    expect(names(pass(both, 190, policy).taints)).toEqual([]);
  });

  test('keeps the value and time of an existing taint', () => {
    const before = { ...down, spec: { taints: [there('a', 'NoExecute', 'old')] } };
    expect(pass(before, 999, notReady('a=new:NoExecute'))).toMatchObject({
      taints: before.spec.taints,
      changed: false,
    });
  });

  test('does not change clusters that the policy does not target', () => {
    const elsewhere = windowPolicy([], ['a:NoSchedule'], { targetCluster: { clusterNames: ['m2'] } });
    const result = pass(up(there('a', 'NoSchedule')), 999, elsewhere);
    expect(result).toMatchObject({ changed: false, windows: [] });
    expect(result).not.toHaveProperty('memory');
  });

  test('adds a taint to a cluster without a spec, and nothing for a policy without taints', () => {
    const { spec: _none, ...bare } = down;
    expect(names(pass(bare, 999, notReady('a:NoSchedule')).taints)).toEqual(['a:NoSchedule']);
    const empty = notReady();
    delete empty.spec.taintsToAdd;
    expect(pass(bare, 999, empty)).toMatchObject({ taints: [], changed: false, windows: [] });
  });

  test('omits taints that the Cluster API refuses, without an effect on other policies', () => {
    const bad = windowPolicy([], ['a:PreferNoSchedule', 'a b:NoSchedule', 'c=-:NoSchedule'], { name: 'bad' });
    expect(names(pass(down, 999, bad, notReady('good:NoSchedule')).taints)).toEqual(['good:NoSchedule']);
  });

  test('has evidence of an added taint: its policy and the duration of the match', () => {
    const [evidence] = pass(down, 70, notReady('a:PreferNoExecute +60')).evidence;
    expect(evidence).toEqual({
      rule: 'the policy adds a:PreferNoExecute because its matchConditions have matched for 1m without interruption',
      object: { kind: 'ClusterTaintPolicy', name: 'p' },
      field: 'spec.taintsToAdd[0].addOnMatchSeconds',
      value: {
        addOnMatchSeconds: 60,
        since: rfc3339(at(10)),
        matchConditions: [
          {
            conditionType: 'Ready',
            operator: 'In',
            statusValues: ['False'],
            holds: true,
            seen: [{ status: 'False', at: rfc3339(at(10)) }],
          },
        ],
      },
      taint: { key: 'a', effect: 'PreferNoExecute' },
    });
  });

  test('has evidence of a removed taint: the duration of the mismatch', () => {
    const before = up(there('a', 'NoExecute'));
    expect(pass(before, 70, notReady('a:NoExecute -60')).evidence).toMatchObject([
      {
        rule: 'the policy removes a:NoExecute because its matchConditions have not matched for 1m without interruption',
        field: 'spec.taintsToAdd[0].removeOnMismatchSeconds',
        value: { removeOnMismatchSeconds: 60, since: rfc3339(at(10)), matchConditions: [{ holds: false }] },
      },
    ]);
  });
});

describe('two policies with the same taint', () => {
  const soon = windowPolicy(['Ready In False'], ['a=soon:NoExecute +60 -60'], { name: 'soon' });
  const late = windowPolicy(['Net In False'], ['a=late:NoExecute +300 -300'], { name: 'late', created: 1 });

  test('add it at the end of the first window', () => {
    const both = clusterWith(['Ready=False@10', 'Net=False@10']);
    expect(names(pass(both, 70, late, soon).taints)).toEqual(['a=soon:NoExecute']);
  });

  test('add it with the value of the older policy if both windows have ended', () => {
    const both = clusterWith(['Ready=False@10', 'Net=False@10']);
    expect(names(pass(both, 999, late, soon).taints)).toEqual(['a=soon:NoExecute']);
    expect(pass(both, 999, late, soon).contested).toEqual([]);
  });

  test('keep it while one of them matches, whatever its window', () => {
    const taints = [there('a', 'NoExecute')];
    expect(pass(clusterWith(['Ready=True@10', 'Net=False@998'], taints), 999, soon, late).changed).toBe(
      false,
    );
  });

  test('remove it once both mismatch windows have ended', () => {
    const cluster = clusterWith(['Ready=True@10', 'Net=True@100'], [there('a', 'NoExecute')]);
    expect(pass(cluster, 399.999, soon, late)).toMatchObject({ changed: false, nextEnd: at(400) });
    const { taints, acts } = pass(cluster, 400, soon, late);
    expect(taints).toEqual([]);
    expect(acts).toMatchObject([{ verb: 'removes', policy: { metadata: { name: 'late' } } }]);
  });

  test('attribute its removal to the policy whose window ended last, or to the older one', () => {
    const by = (...conditions: string[]) =>
      pass(clusterWith(conditions, [there('a', 'NoExecute')]), 999, soon, late).acts.map(
        ({ policy }) => policy.metadata.name,
      );
    expect(by('Ready=True@500', 'Net=True@10')).toEqual(['soon']);
    expect(by('Ready=True@250', 'Net=True@10')).toEqual(['soon']);
    expect(by('Ready=True@249', 'Net=True@10')).toEqual(['late']);
  });

  test('remove it once the policy that keeps it is deleted', () => {
    const cluster = clusterWith(['Ready=True@10', 'Net=False@10'], [there('a', 'NoExecute')]);
    expect(pass(cluster, 999, soon, late).changed).toBe(false);
    expect(pass(cluster, 999, soon).taints).toEqual([]);
    expect(pass(cluster, 999).changed).toBe(false);
  });

  test('contest its value if both were created in the same second', () => {
    const twin = windowPolicy(['Ready In False'], ['a=twin:NoExecute +60'], { name: 'twin' });
    expect(pass(down, 70, soon, twin)).toMatchObject({
      taints: [{ value: 'soon' }],
      contested: [{ taint: { key: 'a' }, policies: ['soon', 'twin'] }],
    });
    // a taint that does not match needs no value
    const other = windowPolicy(['Net In False'], ['a=other:NoExecute -60'], { name: 'other' });
    const one = clusterWith(['Ready=False@10', 'Net=True@10']);
    expect(pass(one, 70, other, soon)).toMatchObject({ taints: [{ value: 'soon' }], contested: [] });
    expect(
      reconcileTaintWindows({
        cluster: down,
        policies: [soon, twin],
        now: at(70),
        rules,
        arrange: (keys) => keys.toReversed(),
      }).taints,
    ).toMatchObject([{ value: 'twin' }]);
  });
});

test('the upcoming passes are at the ends of windows', () => {
  const policy = notReady('b:NoSchedule +20', 'c:NoSchedule +30', 'd:NoSchedule +20');
  const passes = upcomingPasses({ cluster: down, policies: [policy], now: BEGIN + 12_000, rules });
  expect(passes.map((one) => [(one.at - BEGIN) / 1000, names(one.pass.taints)])).toEqual([
    [12, []],
    [30, ['b:NoSchedule', 'd:NoSchedule']],
    [40, ['b:NoSchedule', 'd:NoSchedule', 'c:NoSchedule']],
  ]);
});
