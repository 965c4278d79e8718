import { instant, rfc3339, rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { LoadedState } from '../../state/source.ts';
import type { AnsweredAssumption } from '../../views/assumptions.ts';
import { UserError } from '../../cli/errors.ts';

/**
 * The instant that a state is looked at, in epoch milliseconds: that of a simulation that saved it, or what --at says, else the start of a scenario, else
 * when it was captured, else the newest time in it, which is then an assumption.
 */
export function instantOfState(
  at: string | undefined,
  { captured, newestTimestamp: newest, world }: Pick<LoadedState, 'captured' | 'newestTimestamp' | 'world'>,
  scenarioStart?: number,
): { now: number; assumption: AnsweredAssumption } {
  if (world.simulation) {
    const { now } = world.simulation.queues;
    if (at !== undefined && instant(at) !== now)
      throw new UserError(
        `--at ${at}: a simulation has saved the state at ${rfc3339Milliseconds(now)} and goes on from there; leave --at out`,
      );
    const value = rfc3339Milliseconds(now);
    return { now, assumption: { name: 'now', value, source: 'end of a simulation', assumed: false } };
  }
  if (at !== undefined) {
    const now = instant(at);
    if (Number.isNaN(now))
      throw new UserError(`--at "${at}" is not an RFC 3339 time such as 2026-09-01T09:30:00Z`);
    return { now, assumption: { name: 'now', value: rfc3339(now), source: '--at', assumed: false } };
  }
  if (scenarioStart !== undefined) {
    const value = rfc3339Milliseconds(scenarioStart);
    return { now: scenarioStart, assumption: { name: 'now', value, source: 'scenario', assumed: false } };
  }
  if (captured) {
    const { time, source } = captured;
    return { now: time, assumption: { name: 'now', value: rfc3339(time), source, assumed: false } };
  }
  if (!newest) throw new UserError('the state has no timestamp to take for now; give it with --at TIME');
  const { kind, namespace, name } = newest.object;
  return {
    now: newest.time,
    assumption: {
      name: 'now',
      value: rfc3339(newest.time),
      source: `the newest time in the state, of ${kind} ${namespace ? `${namespace}/` : ''}${name}; give --at TIME`,
      assumed: true,
    },
  };
}
