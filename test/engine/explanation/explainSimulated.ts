import {
  explainWorkload,
  type WorkloadExplanation,
  type ExplanationQuestion,
} from '../../../src/engine/explanation/workloadExplanation.ts';
import type { World } from '../../../src/engine/world.ts';

/** Explains a binding by a simulation of what happens anyway. */
export function explainSimulated(
  world: World,
  question: Pick<
    ExplanationQuestion,
    'binding' | 'simulation' | 'configuration' | 'now' | 'workloadReadyAfter'
  >,
): WorkloadExplanation {
  return explainWorkload(world, { ...question, failures: [], clusters: [], unconfirmed: new Set() });
}
