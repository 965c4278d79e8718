import { describe, expect, test } from '@jest/globals';
import { createEventRecorder } from '../../../src/operations/events/eventRecorder.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import type { ClusterEvent, EventSubject } from '../../../src/state/live/typedObjects.ts';
import { fakeTiming } from '../../state/live/fakeTiming.ts';

const member1: EventSubject = {
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  name: 'member1',
  uid: 'u',
};
const error = (status: number) => new ApiError('no', { status, reason: 'Reason' });

/** A recorder whose requests get these errors one after another, then none. */
function recording(errors: (ApiError | undefined)[] = []) {
  const timing = fakeTiming({ jumps: true, start: Date.parse('2026-09-01T10:00:00Z') });
  const sent: { verb: string; event: ClusterEvent }[] = [];
  const failures: unknown[] = [];
  const stop = new AbortController();
  const answer = (verb: string) => async (event: ClusterEvent) => {
    sent.push({ verb, event });
    const wrong = errors.shift();
    if (wrong) throw wrong;
  };
  const recorder = createEventRecorder({
    events: { create: answer('create'), patch: answer('patch') },
    component: 'karmada-failover',
    host: 'host',
    timing,
    signal: stop.signal,
    onFailure: (_, failure) => void failures.push(failure),
  });
  const say = (message = 'tainted') => recorder.record(member1, 'Normal', 'TaintAdded', message);
  return { recorder, say, sent, failures, timing, stop, verbs: () => sent.map(({ verb }) => verb) };
}

describe('the event recorder', () => {
  test('writes Events in order, and Events of cluster-scoped objects to the default namespace', async () => {
    const { recorder, say, sent } = recording();
    say('one');
    say('two');
    await recorder.written();
    expect(sent.map(({ event }) => event.message)).toEqual(['one', 'two']);
    expect(sent[0]!.event).toMatchObject({ namespace: 'default', component: 'karmada-failover', count: 1 });
    expect(sent[0]!.event.name).toMatch(/^member1\.[0-9a-f]{16}$/);
    expect(sent[1]!.event.name).not.toBe(sent[0]!.event.name);
  });

  test('patches a repeated Event, and creates it again if it was deleted', async () => {
    const { recorder, say, verbs, sent } = recording([undefined, undefined, error(404)]);
    say();
    say();
    say();
    await recorder.written();
    expect(verbs()).toEqual(['create', 'patch', 'patch', 'create']);
    expect(sent.at(-1)!.event.count).toBe(3);
  });

  test('retries eleven times while the server is unreachable', async () => {
    const { recorder, say, verbs, failures, timing } = recording(Array(30).fill(error(0)));
    say();
    await recorder.written();
    expect(verbs()).toHaveLength(12);
    expect(failures).toHaveLength(1);
    expect(timing.pauses).toEqual(Array(11).fill(10_000));
  });

  test('treats an existing Event as written after a lost response, and drops a refused Event', async () => {
    const there = recording([error(0), error(409)]);
    there.say();
    await there.recorder.written();
    expect([there.verbs(), there.failures]).toEqual([['create', 'create'], []]);
    const refused = recording([error(403)]);
    refused.say();
    await refused.recorder.written();
    expect([refused.verbs(), refused.failures.length]).toEqual([['create'], 1]);
  });

  test('limits its queue to 1000 Events, and writes nothing after its end', async () => {
    const { recorder, say, sent, stop } = recording();
    for (let n = 0; n < 1500; n++)
      recorder.record({ ...member1, name: `m${n}`, uid: `u${n}` }, 'Normal', 'R', 'x');
    await recorder.written();
    expect(sent).toHaveLength(1000);
    stop.abort();
    say();
    await recorder.written();
    expect(sent).toHaveLength(1000);
  });
});
