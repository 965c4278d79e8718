import type { ProposedChange } from './changes/change.ts';
import type { InputNames } from '../../karmada/configuration/inputNames.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import type { Doubt } from '../../simulator/verdicts/doubt.ts';
import { ownerOfPlacement } from './changes/change.ts';
import type { Trials } from './changes/trial.ts';

/** For how long application failover lets a workload be unhealthy, in seconds; undefined if it does not act. */
export function healthToleration({ spec }: ResourceBinding): number | undefined {
  return spec.failover?.application?.decisionConditions?.tolerationSeconds ?? undefined;
}

/** The doubt that a guess of when replicas become ready decides against the toleration. */
export function guessDoubt(readyAfter: number, seconds: number, names: InputNames): Doubt {
  const guess = formatDuration(readyAfter);
  const compared = readyAfter === seconds * 1000 ? 'equals' : 'is not shorter than';
  return {
    certainty: 'estimate',
    what: `the assumed ${guess} until replicas are ready ${compared} the toleration of ${formatDuration(seconds * 1000)}: with a shorter one the outcome is another; give ${names.readyAfter}, or a longer toleration`,
  };
}

/** Multiples of the present toleration that are tried. */
const LONGER = [2, 4, 10];

/** The smallest of a few longer tolerations of ill health that helps, by trials. */
export function longerToleration(binding: ResourceBinding, trials: Trials): ProposedChange | undefined {
  const present = healthToleration(binding);
  if (!present) return undefined;
  for (const times of LONGER) {
    const tolerationSeconds = present * times;
    const helped = trials.try({
      kinds: ['longer-toleration'],
      text: `tolerate ill health for ${formatDuration(tolerationSeconds * 1000)} instead of ${formatDuration(present * 1000)}`,
      size: 2,
      patches: [
        {
          target: ownerOfPlacement(binding),
          merge: { spec: { failover: { application: { decisionConditions: { tolerationSeconds } } } } },
        },
      ],
      gives: binding.spec.clusters ?? [],
      alternatives: [],
    });
    if (helped) return helped;
  }
  return undefined;
}
