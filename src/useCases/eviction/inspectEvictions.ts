import {
  explainEvictionTasks,
  type EvictionTaskExplanation,
} from '../../analysis/explanation/tasks/evictionTask.ts';
import { waitingEvictions, type WaitingEvictions } from '../../analysis/explanation/waitingEvictions.ts';
import { PACE_FLAGS } from '../../karmada/taints/evictionPace.ts';
import { needsSimulation } from '../../analysis/explanation/tasks/simulatedTasks.ts';
import type { DatedBasis } from '../../karmada/configuration/assumptions.ts';
import type { Ports } from '../ports.ts';
import { type Selection, bindingsNamed, selectedBindings } from '../selection/selection.ts';
import { assumedTimeout, TIMEOUT } from '../state/assumptions.ts';
import { openStateToRead, readWhole, type OpenedState } from '../state/openState.ts';
import type { StateRequest } from '../state/stateRequest.ts';

/** The kinds that show the state of eviction tasks, and whether the controllers that end them run. */
const KINDS = new Set(['Cluster', 'ResourceBinding', 'ClusterResourceBinding', 'Work', 'Lease']);

/** The eviction tasks to inspect: of named workloads, or of all in the selection. */
interface InspectionRequest {
  state: StateRequest;
  /** empty: all in the selection */
  targets: readonly string[];
  selection: Selection;
  /** milliseconds until new replicas are ready */
  readyAfter?: number | undefined;
}

interface InspectedEvictions extends DatedBasis {
  items: EvictionTaskExplanation[];
  /** in versions with one eviction queue: the chosen workloads that wait in it, or were abandoned */
  queue?: WaitingEvictions | undefined;
}

/**
 * The conditions that eviction tasks wait for and their ends, simulated if the state does not show them. Rejects with a
 * Problem.
 */
export async function inspectEvictions(
  { state: request, targets, selection, readyAfter }: InspectionRequest,
  ports: Ports,
): Promise<InspectedEvictions> {
  const { namespace } = selection;
  const chosen = ({ world }: OpenedState) =>
    targets.length === 0
      ? selectedBindings(world, selection)
      : [...new Set(targets.flatMap((target) => bindingsNamed(target, world.bindings, namespace)))];
  const first = await openStateToRead(request, ports, {
    // labels are on the templates, which are of any kind; a live control plane is asked for those
    kinds: 'files' in request.source ? undefined : KINDS,
    live: { namespace, worksOfEvictions: true },
  });
  const play = needsSimulation(first.world, chosen(first));
  const state = play ? await readWhole(first, request, ports) : first;
  const { world, now, configuration, karmadaVersion, assumptions } = state;
  const played = play
    ? (await import('./simulateEvictions.ts')).simulateEvictions(state, readyAfter, ports)
    : undefined;
  const timeout = assumedTimeout(assumptions, configuration, ports.names);
  const items = explainEvictionTasks(world, chosen(state), {
    now,
    configuration,
    ...(played ? { played: played.tasks } : {}),
    ...(timeout ? { timeoutAssumed: timeout.missing } : {}),
  });
  const asked = new Set(chosen(state));
  const queue = waitingEvictions(world, {
    now,
    configuration,
    partial: namespace !== undefined && !('files' in request.source),
    asked: (binding) => asked.has(binding),
  });
  const names: readonly string[] = [
    'now',
    'karmadaVersion',
    'ClusterTaintPolicies',
    TIMEOUT,
    'evict-plugins',
  ];
  const deciding = queue ? [...names, 'Failover', ...PACE_FLAGS] : names;
  const relevant = [
    ...assumptions.filter(({ name }) => deciding.includes(name)),
    ...(played?.assumptions ?? []),
  ];
  return { items, ...(queue && { queue }), now, karmadaVersion, assumptions: relevant };
}
