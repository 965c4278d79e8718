import type { KeptAudit } from '../../analysis/audit/earlierAudit.ts';
import type { EvictionTaskExplanation } from '../../analysis/explanation/tasks/evictionTask.ts';
import { unverified } from '../../karmada/configuration/assumptions.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { pause as realPause, type Pause, untilAborted } from '../../operations/pause.ts';
import { slimServer } from '../../operations/slimServer.ts';
import { watchWorld } from '../../operations/watchWorld.ts';
import type { World } from '../../karmada/world.ts';
import { messageOf } from '../../state/systemProblem.ts';
import { mirror } from '../../state/live/mirrors/reflector.ts';
import { auditState, type AuditedFailover, type AuditRequest } from '../audit/auditFailover.ts';
import { explainEvictions } from '../eviction/simulateEvictions.ts';
import type { Ports } from '../ports.ts';
import {
  FOLLOWED_KINDS,
  followedWorld,
  unfollowedObjects,
  type UnfollowedObjects,
} from '../state/followedWorld.ts';
import { openStateToRead, type OpenedState } from '../state/openState.ts';
import type { LiveRequest, StateRequest } from '../state/stateRequest.ts';
import { runWatch } from '../watching.ts';

/** The share of a core that audits may use, over all their threads, as long as the answer stays fresh. */
const SHARE = 1 / 4;
/** An answer is fresh for this many milliseconds. */
const FRESH = 60_000;
/** The longest rest, as a multiple of an audit's duration. */
const REST = 2;

interface FollowRequest extends Omit<AuditRequest, 'state' | 'signal' | 'cures' | 'keeps' | 'safeTogether'> {
  state: LiveRequest;
  signal: AbortSignal;
  /** milliseconds between two audits, regardless of changes */
  every: number;
  /** milliseconds of a clock that does not jump */
  stopwatch: () => number;
  /** milliseconds of CPU time that this process has used, over all threads */
  processor: () => number;
  pause?: Pause;
}

/** The current results for a control plane that is followed. */
export interface CurrentAudit extends AuditedFailover {
  /** the audit's duration in seconds */
  took: number;
  tasks: EvictionTasks;
}

interface EvictionTasks {
  waiting: number;
  stuck: number;
  held: number;
  /** tasks whose deadline leaves fewer ready replicas than the workload should have */
  aboutToLose: number;
}

export interface FollowedAudit {
  /** the last audit; undefined before the first one */
  standing(): CurrentAudit | undefined;
  /** milliseconds since the answer was last correct; undefined before the first one */
  age(): number | undefined;
  /** why there is no answer, or that the server is silent; undefined if ready */
  notReady(): string | undefined;
}

/** The rest after an audit that took this many milliseconds of wall-clock and CPU time. */
export function restAfter({ took, cpu }: { took: number; cpu: number }, every: number): number {
  // a change at the start of an audit waits for that audit, the rest, and the next audit
  const most = Math.max(REST * took, FRESH - 2 * took);
  return Math.max(every, Math.min(cpu / SHARE - took, most));
}

/**
 * Audits a live control plane, and again after changes, until the signal aborts. `begin` gets access to the
 * results, before anything is read. Rejects with a Problem, or ApiError if the control plane cannot be read.
 */
