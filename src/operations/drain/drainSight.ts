import { decideDrain } from '../../analysis/drain/decide/decideDrain.ts';
import type { DrainOptions } from '../../analysis/drain/drainOptions.ts';
import { type DrainPacer } from '../../analysis/drain/decide/drainPacer.ts';
import {
  bindingIdentity,
  bindingKey,
  objectKey,
  workloadIdentity,
} from '../../karmada/objects/identities.ts';
import type { DrainedWorkload, DrainStep } from '../../analysis/drain/decide/drainStep.ts';
import { relationsAmong, type DrainView } from '../../analysis/drain/decide/drainView.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { DrainMirrors } from './drainMirrors.ts';
import type { PlanVerdict } from './plannedAlone.ts';
import type { Postponements } from './postponements.ts';

export interface DrainSightOptions {
  options: DrainOptions;
  configuration: Configuration;
  pacer: DrainPacer;
  postponements: Postponements;
  /** what the executed plan says about a binding */
  verdict: ((binding: ResourceBinding) => PlanVerdict) | undefined;
  hooks: DrainView['hooks'];
  templateOf: DrainView['templateOf'];
}

/**
 * What is due now, by `decideDrain` on the mirrors. No writes for workloads that the plan lacks or that have changed
 * since, or whose writes the API server has just refused; they are still listed among the workloads.
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
        // an eviction that has begun is completed
        const judged = verdict && !pacer.evicted.has(bindingKey(binding)) ? verdict(binding) : 'planned';
        if (judged === 'planned') yield binding;
        else if (judged !== 'unplanned')
          leftOut.set(objectKey(bindingIdentity(binding)), skipped(binding, judged.changed));
      }
    }
    const view: DrainView = {
      clusters: mirrors.clusters(),
      bindings: concerned(),
      onItsClusters: () => mirrors.bindings(),
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

  /** Bindings whose writes the API server has not refused: others cannot be held as dependents. */
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
