import type { ClusterEvent } from '../../state/live/typedObjects.ts';

/** The number of similar events with different messages that are combined into one. */
const SIMILAR = 10;
/** Milliseconds for which events count as similar. */
const SIMILAR_WITHIN = 600_000;
/** The burst of events of one source about one object; after that, one every five minutes. */
const BURST = 25;
const REFILL_EVERY = 300_000;
/** The number of records of each kind; the least recently used are dropped first. */
const KEPT = 4096;

/** What to do with an event: create it, patch its count, or skip it. */
type Correlated = { event: ClusterEvent; write: 'create' | 'patch' } | 'skipped';

/**
 * Keeps events from flooding a server, as client-go's EventCorrelator does (tools/record/events_cache.go): a repeated
 * event raises the count of the first; ten within ten minutes that differ only in their messages are combined into
 * one; each source has 25 tokens per object, and regains one every five minutes.
 */
interface EventCorrelator {
  /** @param now epoch milliseconds of the local clock */
  correlate(event: ClusterEvent, now: number): Correlated;
}

/** Creates a correlator that has seen no events. */
export function createEventCorrelator(): EventCorrelator {
  const similar = new RecentlyUsed<{ messages: Set<string>; at: number }>();
  const written = new RecentlyUsed<Pick<ClusterEvent, 'name' | 'count' | 'firstTimestamp'>>();
  const buckets = new RecentlyUsed<{ tokens: number; at: number }>();

  /** The event, or the one that combines it with similar ones, and the key it is counted under. */
  function aggregated(event: ClusterEvent, now: number): { event: ClusterEvent; key: string } {
    const group = keyOf(event, 'reason');
    const known = similar.get(group);
    const record =
      known && now - known.at <= SIMILAR_WITHIN ? known : { messages: new Set<string>(), at: now };
    record.messages.add(event.message);
    record.at = now;
    similar.set(group, record);
    if (record.messages.size < SIMILAR) return { event, key: keyOf(event, 'message') };
    const [any] = record.messages;
    record.messages.delete(any!);
    const message = `(combined from similar events): ${event.message}`;
    return { event: { ...event, message, count: 1, firstTimestamp: now, lastTimestamp: now }, key: group };
  }

  function counted(event: ClusterEvent, key: string): ClusterEvent {
    const before = written.get(key);
    const { name, firstTimestamp } = before ?? event;
    const after = { ...event, name, firstTimestamp, count: before ? before.count + 1 : event.count };
    written.set(key, { name, count: after.count, firstTimestamp });
    return after;
  }

  function isSpam(event: ClusterEvent, now: number): boolean {
    const key = keyOf(event, 'type');
    const { tokens, at } = buckets.get(key) ?? { tokens: BURST, at: now };
    const filled = Math.min(BURST, tokens + (now - at) / REFILL_EVERY);
    const spam = filled < 1;
    buckets.set(key, { tokens: spam ? filled : filled - 1, at: now });
    return spam;
  }

  return {
    correlate(given, now) {
      const { event, key } = aggregated(given, now);
      const after = counted(event, key);
      if (isSpam(after, now)) return 'skipped';
      return { event: after, write: after.count > 1 ? 'patch' : 'create' };
    },
  };
}

/** The keys of an event: source, object and type; then the reason; then the field path and the message. */
function keyOf(event: ClusterEvent, upTo: 'type' | 'reason' | 'message'): string {
  const { involvedObject, component, host, type, reason, message } = event;
  const { kind, namespace, name, uid, apiVersion, fieldPath } = involvedObject;
  const parts = [upTo, component, host, kind, namespace, name, uid, apiVersion, type];
  if (upTo !== 'type') parts.push(reason);
  if (upTo === 'message') parts.push(fieldPath, message);
  return JSON.stringify(parts);
}

class RecentlyUsed<T> {
  readonly #entries = new Map<string, T>();

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size > KEPT) this.#entries.delete(oldest);
  }
}
