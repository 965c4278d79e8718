import { describe, expect, test } from '@jest/globals';
import { preservedLabelStateOnCluster } from '../../../src/karmada/eviction/statePreservation.ts';
import { v1_18 } from '../../dialects.ts';

const rule = (aliasLabelName: string, jsonPath: string) => ({ aliasLabelName, jsonPath });

describe('the labels that an eviction from a cluster preserves', () => {
  const statePreservation = { rules: [rule('replicas', '{.replicas}')] };

  test("come from that cluster's item", () => {
    const aggregatedStatus = [
      { clusterName: 'm1', status: { replicas: 1 } },
      { clusterName: 'm2', status: { replicas: 2 } },
    ];
    expect(preservedLabelStateOnCluster(statePreservation, aggregatedStatus, 'm2', v1_18.rules)).toEqual({
      labels: { replicas: '2' },
    });
  });

  test.each([undefined, [], [{ clusterName: 'm2' }], [{ clusterName: 'm2', status: null }]])(
    'are an error where no status has been collected: %j',
    (aggregatedStatus) => {
      expect(preservedLabelStateOnCluster(statePreservation, aggregatedStatus, 'm2', v1_18.rules)).toEqual({
        error: 'the application status has not yet been collected from Cluster(m2)',
      });
    },
  );

  test.each([undefined, {}, { rules: [] }])('are none without rules: %j', (without) => {
    expect(preservedLabelStateOnCluster(without, undefined, 'm2', v1_18.rules)).toBeUndefined();
  });
});
