import {
  explainWorkload,
  type ExplanationQuestion,
  type WorkloadExplanation,
} from '../../../src/analysis/explanation/workloadExplanation.ts';
import type { World } from '../../../src/karmada/world.ts';

/** Explains a binding by a simulation without further events. */
export function explainSimulated(
  world: World,
  question: Pick<
    ExplanationQuestion,
    'binding' | 'simulation' | 'configuration' | 'now' | 'workloadReadyAfter'
  >,
): WorkloadExplanation {
  return explainWorkload(world, { ...question, failures: [], clusters: [], unverified: new Set() });
}
