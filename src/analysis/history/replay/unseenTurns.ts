import { isOtherKind } from '../../../karmada/api/otherKinds.ts';
import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ConditionStatus } from '../../../karmada/api/meta.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { unnoticed } from '../../../karmada/detection/unnoticed.ts';
import { isReady, readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import type { ScenarioEvent } from '../../../simulator/scenario.ts';
import { isObserved, type ObservedChange } from '../history.ts';
import { conditionOf } from '../../../karmada/objects/conditions.ts';
import type { Work } from '../../../karmada/api/work.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { instant } from '../../../kubernetes/time.ts';
import { clusterOfWork } from '../../../karmada/objects/worksOfBinding.ts';

/**
 * A failure or a recovery of a member; a recording shows only when Karmada noticed it. Times are epoch milliseconds.
 */
export interface UnseenTurn {
  cluster: string;
  /** the status of the Ready condition afterwards */
  status: ConditionStatus;
  /** when Karmada noticed it */
  noticed: number;
  /** the member changed between these: earliest ≤ latest ≤ noticed */
  earliest: number;
  latest: number;
  /** the simulated instant: the middle */
  taken: number;
  /** the signs that narrow the range given by the flags */
  since?: Sign;
  until?: Sign;
}

/** Milliseconds that probes of a failing member may take beyond their period, waiting for a response. */
const PROBES = 3000;

/** The failures and recoveries in a recording, and their possible times, by flags and by signs of the members. */
export function unseenTurns(changes: Iterable<ObservedChange>, configuration: Configuration): UnseenTurn[] {
  const signs = followSigns();
  const turns: UnseenTurn[] = [];
  for (const change of changes) {
    const { at, before, after } = change;
    if (isObserved(after, 'Cluster') && isObserved(before, 'Cluster')) {
      const [had, has] = [before, after].map(readyCondition);
      const isTurn = had && has && (had.status === 'True') !== (has.status === 'True');
      if (isTurn) {
        const isPull = after.spec?.syncMode === 'Pull';
        const late = (place: number) => unnoticed(has.status, isPull, place, configuration, had.status);
        const probes = has.status === 'False' ? PROBES : 0;
        const byFlags = { earliest: Math.round(at - late(1) - probes), latest: Math.round(at - late(0)) };
        const cluster = after.metadata.name;
        turns.push({
          cluster,
          status: has.status,
          noticed: at,
          ...narrowed(byFlags, has.status === 'True' ? {} : signs.of(cluster), at),
        });
      }
    }
    signs.take(change);
  }
  return turns;
}

/** A failure happened between the last answer and the first refusal, whatever assumed flags imply. */
function narrowed(
  byFlags: { earliest: number; latest: number },
  { answered, refused }: Signs,
  noticed: number,
): Pick<UnseenTurn, 'earliest' | 'latest' | 'taken' | 'since' | 'until'> {
  const since = answered && answered.at > byFlags.earliest && answered.at <= noticed ? answered : undefined;
  const earliest = since?.at ?? byFlags.earliest;
  const isSooner = refused && refused.at < byFlags.latest && refused.at >= earliest;
  const until = isSooner ? refused : undefined;
  const latest = until?.at ?? (byFlags.latest < earliest ? noticed : byFlags.latest);
  return {
    earliest,
    latest,
    taken: Math.round((earliest + latest) / 2),
    ...(since ? { since } : {}),
    ...(until ? { until } : {}),
  };
}

/** Moves the events of Ready conditions to the time when the member itself changed. */
export function withTurns(events: readonly ScenarioEvent[], turns: readonly UnseenTurn[]): ScenarioEvent[] {
  return events.map((event) => {
    const { at, action } = event;
    if (action.type !== 'condition' || action.condition.type !== 'Ready') return event;
    const turn = turns.find(({ cluster, noticed }) => cluster === action.cluster && noticed === at);
    if (!turn) return event;
    const { earliest, latest, taken } = turn;
    return { at, action: { ...action, turned: { earliest, latest, taken } } };
  });
}

/** Evidence that a member answered, or did not. */
interface Sign {
  /** epoch milliseconds: it answered then or later, or did not answer then */
  at: number;
  /** the sign, as a phrase: "its Lease was renewed" */
  what: string;
}

/** The signs of a member since it last answered. */
interface Signs {
  /** the last sign that it answered */
  answered?: Sign;
  /** the first later sign that it did not answer */
  refused?: Sign;
}

/** Milliseconds that a member's report may wait in queues before it is written. */
const ON_ITS_WAY = 1000;
/** The execution controller's messages in a Work if it cannot reach the member's API server. */
const UNREACHABLE =
  /dial tcp|connection refused|connection reset|no route to host|i\/o timeout|deadline exceeded|TLS handshake|\bEOF\b|Client\.Timeout/;

/**
 * Collects signs of members from changes: an agent that runs renews its Lease, a member that answers has its status
 * collected, Works are applied or fail, and its objects are reported.
 */
function followSigns(): { take(change: ObservedChange): void; of(cluster: string): Signs } {
  const signs = new Map<string, Signs>();
  const answered = (cluster: string, at: number, what: string) => {
    if (at > (signs.get(cluster)?.answered?.at ?? -Infinity)) signs.set(cluster, { answered: { at, what } });
  };
  const refused = (cluster: string, at: number, what: string) => {
    const known = signs.get(cluster);
    if (!known?.refused) signs.set(cluster, { ...known, refused: { at, what } });
  };

  function ofLease(name: string, renewTime: string | undefined, at: number): void {
    const time = renewTime ? instant(renewTime) : NaN;
    // The clock of a member may be ahead.
    if (time <= at) answered(name, time, 'its Lease was renewed');
  }

  function ofWork(before: Work | undefined, after: Work, at: number): void {
    const cluster = clusterOfWork(after);
    if (cluster === undefined) return;
    const { name } = after.metadata;
    const appliedOf = (work: Work | undefined) => conditionOf(work?.status?.conditions, 'Applied');
    const [had, has] = [appliedOf(before), appliedOf(after)];
    const isNew = has !== undefined && (had?.status !== has.status || had.message !== has.message);
    if (isNew && has.status === 'True') answered(cluster, at - ON_ITS_WAY, `Work ${name} was applied`);
    else if (isNew && UNREACHABLE.test(has.message ?? ''))
      refused(cluster, at, `Work ${name} could not be applied`);
    else if (before && !deepEqual(reported(before), reported(after)))
      answered(cluster, at - ON_ITS_WAY, `the status of Work ${name} changed`);
  }

  return {
    of: (cluster) => signs.get(cluster) ?? {},
    take({ at, before, after }) {
      if (!after) return;
      const { metadata } = after;
      if (isOtherKind(after, 'Lease')) ofLease(metadata.name, after.spec?.renewTime ?? undefined, at);
      else if (isObserved(after, 'Work')) ofWork(isObserved(before, 'Work') ? before : undefined, after, at);
      else if (isObserved(after, 'Cluster') && isObserved(before, 'Cluster')) {
        if (isReady(after) && !deepEqual(collected(before), collected(after)))
          answered(metadata.name, at - ON_ITS_WAY, 'its status was collected');
      }
    },
  };
}

/**
 * The member's own report about the objects of a Work; without health, which Karmada recomputes from the last report.
 */
function reported({ status }: Work): unknown {
  return status?.manifestStatuses?.map((one) => one.status);
}

/** The status collected from a member, except its condition. */
function collected({ status }: Cluster): unknown {
  return [status?.nodeSummary, status?.resourceSummary, status?.kubernetesVersion];
}
