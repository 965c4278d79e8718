import { clusterForecast, type ClusterForecast } from '../../analysis/overview/forecast.ts';
import { forecastFailures } from '../../simulator/simulation/forecastFailures.ts';
import { OTHER_ORDERS } from '../../simulator/simulation/otherOrders.ts';
import { unconfirmed } from '../../karmada/configuration/answeredAssumption.ts';
import { usualMembers } from '../../state/scenario/scenarioFile.ts';
import type { OpenedState } from '../state/openState.ts';

/**
 * What the failure of each cluster would lead to, one after the other: each step is one simulation. Clusters that are
 * not Ready come first, then those with the most workloads.
 */
export function* forecastAll({
  world,
  now,
  configuration,
  assumptions,
}: Pick<OpenedState, 'world' | 'now' | 'configuration' | 'assumptions'>): Generator<ClusterForecast> {
  const counts = new Map<string, number>();
  for (const { spec } of world.bindings)
    for (const { name } of spec.clusters ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = world.clusters
    .map(({ metadata }) => metadata.name)
    .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const when = { start: now, members: usualMembers(world) };
  const forecast = forecastFailures(world, world.bindings, when, configuration, {
    unconfirmed: unconfirmed(assumptions),
    otherOrders: OTHER_ORDERS,
    clusters: names.length,
  });
  for (const name of names) yield clusterForecast(name, forecast(name));
}
