import type { Write } from '../controllers/write.ts';
import { unnoticed } from '../detection/unnoticed.ts';
import type { ScenarioAction, ScenarioEvent } from '../scenario.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import type { Ordering } from '../virtualTime/ordering.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';
import { MissingObject, scenarioWrites } from './scenarioWrites.ts';

/**
 * Plans what happens from outside.
 *
 * @param resumed events that a saved simulation has still to bring
 */
export function planEvents(
  events: readonly ScenarioEvent[],
  resumed: readonly ScenarioEvent[],
  start: StartingWorld,
  time: VirtualTime,
  ordering: Ordering,
): void {
  const planned = [...resumed, ...events];
  for (const event of planned)
    time.plan(event.at, () => {
      for (const write of writesOf(event, start, time, resumed.includes(event)))
        time.write('scenario', [write]);
    });
  for (const event of planned) planUnnoticed(event, start, time, ordering);
}

/** What an event writes now: nothing if its object was there and has gone meanwhile, as nobody can write to it then. */
function writesOf(
  { action }: ScenarioEvent,
  start: StartingWorld,
  time: VirtualTime,
  resumed: boolean,
): readonly Write[] {
  try {
    return scenarioWrites(action, time.view, start.configuration, time.now());
  } catch (error) {
    if (error instanceof MissingObject && (resumed || start.get(error.kind, error.key))) return [];
    throw error;
  }
}

/**
 * A condition Ready that comes from outside tells what Karmada has noticed. In other orders the member has turned as long
 * before as Karmada takes to notice it.
 */
function planUnnoticed(
  { at, action }: ScenarioEvent,
  { configuration, start }: StartingWorld,
  time: VirtualTime,
  { unseen }: Ordering,
): void {
  if (action.type !== 'condition' || action.condition.type !== 'Ready') return;
  const { cluster, condition } = action;
  const place = unseen(`${cluster} ${at}`);
  if (place === undefined) return;
  const turned = at - unnoticed(condition.status, place, configuration);
  time.plan(Math.max(start, turned), () => {
    if (!time.view.get('Cluster', cluster)) return;
    const turn: ScenarioAction = { type: condition.status === 'True' ? 'recover' : 'fail', cluster };
    time.write('scenario', scenarioWrites(turn, time.view, configuration, time.now()));
  });
}
