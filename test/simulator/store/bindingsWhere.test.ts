import { expect, test } from '@jest/globals';
import { bindingKey } from '../../../src/karmada/objects/identities.ts';
import { wakeGroup, wakesOfCluster } from '../../../src/karmada/scheduling/wakeUp.ts';
import { setStage } from '../../../src/simulator/simulation/stage.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import { worldOfSeed } from '../../worlds/worldOfSeed.ts';

const seeds = Array.from({ length: 25 }, (_, at) => 31_000 + at);

test.each(seeds)(
  'seed %i: an event of a cluster wakes the same bindings by groups as by a full scan',
  (seed) => {
    const { world, scenario, configuration } = worldOfSeed(seed);
    const start = createStartingWorld(world, configuration, scenario);
    const found: (readonly string[])[] = [];
    const expected: (readonly string[])[] = [];
    let reconciles = 0;
    const { play } = setStage(start, scenario, {
      outcomesAlone: true,
      beforeReconcile(_controller, _key, view) {
        if (reconciles++ % 20 !== 0) return;
        const { affinities } = view.fleet;
        for (const cluster of view.all('Cluster')) {
          const holds = (binding: Parameters<typeof wakeGroup>[0]) =>
            wakesOfCluster([cluster], binding, configuration, affinities);
          found.push(view.bindingsWhere(holds, wakeGroup));
          expected.push([...view.all('Binding')].filter(holds).map(bindingKey));
        }
      },
    });
    play();
    expect(found).toEqual(expected);
    expect(found.length).toBeGreaterThan(0);
  },
);
