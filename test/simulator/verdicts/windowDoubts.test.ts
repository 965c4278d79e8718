import { describe, expect, test } from '@jest/globals';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { Cluster, ClusterStatus } from '../../../src/karmada/api/cluster.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { failoverByDesign } from '../../proposal/documents.ts';
import { onOneOf, plainWorld } from '../../proposal/underDesign.ts';
import { cluster, deployment, outcomeOf, START } from '../simulation/controlPlane.ts';
import { windowPolicy } from '../../karmada/taints/windows/windows.ts';

const members = { workloadReadyAfter: 20_000, neverReady: [] };

/** member1 with a condition Net, by status and the seconds since it changed; absent: the state does not show it. */
function withNet(status: string, ago: number | undefined): Cluster {
  const one = cluster('member1');
  const turned = ago === undefined ? {} : { lastTransitionTime: rfc3339(START - ago * 1000) };
  const net = { type: 'Net', status, ...turned } as NonNullable<ClusterStatus['conditions']>[number];
  return { ...one, status: { ...one.status, conditions: [...one.status!.conditions!, net] } };
}

/** The policy taints member1 300 s after Net matches; web is on member1, api on member2. */
function world(first: Cluster, wanted: string): World {
  const on = (name: string, place: string) =>
    deployment(name, {
      placement: onOneOf('member1', 'member2', 'member3'),
      clusters: [{ name: place, replicas: 1 }],
      replicas: 1,
      spec: { failover: { cluster: { tolerationSeconds: 0 } } },
    });
  const policy = windowPolicy([wanted], ['net:PreferNoExecute'], { name: 'net' });
  return {
    ...plainWorld(
      [first, cluster('member2'), cluster('member3')],
      [on('web', 'member1'), on('api', 'member2')],
    ),
    taintPolicies: [policy],
  };
}

const doubtsOf = (state: World, name: string) =>
  outcomeOf(simulate(state, { start: START, members, events: [] }, failoverByDesign), name).dependsOn ?? [];
const beginning = expect.stringMatching(/lastTransitionTime|what karmada-controller-manager has in memory/);

describe('a window in progress at the capture', () => {
  test('makes outcomes depend on a missing lastTransitionTime', () => {
    const state = world(withNet('False', undefined), 'Net In False');
    const young = { ...state.clusters[0]!.metadata, creationTimestamp: rfc3339(START - 60_000) };
    const clusters = [{ ...state.clusters[0]!, metadata: young }, ...state.clusters.slice(1)];
    expect(doubtsOf({ ...state, clusters }, 'web')).toContain(
      'lastTransitionTime of the condition Net of member1: add it to the state',
    );
    expect(doubtsOf({ ...state, clusters }, 'api')).not.toContainEqual(beginning);
  });

  test('makes outcomes depend on the memory of the controller if the match may be older than the transition', () => {
    expect(doubtsOf(world(withNet('False', 60), 'Net In False Unknown'), 'web')).toContain(
      'what karmada-controller-manager has in memory about member1: the match may have begun before the last transition of Net',
    );
  });

  test('is certain if the transition shows its start, or if it has ended', () => {
    expect(doubtsOf(world(withNet('False', 60), 'Net In False'), 'web')).not.toContainEqual(beginning);
    expect(doubtsOf(world(withNet('True', 60), 'Net In False'), 'web')).not.toContainEqual(beginning);
    expect(doubtsOf(world(withNet('False', 3000), 'Net In False Unknown'), 'web')).not.toContainEqual(
      beginning,
    );
  });

  test('is certain in a saved simulation', () => {
    let saved: World | undefined;
    const until = START + 60_000;
    simulate(
      world(withNet('False', 60), 'Net In False Unknown'),
      { start: START, until, members, events: [] },
      failoverByDesign,
      { save: (end) => void (saved = end) },
    );
    const later = simulate(saved!, { start: until, members, events: [] }, failoverByDesign);
    expect(outcomeOf(later, 'web').dependsOn ?? []).not.toContainEqual(beginning);
  });
});
