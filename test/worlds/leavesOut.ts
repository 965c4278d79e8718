import type { Scenario } from '../../src/simulator/scenario.ts';
import { simulate } from '../../src/simulator/simulation/simulate.ts';
import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import { isNeverReady } from '../../src/karmada/members/readyTime.ts';
import type { World } from '../../src/karmada/world.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { firstDifference } from './firstDifference.ts';
import type { GeneratedWorld } from './worldOfSeed.ts';

const withoutWorks = (world: World): World => ({ ...world, works: [] });
const withoutStatus = (world: World): World => ({ ...world, bindings: world.bindings.map(silent) });

/** A world without what its bindings imply. */
export const withoutBoth = (world: World): World => withoutWorks(withoutStatus(world));

/**
 * Captures that omit what the bindings imply. If something has failed in a member, only one of the two may be omitted; likewise if it is
 * Healthy although assumed never to become ready there.
 */
function captures(world: World, { members }: Scenario): Record<string, World> {
  const fine = world.bindings.every(({ spec, status }) =>
    (status?.aggregatedStatus ?? []).every(
      ({ applied, health, clusterName }) =>
        applied && health === 'Healthy' && !isNeverReady(members, clusterName, spec.resource),
    ),
  );
  return {
    'without Works': withoutWorks(world),
    'without aggregatedStatus': withoutStatus(world),
    ...(fine && { 'without both': withoutBoth(world) }),
  };
}

/** The data that preConditions of application failover read are only in the aggregatedStatus. */
function silent(binding: ResourceBinding): ResourceBinding {
  if (!binding.status || binding.spec.failover?.application?.preConditions) return binding;
  const { aggregatedStatus: _, ...status } = binding.status;
  return { ...binding, status };
}

/**
 * Whether bindings take the same steps to the same ends if what they imply is omitted from a settled world, without more certainty; if not,
 * how they differ.
 */
export function maySayLess({ world, scenario, configuration }: GeneratedWorld): string | undefined {
  const calm = { ...scenario, until: scenario.start + 3600_000, events: [] };
  const isAtRest = simulate(world, calm, configuration).events.length === 0;
  if (!isAtRest) return undefined;
  const whole = reported(world, scenario, configuration);
  for (const [name, capture] of Object.entries(captures(world, scenario))) {
    const less = reported(capture, scenario, configuration);
    const found =
      firstDifference(whole.steps, less.steps) ??
      firstDifference(whole.ends, less.ends) ??
      moreCertain(whole.certainties, less.certainties);
    if (found !== undefined) return `${name}: ${found}`;
  }
  return undefined;
}

function reported(world: World, scenario: Scenario, configuration: Configuration) {
  const simulation = simulate(world, scenario, configuration);
  return {
    steps: stepsOf(simulation, scenario.start),
    ends: Object.fromEntries(
      simulation.workloads.map(({ binding, after, evicting, outcome }) => [
        `${binding.namespace ?? ''}/${binding.name}`,
        { after, evicting, outcome },
      ]),
    ),
    certainties: new Map(
      simulation.workloads.map(({ binding, certainty }) => [
        `${binding.namespace ?? ''}/${binding.name}`,
        certainty,
      ]),
    ),
  };
}

/** Where bindings are placed, and when that changes, by binding. */
function stepsOf({ events }: Simulation, start: number): Record<string, string[]> {
  const steps: Record<string, string[]> = {};
  for (const { time, object, clusters, evicting = [] } of events) {
    if (!clusters) continue;
    const on = clusters.map(({ name, replicas = 0 }) => `${name}×${replicas}`).sort();
    (steps[`${object.namespace ?? ''}/${object.name}`] ??= []).push(
      `${time - start} ms: ${on.join(' ')} | ${evicting.join(' ')}`,
    );
  }
  return steps;
}

const RANK = { certain: 2, estimate: 1, unknown: 0 };

function moreCertain(
  whole: ReadonlyMap<string, keyof typeof RANK>,
  less: ReadonlyMap<string, keyof typeof RANK>,
): string | undefined {
  for (const [key, certainty] of less)
    if (RANK[certainty] > RANK[whole.get(key)!]) return `${key} is ${certainty}, and was ${whole.get(key)}`;
  return undefined;
}
