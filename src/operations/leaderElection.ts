import { deepEqual } from '../kubernetes/deepEqual.ts';
import { ApiError } from '../state/live/apiError.ts';
import { linkedSignal } from '../state/live/requests/linkedSignal.ts';
import type { Timing } from '../state/live/mirrors/timing.ts';
import type { Lease, LeaseRecord, Leases } from '../state/live/typedObjects.ts';
import { LeadershipLost, type Leadership } from './leadership.ts';

/** client-go's defaults (tools/leaderelection), in milliseconds. */
const LEASE_DURATION = 15_000;
const RENEW_DEADLINE = 10_000;
const RETRY_PERIOD = 2_000;
/** A process ends within two seconds of a stop signal; a Lease not released by then expires. */
const RELEASED_WITHIN = 1_500;
/** Candidates retry after 1 to 2.2 retry periods. */
const JITTER = 1.2;

interface LeaderElectionOptions {
  leases: Leases;
  /** of the Lease */
  name: string;
  /** unique for each candidate */
  identity: string;
  /** the local clock: its offset does not matter, but its speed must match the other candidates' clocks */
  timing: Timing;
  /**
   * epoch milliseconds by the machine's clock, which may jump; default Date.now. Only it advances while a machine
   * sleeps
   */
  wallClock?: (() => number) | undefined;
  /** stops it; the Lease is released as soon as `work` has ended */
  signal: AbortSignal;
  leaseDuration?: number | undefined;
  renewDeadline?: number | undefined;
  retryPeriod?: number | undefined;
  /** called with the identity of each new holder, including this process */
  onLeader?: ((identity: string) => void) | undefined;
  /** called with the error of each failed request, which is retried */
  onFailure?: ((error: unknown) => void) | undefined;
}

/**
 * Waits until this candidate holds the Lease, and runs `work` while it does. Resolves with `lost` if the Lease was not
 * renewed in time, `stopped` after the signal, `done` when `work` ended by itself; rejects as `work` does.
 *
 * The rules are client-go's: a candidate waits until the Lease has not changed for its duration, by the local clock
 * since it saw the last change. One rule is stricter: leadership ends `renewDeadline` after sending the last renewal
 * rather than its answer, so that a slow answer cannot lead to two leaders. `work` must stop within `leaseDuration -
 * renewDeadline` of its signal. Before each request it must call `leadership.assert`, which does not depend on timers:
 * a busy or stopped process runs them late.
 */
export async function whileLeading(
  options: LeaderElectionOptions,
  work: (signal: AbortSignal, leadership: Leadership) => Promise<void>,
): Promise<'lost' | 'stopped' | 'done'> {
  const { timing, signal, retryPeriod = RETRY_PERIOD } = options;
  const candidate = createCandidate(options);
  while (!signal.aborted) {
    const sent = await candidate.attempt(signal);
    if (sent) return lead(options, candidate, sent, work);
    await timing.sleep(retryPeriod * (1 + JITTER * timing.random()), signal).catch(() => undefined);
  }
  return 'stopped';
}

async function lead(
  options: LeaderElectionOptions,
  candidate: Candidate,
  acquired: Sent,
  work: (signal: AbortSignal, leadership: Leadership) => Promise<void>,
): Promise<'lost' | 'stopped' | 'done'> {
  const { timing, signal, renewDeadline = RENEW_DEADLINE, retryPeriod = RETRY_PERIOD } = options;
  const { wallClock = Date.now } = options;
  let renewed = acquired;
  const until = () => renewed.at + renewDeadline;
  const lost = new AbortController();
  const over = new AbortController();
  const guarded = linkedSignal(signal, lost.signal);
  const requests = linkedSignal(lost.signal, over.signal);

  const leadership: Leadership = {
    signal: guarded.signal,
    lost: lost.signal,
    assert() {
      const surely = timing.now() < until() && wallClock() < renewed.wall + renewDeadline;
      if (!surely || lost.signal.aborted || over.signal.aborted)
        throw new LeadershipLost(`the lease ${options.name} was not renewed in time`);
    },
  };

  async function watch(): Promise<void> {
    while (!over.signal.aborted && timing.now() < until())
      await timing.sleep(until() - timing.now(), over.signal).catch(() => undefined);
    if (!over.signal.aborted)
      lost.abort(new LeadershipLost(`the lease ${options.name} was not renewed in time`));
  }
  async function renew(): Promise<void> {
    while (!requests.signal.aborted) {
      await timing.sleep(retryPeriod, requests.signal).catch(() => undefined);
      if (requests.signal.aborted) return;
      const sent = await candidate.attempt(requests.signal);
      if (sent) renewed = sent;
    }
  }

  const beside = [watch(), renew()];
  let ended = false;
  try {
    // the answer that grants the Lease may have arrived too late
    if (timing.now() < until()) await work(guarded.signal, leadership);
    ended = !guarded.signal.aborted;
  } catch (error) {
    if (!guarded.signal.aborted) throw error;
  } finally {
    over.abort();
    guarded.release();
    requests.release();
    await Promise.all(beside);
    if (!lost.signal.aborted) await candidate.release(Math.min(renewDeadline, RELEASED_WITHIN));
  }
  if (lost.signal.aborted) return 'lost';
  return ended && !signal.aborted ? 'done' : 'stopped';
}

