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
import type { ForeseenEnd } from '../../../simulator/verdicts/foreseen.ts';
import type { OutcomeOfWorkload } from '../../../simulator/verdicts/outcome.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { evictionEvidence } from '../../../karmada/eviction/evictionAssessment.ts';
import { readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import { bindingIdentity } from '../../../karmada/objects/identities.ts';
import { samePlacement } from '../schedulingDecision.ts';

/** A cluster that the binding has now, which is where an evicted copy goes. */
export interface EvictionTarget {
  name: string;
  replicas?: number;
  /** as reported; null if nothing was */
  health: ResourceHealth | null;
  /** the cluster is not Ready, so that its health is the last one known */
  stale: boolean;
}

/** What the tasks of one binding are judged by. */
export interface GivenFacts {
  binding: ResourceBinding;
  clusters: Map<string, Cluster>;
  /** of this binding, by cluster */
  works: Map<string, Work>;
  /** what it takes to read Works, if they could not be read */
  unreadWorks: string | undefined;
  clock: EvictionClock;
  /** where the flag graceful-eviction-timeout is known from, if it is only assumed */
  timeoutAssumed: string | undefined;
  end: BindingEnd;
}

/** A task as it is written and as it is counted (`countedTasks`), and its place among those of its binding. */
export interface TaskOfBinding {
  task: GracefulEvictionTask;
  counted: GracefulEvictionTask;
  index: number;
}

/** The same as is given, with what follows from it for all tasks of the binding alike. */
export interface TaskFacts extends GivenFacts {
  /** its clusters now, and what was last reported for each cluster */
  targets: EvictionTarget[];
  reported: ReadonlyMap<string, AggregatedStatusItem>;
  replacement: Replacement;
  /** clusters that it is being evicted from and does not have now */
  leaving: ReadonlySet<string>;
  /** where copies are as long as all held tasks are held: in the end, and where held tasks keep them */
  besideHeld: ReadonlySet<string>;
  /** what of its end is the same for all tasks */
  placedInTheEnd: PlacedInTheEnd;
}

/** Where a binding is in the end. */
interface PlacedInTheEnd {
  targets: readonly string[];
  /** the same, and the clusters that it has now */
  targeted: ReadonlySet<string>;
  targetedNow: ReadonlySet<string>;
  /** replicas of a Divided workload that are missing then */
  missing: number;
}

/** What the evictions of a binding lead to, simulated or foreseen. */
export interface BindingEnd extends Omit<ForeseenEnd, 'calm'> {
  sureness: Pick<OutcomeOfWorkload, 'certainty' | 'dependsOn' | 'possibleEnds' | 'flapping' | 'deletedReady'>;
  /** epoch milliseconds at which the task from a cluster ends; undefined if that is not known, or never */
  endOf(fromCluster: string): number | undefined;
  /** whether the task from a cluster is still there then */
  keepsTask(fromCluster: string): boolean;
}

/** Whether nothing new is written while the copy that the task purges directly has its Work. */
export function waitsForOldWork(
  { purgeMode }: Pick<GracefulEvictionTask, 'purgeMode'>,
  { clock: { rules } }: TaskFacts,
): boolean {
  return rules.eviction.directPurge === 'waitsForOldWork' && purgesDirectly(purgeMode, rules);
}

/** The evidence of the controller's rule; a time by an assumed flag is an estimate. */
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

/** Where the scheduler would place what it has not looked at yet. */
export function foreseenEvidence({ binding, end: { next } }: TaskFacts): Evidence[] {
  if (!next || samePlacement(next.clusters, binding.spec.clusters ?? [])) return [];
  const on = next.clusters.map(({ name }) => name).join(', ') || 'no cluster';
  return [
    {
      rule: `the scheduler would place it on ${on} now`,
      field: 'spec.placement',
      ...(next.byRoom
        ? { certainty: 'estimate', missing: 'the capacity of clusters when the scheduler looks' }
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
