import { describe, expect, test } from '@jest/globals';
import { whileLeading } from '../../src/operations/leaderElection.ts';
import { LeadershipLost, type Leadership } from '../../src/operations/leadership.ts';
import { ApiError } from '../../src/state/live/apiError.ts';
import type { Lease, LeaseRecord, Leases } from '../../src/state/live/typedObjects.ts';
import { fakeTiming, type FakeTiming } from '../state/live/fakeTiming.ts';

const lostAnswer = () => new ApiError('socket hang up', { status: 0, reason: 'ECONNRESET' });

/** The fault of a candidate's request at a moment. */
type Fault =
  | { type: 'lost'; when: 'before' | 'after' }
  /** milliseconds until the server receives it, and until the response arrives */
  | { type: 'slow'; there: number; back: number }
  | undefined;

/** One Lease on a server, in a test's virtual time. */
function leaseServer(timing: FakeTiming) {
  let stored: { record: LeaseRecord; version: number } | undefined;
  const history: string[] = [];
  const abortable = (signal: AbortSignal | undefined, milliseconds: number) =>
    timing.sleep(milliseconds, signal);

  function clientOf(identity: string, fault: (verb: string, now: number) => Fault = () => undefined): Leases {
    async function request<T>(verb: string, signal: AbortSignal | undefined, act: () => T): Promise<T> {
      const wrong = fault(verb, timing.now());
      if (wrong?.type === 'lost' && wrong.when === 'before') throw lostAnswer();
      // the server receives what was sent, even if the client no longer waits for the response
      const heard = timing.sleep(wrong?.type === 'slow' ? wrong.there : 10).then(act);
      heard.catch(() => undefined);
      if (wrong?.type === 'lost') {
        await heard;
        throw lostAnswer();
      }
      await abortable(signal, wrong?.type === 'slow' ? wrong.there + wrong.back : 20);
      return heard;
    }
    const write = (verb: string, record: LeaseRecord, version: number | undefined): Lease => {
      if (version !== stored?.version) throw new ApiError('modified', { status: 409, reason: 'Conflict' });
      stored = { record, version: (stored?.version ?? 0) + 1 };
      history.push(`${identity} ${verb} ${record.holderIdentity || 'nobody'}`);
      return { record, stored: stored.version };
    };
    return {
      read: (_, signal) =>
        request('read', signal, () => stored && { record: stored.record, stored: stored.version }),
      create: (_, record, signal) => request('create', signal, () => write('creates', record, undefined)),
      replace: (lease, record, signal) =>
        request('replace', signal, () => write('writes', record, lease.stored as number)),
    };
  }
  /** Writes a holder by hand. */
  const edit = (holderIdentity: string): void => {
    const { record, version } = stored!;
    stored = { record: { ...record, holderIdentity, renewTime: record.renewTime + 1 }, version: version + 1 };
  };
  return {
    clientOf,
    history,
    edit,
    holder: () => stored?.record.holderIdentity,
    record: () => stored?.record,
  };
}

interface CandidateOptions {
  /** the error of its clock in milliseconds */
  skew?: number;
  fault?: (verb: string, now: number) => Fault;
  /** milliseconds that it takes to stop working */
  stopsIn?: number;
  /** the delay of its timers in milliseconds: the process is busy, or stopped */
  late?: (now: number) => number;
  /** the jump of its machine's clock in milliseconds */
  jump?: (now: number) => number;
}

