import { ApiError } from '../../state/live/apiError.ts';
import type { ClusterEvent, ClusterEvents, EventSubject } from '../../state/live/typedObjects.ts';
import type { Timing } from '../../state/live/mirrors/timing.ts';
import { createEventCorrelator } from './eventCorrelator.ts';

/** As in client-go's broadcaster (tools/record/event.go): once this many events wait, new ones are dropped. */
const MAX_WAITING = 1000;
const TRIES = 12;
/** Milliseconds between two tries. */
const PAUSE = 10_000;

interface EventRecorderOptions {
  events: ClusterEvents;
  /** the source of the events: "karmada-failover" */
  component: string;
  host: string;
  timing: Timing;
  /** stops it: waiting events are dropped */
  signal: AbortSignal;
  /** called for each event that could not be written */
  onFailure?: ((event: ClusterEvent, error: unknown) => void) | undefined;
}

/** Records Events about objects: in order, in the background, and rate-limited. */
export interface EventRecorder {
  record(subject: EventSubject, type: ClusterEvent['type'], reason: string, message: string): void;
  /** resolves when all events recorded so far are written or given up */
  written(): Promise<void>;
}

/** Creates a recorder; it writes nothing before the first event. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { events, component, host, timing, signal } = options;
  const correlator = createEventCorrelator();
  let last = Promise.resolve();
  let waiting = 0;
  let named = 0;

  function eventOf(
    subject: EventSubject,
    type: ClusterEvent['type'],
    reason: string,
    message: string,
  ): ClusterEvent {
    const now = timing.now();
    // client-go uses nanoseconds; here a counter in the last digits separates events of the same millisecond
    const moment = (BigInt(Math.floor(now)) * 1_000_000n + BigInt(named++ % 1_000_000)).toString(16);
    return {
      name: `${subject.name}.${moment}`,
      namespace: subject.namespace ?? 'default',
      involvedObject: subject,
      type,
      reason,
      message,
      component,
      host,
      count: 1,
      firstTimestamp: now,
      lastTimestamp: now,
    };
  }

  async function write(given: ClusterEvent): Promise<void> {
    const correlated = correlator.correlate(given, timing.now());
    if (correlated === 'skipped') return;
    const { event } = correlated;
    for (let tries = 1; !signal.aborted; tries++) {
      try {
        return await send(event, correlated.write);
      } catch (error) {
        // the server would refuse it again; if it exists, an earlier answer was lost
        const settled = error instanceof ApiError && error.status !== 0;
        if (settled || tries >= TRIES) {
          if (!(settled && error.status === 409)) options.onFailure?.(event, error);
          return;
        }
      }
      const pause = tries === 1 ? PAUSE * timing.random() : PAUSE;
      await timing.sleep(pause, signal).catch(() => undefined);
    }
  }

  async function send(event: ClusterEvent, write: 'create' | 'patch'): Promise<void> {
    if (write === 'create') return events.create(event, signal);
    try {
      await events.patch(event, signal);
    } catch (error) {
      // Events expire after an hour: create it again
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      await events.create(event, signal);
    }
  }

  return {
    record(subject, type, reason, message) {
      if (waiting >= MAX_WAITING || signal.aborted) return;
      const event = eventOf(subject, type, reason, message);
      waiting++;
      last = last
        .then(() => write(event))
        .catch((error: unknown) => options.onFailure?.(event, error))
        .finally(() => void waiting--);
    },
    written: () => last,
  };
}
