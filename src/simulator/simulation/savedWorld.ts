import type { Scenario } from '../scenario.ts';
import type { ResumableWorld } from '../store/savedSimulation.ts';
import type { SetStage } from './stage.ts';

/**
 * The world as a simulation leaves it at `end` (epoch milliseconds), with what no API shows: queues and memories of the
 * controllers, the members and what runs there, and the remaining events of the scenario. A simulation that starts from
 * it goes on as if the first had never stopped.
 */
export function savedWorld(
  { start, time, flapping, lastEvent, events }: SetStage,
  scenario: Scenario,
  end: number,
): ResumableWorld {
  const { view } = time;
  const pending = [...(start.world.simulation?.events ?? []), ...scenario.events];
  return {
    clusters: [...view.all('Cluster')],
    bindings: [...view.all('Binding')],
    works: [...view.all('Work')],
    policies: [...view.all('Policy')],
    taintPolicies: [...view.all('ClusterTaintPolicy')],
    others: [...view.all('Object')],
    ...(start.world.unread ? { unread: start.world.unread } : {}),
    simulation: {
      members: Object.fromEntries(view.entries('Member')),
      copies: Object.fromEntries(view.entries('Copy')),
      queues: time.save(end),
      assumptions: scenario.members,
      events: pending.filter(({ at }) => at > end),
      lastEvent,
      reported: Object.fromEntries(start.sampleStatuses()),
      told: (start.world.simulation?.told ?? 0) + events.length,
      flapping: flapping.save(),
    },
  };
}
