import { expect, test } from '@jest/globals';
import { controllersFor } from '../../../src/karmada/running/karmadaControllers.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import { setStage } from '../../../src/simulator/simulation/stage.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import { runControllers } from '../../../src/operations/controllers/runControllers.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { START } from '../../simulator/simulation/controlPlane.ts';
import { fleet, member } from '../../analysis/taintPolicy/policies.ts';
import { windowPolicy } from '../../karmada/taints/windows/windows.ts';
import { failoverByDesign } from '../../proposal/documents.ts';
import { faultsOf, planEvents } from './faults.ts';
import { faultyHost } from './faultyHost.ts';

const net = (status: string): ScenarioAction => ({
  type: 'condition',
  cluster: 'east-1',
  condition: { type: 'Net', status: status as 'True' },
});
const events = [
  [10, 'False'],
  [100, 'Unknown'],
  [150, 'True'],
  [151, 'False'],
  [700, 'True'],
  [950, 'False'],
] as const;
const policy = windowPolicy(
  ['Net In False Unknown'],
  ['net:PreferNoExecute +300 -180', 'soon:NoSchedule +60 -30'],
);
const scenario = {
  start: START,
  until: START + 1_200_000,
  members: { workloadReadyAfter: 20_000, neverReady: [] },
  events: events.map(([second, status]) => ({ at: START + second * 1000, action: net(status) })),
};
const starting = createStartingWorld(
  fleet([member('east-1', { conditions: ['Net=True'] })], [policy]),
  failoverByDesign,
  scenario,
);

/** "451 net": the times at which the final taints were added. */
const timesOf = (taints: { key: string; timeAdded?: string | null }[] | undefined) =>
  taints?.map(({ key, timeAdded }) => `${(Date.parse(timeAdded!) - START) / 1000} ${key}`);

test('taints are added in the second in which their window ends, in virtual time', () => {
  const stage = setStage(starting, scenario, {});
  stage.play();
  const reported = stage.events
    .filter(({ type }) => type.startsWith('Taint'))
    .map(({ time, type, message }) => `${rfc3339(time - START).slice(14, 19)} ${type} ${message}`);
  expect(reported).toEqual([
    '01:10 TaintAdded soon:NoSchedule',
    '07:31 TaintAdded net:PreferNoExecute',
    '12:10 TaintRemoved soon:NoSchedule',
    '14:40 TaintRemoved net:PreferNoExecute',
    '16:50 TaintAdded soon:NoSchedule',
  ]);
});

test.each([0, 1, 2, 3, 4, 5])(
  'taints are added on an API with errors as in virtual time (seed %i)',
  async (seed) => {
    const host = faultyHost(starting, seed === 0 ? () => undefined : faultsOf(seed));
    const stop = new AbortController();
    const run = runControllers(controllersFor(['cluster-taint-policy']), host, { signal: stop.signal });
    planEvents(host, scenario.events);
    const seen: (string[] | undefined)[] = [];
    for (const second of [60, 120, 440, 600, 720, 860, 1100]) {
      await host.runUntil(START + second * 1000);
      seen.push(host.view.get('Cluster', 'east-1')?.spec?.taints?.map(({ key }) => key));
    }
    stop.abort();
    await run;
    expect(seen).toEqual([[], ['soon'], ['soon'], ['soon', 'net'], ['soon', 'net'], ['net'], ['soon']]);
    if (seed === 0) expect(timesOf(host.view.get('Cluster', 'east-1')?.spec?.taints)).toEqual(['1010 soon']);
  },
);
