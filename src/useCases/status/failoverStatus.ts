import { drainsUnderWay, type DrainUnderWay } from '../../analysis/drain/drainsUnderWay.ts';
import { failoverStatus, type FailoverStatus } from '../../analysis/explanation/failoverStatus.ts';
import { waitingEvictions, waitingSummary } from '../../analysis/explanation/waitingEvictions.ts';
import { FAILOVER_SWITCHES } from '../../analysis/explanation/failoverSwitch.ts';
import { forecastLosses } from '../../analysis/forecast/losses.ts';
import { OTHER_ORDERS } from '../../simulator/simulation/otherOrders.ts';
import type { World } from '../../karmada/world.ts';
import {
  unverified,
  type AnsweredAssumption,
  type DatedBasis,
} from '../../karmada/configuration/assumptions.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import type { InputNames, Ports } from '../ports.ts';
import { memberAssumptions } from '../scenario/runScenario.ts';
import { type Selection, knownCluster, selectedBindings } from '../selection/selection.ts';
import { openStateToRead, type OpenedState } from '../state/openState.ts';
import type { StateRequest } from '../state/stateRequest.ts';

/** Up to this many bindings times clusters, the failure of every cluster is simulated by default. */
const LARGEST_FORECAST = 20_000;

/** The cluster to report, and the workloads to count. */
export interface StatusRequest {
  state: StateRequest;
  /** absent: all clusters */
  cluster?: string | undefined;
  selection: Selection;
  /** milliseconds until new replicas are ready */
  readyAfter?: number | undefined;
}

export interface OpenedStatus extends DatedBasis {
  status: FailoverStatus;
  /** drains that are not finished */
  drains: DrainUnderWay[];
  /** the feature gates and flags that control failover */
  switches: AnsweredAssumption[];
}

/**
 * Whether failover is on, and the state of the clusters. Rejects with a Problem if the state lacks a requested
 * object.
 */
export async function statusOfFailover(
  { state: asked, cluster, selection, readyAfter }: StatusRequest,
  ports: Ports,
): Promise<OpenedStatus> {
  const state = await openStateToRead(asked, ports);
  const { world, now, karmadaVersion, assumptions } = state;
  if (cluster !== undefined) knownCluster('status', cluster, world);
  const members = usualMembers(world, readyAfter);
  const status = statusOf({ ...state, members }, selectedBindings(world, selection), cluster, ports.names);
  const drains = drainsUnderWay(world.clusters, world.bindings);
  return {
    status,
    drains,
    now,
    karmadaVersion,
    switches: failoverSwitches(assumptions),
    assumptions: isForecast(world, cluster)
      ? [...assumptions, ...memberAssumptions({ members }, readyAfter !== undefined, world, ports.names)]
      : assumptions,
  };
}

/** Whether to simulate the failure of every cluster, or of the requested one. */
export function isForecast({ bindings, clusters }: World, cluster: string | undefined): boolean {
  return cluster !== undefined || bindings.length * clusters.length <= LARGEST_FORECAST;
}

/** The failover status as of `now`, counting these bindings; in full for one cluster if the request names it. */
export function statusOf(
  {
    world,
    now,
    configuration,
    assumptions,
    proven,
    members,
  }: Pick<OpenedState, 'world' | 'now' | 'configuration' | 'assumptions' | 'proven'> &
    Pick<Scenario, 'members'>,
  bindings: ResourceBinding[],
  cluster: string | undefined,
  names: InputNames,
  forecast = isForecast(world, cluster),
): FailoverStatus {
  const when = { start: now, members };
  const guessed = unverified(assumptions);
  // all waiting evictions, whatever the selection: there is one queue for all
  const queue = waitingEvictions(world, { now, configuration });
  const options = {
    unverified: guessed,
    otherOrders: OTHER_ORDERS,
    forecasts: cluster === undefined ? world.clusters.length : 1,
  };
  return failoverStatus(
    { ...world, bindings },
    {
      configuration,
      allBindings: world.bindings,
      evictionQueue: queue && waitingSummary(queue),
      unverified: guessed,
      proven,
      names,
      ...(cluster === undefined ? {} : { cluster }),
      ...(forecast ? { forecast: forecastLosses(world, bindings, when, configuration, options) } : {}),
    },
  );
}

/** The feature gates and flags that control failover. */
export function failoverSwitches(assumptions: AnsweredAssumption[]): AnsweredAssumption[] {
  return assumptions.filter(({ name }) => FAILOVER_SWITCHES.has(name));
}
