import { rfc3339, rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { LoadedState } from '../../state/source.ts';
import type { AnsweredAssumption } from '../../karmada/configuration/assumptions.ts';
import type { InputNames } from '../ports.ts';
import { Problem } from '../problem.ts';
import type { StateRequest } from './stateRequest.ts';

/** Clocks differ by so many milliseconds, and reading a state takes a while. */
const TOLERANCE = 60_000;

/**
 * A warning if an instant lies before the state (the past of the state would then lie in the future), or after the clock by which
 * it was read.
 */
export function besideState(
  now: number,
  { newestTimestamp: newest, read, world }: Pick<LoadedState, 'newestTimestamp' | 'read' | 'world'>,
): string[] {
  if (world.simulation) return [];
  const taken = `${rfc3339(now)} is taken for now, but`;
  const clock = read && `${rfc3339(read.time)} by ${read.source}`;
  if (read && now > read.time + TOLERANCE)
    return [
      `${taken} it is ${clock}: deadlines until then count as passed, and nothing that happens until then is known; give a time that is past`,
    ];
  if (!newest || now >= newest.time - TOLERANCE) return [];
  const { kind, namespace, name } = newest.object;
  return [
    `${taken} the newest time in the state is ${rfc3339(newest.time)}, of ${kind} ${namespace ? `${namespace}/` : ''}${name}: what has happened by then is answered as if it were still to come; give a time from then on`,
  ];
}

/**
 * The instant to take for now, in epoch milliseconds. The first of these decides: the end of the simulation that saved
 * the state, what is asked for, the start of a scenario, the end of a recording, the capture, the newest time in the state (an assumption).
 * Throws a Problem if there is none, or if a saved simulation ended at another instant than asked for.
 */
export function instantOfState(
  at: StateRequest['at'],
  {
    captured,
    recorded,
    newestTimestamp: newest,
    world,
  }: Pick<LoadedState, 'captured' | 'recorded' | 'newestTimestamp' | 'world'>,
  names: InputNames,
  scenarioStart?: number,
): { now: number; assumption: AnsweredAssumption } {
  if (world.simulation) {
    const { now } = world.simulation.queues;
    if (at !== undefined && at.time !== now)
      throw new Problem({ code: 'instant-of-simulation', given: at.text, end: now });
    const value = rfc3339Milliseconds(now);
    return { now, assumption: { name: 'now', value, source: 'end of a simulation', assumed: false } };
  }
  if (at !== undefined) {
    const value = rfc3339(at.time);
    return { now: at.time, assumption: { name: 'now', value, source: names.at, assumed: false } };
  }
  if (scenarioStart !== undefined) {
    const value = rfc3339Milliseconds(scenarioStart);
    return { now: scenarioStart, assumption: { name: 'now', value, source: 'scenario', assumed: false } };
  }
  if (recorded) {
    const { from, to } = recorded;
    const source = `the end of the recording; give ${names.at} TIME for another moment since ${rfc3339(from)}`;
    return { now: to, assumption: { name: 'now', value: rfc3339Milliseconds(to), source, assumed: false } };
  }
  if (captured) {
    const { time, source } = captured;
    return { now: time, assumption: { name: 'now', value: rfc3339(time), source, assumed: false } };
  }
  if (!newest) throw new Problem({ code: 'no-instant', clusters: world.clusters.length });
  const { kind, namespace, name } = newest.object;
  return {
    now: newest.time,
    assumption: {
      name: 'now',
      value: rfc3339(newest.time),
      source: `the newest time in the state, of ${kind} ${namespace ? `${namespace}/` : ''}${name}; give ${names.at} TIME`,
      assumed: true,
    },
  };
}
