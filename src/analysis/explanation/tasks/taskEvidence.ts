import type { GracefulEvictionTask } from '../../../karmada/api/work.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import type { EvictionRule } from '../../../karmada/eviction/evictionRule.ts';
import { evictionEvidence } from '../../../karmada/eviction/evictionEvidence.ts';
import { readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import { bindingIdentity } from '../../../karmada/objects/identities.ts';
import { samePlacement } from '../schedulingDecision.ts';
import { waitsForOldWork, type EvictionTarget, type TaskFacts } from './taskFacts.ts';

/** The evidence of the controller's rule; a time by an assumed flag is an estimate. */
export function ruleEvidence(
  index: number,
  rule: EvictionRule,
  { binding, timeoutAssumed, clock }: TaskFacts,
): Evidence[] {
  const object = bindingIdentity(binding);
  const own = binding.spec.gracefulEvictionTasks![index]!.gracePeriodSeconds != null;
  const timed = rule === 'waiting' || rule === 'timeout';
  return evictionEvidence(binding, index, rule, clock).map((evidence, position) => ({
    ...evidence,
    object,
    ...(position === 0 && timed && !own && timeoutAssumed
      ? { certainty: 'estimate', missing: timeoutAssumed }
      : {}),
  }));
}

/** Where the scheduler would place what it has not looked at yet. */
export function foreseenEvidence({ binding, end: { next } }: TaskFacts): Evidence[] {
  if (!next || samePlacement(next.clusters, binding.spec.clusters ?? [])) return [];
  const on = next.clusters.map(({ name }) => name).join(', ') || 'no cluster';
  return [
    {
      rule: `the scheduler would place it on ${on} now`,
      field: 'spec.placement',
      ...(next.byRoom
        ? { certainty: 'estimate', missing: 'the room on clusters when the scheduler looks' }
        : {}),
    },
  ];
}

/** With purgeMode Directly: nobody knows whether the old Work still exists if Works cannot be read. */
export function unreadEvidence(
  { fromCluster, purgeMode }: GracefulEvictionTask,
  facts: TaskFacts,
): Evidence[] {
  const { unreadWorks: missing } = facts;
  if (missing === undefined || !waitsForOldWork({ purgeMode }, facts)) return [];
  const rule = `whether the old Work on ${fromCluster} still exists could not be read; it is taken to be gone`;
  return [{ rule, certainty: 'unknown', missing }];
}

/** Karmada keeps the last status of a cluster that no longer reports, and goes by it. */
export function staleEvidence(targets: EvictionTarget[], { clusters }: TaskFacts): Evidence[] {
  return targets
    .filter(({ stale, health }) => stale && health !== null)
    .map(({ name, health }) => {
      const ready = readyCondition(clusters.get(name));
      return {
        rule: `${health} is the last that ${name} reported; it is not Ready now`,
        object: { kind: 'Cluster', name },
        field: 'status.conditions',
        value: ready ? `Ready=${ready.status}` : null,
        certainty: 'unknown',
        missing: `the health on ${name} itself`,
      };
    });
}
