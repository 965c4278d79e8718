import { expect, test } from '@jest/globals';
import type { SeenChange } from '../../../src/engine/history/history.ts';
import { unseenFailures } from '../../../src/engine/history/replay/unseenFailures.ts';
import { cluster, failoverOn, START } from '../simulation/controlPlane.ts';

const at = (seconds: number) => START + seconds * 1000;
const east = cluster('east');
const pull = { ...east, spec: { ...east.spec, syncMode: 'Pull' as const } };
const turned = (one: typeof east, status: 'True' | 'False' | 'Unknown') => ({
  ...one,
  status: { ...one.status, conditions: [{ type: 'Ready', status, reason: 'r' }] },
});
const lease = (seconds: number) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { namespace: 'karmada-cluster', name: 'east' },
  spec: { renewTime: new Date(at(seconds)).toISOString() },
});
const changed = (seconds: number, before: object, after: object): SeenChange =>
  ({ at: at(seconds), before, after }) as unknown as SeenChange;

test('a Push member failed at least the threshold before Karmada noticed, and at most a period more', () => {
  // cluster-failure-threshold 30s, cluster-status-update-frequency 10s
  expect(unseenFailures([changed(100, east, turned(east, 'False'))], failoverOn)).toEqual([
    { cluster: 'east', noticed: at(100), earliest: at(60), latest: at(70) },
  ]);
});

test('an agent fell silent after its last renewal, if that was recorded', () => {
  const changes = [changed(58, lease(48), lease(58)), changed(100, pull, turned(pull, 'Unknown'))];
  const [failure] = unseenFailures(changes, failoverOn);
  expect(failure).toMatchObject({ cluster: 'east', renewed: at(58), earliest: at(58) });
  const [unknown] = unseenFailures(changes.slice(1), failoverOn);
  expect(unknown!.earliest).toBeLessThan(at(58));
  expect(unknown!.latest).toBe(failure!.latest);
});

test('an agent that renewed its Lease later than the flags allow failed between that and when Karmada noticed', () => {
  // the flags that are assumed say that it was silent for 30s at least
  const changes = [changed(88, lease(78), lease(88)), changed(100, pull, turned(pull, 'Unknown'))];
  expect(unseenFailures(changes, failoverOn)).toEqual([
    { cluster: 'east', noticed: at(100), earliest: at(88), latest: at(100), renewed: at(88) },
  ]);
});

test('a cluster that comes back, or was not Ready before, did not fail then', () => {
  const [down, lost] = [turned(east, 'False'), turned(east, 'Unknown')];
  expect(unseenFailures([changed(1, down, east), changed(2, down, lost)], failoverOn)).toEqual([]);
});
