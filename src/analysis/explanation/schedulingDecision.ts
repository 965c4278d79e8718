import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { Evidence } from '../../karmada/evidence.ts';
import type { ClusterSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import { possibleOutcomes } from '../../karmada/scheduling/division/tie.ts';
import { tryAffinityGroups, type Attempt } from '../../karmada/scheduling/scheduleBinding.ts';
import { strategyOf, type Strategy } from '../../karmada/scheduling/strategy.ts';
import type { AttemptTrace, ScheduleTrace } from '../../karmada/scheduling/trace.ts';
import type { Simulation, TracedAttempt } from '../../simulator/simulation/simulation.ts';

/** One scheduling attempt for the workload, with all of its inputs. */
export interface SchedulingDecision {
  /** epoch milliseconds */
  time: number;
  /** true: nothing triggers the scheduler; this is what it would decide */
  hypothetical: boolean;
  /** what triggered the scheduler */
  trigger?: string;
  strategy?: Strategy;
  before: TargetCluster[];
  /** one per affinity group tried, in order; one without a name if there are no groups */
  groups: AttemptTrace[];
  /** affinity groups that were not tried */
  untried: { affinityName: string; /** before those tried */ earlier: boolean; why: string }[];
  result?: TargetCluster[];
  /** the possible results of a random tie, `result` first (before v1.16); absent if there is no tie */
  drawn?: { among: TargetCluster[][]; /** false: there are more */ complete: boolean };
  failure?: { reason: string; message: string };
  /** the result if the workload were divided again, if that differs from its placement */
  dividedAnew?: TargetCluster[];
}

export interface Situation {
  binding: ResourceBinding;
  snapshot: ClusterSnapshot;
}

/**
 * The attempt that decided the placement: the first one after the last eviction, otherwise the first of all. Undefined
 * if the scheduler never ran for it.
 */
export function decidingAttempt({ attempts = [], events }: Simulation): TracedAttempt | undefined {
  const traced = attempts[0]?.binding.metadata;
  if (!traced) return undefined;
  const evicted = events.findLast(
    ({ type, object }) =>
      type === 'Evicted' &&
      object.name === traced.name &&
      (object.namespace ?? '') === (traced.namespace ?? ''),
  );
  return (evicted && attempts.find(({ time }) => time >= evicted.time)) ?? attempts[0];
}

/** A decision of the simulation. */
export function decisionOf({ time, binding, snapshot, outcome, trace }: TracedAttempt): SchedulingDecision {
  const { trigger, failure } = outcome;
  const result = failure ? undefined : outcome.attempts.at(-1)?.clusters;
  return {
    time,
    hypothetical: false,
    ...(trigger ? { trigger } : {}),
    ...commonFacts(binding, trace),
    ...(result ? { result } : {}),
    ...drawnAmong({ binding, snapshot, now: time }, outcome.attempts.at(-1)),
    ...(failure ? { failure } : {}),
  };
}

/** What the scheduler would decide for a binding that nothing triggers it for. */
export function hypotheticalDecision({ binding, snapshot }: Situation, now: number): SchedulingDecision {
  const trace: ScheduleTrace = { attempts: [] };
  const { placement } = binding.spec;
  const { attempts } = placement
    ? tryAffinityGroups({ snapshot, binding, now, trace }, placement)
    : { attempts: [] };
  const last = attempts.at(-1);
  const error = last?.clusters ? undefined : attempts[0]?.error;
  const again = last?.clusters && divideAgain({ binding, snapshot, now });
  return {
    time: now,
    hypothetical: true,
    ...commonFacts(binding, trace),
    ...(last?.clusters ? { result: last.clusters } : {}),
    ...drawnAmong({ binding, snapshot, now }, last),
    ...(error ? { failure: { reason: error.kind, message: error.message } } : {}),
    ...(again && !samePlacement(again, last.clusters ?? []) ? { dividedAnew: again } : {}),
  };
}

/** A situation at an instant, in epoch milliseconds. */
type Instant = Situation & { now: number };

/** The limit of listed results: each takes a scheduling cycle. */
const MAX_DRAWN = 10;

/** The other possible results of a random tie. */
function drawnAmong(
  { binding, snapshot, now }: Instant,
  tried: Attempt | undefined,
): Pick<SchedulingDecision, 'drawn'> {
  const { placement } = binding.spec;
  if (!tried?.tie || !placement) return {};
  const { outcomes, complete } = possibleOutcomes<Attempt>(
    (winners) =>
      winners ? tryAffinityGroups({ snapshot, binding, now, winners }, placement).attempts.at(-1)! : tried,
    MAX_DRAWN,
  );
  return { drawn: { among: outcomes.map(({ clusters = [] }) => clusters), complete } };
}

function commonFacts(
  { spec, status }: ResourceBinding,
  { attempts: groups }: ScheduleTrace,
): Pick<SchedulingDecision, 'strategy' | 'before' | 'groups' | 'untried'> {
  const strategy = strategyOf(spec.placement);
  const names = (spec.placement?.clusterAffinities ?? []).map(({ affinityName }) => affinityName);
  const tried = groups.map(({ affinityName }) => affinityName);
  const first = names.indexOf(tried[0] ?? '');
  return {
    ...(strategy ? { strategy } : {}),
    before: spec.clusters ?? [],
    groups,
    untried: names.flatMap((affinityName, index) => {
      if (tried.includes(affinityName)) return [];
      const earlier = index < first;
      const why = earlier
        ? `it is before ${status?.schedulerObservingAffinityName}, the group of the binding: the scheduler does not return to it`
        : strategy === 'Duplicated'
          ? `not needed: ${tried.at(-1)} was chosen, and Duplicated ignores capacity`
          : `not needed: ${tried.at(-1)} has capacity`;
      return [{ affinityName, earlier, why }];
    }),
  };
}

/** The result of a rebalance, ignoring the present clusters. Undefined if it changes nothing. */
function divideAgain({ binding, snapshot, now }: Instant): TargetCluster[] | undefined {
  const { spec, status } = binding;
  if (strategyOf(spec.placement) === 'Duplicated' || !status?.lastScheduledTime) return undefined;
  const asked: ResourceBinding = {
    ...binding,
    spec: { ...spec, rescheduleTriggeredAt: '9999-12-31T23:59:59Z' },
  };
  return tryAffinityGroups({ snapshot, binding: asked, now }, spec.placement!).attempts.at(-1)?.clusters;
}

/** The same clusters with the same replicas, in any order. */
export function samePlacement(a: TargetCluster[], b: TargetCluster[]): boolean {
  const replicas = new Map(a.map((target) => [target.name, target.replicas ?? 0]));
  return a.length === b.length && b.every((target) => replicas.get(target.name) === (target.replicas ?? 0));
}

/** Whether two bindings have the same clusters and the same evictions. */
export function hasSamePlaces({ spec: a }: ResourceBinding, { spec: b }: ResourceBinding): boolean {
  const left = ({ gracefulEvictionTasks = [] }: typeof a) =>
    gracefulEvictionTasks.map(({ fromCluster }) => fromCluster).join();
  return samePlacement(a.clusters ?? [], b.clusters ?? []) && left(a) === left(b);
}

/** All filters that reject a cluster, as evidence with the reason of each. */
export function rejections(group: AttemptTrace, cluster: string): { plugin: string; evidence: Evidence[] }[] {
  const seen = group.clusters.find(({ name }) => name === cluster);
  return (seen?.filters ?? []).flatMap(({ plugin, reason, evidence }) => {
    if (reason === undefined) return [];
    return [{ plugin, evidence: evidence?.length ? evidence : [{ rule: reason }] }];
  });
}
