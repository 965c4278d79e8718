import { decideDrain } from '../../engine/drain/decide/decideDrain.ts';
import type { DrainOptions } from '../../engine/drain/drainOptions.ts';
import { type DrainPacer } from '../../engine/drain/decide/drainPacer.ts';
import { bindingIdentity, bindingKey, objectKey, workloadIdentity } from '../../engine/objects/identities.ts';
import type { DrainedWorkload, DrainStep } from '../../engine/drain/decide/drainStep.ts';
import { relationsAmong, type DrainView } from '../../engine/drain/decide/drainView.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import type { DrainMirrors } from './drainMirrors.ts';
import type { PlanVerdict } from './plannedAlone.ts';
import type { Postponements } from './postponements.ts';

export interface DrainSightOptions {
  options: DrainOptions;
  configuration: Configuration;
  pacer: DrainPacer;
  postponements: Postponements;
  /** what the plan that is executed says of a binding */
  verdict: ((binding: ResourceBinding) => PlanVerdict) | undefined;
  hooks: DrainView['hooks'];
  templateOf: DrainView['templateOf'];
}

/**
 * What is due now, by `decideDrain` on what the mirrors have; without what a plan does not have, or has otherwise, and
 * without what the API server has refused not long ago. Both are among the workloads all the same.
 *
 * @param now epoch milliseconds
 */
export function createDrainSight(
  mirrors: DrainMirrors,
  { options, configuration, pacer, postponements, verdict, hooks, templateOf }: DrainSightOptions,
): (now: number) => DrainStep {
  return (now) => {
    const leftOut = new Map<string, DrainedWorkload>();
    function* concerned(): Generator<ResourceBinding> {
      for (const binding of mirrors.bindings()) {
        const postponed = postponements.of(binding, now);
        if (postponed) {
          if (postponed.workload) leftOut.set(objectKey(bindingIdentity(binding)), postponed.workload);
          continue;
        }
        // what has been evicted is seen to its end
        const judged = verdict && !pacer.evicted.has(bindingKey(binding)) ? verdict(binding) : 'planned';
        if (judged === 'planned') yield binding;
        else if (judged !== 'unplanned')
          leftOut.set(objectKey(bindingIdentity(binding)), skipped(binding, judged.changed));
      }
    }
    const view: DrainView = {
      clusters: mirrors.clusters(),
      bindings: concerned(),
      ...relationsAmong(unrefused(now)),
      worksOf: mirrors.worksOf,
      templateOf,
      hooks,
      workloads: mirrors.workloads(),
    };
    const step = decideDrain(view, options, configuration, pacer, now);
    if (leftOut.size === 0) return step;
    const others = step.workloads.filter(({ binding }) => !leftOut.has(objectKey(binding)));
    return { ...step, workloads: [...others, ...leftOut.values()] };
  };

  /** What the API server has refused a change of is no dependent that could be held. */
  function* unrefused(now: number): Generator<ResourceBinding> {
    for (const binding of mirrors.bindings()) if (!postponements.of(binding, now)) yield binding;
  }

  function skipped(binding: ResourceBinding, reason: string): DrainedWorkload {
    const targets = binding.spec.clusters ?? [];
    const { apiVersion: _version, ...workload } = workloadIdentity(binding);
    return {
      binding: bindingIdentity(binding),
      workload,
      phase: 'skipped',
      waitingFor: reason,
      from: targets.filter(({ name }) => options.clusters.includes(name)),
      to: targets.filter(({ name }) => !options.clusters.includes(name)),
      evidence: [],
    };
  }
}
