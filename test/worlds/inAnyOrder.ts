import type { Kind } from '../../src/karmada/controllers/kinds.ts';
import { claimGroups } from '../../src/karmada/objects/claims.ts';
import { bindingKey } from '../../src/karmada/objects/identities.ts';
import { setStage, type SetStage } from '../../src/simulator/simulation/stage.ts';
import { createStartingWorld } from '../../src/simulator/store/startingWorld.ts';
import type { World } from '../../src/karmada/world.ts';
import { createChance, type Chance } from '../e2e/random/chance.ts';
import { firstDifference } from './firstDifference.ts';
import { withoutBoth } from './leavesOut.ts';
import type { GeneratedWorld } from './worldOfSeed.ts';

/** Whether the order of a world's lists is irrelevant; if not, how it matters. */
export function saysTheSameInAnyOrder({ seed, world, scenario, configuration }: GeneratedWorld) {
  const chance = createChance(seed + 5_000_011);
  for (const one of [world, withoutBoth(world)]) {
    const reported = answers({ world: one, scenario, configuration });
    for (let i = 0; i < 2; i++) {
      const found = firstDifference(
        reported,
        answers({ world: shuffled(one, chance), scenario, configuration }),
      );
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Whether an observer who reads everything now and then changes nothing; if not, what changes. */
export function mayBeLookedAt({ seed, world, scenario, configuration }: GeneratedWorld) {
  const chance = createChance(seed + 5_000_019);
  for (const one of [world, withoutBoth(world)]) {
    const asked = { world: one, scenario, configuration };
    const found = firstDifference(
      answers(asked),
      answers(asked, (stage) => lookAround(stage, chance)),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function answers(
  { world, scenario, configuration }: Pick<GeneratedWorld, 'world' | 'scenario' | 'configuration'>,
  observe: (stage: SetStage) => void = () => undefined,
) {
  const stage = setStage(createStartingWorld(world, configuration, scenario), scenario);
  observe(stage);
  const workloads = stage.outcomes.all(stage.play());
  const plain = { events: stage.events, workloads };
  return JSON.parse(JSON.stringify(plain)) as typeof plain;
}

function shuffled({ unread, ...lists }: World, chance: Chance): World {
  const shuffle = <T>(objects: readonly T[]): T[] =>
    objects
      .map((object) => ({ object, by: chance.number() }))
      .sort((a, b) => a.by - b.by)
      .map(({ object }) => object);
  const { clusters, bindings, works, policies, taintPolicies, others } = lists;
  return {
    clusters: shuffle(clusters),
    bindings: shuffle(bindings),
    works: shuffle(works),
    policies: shuffle(policies),
    taintPolicies: shuffle(taintPolicies),
    others: shuffle(others),
    ...(unread && { unread }),
  };
}

const kinds: Kind[] = [
  'Cluster',
  'Binding',
  'Work',
  'ClusterTaintPolicy',
  'Policy',
  'Object',
  'Member',
  'Copy',
];

/** Reads parts of the world before anything happens, and more after each event. */
function lookAround({ time }: SetStage, chance: Chance): void {
  const { view } = time;
  const look = () => {
    for (const kind of chance.someOf(kinds)) {
      const keys = Array.from(view.entries(kind), ([key]) => key);
      if (keys.length > 0) view.get(kind, chance.oneOf(keys));
    }
    const [binding, cluster] = [[...view.all('Binding')], [...view.all('Cluster')]];
    if (binding.length > 0) {
      const one = chance.oneOf(binding);
      for (const work of view.worksOf(one).values()) view.bindingOf(work);
      view.attachedTo(bindingKey(one));
      view.needing(one.spec.resource);
      view.bindingsIn(...claimGroups(one.spec.resource, one.metadata));
      view.templatesIn(...claimGroups(one.spec.resource, one.metadata));
    }
    if (cluster.length > 0) {
      const { name } = chance.oneOf(cluster).metadata;
      view.worksOn(name);
      view.bindingsOn(name);
      view.bindingsLeaving(name);
    }
    if (chance.happens(0.3)) void view.fleet;
  };
  look();
  time.follow(() => {
    if (chance.happens(0.3)) look();
  });
}
