import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { bindingIdentity } from '../../karmada/objects/identities.ts';
import { worksOfBinding } from '../../karmada/objects/worksOfBinding.ts';
import { schedulerSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import { declaredHooks } from '../../karmada/status/healthInterpreter.ts';
import type { World } from '../../karmada/world.ts';
import { createMergePatch } from '../../kubernetes/mergePatch.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { doubtsOfNotRunning } from '../../simulator/verdicts/doubt.ts';
import type { ScenarioEvent } from '../../simulator/scenario.ts';
import type { EvictionActionContext, EvictionActionName } from './actionOutcome.ts';
import { evictionAction } from './evictionAction.ts';

/** The control plane around eviction tasks, without the Works of a binding; `now` in epoch milliseconds. */
export function evictionContext(
  world: World,
  configuration: Configuration,
  now: number,
): Omit<EvictionActionContext, 'works'> {
  const { clusters, bindings, others } = world;
  return {
    configuration,
    now,
    notRunning: doubtsOfNotRunning(world, configuration, now),
    snapshot: schedulerSnapshot(clusters, bindings, configuration),
    clusters: new Map(clusters.map((cluster) => [cluster.metadata.name, cluster])),
    hooks: declaredHooks(others, configuration.rules),
  };
}

/**
 * An action on an eviction as events of a scenario: the writes of `eviction hold`, `release`, `cancel` and `complete`.
 * Or why the command writes nothing unless a loss is accepted.
 */
export function evictionActionEvents(
  action: EvictionActionName,
  binding: ResourceBinding,
  fromCluster: string,
  world: World,
  { configuration, now }: { configuration: Configuration; now: number },
): ScenarioEvent[] | { refused: string } {
  const works = worksOfBinding(world.works, world.bindings)(binding);
  const context = { ...evictionContext(world, configuration, now), works };
  const { verdict, next, risk, after, affinityName } = evictionAction(action, binding, fromCluster, context);
  if (verdict !== 'change') return { refused: next };
  if (risk !== undefined) return { refused: risk };
  const patch = (merge: unknown): ScenarioEvent => ({
    at: now,
    action: { type: 'patch', target: bindingIdentity(binding), merge },
  });
  return [
    ...(affinityName === undefined
      ? []
      : [patch({ status: { schedulerObservingAffinityName: affinityName } })]),
    patch({ spec: createMergePatch(binding.spec, after) }),
  ];
}
