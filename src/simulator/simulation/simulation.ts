import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { ClusterSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import type { ScheduleOutcome } from '../../karmada/scheduling/scheduleBinding.ts';
import type { ScheduleTrace } from '../../karmada/scheduling/trace.ts';
import type { Span } from '../timeline/span.ts';
import type { WorkloadOutcome } from '../verdicts/outcome.ts';
import type { TimelineEvent } from './timeline/timelineEvent.ts';
import { identityOf, objectKey, workloadOf } from '../../karmada/objects/identities.ts';

/** What a simulation says of a cluster. */
export interface ClusterOutcome {
  name: string;
  before: ClusterLoad;
  after: ClusterLoad;
}

/** How a cluster is at one time. */
export interface ClusterLoad {
  workloads: number;
  replicas: number;
  /** taints as key=value:effect */
  taints: string[];
  ready: string;
}

/** A simulation: what happens, and how it ends. Times are epoch milliseconds. */
export interface Simulation {
  start: number;
  end: number;
  /** nothing more would happen after the end */
  atRest: boolean;
  events: TimelineEvent[];
  workloads: WorkloadOutcome[];
  clusters: ClusterOutcome[];
  /** the course of every workload, if that was asked for */
  spans?: Span[];
  /** the scheduling attempts of the binding that was asked for */
  attempts?: TracedAttempt[];
  /** and how many of its replicas are ready at which time, the start first */
  readiness?: ReadinessChange[];
}

/** From this time (epoch milliseconds) on so many replicas are ready, on clusters that can be reached. */
export interface ReadinessChange {
  time: number;
  ready: number;
}

/** A look of the scheduler at a binding, with all that it saw. */
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
 * A simulation narrowed to some bindings: their workloads, without the events of other bindings. Everything was
 * simulated all the same, and clusters keep the load of all.
 */
export function narrowed(simulation: Simulation, bindings: readonly ResourceBinding[]): Simulation {
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
