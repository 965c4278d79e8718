import { describe, expect, test } from '@jest/globals';
import { convertWorld } from '../../../../src/analysis/taintPolicy/conversion/convertWorld.ts';
import type { ClusterTaintPolicy } from '../../../../src/karmada/api/policy.ts';
import { dialectOf } from '../../../../src/karmada/dialects/dialects.ts';
import { world } from '../../../simulator/simulation/controlPlane.ts';

const rules = (version: string) => dialectOf(version).dialect.rules;
const nothingKept = () => undefined;
const holding = (...taintPolicies: ClusterTaintPolicy[]) => ({ ...world([], []), taintPolicies });

const shipped: ClusterTaintPolicy = {
  metadata: { name: 'not-ready' },
  spec: {
    targetClusters: { clusterNames: ['north'] },
    addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['False'] }],
    removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
    taints: [{ key: 'fault', effect: 'NoExecute' }],
  },
};

describe('the conversion of the ClusterTaintPolicies in a world', () => {
  test('gives a shipped policy the proposed form, and lists its differences', () => {
    const { world: after, converted } = convertWorld(holding(shipped), rules('proposal'), nothingKept);
    expect(after.taintPolicies).toMatchObject([
      {
        metadata: { name: 'not-ready' },
        spec: {
          targetCluster: { clusterNames: ['north'] },
          matchConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['False'] }],
          taintsToAdd: [
            { key: 'fault', effect: 'NoExecute', addOnMatchSeconds: 1, removeOnMismatchSeconds: 1 },
          ],
        },
      },
    ]);
    // Ready=Unknown: the released form leaves the taint, the design removes it
    expect(converted).toEqual([{ policy: 'not-ready', differs: ['removal'] }]);
  });

  test('restores the shipped form from the fields that the first conversion kept', () => {
    const there = convertWorld(holding(shipped), rules('proposal'), nothingKept).world;
    const { addOnConditions, removeOnConditions } = shipped.spec;
    const { world: again } = convertWorld(there, rules('v1.18'), () => ({
      from: 'shipped',
      spec: { addOnConditions, removeOnConditions },
    }));
    expect(again.taintPolicies[0]!.spec).toEqual(shipped.spec);
  });

  test.each(['v1.18', 'v1.13'])('keeps a policy in the form of %s, or of a kind unknown to it', (version) => {
    const before = holding(shipped);
    expect(convertWorld(before, rules(version), nothingKept)).toEqual({ world: before, converted: [] });
  });

  test('keeps a policy that the other form cannot express', () => {
    const before = holding({ metadata: { name: 'empty' }, spec: { matchConditions: [], taintsToAdd: [] } });
    expect(convertWorld(before, rules('v1.18'), nothingKept)).toEqual({ world: before, converted: [] });
  });
});
