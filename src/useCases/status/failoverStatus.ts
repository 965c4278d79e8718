import { failoverStatus, type FailoverStatus } from '../../engine/explanation/failoverStatus.ts';
import { FAILOVER_SWITCHES } from '../../engine/explanation/failoverSwitch.ts';
import { forecastFailures } from '../../engine/simulation/forecastFailures.ts';
import type { World } from '../../engine/world.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { OTHER_ORDERS } from '../../engine/simulation/otherOrders.ts';
import { usualMembers } from '../../state/scenarioFile.ts';
import { unconfirmed, type AnsweredAssumption } from '../../views/assumptions.ts';
import { nearMatches } from '../../views/nearMatches.ts';
import { UserError, withSuggestion } from '../../cli/errors.ts';
import type { OpenedState } from '../state/openState.ts';

/** Bindings times clusters up to which the failure of every cluster is simulated unasked. */
const LARGEST_FORECAST = 20_000;

/** What tells about failover and about what runs on clusters. */
export const STATUS_KINDS: ReadonlySet<string> = new Set([
  'Cluster',
  'ResourceBinding',
  'ClusterResourceBinding',
  'Work',
  'ClusterTaintPolicy',
  'ResourceInterpreterCustomization',
  'ResourceInterpreterWebhookConfiguration',
  'Lease',
]);

/** Throws a UserError, with a suggestion, where the world has no such cluster. */
export function requireCluster({ clusters }: World, cluster: string | undefined): void {
  const names = clusters.map(({ metadata }) => metadata.name);
  if (cluster === undefined || names.includes(cluster)) return;
  const known = names.length > 0 ? `it has ${names.slice(0, 10).join(', ')}` : 'it has no clusters';
  const message = `no cluster ${cluster} in the state`;
  throw new UserError(withSuggestion(message, nearMatches(cluster, names), known));
}

/** Whether the failure of every cluster, or of the one that was asked for, is simulated. */
export function isForecast({ bindings, clusters }: World, cluster: string | undefined): boolean {
  return cluster !== undefined || bindings.length * clusters.length <= LARGEST_FORECAST;
}

/** The status of failover as of `now`, counting these bindings; in full for one cluster where it is asked for. */
export function statusOf(
  {
    world,
    now,
    configuration,
    assumptions,
  }: Pick<OpenedState, 'world' | 'now' | 'configuration' | 'assumptions'>,
  bindings: ResourceBinding[],
  cluster: string | undefined,
  forecast = isForecast(world, cluster),
): FailoverStatus {
  const when = { start: now, members: usualMembers(world) };
  const guessed = unconfirmed(assumptions);
  const options = {
    unconfirmed: guessed,
    otherOrders: OTHER_ORDERS,
    clusters: cluster === undefined ? world.clusters.length : 1,
  };
  return failoverStatus(
    { ...world, bindings },
    {
      configuration,
      unconfirmed: guessed,
      ...(cluster === undefined ? {} : { cluster }),
      ...(forecast ? { forecast: forecastFailures(world, bindings, when, configuration, options) } : {}),
    },
  );
}

/** The gates and flags that decide about failover. */
export function failoverSwitches(assumptions: AnsweredAssumption[]): AnsweredAssumption[] {
  return assumptions.filter(({ name }) => FAILOVER_SWITCHES.has(name));
}
