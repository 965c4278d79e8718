import type { DrainEvent, DrainResult } from '../../analysis/drain/drainEvent.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';

/** An event as a line of -o json; offsets count from `startedAt`. The end has a document of its own. */
export function drainEventDocument(event: Exclude<DrainEvent, { type: 'finished' }>, startedAt: number) {
  const { time, type, ...rest } = event;
  return {
    kind: 'DrainEvent',
    schemaVersion: 'v1',
    time: rfc3339Milliseconds(time),
    offsetSeconds: Math.round(time - startedAt) / 1000,
    type,
    ...rest,
    ...('since' in rest ? { since: rfc3339Milliseconds(rest.since) } : {}),
  };
}

/** How a drain ended: a document of its own, the last line of -o json. */
export function drainResultDocument({ outcome, reason, gone, seconds, workloads }: DrainResult) {
  return {
    kind: 'DrainResult',
    schemaVersion: 'v1',
    outcome,
    ...(reason === undefined ? {} : { reason }),
    gone,
    seconds: Math.round(seconds * 1000) / 1000,
    // a deadline is of the screen alone: what waits for it says so in words
    workloads: workloads.map(({ deadline: _deadline, ...workload }) => workload),
  };
}