/** Candidates for one Lease, and who works when. */
function election() {
  const timing = fakeTiming({ start: 0, random: 0.5 });
  const server = leaseServer(timing);
  const working = new Set<string>();
  const together: string[] = [];
  const spells: string[] = [];
  const ends = new Map<string, string>();
  /** who may send a write, because they are sure to lead */
  const sure = new Map<string, Leadership>();
  const isSure = (identity: string): boolean => {
    try {
      sure.get(identity)?.assert();
      return sure.has(identity);
    } catch (error) {
      expect(error).toBeInstanceOf(LeadershipLost);
      return false;
    }
  };

  function candidate(
    identity: string,
    { skew = 0, fault, stopsIn = 0, late, jump = () => 0 }: CandidateOptions = {},
  ) {
    const stop = new AbortController();
    const own = {
      ...timing,
      now: () => timing.now() + skew,
      sleep: async (milliseconds: number, signal?: AbortSignal) => {
        await timing.sleep(milliseconds, signal);
        const more = late?.(timing.now()) ?? 0;
        if (more > 0) await timing.sleep(more);
      },
    };
    const ended = whileLeading(
      {
        leases: server.clientOf(identity, fault),
        name: 'controller',
        identity,
        timing: own,
        wallClock: () => timing.now() + jump(timing.now()),
        signal: stop.signal,
      },
      async (signal, leadership) => {
        sure.set(identity, leadership);
        working.add(identity);
        spells.push(`${identity} from ${Math.round(timing.now() / 1000)}`);
        if (working.size > 1) together.push([...working].join(' and '));
        if (!signal.aborted)
          await new Promise<void>((resolve) =>
            signal.addEventListener('abort', () => resolve(), { once: true }),
          );
        if (stopsIn > 0) await timing.sleep(stopsIn);
        working.delete(identity);
      },
    ).then((end) => void ends.set(identity, end));
    return { stop: () => stop.abort(), ended };
  }
  return { timing, server, working, together, spells, ends, isSure, candidate };
}

