import { dispense } from '../../../src/engine/scheduling/division/dispense.ts';
import type { TargetCluster } from '../../../src/karmada/api/work.ts';
import type { Suite } from '../suite.ts';

interface Input {
  mode: 'spread' | 'dispenser';
  numReplicas?: number;
  targetClusters?: TargetCluster[];
  weights?: { clusterName: string; weight?: number }[];
  init?: TargetCluster[];
  uid?: string;
}

export default {
  answer(input: Input) {
    const weights =
      input.mode === 'spread'
        ? (input.targetClusters ?? []).map(({ name, replicas }) => ({ name, weight: replicas ?? 0 }))
        : (input.weights ?? []).map(({ clusterName, weight }) => ({
            name: clusterName,
            weight: weight ?? 0,
          }));
    return { result: dispense(input.numReplicas ?? 0, weights, input.init ?? [], input.uid) };
  },
} satisfies Suite;
