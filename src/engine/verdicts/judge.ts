import { dividesReplicas } from '../objects/placement.ts';
import type { ResourceBindingSpec, TargetCluster } from '../../karmada/api/work.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import type { Flapping } from '../store/savedSimulation.ts';
import type { Outcome, SomeTargets } from './outcome.ts';

/** What is known of a binding when a simulation ends. */
export interface OutcomeFacts {
  before: ResourceBindingSpec;
  after: ResourceBindingSpec;
  /** clusters it was evicted from during the simulation */
  evictedFrom: ReadonlySet<string>;
  /** the scheduler's last word, where it failed */
  scheduleFailure?: { reason: string; message: string };
  /** clusters of `before` that failed or got a NoExecute taint */
  troubled: ReadonlySet<string>;
  /** why a troubled cluster was not evicted: undefined when the taint manager never decided */
  tolerated?: string;
  /** why nothing is evicted at all */
  evictionOff?: string;
  /** it never comes to rest */
  flapping?: Flapping | undefined;
  /** troubled clusters on which nothing put a NoExecute taint */
  untainted: string[];
}

const names = (clusters: TargetCluster[] | undefined) => (clusters ?? []).map(({ name }) => name);
const total = (clusters: TargetCluster[] | undefined) =>
  (clusters ?? []).reduce((sum, { replicas }) => sum + (replicas ?? 0), 0);

/** What became of a workload; `reason` says in a sentence why. */
export type Judgement = { reason?: string | undefined } & (
  | { outcome: 'moves' | 'partly-moves'; after: SomeTargets }
  | { outcome: Exclude<Outcome, 'moves' | 'partly-moves'>; after: TargetCluster[] }
);

/** Judges what became of a workload: the one function that all commands ask. */
export function judge(facts: OutcomeFacts): Judgement {
  const verdict = judgeMove(facts);
  const { clusters = [] } = facts.after;
  const after = clusters.map(({ name, replicas }) => ({ name, replicas: replicas ?? 0 }));
  const { outcome, reason } = verdict;
  if (outcome !== 'moves' && outcome !== 'partly-moves') return { outcome, reason, after };
  const [first, ...others] = after;
  // Whoever is nowhere has not moved.
  return first ? { outcome, reason, after: [first, ...others] } : { outcome: 'lost', reason, after: [] };
}

function judgeMove(facts: OutcomeFacts): { outcome: Outcome; reason?: string | undefined } {
  const { before, after, evictedFrom, scheduleFailure, troubled, flapping } = facts;
  if (flapping)
    return {
      outcome: 'flaps',
      reason: `evicted again every ${formatDuration(Math.round(flapping.period / 1000) * 1000)} (${flapping.cause}), without end`,
    };
  const [had, has] = [names(before.clusters), names(after.clusters)];
  const left = had.filter((name) => !has.includes(name));
  const joined = has.filter((name) => !had.includes(name));
  const tasks = after.gracefulEvictionTasks ?? [];
  // copies that were being left at the start already
  const leaving = before.gracefulEvictionTasks?.length ?? 0;

  if (had.length + leaving > 0 && has.length === 0) {
    if (tasks.length === 0)
      return {
        outcome: 'lost',
        reason: after.preserveResourcesOnDeletion
          ? `what runs on ${left.join(', ')} is left there, no longer managed (preserveResourcesOnDeletion)`
          : scheduleFailure?.message,
      };
    return { outcome: 'blocked', reason: scheduleFailure?.message };
  }
  if (scheduleFailure && evictedFrom.size + left.length + leaving > 0)
    return { outcome: 'blocked', reason: `${scheduleFailure.reason}: ${scheduleFailure.message}` };
  if (evictedFrom.size > 0 || left.length > 0) {
    const fewer = isDivided(before)
      ? total(after.clusters) < total(before.clusters)
      : has.length < had.length;
    if (fewer)
      return {
        outcome: 'partly-moves',
        reason: `nothing replaces the copy on ${left.join(', ')}`,
      };
    const back = [...evictedFrom].filter((name) => has.includes(name));
    if (left.length === 0 && joined.length === 0 && back.length > 0)
      return { outcome: 'moves', reason: `came back to ${back.join(', ')}` };
    return { outcome: 'moves' };
  }
  if (troubled.size > 0) {
    if (facts.tolerated) return { outcome: 'tolerates', reason: facts.tolerated };
    if (facts.evictionOff) return { outcome: 'stays', reason: facts.evictionOff };
    if (facts.untainted.length > 0)
      return { outcome: 'stays', reason: `nothing puts a NoExecute taint on ${facts.untainted.join(', ')}` };
  }
  return { outcome: 'stays' };
}

function isDivided(spec: ResourceBindingSpec): boolean {
  return dividesReplicas(spec) && (spec.replicas ?? 0) > 0;
}