describe('a leader election Lease', () => {
  test('is held and renewed by the first client while a second client waits', async () => {
    const { timing, working, together, server, candidate } = election();
    candidate('one');
    await timing.advance(100);
    candidate('two');
    await timing.advance(120_000);
    expect([...working]).toEqual(['one']);
    expect(together).toEqual([]);
    expect(server.history.every((line) => line.startsWith('one'))).toBe(true);
    expect(server.history.length).toBeGreaterThan(50);
  });

  test('records acquire time, renew time and the number of transitions', async () => {
    const { timing, server, candidate } = election();
    const one = candidate('one');
    await timing.advance(100);
    const first = server.record()!;
    expect(first).toMatchObject({ holderIdentity: 'one', leaseTransitions: 0, leaseDurationSeconds: 15 });
    expect(first.acquireTime).toBe(first.renewTime);
    await timing.advance(30_000);
    const renewed = server.record()!;
    expect(renewed).toMatchObject({ acquireTime: first.acquireTime, leaseTransitions: 0 });
    expect(renewed.renewTime).toBeGreaterThan(first.renewTime + 25_000);
    one.stop();
    await timing.advance(5_000);
    candidate('two');
    await timing.advance(5_000);
    expect(server.record()).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
    expect(server.record()!.acquireTime).toBeGreaterThan(30_000);
  });

  test('starts no work if the response arrives after the renewal deadline', async () => {
    const { timing, spells, ends, candidate } = election();
    // the response arrives after the renewal deadline
    const slow = (verb: string): Fault =>
      verb === 'create' ? { type: 'slow', there: 10, back: 11_000 } : { type: 'lost', when: 'before' };
    let asked = 0;
    candidate('one', { fault: (verb) => (verb === 'read' && asked++ === 0 ? undefined : slow(verb)) });
    await timing.advance(12_000);
    expect([spells, ends.get('one')]).toEqual([[], 'lost']);
  });

  test('is released by a stopped holder after its work has ended', async () => {
    const { timing, ends, together, spells, server, candidate } = election();
    const one = candidate('one', { stopsIn: 20_000 });
    await timing.advance(100);
    candidate('two');
    await timing.advance(10_000);
    one.stop();
    await timing.advance(19_000);
    expect(server.holder()).toBe('one');
    await timing.advance(7_000);
    expect(ends.get('one')).toBe('stopped');
    expect(server.holder()).toBe('two');
    expect(spells).toEqual(['one from 0', expect.stringMatching(/^two from 3[0-6]$/)]);
    expect(together).toEqual([]);
  });

  test('moves to another client after an unreachable holder has stopped', async () => {
    const { timing, ends, together, spells, candidate } = election();
    const silent = (_: string, now: number): Fault =>
      now > 30_000 ? { type: 'lost', when: 'before' } : undefined;
    candidate('one', { fault: silent, stopsIn: 4_000 });
    await timing.advance(100);
    candidate('two');
    await timing.advance(90_000);
    expect(ends.get('one')).toBe('lost');
    expect(spells).toEqual(['one from 0', expect.stringMatching(/^two from 4[4-9]$/)]);
    expect(together).toEqual([]);
  });

  for (const skew of [-3_600_000, -20_000, 20_000, 3_600_000])
    test(`keeps its holder if the clock of another client is wrong by ${skew / 1000} s`, async () => {
      const { timing, working, together, spells, candidate } = election();
      candidate('one');
      await timing.advance(100);
      candidate('two', { skew });
      await timing.advance(60_000);
      expect([...working]).toEqual(['one']);
      expect(spells).toEqual(['one from 0']);
      expect(together).toEqual([]);
    });

  test('keeps its holder despite lost responses', async () => {
    const { timing, working, together, spells, ends, candidate } = election();
    let asked = 0;
    const lossy = (verb: string): Fault =>
      verb !== 'read' && ++asked % 2 === 1 ? { type: 'lost', when: 'after' } : undefined;
    candidate('one', { fault: lossy });
    await timing.advance(5_000);
    candidate('two', { fault: lossy });
    await timing.advance(120_000);
    expect([...working]).toEqual(['one']);
    expect(spells).toHaveLength(1);
    expect([...ends]).toEqual([]);
    expect(together).toEqual([]);
  });

  test('never has two holders: a renewal counts from the time of its request', async () => {
    const { timing, together, spells, candidate } = election();
    const slowOnce = (verb: string, now: number): Fault => {
      if (now < 20_000) return undefined;
      if (now < 23_000 && verb === 'replace') return { type: 'slow', there: 10, back: 7_000 };
      return { type: 'lost', when: 'before' };
    };
    candidate('one', { fault: slowOnce, stopsIn: 4_500 });
    await timing.advance(100);
    candidate('two');
    await timing.advance(60_000);
    expect(spells).toEqual(['one from 0', expect.stringMatching(/^two from /)]);
    expect(together).toEqual([]);
  });

  test('is not released by a client that has lost it', async () => {
    const { timing, ends, server, candidate } = election();
    const deaf = (_: string, now: number): Fault =>
      now > 30_000 && now < 60_000 ? { type: 'lost', when: 'before' } : undefined;
    const one = candidate('one', { fault: deaf, stopsIn: 40_000 });
    await timing.advance(100);
    candidate('two');
    await timing.advance(55_000);
    one.stop();
    await timing.advance(60_000);
    expect(ends.get('one')).toBe('lost');
    expect(server.holder()).toBe('two');
  });

  test('is not released by a stopped client if another client holds it', async () => {
    const { timing, ends, server, candidate } = election();
    const one = candidate('one');
    await timing.advance(10_000);
    server.edit('admin');
    one.stop();
    await timing.advance(1_000);
    expect([ends.get('one'), server.holder()]).toEqual(['stopped', 'admin']);
  });

  test('has one holder at a time despite lost and late requests and wrong clocks', async () => {
    let random = 7;
    const chance = () => (random = (random * 16807) % 2147483647) / 2147483647;
    const { timing, together, spells, candidate } = election();
    const faulty = (): Fault => {
      const one = chance();
      if (one < 0.25) return { type: 'lost', when: 'before' };
      if (one < 0.5) return { type: 'lost', when: 'after' };
      if (one < 0.7) return { type: 'slow', there: chance() * 12_000, back: chance() * 12_000 };
      return undefined;
    };
    for (let round = 0; round < 40; round++) {
      candidate(`a${round}`, { skew: (chance() - 0.5) * 1e7, fault: faulty, stopsIn: chance() * 4_900 });
      candidate(`b${round}`, { skew: (chance() - 0.5) * 1e7, fault: faulty, stopsIn: chance() * 4_900 });
      await timing.advance(60_000);
    }
    expect(together).toEqual([]);
    expect(spells.length).toBeGreaterThan(10);
  });

  test('blocks writes of a process whose timers are late', async () => {
    const { timing, spells, isSure, candidate } = election();
    const silent = (_: string, now: number): Fault =>
      now > 20_000 ? { type: 'lost', when: 'before' } : undefined;
    // timers from 20 s on fire an hour later, as in a stopped process
    candidate('one', { fault: silent, late: (now) => (now > 20_000 ? 3_600_000 : 0) });
    await timing.advance(100);
    candidate('two');
    const sure: string[] = [];
    for (let second = 0; second < 60; second++) {
      sure.push(['one', 'two'].filter(isSure).join(' and '));
      await timing.advance(1_000);
    }
    expect(sure.filter((who) => who.includes(' and '))).toEqual([]);
    expect(sure.indexOf('two')).toBeGreaterThan(sure.lastIndexOf('one'));
    // it was never asked to stop: only the last check before each write keeps it from writing
    expect(spells).toEqual(['one from 0', expect.stringMatching(/^two from 3[4-9]$/)]);
  });

  test('blocks writes of a process after its machine has slept', async () => {
    const { timing, isSure, candidate } = election();
    // between two renewals
    candidate('one', { jump: (now) => (now > 31_000 ? 60_000 : 0) });
    await timing.advance(31_000);
    expect(isSure('one')).toBe(true);
    await timing.advance(200);
    expect(isSure('one')).toBe(false);
    await timing.advance(10_000);
    // it has renewed the Lease since, and no other process has held it
    expect(isSure('one')).toBe(true);
  });

  test('allows writes of one client at a time despite lost and late requests and wrong clocks', async () => {
    let random = 11;
    const chance = () => (random = (random * 16807) % 2147483647) / 2147483647;
    const { timing, isSure, candidate } = election();
    const faulty = (): Fault => {
      const one = chance();
      if (one < 0.25) return { type: 'lost', when: one < 0.12 ? 'before' : 'after' };
      if (one < 0.5) return { type: 'slow', there: chance() * 12_000, back: chance() * 12_000 };
      return undefined;
    };
    const late = () => (chance() < 0.2 ? chance() * 30_000 : 0);
    let seen = 0;
    for (let round = 0; round < 20; round++) {
      const names = [`a${round}`, `b${round}`, `c${round}`];
      const running = names.map((name) =>
        candidate(name, { skew: (chance() - 0.5) * 1e7, fault: faulty, late }),
      );
      for (let step = 0; step < 240; step++) {
        const sure = names.filter(isSure);
        seen += sure.length;
        expect(sure.length).toBeLessThanOrEqual(1);
        await timing.advance(250);
      }
      running.forEach(({ stop }) => stop());
      await timing.advance(60_000);
    }
    expect(seen).toBeGreaterThan(500);
  });

  test('is released when the work ends or fails', async () => {
    const timing = fakeTiming({ start: 0 });
    const server = leaseServer(timing);
    const leaders: string[] = [];
    const base = { name: 'controller', timing, signal: new AbortController().signal };
    const ended = whileLeading(
      { ...base, leases: server.clientOf('one'), identity: 'one', onLeader: (who) => void leaders.push(who) },
      () => timing.sleep(3_000),
    );
    await timing.advance(5_000);
    expect(await ended).toBe('done');
    expect(server.holder()).toBe('');
    expect(leaders).toEqual(['one']);
    const failed = whileLeading({ ...base, leases: server.clientOf('two'), identity: 'two' }, () =>
      Promise.reject(new Error('broken')),
    );
    const caught = failed.catch((error: unknown) => error);
    await timing.advance(5_000);
    expect(await caught).toEqual(new Error('broken'));
    expect(server.holder()).toBe('');
  });
});
