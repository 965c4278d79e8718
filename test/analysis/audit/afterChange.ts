import { expect } from '@jest/globals';
import { startAudit } from '../../../src/analysis/audit/audit.ts';
import type { KeptAudit } from '../../../src/analysis/audit/earlierAudit.ts';
import { contingenciesOf } from '../../../src/analysis/audit/contingencies.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { identityOf, objectKey } from '../../../src/karmada/objects/identities.ts';
import { bindingPermanentId } from '../../../src/karmada/objects/worksOfBinding.ts';
import type { World, WorldList } from '../../../src/karmada/world.ts';
import { deepEqual } from '../../../src/kubernetes/deepEqual.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import type { ResumableWorld } from '../../../src/simulator/store/savedSimulation.ts';
import { createChance, type Chance } from '../../e2e/random/chance.ts';
import { asFileKeeps, played } from '../../worlds/play.ts';
import { type GeneratedWorld, worldOfSeed } from '../../worlds/worldOfSeed.ts';

/** How many contingencies there were after a change, and how many of them were reused from the previous audit. */
export interface Held {
  contingencies: number;
  taken: number;
}

/** Compares the audit of a generated world after a change of one object, based on the previous audit, with a full one. */
export function heldAfterChange(seed: number): Held {
  const generated = worldOfSeed(seed, { incident: false });
  const chance = createChance(seed + 7_000_003);
  const changed = chance.happens(0.5) ? writtenAnew(generated, chance) : settledAgain(generated, chance);
  const before = audited(generated, generated.world, generated.scenario.start);
  const { kept: earlier } = before;
  const { world, start } = changed;
  const [whole, after] = [audited(generated, world, start), audited(generated, world, start, earlier)];
  expect(after.text).toBe(whole.text);
  // its cache works as well
  expect(audited(generated, world, start, after.kept).text).toBe(whole.text);
  return { contingencies: whole.total, taken: after.taken };
}

function audited(
  { scenario: { members }, configuration }: GeneratedWorld,
  world: ResumableWorld,
  start: number,
  earlier?: KeptAudit,
) {
  const contingencies = contingenciesOf(world.clusters);
  const running = startAudit(world, world.bindings, { start, members }, configuration, {
    contingencies,
    keeps: true,
    earlier,
  });
  while (running.step());
  const { total, taken } = running;
  return { text: JSON.stringify(running.result(), null, 1), kept: running.kept(), total, taken };
}

interface Changed {
  world: ResumableWorld;
  start: number;
}

/** One object, edited at the same instant. */
function writtenAnew({ world, scenario: { start } }: GeneratedWorld, chance: Chance): Changed {
  if (world.bindings.length === 0 || chance.happens(0.2)) {
    const one = chance.oneOf(world.clusters);
    return {
      start,
      world: { ...world, clusters: replaced(world.clusters, one, withOtherRoom(one, chance)) },
    };
  }
  const one = chance.oneOf(world.bindings);
  const after = withOtherRules(one, world, chance);
  const bindings = replaced(world.bindings, one, after);
  const id = bindingPermanentId(one.metadata);
  const works = after
    ? world.works
    : world.works.filter(({ metadata }) => bindingPermanentId(metadata) !== id);
  return { start, world: { ...world, bindings, works } };
}

function replaced<T>(list: readonly T[], one: T, after: T | undefined): T[] {
  return list.flatMap((each) => (each === one ? (after ?? []) : [each]));
}

function withOtherRoom(cluster: Cluster, chance: Chance): Cluster {
  const summary = cluster.status?.resourceSummary;
  const allocatable = { ...summary?.allocatable, pods: String(chance.between(0, 40)) };
  return { ...cluster, status: { ...cluster.status, resourceSummary: { ...summary, allocatable } } };
}

/** Undefined: it is deleted. */
function withOtherRules(
  one: ResourceBinding,
  { clusters }: World,
  chance: Chance,
): ResourceBinding | undefined {
  const { placement } = one.spec;
  if (!placement || chance.happens(0.3)) return undefined;
  const tolerationSeconds = chance.between(0, 120);
  const key = 'cluster.karmada.io/not-ready';
  const clusterTolerations = [
    { key, operator: 'Exists' as const, effect: 'NoExecute' as const, tolerationSeconds },
  ];
  const others = clusters.map(({ metadata }) => metadata.name).filter(() => chance.happens(0.5));
  const there = (one.spec.clusters ?? []).map(({ name }) => name);
  const clusterAffinity = { clusterNames: [...new Set([...there, ...others])] };
  const written = chance.happens(0.5) ? { clusterTolerations } : { clusterAffinity };
  return { ...one, spec: { ...one.spec, placement: { ...placement, ...written } } };
}

/** The world half an hour after a workload was changed. */
function settledAgain({ world, configuration, scenario }: GeneratedWorld, chance: Chance): Changed {
  const { start, members } = scenario;
  const templates = world.others.filter(({ kind }) =>
    ['Deployment', 'StatefulSet', 'ConfigMap'].includes(kind),
  );
  const target = templates.length > 0 ? identityOf(chance.oneOf(templates)) : undefined;
  const action: ScenarioAction | undefined = target && {
    ...(chance.happens(0.3)
      ? { type: 'delete', target }
      : { type: 'patch', target, merge: { spec: { replicas: chance.between(0, 9) } } }),
  };
  const events = action ? [{ at: start, action }] : [];
  const until = start + chance.between(31, 61) * 60_000;
  const { world: saved, end } = played(world, { start, until, members, events }, configuration);
  const { simulation: _, ...api } = asFileKeeps(saved);
  return { start: end, world: asBefore(world, api) };
}

/** A world that shares unchanged objects with an earlier one. */
function asBefore(before: World, after: World): World {
  const keyOf = (object: Parameters<typeof identityOf>[0]) => objectKey(identityOf(object));
  const lists = [
    'clusters',
    'bindings',
    'works',
    'policies',
    'taintPolicies',
    'others',
  ] satisfies WorldList[];
  const same = lists.map((list) => {
    const known = new Map(before[list].map((object) => [keyOf(object as never), object]));
    const order = new Map([...known.keys()].map((key, at) => [key, at]));
    const at = (object: unknown) => order.get(keyOf(object as never)) ?? Infinity;
    const objects = after[list].map((object) => {
      const was = known.get(keyOf(object as never));
      return was && deepEqual(was, object) ? was : object;
    });
    return [list, objects.sort((a, b) => at(a) - at(b) || 0)];
  });
  return { ...after, ...Object.fromEntries(same) } as World;
}