/** When a request was sent, by the local clock and the machine's wall clock. */
interface Sent {
  at: number;
  wall: number;
}

interface Candidate {
  /** Tries once to get or renew the Lease. Resolves to when the request was sent; undefined if it failed. */
  attempt(signal: AbortSignal): Promise<Sent | undefined>;
  /** Releases the Lease if it is held, within this many milliseconds. */
  release(within: number): Promise<void>;
}

function createCandidate(options: LeaderElectionOptions): Candidate {
  const { leases, name, identity, timing, leaseDuration = LEASE_DURATION, wallClock = Date.now } = options;
  let seen: Lease | undefined;
  let seenAt = -Infinity;
  let reported: string | undefined;

  function see(lease: Lease): void {
    if (!seen || !deepEqual(seen.record, lease.record)) seenAt = timing.now();
    seen = lease;
    const { holderIdentity } = lease.record;
    if (holderIdentity !== reported && holderIdentity !== '') options.onLeader?.(holderIdentity);
    reported = holderIdentity;
  }

  const recordNow = (before: LeaseRecord | undefined): LeaseRecord => {
    const now = timing.now();
    const mine = before?.holderIdentity === identity;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.floor(leaseDuration / 1000),
      acquireTime: mine ? before.acquireTime : now,
      renewTime: now,
      leaseTransitions: before ? before.leaseTransitions + (mine ? 0 : 1) : 0,
    };
  };

  async function attempt(signal: AbortSignal): Promise<Sent | undefined> {
    const first = seen;
    if (first?.record.holderIdentity === identity && isValid(first)) {
      try {
        return await write(first, signal);
      } catch (error) {
        // another client wrote the Lease, or an answer was lost: read its current state
        if (!(error instanceof ApiError)) throw error;
      }
    }
    const found = await leases.read(name, signal);
    if (found) see(found);
    const held = found !== undefined && found.record.holderIdentity !== '' && isValid(found);
    if (held && found.record.holderIdentity !== identity) return undefined;
    return write(found, signal);
  }

  /** Whether the holder may still lead, by the local clock since this state of the Lease was first seen. */
  function isValid({ record }: Lease): boolean {
    return timing.now() < seenAt + record.leaseDurationSeconds * 1000;
  }

  async function write(before: Lease | undefined, signal: AbortSignal): Promise<Sent> {
    const sent = { at: timing.now(), wall: wallClock() };
    const record = recordNow(before?.record);
    const lease = await (before
      ? leases.replace(before, record, signal)
      : leases.create(name, record, signal));
    see(lease);
    // a leader must find its own identity in the answer
    if (lease.record.holderIdentity !== identity)
      throw new Error(`the API server answers that ${lease.record.holderIdentity} holds the lease ${name}`);
    return sent;
  }

  return {
    async attempt(signal) {
      try {
        return await attempt(signal);
      } catch (error) {
        if (!signal.aborted) options.onFailure?.(error);
        return undefined;
      }
    },
    async release(within) {
      const limit = linkedSignal();
      const done = new AbortController();
      void timing.sleep(within, done.signal).then(
        () => limit.abort(new Error('too late')),
        () => undefined,
      );
      try {
        // read its newest state: never release a Lease that another candidate now holds
        const found = await leases.read(name, limit.signal);
        if (found?.record.holderIdentity !== identity) return;
        const now = timing.now();
        const { leaseTransitions } = found.record;
        const nobody = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
        see(await leases.replace(found, { ...nobody, leaseTransitions }, limit.signal));
      } catch (error) {
        options.onFailure?.(error);
      } finally {
        done.abort();
      }
    },
  };
}
