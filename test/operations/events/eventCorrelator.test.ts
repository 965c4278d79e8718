import { describe, expect, test } from '@jest/globals';
import { createEventCorrelator } from '../../../src/operations/events/eventCorrelator.ts';
import type { ClusterEvent } from '../../../src/state/live/typedObjects.ts';

let names = 0;
const event = (message: string, more: Partial<ClusterEvent> = {}): ClusterEvent => ({
  name: `member1.${++names}`,
  namespace: 'default',
  type: 'Normal',
  reason: 'TaintAdded',
  message,
  component: 'karmada-failover',
  host: 'host',
  count: 1,
  firstTimestamp: 0,
  lastTimestamp: 0,
  involvedObject: { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: 'member1', uid: 'u' },
  ...more,
});

describe('the event correlator', () => {
  test('increases the count of an identical Event', () => {
    const correlator = createEventCorrelator();
    const first = event('tainted');
    expect(correlator.correlate(first, 0)).toEqual({ event: first, write: 'create' });
    const again = event('tainted', { firstTimestamp: 5_000, lastTimestamp: 5_000 });
    expect(correlator.correlate(again, 5_000)).toEqual({
      event: { ...again, name: first.name, count: 2, firstTimestamp: 0 },
      write: 'patch',
    });
  });

  test('creates an Event for another object, reason or message', () => {
    const correlator = createEventCorrelator();
    const other = { ...event('x').involvedObject, name: 'member2', uid: 'v' };
    for (const one of [
      event('a'),
      event('b'),
      event('a', { reason: 'Other' }),
      event('a', { involvedObject: other }),
    ])
      expect(correlator.correlate(one, 0)).toMatchObject({ write: 'create' });
  });

  test('combines similar Events from the tenth message on', () => {
    const correlator = createEventCorrelator();
    const written = Array.from({ length: 12 }, (_, n) =>
      correlator.correlate(event(`message ${n}`), n * 1000),
    );
    expect(written.slice(0, 9)).toEqual(Array(9).fill(expect.objectContaining({ write: 'create' })));
    const [tenth, eleventh, twelfth] = written.slice(9) as { event: ClusterEvent; write: string }[];
    expect(tenth).toMatchObject({
      write: 'create',
      event: { message: '(combined from similar events): message 9', count: 1, firstTimestamp: 9_000 },
    });
    expect(eleventh).toMatchObject({
      write: 'patch',
      event: { message: '(combined from similar events): message 10', count: 2, firstTimestamp: 9_000 },
    });
    expect(twelfth!.event.name).toBe(tenth!.event.name);
  });

  test('stops combining Events after ten minutes without similar Events', () => {
    const correlator = createEventCorrelator();
    for (let n = 0; n < 9; n++) correlator.correlate(event(`message ${n}`), 0);
    expect(correlator.correlate(event('message 9'), 600_001)).toMatchObject({
      event: { message: 'message 9' },
    });
    const soon = createEventCorrelator();
    for (let n = 0; n < 9; n++) soon.correlate(event(`message ${n}`), 0);
    expect(soon.correlate(event('message 9'), 600_000)).toMatchObject({
      event: { message: '(combined from similar events): message 9' },
    });
  });

  test('allows 25 Events for an object at once, then one every five minutes', () => {
    const correlator = createEventCorrelator();
    const say = (now: number) => correlator.correlate(event('same'), now) !== 'skipped';
    expect(Array.from({ length: 30 }, () => say(0)).filter(Boolean)).toHaveLength(25);
    expect([say(299_999), say(300_000), say(300_001)]).toEqual([false, true, false]);
    expect(correlator.correlate(event('same', { type: 'Warning' }), 300_001)).toMatchObject({
      write: 'create',
    });
  });
});
