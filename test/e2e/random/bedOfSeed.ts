import { defaultOptions, type BedOptions, type Member } from '../controlPlane/bed.ts';
import type { Chance } from './chance.ts';

/** The test bed of a seed: members, and flags that are shorter than Karmada's defaults in different ways. */
export function bedOfSeed(chance: Chance): BedOptions {
  const pods = chance.happens(0.5);
  const members: Member[] = [
    { name: 'member1', syncMode: 'Push', region: 'eu', provider: 'alpha', labels: { tier: 'gold' } },
    { name: 'member2', syncMode: 'Push', region: 'eu', provider: 'alpha', labels: { tier: 'silver' } },
    { name: 'member3', syncMode: 'Push', region: 'us', provider: 'beta', labels: { tier: 'gold' } },
    { name: 'member4', syncMode: 'Pull', region: 'us', provider: 'beta', labels: { tier: 'silver' } },
  ];
  if (chance.happens(0.3))
    members.push({
      name: 'member5',
      syncMode: 'Push',
      region: 'ap',
      provider: 'alpha',
      labels: { tier: 'silver' },
    });
  for (const member of members) if (pods && chance.happens(0.3)) member.podsPerNode = chance.between(12, 30);
  const seconds = (...choices: number[]) => `${chance.oneOf(choices)}s`;
  return {
    ...defaultOptions,
    members,
    controllerManager: {
      'enable-no-execute-taint-eviction': 'true',
      'graceful-eviction-timeout': seconds(25, 40, 60),
      'cluster-status-update-frequency': seconds(3, 5, 10),
      'cluster-failure-threshold': seconds(5, 10, 15),
      'cluster-success-threshold': seconds(5, 10, 15),
      'cluster-monitor-period': seconds(2, 5),
      'cluster-monitor-grace-period': seconds(14, 20),
      'resource-eviction-rate': chance.oneOf(['0.25', '0.5', '0.5', '1', '2']),
      'no-execute-taint-eviction-purge-mode': chance.happens(0.2) ? 'Directly' : 'Gracefully',
    },
    agent: { 'cluster-lease-duration': '12s' },
    featureGates: {
      Failover: true,
      StatefulFailoverInjection: true,
      ...(chance.happens(0.5) ? { PropagationPolicyPreemption: true } : {}),
      ...(chance.happens(0.4) ? { WorkloadAffinity: true } : {}),
    },
    readyAfter: chance.between(4, 12),
    pods,
    widgets: true,
    garbageCollection: true,
    garbageCollectionInMembers: chance.happens(0.6),
  };
}
