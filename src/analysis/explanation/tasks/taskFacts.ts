import type { Cluster } from '../../../karmada/api/cluster.ts';
import type {
  AggregatedStatusItem,
  GracefulEvictionTask,
  ResourceBinding,
  ResourceHealth,
  Work,
} from '../../../karmada/api/work.ts';
import type { Replacement } from '../../../karmada/eviction/replacement.ts';
import type { EvictionClock, EvictionRule } from '../../../karmada/eviction/evictionRule.ts';
import { purgesDirectly } from '../../../karmada/eviction/evictionTasks.ts';
import type { PredictedEnd } from '../../../simulator/verdicts/predictedEnd.ts';
import type { OutcomeOfWorkload } from '../../../simulator/verdicts/outcome.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { evictionEvidence } from '../../../karmada/eviction/evictionAssessment.ts';
import { readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import { bindingIdentity } from '../../../karmada/objects/identities.ts';
import { samePlacement } from '../schedulingDecision.ts';

/** A cluster in the binding's present placement, where an evicted copy goes. */
export interface EvictionTarget {
  name: string;
  replicas?: number;
  /** as reported; null without a report */
  health: ResourceHealth | null;
  /** the cluster is not Ready, so its health is from the last report */
  stale: boolean;
}

/** The facts for judging the tasks of one binding. */
export interface GivenFacts {
  binding: ResourceBinding;
  clusters: Map<string, Cluster>;
  /** of this binding, by cluster */
  works: Map<string, Work>;
  /** how to read Works, if unread */
  unreadWorks: string | undefined;
  clock: EvictionClock;
  /** how to provide the flag graceful-eviction-timeout, if it is only assumed */
  timeoutAssumed: string | undefined;
  end: BindingEnd;
}

export interface TaskOfBinding {
  task: GracefulEvictionTask;
  counted: GracefulEvictionTask;
  index: number;
}

/** The given facts, with derived ones shared by all tasks of the binding. */
export interface TaskFacts extends GivenFacts {
  /** its present clusters, and the last report of each cluster */
  targets: EvictionTarget[];
  reported: ReadonlyMap<string, AggregatedStatusItem>;
  replacement: Replacement;
  /** clusters that it is leaving and is not placed on now */
  leaving: ReadonlySet<string>;
  /** clusters with a copy as long as held tasks stay held: the final placement, and those with a held task */
  besideHeld: ReadonlySet<string>;
  /** the part of its final state that all tasks share */
  placedInTheEnd: PlacedInTheEnd;
}

/** The final placement of a binding. */
interface PlacedInTheEnd {
  targets: readonly string[];
  /** the same clusters as a set, and those of the present placement */
  targeted: ReadonlySet<string>;
  targetedNow: ReadonlySet<string>;
  /** replicas of a Divided workload that are missing at the end */
  missing: number;
}

/** The end of a binding's evictions, simulated or foreseen. */
export interface BindingEnd extends Omit<PredictedEnd, 'calm'> {
  sureness: Pick<
    OutcomeOfWorkload,
    'certainty' | 'dependsOn' | 'possibleEnds' | 'flapping' | 'down' | 'deletedReady'
  >;
  /** epoch milliseconds at which the task from a cluster ends; undefined if that is not known, or never */
  endOf(fromCluster: string): number | undefined;
  /** whether the task from a cluster still exists at the end */
  keepsTask(fromCluster: string): boolean;
}

/** Whether new Works have to wait until the Work of the directly purged copy is deleted. */
export function waitsForOldWork(
  { purgeMode }: Pick<GracefulEvictionTask, 'purgeMode'>,
  { clock: { rules } }: TaskFacts,
): boolean {
  return rules.eviction.directPurge === 'waitsForOldWork' && purgesDirectly(purgeMode, rules);
}

/** Evidence for the controller's rule; a time that depends on an assumed flag is an estimate. */
export function ruleEvidence(
  { task, counted, index }: TaskOfBinding,
  rule: EvictionRule,
  { binding, timeoutAssumed, clock }: TaskFacts,
): Evidence[] {
  const object = bindingIdentity(binding);
  const own = task.gracePeriodSeconds != null;
  const timed = rule === 'waiting' || rule === 'timeout';
  return evictionEvidence(counted, index, rule, binding, clock).map((evidence, position) => ({
    ...evidence,
    object,
    ...(position === 0 && timed && !own && timeoutAssumed
      ? { certainty: 'estimate', missing: timeoutAssumed }
      : {}),
  }));
}

/** Where the scheduler would place a binding whose change it has not processed yet. */
export function predictedEvidence({ binding, end: { next } }: TaskFacts): Evidence[] {
  if (!next || samePlacement(next.clusters, binding.spec.clusters ?? [])) return [];
  const on = next.clusters.map(({ name }) => name).join(', ') || 'no cluster';
  return [
    {
      rule: `the scheduler would place it on ${on} now`,
      field: 'spec.placement',
      ...(next.byCapacity && {
        certainty: 'estimate',
        missing: 'the capacity of clusters at scheduling time',
      }),
    },
  ];
}

/** With purgeMode Directly: without reading Works it is unknown whether the old Work still exists. */
export function unreadEvidence(
  { fromCluster, purgeMode }: GracefulEvictionTask,
  facts: TaskFacts,
): Evidence[] {
  const { unreadWorks: missing } = facts;
  if (missing === undefined || !waitsForOldWork({ purgeMode }, facts)) return [];
  const rule = `whether the old Work on ${fromCluster} still exists could not be read; it is assumed to be deleted`;
  return [{ rule, certainty: 'unknown', missing }];
}

/** Karmada keeps the last status of a cluster that no longer reports, and relies on it. */
export function staleEvidence(targets: EvictionTarget[], { clusters }: TaskFacts): Evidence[] {
  return targets
    .filter(({ stale, health }) => stale && health !== null)
    .map(({ name, health }) => {
      const ready = readyCondition(clusters.get(name));
      return {
        rule: `${health} is the last report of ${name}, which is not Ready now`,
        object: { kind: 'Cluster', name },
        field: 'status.conditions',
        value: ready ? `Ready=${ready.status}` : null,
        certainty: 'unknown',
        missing: `the health on ${name} itself`,
      };
    });
}
