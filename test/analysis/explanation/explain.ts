import { bindingIdentity } from '../../../src/karmada/objects/identities.ts';
import {
  explainWorkload,
  type WorkloadExplanation,
} from '../../../src/analysis/explanation/workloadExplanation.ts';
import type { ScenarioEvent } from '../../../src/simulator/scenario.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { failoverOn, START } from '../../simulator/simulation/controlPlane.ts';

export interface Question {
  /** clusters that fail at once */
  ifFails?: string[];
  clusters?: string[];
  configuration?: Configuration;
  unverified?: ReadonlySet<string>;
  readyAfterSeconds?: number;
  /** simulate proposed changes */
  replayed?: boolean;
}

/** Explains the first binding of a world. */
export function explain(world: World, question: Question = {}): WorkloadExplanation {
  const { ifFails = [], clusters = [], configuration = failoverOn, unverified = new Set() } = question;
  const binding = world.bindings[0]!;
  const workloadReadyAfter = (question.readyAfterSeconds ?? 20) * 1000;
  const play = (before: ScenarioEvent[]) =>
    simulate(
      world,
      {
        start: START,
        members: { workloadReadyAfter, neverReady: [] },
        events: [
          ...before,
          ...ifFails.map((cluster): ScenarioEvent => ({ at: START, action: { type: 'fail', cluster } })),
        ],
      },
      configuration,
      { trace: bindingIdentity(binding), unverified },
    );
  return explainWorkload(world, {
    binding,
    simulation: play([]),
    failures: ifFails.map((cluster) => ({ cluster, time: START })),
    clusters,
    configuration,
    unverified: unverified,
    now: START,
    workloadReadyAfter,
    ...(question.replayed ? { replay: play } : {}),
  });
}
