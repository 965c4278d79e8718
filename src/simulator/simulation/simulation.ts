import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { ClusterSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import type { ScheduleOutcome } from '../../karmada/scheduling/scheduleBinding.ts';
import type { ScheduleTrace } from '../../karmada/scheduling/trace.ts';
import type { Span } from '../timeline/span.ts';
import type { WorkloadOutcome } from '../verdicts/outcome.ts';
import type { TimelineEvent } from './timeline/timelineEvent.ts';
import { identityOf, objectKey, workloadOf } from '../../karmada/objects/identities.ts';

export interface ClusterOutcome {
  name: string;
  before: ClusterLoad;
  after: ClusterLoad;
}

/** The state of a cluster at one time. */
export interface ClusterLoad {
  workloads: number;
  replicas: number;
  /** taints as key=value:effect */
  taints: string[];
  ready: string;
}

/** A simulation: its events and its end. Times are epoch milliseconds. */
export interface Simulation {
  start: number;
  end: number;
  /** it has settled: nothing more happens after the end */
  atRest: boolean;
  events: TimelineEvent[];
  workloads: WorkloadOutcome[];
  clusters: ClusterOutcome[];
  /** the course of each workload, if requested */
  spans?: Span[];
  /** the scheduling attempts of the requested binding */
  attempts?: TracedAttempt[];
  /** and its number of ready replicas over time, beginning with the start */
  readiness?: ReadinessChange[];
}

/** From this time (epoch milliseconds) on, this many replicas are ready on reachable clusters. */
export interface ReadinessChange {
  time: number;
  ready: number;
}

/** A scheduling attempt for a binding, with all of its inputs. */
export interface TracedAttempt {
  /** epoch milliseconds */
  time: number;
  /** as the scheduler found it */
  binding: ResourceBinding;
  /** the clusters as the scheduler saw them */
  snapshot: ClusterSnapshot;
  outcome: ScheduleOutcome;
  trace: ScheduleTrace;
}

/**
 * A simulation narrowed to some bindings: their workloads, without the events of other bindings. All bindings were
 * simulated, so clusters keep the load of all.
 */
export function narrowSimulation(simulation: Simulation, bindings: readonly ResourceBinding[]): Simulation {
  const kept = new Set(bindings.map((binding) => objectKey(identityOf(binding))));
  const { spans } = simulation;
  const workloads = new Set(bindings.map((binding) => objectKey(workloadOf(binding))));
  return {
    ...simulation,
    ...(spans && { spans: spans.filter(({ workload }) => workloads.has(objectKey(workload))) }),
    events: simulation.events.filter(
      ({ object }) => !/^(Cluster)?ResourceBinding$/.test(object.kind) || kept.has(objectKey(object)),
    ),
    workloads: simulation.workloads.filter(({ binding }) => kept.has(objectKey(binding))),
  };
}
