import type { ApplicationFailoverContext } from '../../src/karmada/application/applicationPass.ts';
import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import type { World } from '../../src/karmada/world.ts';
import type { ApplicationFailoverBehavior, Placement } from '../../src/karmada/api/policy.ts';
import type { AggregatedStatusItem, ResourceBinding } from '../../src/karmada/api/work.ts';
import { cluster, deployment, run, START, type When } from '../simulator/simulation/controlPlane.ts';
import { evicting, onOneOf, plainWorld } from './underDesign.ts';

export const VERSION = 'proposal+application-failover';
export const option = evicting(VERSION);
export const { rules } = option;
export const SECOND = 1000;
export const members = ['member1', 'member2', 'member3'].map((name) => cluster(name));
export const anyone = onOneOf('member1', 'member2', 'member3');

/** nginx on member1, in a mode of application failover. */
export function nginx(
  application: ApplicationFailoverBehavior = {},
  placement: Placement = anyone,
): ResourceBinding {
  return deployment('nginx', {
    placement,
    replicas: 3,
    clusters: [{ name: 'member1', replicas: 3 }],
    spec: {
      propagateDeps: true,
      failover: {
        application: {
          purgeMode: 'Graciously',
          decisionConditions: { tolerationSeconds: 10 },
          ...application,
        },
      },
    },
  });
}

/** The binding as reported by member1. */
export function reported(
  binding: ResourceBinding,
  item: Partial<AggregatedStatusItem> = {},
): ResourceBinding {
  const one: AggregatedStatusItem = {
    clusterName: 'member1',
    applied: true,
    health: 'Unhealthy',
    status: {},
    ...item,
  };
  return { ...binding, status: { ...binding.status, aggregatedStatus: [one] } };
}

export const at = (now: number): ApplicationFailoverContext => ({
  now,
  gates: { GracefulEviction: false, StatefulFailoverInjection: false },
  rules,
  hasHealthInterpreter: () => true,
});

/** The seconds after the start of each event of one type. */
export const when = ({ events }: Simulation, type: string) =>
  events.filter((event) => event.type === type).map(({ time }) => Math.round((time - START) / SECOND));

export const unhealthyAt = (seconds: number, on = 'member1', health: 'Healthy' | 'Unhealthy' = 'Unhealthy') =>
  [
    seconds,
    {
      type: 'health',
      workload: { kind: 'Deployment', namespace: 'shop', name: 'nginx' },
      cluster: on,
      health,
    },
  ] as NonNullable<When['events']>[number];

export const play = (
  binding: ResourceBinding,
  events: When['events'],
  more: When = {},
  state: World = plainWorld(members, [binding]),
) => run(state, { configuration: option, readyAfterSeconds: 5, events: events!, ...more });
