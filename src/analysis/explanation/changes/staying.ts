import { TAINT_CLUSTER_NOT_READY, TAINT_CLUSTER_UNREACHABLE } from '../../../karmada/api/names.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { whenGateIsOff } from '../../../karmada/dialects/featureGates.ts';
import { formatDuration } from '../../../kubernetes/time.ts';
import type { TimelineEvent } from '../../../simulator/simulation/timeline/timelineEvent.ts';
import { ownerOfPlacement, patchesFor, type ProposedChange, withPlacement } from './change.ts';
import type { Trials } from './trial.ts';

/** How long application failover tolerates an unhealthy workload, in seconds; undefined if it does not act. */
function healthToleration({ spec }: ResourceBinding): number | undefined {
  return spec.failover?.application?.decisionConditions?.tolerationSeconds ?? undefined;
}

/** Longer tolerations of an unhealthy workload, in seconds, the smallest first. */
function longerTolerations(present: number): number[] {
  return [2, 4, 10].map((times) => present * times);
}

/** The smallest longer toleration, in seconds, that also outlasts a start of so many milliseconds. */
export function tolerationOfStart(present: number, readyAfter: number): number {
  const outlasts = longerTolerations(present).find((seconds) => seconds * 1000 > readyAfter);
  return outlasts || Math.ceil(readyAfter / 500);
}

/** The smallest of a few longer tolerations for an unhealthy workload that helps, by trials. */
export function longerToleration(binding: ResourceBinding, trials: Trials): ProposedChange | undefined {
  const present = healthToleration(binding);
  if (!present) return undefined;
  for (const tolerationSeconds of longerTolerations(present)) {
    const helped = trials.try({
      kinds: ['longer-toleration'],
      text: `tolerate Unhealthy for ${formatDuration(tolerationSeconds * 1000)} instead of ${formatDuration(present * 1000)}`,
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

/** A failing cluster gets one of these taints, depending on the failure: tolerate both or neither. */
const OF_FAILURE = [TAINT_CLUSTER_NOT_READY, TAINT_CLUSTER_UNREACHABLE];

function evictingKeys(chain: readonly TimelineEvent[]): string[] {
  return chain.flatMap(({ type, taint }) =>
    (type === 'TaintAdded' || type === 'TaintRenewed') && taint?.effect === 'NoExecute' ? [taint.key] : [],
  );
}

function isFailure(keys: readonly string[]): boolean {
  return keys.some((key) => OF_FAILURE.includes(key));
}

/** Whether a cluster of the workload fails and its ready replicas are not counted: staying would not help. */
export function failsWithoutReadiness({ spec }: ResourceBinding, chain: readonly TimelineEvent[]): boolean {
  return (spec.components?.length ?? 0) > 0 && isFailure(evictingKeys(chain));
}

/** An endless toleration of the taints that evict it, if that helps, by trials. */
export function permanentToleration(
  binding: ResourceBinding,
  chain: readonly TimelineEvent[],
  trials: Trials,
): ProposedChange | undefined {
  const added = evictingKeys(chain);
  const keys = new Set(isFailure(added) ? [...OF_FAILURE, ...added] : added);
  if (keys.size === 0) return undefined;
  const tolerated = withPlacement({ binding, clusters: new Map() }, (placement) => ({
    ...placement,
    clusterTolerations: [
      ...(placement.clusterTolerations ?? []).filter(
        ({ key, effect }) => !(key && keys.has(key) && (!effect || effect === 'NoExecute')),
      ),
      ...Array.from(keys, (key) => ({ key, operator: 'Exists', effect: 'NoExecute' })),
    ],
  }));
  return trials.try({
    kinds: ['endless-toleration'],
    text: `tolerate ${[...keys].join(' and ')} forever`,
    size: 3,
    patches: patchesFor(binding, new Map(), tolerated, binding.spec.clusters ?? [], binding),
    gives: binding.spec.clusters ?? [],
    alternatives: [],
  });
}

/** Feature gate Failover off, if it is on and turning it off helps without harm to others, by trials. */
export function failoverOff(
  binding: ResourceBinding,
  { featureGates }: Configuration,
  trials: Trials,
): ProposedChange | undefined {
  if (!featureGates.Failover) return undefined;
  return trials.try({
    kinds: ['failover-off'],
    text: `start karmada-controller-manager with --feature-gates=Failover=false, its default ${whenGateIsOff('Failover')}`,
    size: 6,
    patches: [],
    gates: { Failover: false },
    gives: binding.spec.clusters ?? [],
    alternatives: [],
  });
}
