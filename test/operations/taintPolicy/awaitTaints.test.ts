import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { awaitTaints } from '../../../src/operations/taintPolicy/awaitTaints.ts';
import type { ApiServer } from '../../../src/state/live/apiServer.ts';
import { servingObjects } from '../../state/live/servingObjects.ts';

const since = Date.parse('2026-09-01T10:00:00Z');
const gained = { key: 'example.com/new', effect: 'NoSchedule' } as const;
const lost = { key: 'example.com/network', value: 'down', effect: 'NoSchedule' } as const;
const expected = [{ cluster: 'alpha', gains: [gained], loses: [lost] }];
const missing = { cluster: 'alpha', missing: [gained], stillThere: [lost] };

const cluster = (taints: object[]) => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'alpha' },
  spec: { taints },
});
const event = (name: string, message: string, times: object) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { namespace: 'default', name },
  involvedObject: { kind: 'Cluster', name: 'alpha' },
  reason: 'TaintClusterFailed',
  message,
  ...times,
});

interface Given {
  objects?: object[];
  timeout?: number;
  /** milliseconds that a list request takes */
  slow?: number;
  /** interrupts this many milliseconds after the start */
  interruptAfter?: number;
}

/** Waits in virtual time. Returns the result, and how long it took. */
async function wait({ objects = [cluster([lost])], timeout = 60_000, slow = 0, interruptAfter }: Given) {
  const fake = servingObjects(objects as KubernetesObject[]);
  const interrupt = new AbortController();
  let time = 0;
  const pass = (milliseconds: number) => {
    time += milliseconds;
    if (interruptAfter !== undefined && time >= interruptAfter) interrupt.abort(new Error('interrupted'));
  };
  const server: ApiServer = {
    ...fake,
    async list(path, options) {
      const left = options?.signal ? (interruptAfter ?? Infinity) - time : Infinity;
      pass(Math.min(slow, left));
      options?.signal?.throwIfAborted();
      return fake.list(path, options);
    },
  };
  const found = await awaitTaints(server, expected, {
    timeout,
    since,
    signal: interrupt.signal,
    now: () => time,
    pause: async (milliseconds) => pass(milliseconds),
  });
  return { found, took: time };
}

describe('the wait for taints', () => {
  test('ends as soon as the clusters have the expected taints', async () => {
    expect(await wait({ objects: [cluster([gained])] })).toEqual({ found: [], took: 0 });
  });

  test('ignores a deleted cluster', async () => {
    const other = { ...cluster([]), metadata: { name: 'beta' } };
    expect(await wait({ objects: [other] })).toEqual({ found: [], took: 0 });
  });

  test('reports missing taints after the timeout', async () => {
    expect(await wait({ timeout: 3000 })).toEqual({ found: [missing], took: 3000 });
  });

  test('includes the response time of the server in the timeout', async () => {
    const { took } = await wait({ slow: 3000, timeout: 60_000 });
    // one request for clusters and one for events may have started before the time was up
    expect(took).toBeGreaterThanOrEqual(60_000);
    expect(took).toBeLessThan(60_000 + 3 * 3000);
  });

  test('ends a running request on interruption, and reports the last result', async () => {
    // after the second list has started
    expect(await wait({ slow: 3000, interruptAfter: 6000 })).toEqual({ found: [missing], took: 6000 });
  });

  test('fails if it is interrupted before the first response', async () => {
    await expect(wait({ slow: 3000, interruptAfter: 1000 })).rejects.toThrow('interrupted');
  });
});

describe('the reason for a missing taint', () => {
  const reason = async (...events: object[]) =>
    (await wait({ objects: [cluster([lost]), ...events], timeout: 10_000 })).found[0]!.event;

  test('is an Event of Karmada, which ends the wait', async () => {
    const refused = event('a', 'Cluster is invalid', { lastTimestamp: '2026-09-01T10:00:05Z' });
    expect(await wait({ objects: [cluster([lost]), refused], timeout: 600_000 })).toEqual({
      found: [{ ...missing, event: 'Cluster is invalid' }],
      took: 5000,
    });
  });

  test('is not an Event from before the change', async () => {
    expect(await reason(event('a', 'old', { lastTimestamp: '2026-09-01T09:00:00Z' }))).toBeUndefined();
  });

  test('is the Event with the latest time, in any order of the list', async () => {
    const newer = event('a', 'newer', { lastTimestamp: '2026-09-01T10:00:09Z' });
    const older = event('b', 'older', { lastTimestamp: '2026-09-01T10:00:05Z' });
    expect(await reason(newer, older)).toBe('newer');
    expect(await reason(older, newer)).toBe('newer');
  });

  test('is the Event with the latest time by series, then last timestamp, then event time', async () => {
    const series = event('a', 'series', {
      series: { lastObservedTime: '2026-09-01T10:00:09.000000Z' },
      lastTimestamp: null,
      eventTime: '2026-09-01T09:00:00.000000Z',
    });
    const own = event('b', 'own', { lastTimestamp: null, eventTime: '2026-09-01T10:00:07.000000Z' });
    expect(await reason(series, own)).toBe('series');
    expect(await reason(own)).toBe('own');
  });
});
