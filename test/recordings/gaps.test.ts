import { expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { cluster, deployment, START } from '../simulator/simulation/controlPlane.ts';
import { recordedGaps } from './gaps.ts';
import type { Change, Recording } from './recording.ts';

const cart = deployment('cart', { placement: {}, replicas: 2, clusters: [{ name: 'east-1', replicas: 2 }] });
const seen = cart as unknown as KubernetesObject;
const gone = {
  time: new Date(START + 10_000).toISOString(),
  member: 'east-1',
  kind: 'Deployment',
  namespace: 'shop',
  name: 'cart',
  desired: 0,
  ready: 0,
};

/** Its replicas go after ten seconds, and the recording ends after a minute. */
function secondsMissing(...changes: Change[]): number | undefined {
  const recording: Recording = {
    name: 'r',
    start: START,
    until: START + 60_000,
    changes,
    before: [cluster('east-1') as unknown as KubernetesObject, seen],
    readiness: [{ ...gone, time: new Date(START).toISOString(), desired: 2, ready: 2 }, gone],
    scenario: { assume: {}, events: [], members: undefined } as unknown as Recording['scenario'],
    failures: undefined,
  };
  const reachable = { at: () => true, changes: [] };
  return recordedGaps(recording, START, reachable)[0]?.seconds;
}

test('downtime lasts until the recording ends, or the workload is deleted', () => {
  const deleted: Change = {
    time: START + 12_000,
    resource: 'resourcebindings',
    type: 'DELETED',
    object: seen,
  };
  expect(secondsMissing()).toBe(50);
  expect(secondsMissing(deleted)).toBe(2);
  expect(secondsMissing(deleted, { ...deleted, time: START + 13_000, type: 'ADDED' })).toBe(50);
});
