import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { View } from '../../../src/karmada/controllers/view.ts';
import { karmadaControllers } from '../../../src/karmada/running/karmadaControllers.ts';
import { scenarioWrites } from '../../../src/simulator/simulation/scenarioWrites.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import { canonicalOrdering } from '../../../src/simulator/virtualTime/ordering.ts';
import { createVirtualTime } from '../../../src/simulator/virtualTime/virtualTime.ts';
import { failoverOn, START } from '../../simulator/simulation/controlPlane.ts';
import { runControllers } from '../../../src/operations/controllers/runControllers.ts';
import { endsOf } from './endsOf.ts';
import { faultyHost } from './faultyHost.ts';
import { faultsOf, outside } from './faults.ts';
import { actionsOf, incident, members, MINUTE, worldOf } from './incidents.ts';

test('incidents end in the same world on an API with refusals, conflicts, delays and lost or repeated responses', async () => {
  await fc.assert(
    fc.asyncProperty(incident, async (given) => {
      const state = worldOf(given);
      const actions = actionsOf(given);
      const start = createStartingWorld(state, failoverOn, { start: START, members });
      const events = actions.map(([at, action]) => ({
        at: START + at,
        writes: (view: View, now: number) => scenarioWrites(action, view, failoverOn, now),
      }));
      // Back-offs of up to 1000 s must elapse more than once.
      const until = START + 300 * MINUTE;

      const controllers = karmadaControllers(members);
      const time = createVirtualTime(start, { controllers, ordering: canonicalOrdering, explained: false });
      for (const { at, writes } of events)
        time.plan(at, () => {
          for (const write of writes(time.view, time.now())) time.write('somebody', [write]);
        });
      time.run(until);
      const host = faultyHost(start, faultsOf(given.seed));
      const stop = new AbortController();
      const run = runControllers(controllers, host, { signal: stop.signal });
      for (const { at, writes } of events)
        host.plan(at, () => {
          for (const write of writes(host.view, host.now())) void outside(host, write);
        });
      await host.runUntil(until);
      stop.abort();
      await run;

      expect(endsOf(host.view)).toEqual(endsOf(time.view));
    }),
    {
      numRuns: 20,
      examples: [
        [
          // the old copy is removed late, after the new Work has taken it over
          {
            workloads: ['twoOfEast', 'tolerant', 'fallback'],
            pull: true,
            directly: true,
            sick: false,
            comesBack: true,
            taint: false,
            seed: 28,
          },
        ],
      ],
    },
  );
});