export async function followAudit(
  { signal, every, stopwatch, processor, pause = realPause, ...request }: FollowRequest,
  begin: (followed: FollowedAudit) => Promise<void>,
  ports: Ports,
): Promise<void> {
  let standing: CurrentAudit | undefined;
  let kept: KeptAudit | undefined;
  let newest: { world: World; now: number } | undefined;
  let silentSince: number | undefined;
  let serverNow: () => number = () => 0;
  let changed = new AbortController();
  /** the first change that no audit covers yet, and the first that the one in progress covers */
  let changedAt: number | undefined;
  let audited: number | undefined;
  /** why the newest audit failed; undefined if it did not */
  let failed: string | undefined;

  await begin({
    standing: () => standing,
    age: () => standing && Math.max(0, serverNow() - outdatedSince()),
    notReady() {
      if (failed !== undefined) return `the audit failed: ${failed}`;
      if (!standing) return 'the first audit is still running';
      if (silentSince === undefined) return undefined;
      return `no answer from the API server since ${new Date(silentSince).toISOString()}`;
    },
  });

  /** When the answer became outdated: its first missing change, or the server's silence; now if it is correct. */
  function outdatedSince(): number {
    return Math.min(audited ?? Infinity, changedAt ?? Infinity, silentSince ?? Infinity, serverNow());
  }

  const opened = await openStateToRead(request.state, ports);
  const { server } = opened;
  serverNow = () => server.now();
  const unfollowed = unfollowedObjects(server, opened.world, { checks: false });
  const beside = readBeside(opened, unfollowed, request.state, ports, stopwatch);
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);

  async function audit(): Promise<void> {
    while (!until.aborted) {
      await untilAborted(AbortSignal.any([changed.signal, until]));
      if (until.aborted || !newest) return;
      changed = new AbortController();
      [audited, changedAt] = [Math.min(audited ?? Infinity, changedAt ?? Infinity), undefined];
      const [began, spent] = [stopwatch(), processor()];
      try {
        await auditNow(newest, began);
        failed = undefined;
      } catch (error) {
        // an unreadable object must not stop the exporter; the next change is audited again
        const message = messageOf(error);
        if (message !== failed) ports.warn(`the audit failed: ${message}`);
        failed = message;
      }
      const rest = restAfter({ took: stopwatch() - began, cpu: processor() - spent }, every);
      await pause(rest, until).catch(() => undefined);
    }
  }

  async function auditNow(
    { world: followed, now }: NonNullable<typeof newest>,
    began: number,
  ): Promise<void> {
    const state = await beside();
    const world = followedWorld(followed, FOLLOWED_KINDS, state);
    const current = { ...state, world, now };
    const { kept: keptOfIt, ...answer } = await auditState(
      current,
      { ...request, cures: false, keeps: { earlier: kept }, signal: until },
      ports,
    );
    if (until.aborted) return;
    // while work is in progress, changes are compared with the last audit of a settled world
    kept = keptOfIt ?? kept;
    const tasks = tasksOf(explainEvictions(current, world.bindings, request.readyAfter, ports).items);
    standing = { ...answer, took: (stopwatch() - began) / 1000, tasks };
    audited = undefined;
  }

  function auditSoon(world: World, now: number): void {
    newest = { world, now };
    changedAt ??= now;
    changed.abort();
  }

  const slim = slimServer(server);
  const watching = runWatch(
    server,
    (asked) =>
      watchWorld((path, listener) => mirror(slim, path, { listener }), {
        ...asked,
        kinds: FOLLOWED_KINDS,
        onWorld(world, now) {
          auditSoon(world, now);
        },
      }),
    ports,
    { signal: until, silence: (since) => (silentSince = since) },
  );
  try {
    // the first one to fail stops the other
    await Promise.race([
      ...[watching, audit()],
      unfollowed.keepReading(until, () => newest && auditSoon(newest.world, server.now())),
    ]);
  } finally {
    over.abort();
    await watching.catch(() => undefined);
    server.close();
  }
}

/** Milliseconds after which data that is not watched is reread. */
const READ_AGAIN = 600_000;

/**
 * How Karmada was started, and its version, are not watched. Upgrades may happen at any time, so both are reread every
 * ten minutes; if that fails, the last values apply. An unchanged configuration stays the same object, so that audits
 * recognize it.
 */
function readBeside(
  opened: OpenedState,
  unfollowed: UnfollowedObjects,
  request: StateRequest,
  ports: Ports,
  stopwatch: () => number,
): () => Promise<OpenedState> {
  let known = opened;
  let readAt = stopwatch();
  const said = new Set<string>();
  const warn = (text: string) => {
    if (!said.has(text)) ports.warn(text);
    said.add(text);
  };
  return async () => {
    await readAgain();
    const isLease = ({ kind }: { kind: string }) => kind === 'Lease';
    const leases = unfollowed.world().others.filter(isLease);
    const others = [...leases, ...known.world.others.filter((one) => !isLease(one))];
    return { ...known, world: { ...known.world, others } };
  };

  async function readAgain(): Promise<void> {
    if (stopwatch() - readAt < READ_AGAIN) return;
    readAt = stopwatch();
    try {
      const { server, ...again } = await openStateToRead(
        request,
        { ...ports, warn },
        { kinds: new Set(['Cluster']) },
      );
      server?.close();
      const { configuration } = again;
      known = {
        ...again,
        configuration: deepEqual(startedAs(again), startedAs(known)) ? known.configuration : configuration,
      };
    } catch (error) {
      warn(`the flags of Karmada could not be read again: ${messageOf(error)}`);
    }
  }
}

/** How Karmada was started, and which parts of that are unverified. */
function startedAs({ configuration, assumptions }: Pick<OpenedState, 'configuration' | 'assumptions'>) {
  return [configuration, [...unverified(assumptions)]];
}

/** The eviction tasks by state, as metrics count them. */
export function tasksOf(items: readonly EvictionTaskExplanation[]): EvictionTasks {
  const count = (isOne: (one: EvictionTaskExplanation) => boolean) => items.filter(isOne).length;
  return {
    waiting: count(({ verdict }) => verdict === 'waiting' || verdict === 'new'),
    stuck: count(({ verdict }) => verdict === 'stuck' || verdict === 'overdue'),
    held: count(({ verdict }) => verdict === 'held'),
    aboutToLose: count(
      ({ outcome, deletedReady }) =>
        outcome === 'lost' || (deletedReady !== undefined && deletedReady.length > 0),
    ),
  };
}
