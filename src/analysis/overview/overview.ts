import type { ResourceBinding } from '../../karmada/api/work.ts';
import { drainsUnderWay, type DrainUnderWay } from '../drain/drainsUnderWay.ts';
import { waitingEvictions, waitingSummary } from '../explanation/waitingEvictions.ts';
import { failoverStatus, type FailoverStatus } from '../explanation/failoverStatus.ts';
import { type EvictionTaskExplanation, explainEvictionTasks } from '../explanation/tasks/evictionTask.ts';
import type { SimulatedTasks } from '../explanation/tasks/simulatedTasks.ts';
import type { World } from '../../karmada/world.ts';
import { type ObservedEvictions, type OverviewEvent, overviewEvents } from './overviewEvents.ts';
import {
  countTrouble,
  createWorkloadSummaries,
  type SummarizeWorkloads,
  type TroubleCounts,
  type WorkloadSummary,
} from '../explanation/workloadNow.ts';
import type { KnownConfiguration } from '../../karmada/configuration/assumptions.ts';

/** A control plane at a glance, without the results of simulations. */
export interface Overview {
  /** epoch milliseconds */
  now: number;
  status: Omit<FailoverStatus, 'trouble'>;
  /** how many of the workloads are in trouble */
  trouble: TroubleCounts;
  /** without their evidence */
  evictions: EvictionTaskExplanation[];
  /** how many need a simulation that has not run yet: their outcomes are estimates; absent: none */
  unplayed?: number | undefined;
  drains: DrainUnderWay[];
  /** newest first */
  events: OverviewEvent[];
  workloads: WorkloadSummary[];
}

const TIMEOUT = 'graceful-eviction-timeout';

interface OverviewQuestion extends KnownConfiguration {
  /** epoch milliseconds */
  now: number;
  /** the simulated ends of evictions; absent, or for workloads without one: they are judged by the present clusters */
  played?: ((binding: ResourceBinding) => SimulatedTasks | undefined) | undefined;
  /** keeps the summaries of bindings that have not changed since the last overview, and counts ended evictions */
  known?: KnownOverview | undefined;
}

/** The results of earlier overviews: summaries of workloads, and evictions. */
interface KnownOverview {
  summarize: SummarizeWorkloads;
  evictions: ObservedEvictions;
}

/** An empty store for these results. */
export function knownOverview(): KnownOverview {
  return { summarize: createWorkloadSummaries(), evictions: new Map() };
}

/** The overview of a world at present. */
export function overviewOf(world: World, question: OverviewQuestion): Overview {
  const {
    now,
    configuration,
    unverified: unverified,
    proven,
    names,
    played,
    known = knownOverview(),
  } = question;
  const queue = waitingEvictions(world, { now, configuration });
  const workloads = known.summarize(world, configuration);
  const { trouble: _listed, ...status } = failoverStatus(world, {
    configuration,
    unverified,
    proven,
    names,
    workloads,
    evictionQueue: queue && waitingSummary(queue),
  });
  const drains = drainsUnderWay(world.clusters, world.bindings);
  const evictions = explainEvictionTasks(world, world.bindings, {
    now,
    configuration,
    ...(played && { played }),
    ...(unverified.has(TIMEOUT) && { timeoutAssumed: TIMEOUT }),
  });
  const unplayed = played ? countUnplayed(world, played) : 0;
  const sources = { clusters: status.clusters, evictions, drains, bindings: world.bindings };
  return {
    now,
    status,
    drains,
    trouble: countTrouble(workloads),
    evictions: evictions.map((task) => ({ ...task, evidence: [] })),
    ...(unplayed > 0 && { unplayed }),
    events: overviewEvents({ ...sources, now, seen: known.evictions }),
    workloads,
  };
}

function countUnplayed(
  { bindings }: World,
  played: (binding: ResourceBinding) => SimulatedTasks | undefined,
): number {
  return bindings.reduce((count, binding) => {
    const tasks = binding.spec.gracefulEvictionTasks?.length ?? 0;
    return tasks > 0 && !played(binding) ? count + tasks : count;
  }, 0);
}
