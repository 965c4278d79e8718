import { describe, expect, test } from '@jest/globals';
import { controllersFor } from '../../../src/karmada/running/karmadaControllers.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { runControllers } from '../../../src/operations/controllers/runControllers.ts';
import { START } from '../../simulator/simulation/controlPlane.ts';
import { fleet, member } from '../../analysis/taintPolicy/policies.ts';
import { windowPolicy } from '../../karmada/taints/windows/windows.ts';
import { failoverByDesign } from '../../proposal/documents.ts';
import { planEvents } from './faults.ts';
import { faultyHost } from './faultyHost.ts';

const netDown = windowPolicy(['Net In False'], ['net:PreferNoExecute +300 -180'], { name: 'net' });
const net = (status: 'True' | 'False'): ScenarioAction => ({
  type: 'condition',
  cluster: 'east-1',
  condition: { type: 'Net', status },
});
const untaint: ScenarioAction = { type: 'untaint', cluster: 'east-1', key: 'net' };

/** Each write of the controller for east-1 on an API: "300s net". */
async function written(
  events: [seconds: number, action: ScenarioAction][],
  until: number,
  policies: ClusterTaintPolicy[] = [netDown],
): Promise<string[]> {
  const members = { workloadReadyAfter: 0, neverReady: [] };
  const world = fleet([member('east-1', { conditions: ['Net=True', 'Power=True'] })], policies);
  const host = faultyHost(
    createStartingWorld(world, failoverByDesign, { start: START, members }),
    () => undefined,
  );
  const reported: string[] = [];
  const send = host.api.write;
  host.api = {
    write(write, by) {
      const taints =
        write.verb === 'update' && write.kind === 'Cluster' ? write.object.spec?.taints : undefined;
      if (by !== 'cluster-taint-policy-controller') return send(write, by);
      const second = Math.floor((host.now() - START) / 1000);
      reported.push(`${second}s ${taints?.map(({ key }) => key).join() ?? ''}`);
      return send(write, by);
    },
  };
  const stop = new AbortController();
  const run = runControllers(controllersFor(['cluster-taint-policy']), host, {
    signal: stop.signal,
    begins: 'fresh',
  });
  planEvents(
    host,
    events.map(([second, action]) => ({ at: START + second * 1000, action })),
  );
  await host.runUntil(START + until * 1000);
  stop.abort();
  await Promise.all([run, host.runUntil(START + (until + 1) * 1000)]);
  return reported;
}

describe('controllers with unusual input', () => {
  test('add no taint for a condition that changes every second', async () => {
    const flaps = Array.from({ length: 900 }, (_, at): [number, ScenarioAction] => [
      at + 1,
      net(at % 2 === 0 ? 'False' : 'True'),
    ]);
    expect(await written(flaps, 1000)).toEqual([]);
  });

  test('count a future lastTransitionTime from its first observation', async () => {
    const ahead: ScenarioAction = {
      type: 'patch',
      target: { kind: 'Cluster', name: 'east-1' },
      merge: {
        status: {
          conditions: [{ type: 'Net', status: 'False', lastTransitionTime: rfc3339(START + 7_200_000) }],
        },
      },
    };
    expect(await written([[10, ahead]], 600)).toEqual(['310s net']);
  });

  test('keep a taint removed by a user until the next reconcile', async () => {
    expect(
      await written(
        [
          [10, net('False')],
          [400, untaint],
          [500, { type: 'condition', cluster: 'east-1', condition: { type: 'Power', status: 'False' } }],
        ],
        600,
      ),
    ).toEqual(['310s net', '500s net']);
  });

  test('do not send an invalid taint, and still add the taints of other policies', async () => {
    const bad = windowPolicy(['Net In False'], ['a b:PreferNoExecute +60 -60'], { name: 'bad' });
    expect(await written([[10, net('False')]], 600, [bad, netDown])).toEqual(['310s net']);
  });
});
