import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ConditionStatus } from '../../../karmada/api/meta.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { unnoticed } from '../../../karmada/detection/unnoticed.ts';
import { readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import type { ScenarioEvent } from '../../../simulator/scenario.ts';
import type { SeenChange } from '../history.ts';
import { followSigns, type Sign, type Signs } from './signsOfLife.ts';

/**
 * A failure or a return of a member, of which a recording shows only that Karmada noticed it. Times are epoch milliseconds.
 */
export interface UnseenTurn {
  cluster: string;
  /** what the Ready condition said then */
  status: ConditionStatus;
  /** when Karmada noticed it */
  noticed: number;
  /** the member turned between these; `earliest` is no later than `latest`, and that no later than `noticed` */
  earliest: number;
  latest: number;
  /** the instant that is simulated: the middle */
  taken: number;
  /** what narrows down the time that the flags leave */
  since?: Sign;
  until?: Sign;
}

/** Milliseconds that the probes of a failing member may take beside their period: those that fail wait for an answer. */
const PROBES = 3000;

/** The turns that a recording shows, and when they can have been, by the flags and by what was seen of the members. */
export function unseenTurns(changes: Iterable<SeenChange>, configuration: Configuration): UnseenTurn[] {
  const signs = followSigns();
  const turns: UnseenTurn[] = [];
  for (const change of changes) {
    const { at, before, after } = change;
    if (after?.kind === 'Cluster' && before) {
      const [had, has] = [before, after].map((one) => readyCondition(one as unknown as Cluster));
      const isTurn = had && has && (had.status === 'True') !== (has.status === 'True');
      if (isTurn) {
        const isPull = (after as unknown as Cluster).spec?.syncMode === 'Pull';
        const late = (place: number) => unnoticed(has.status, isPull, place, configuration, had.status);
        const probes = has.status === 'False' ? PROBES : 0;
        const byFlags = { earliest: Math.round(at - late(1) - probes), latest: Math.round(at - late(0)) };
        const cluster = after.metadata.name;
        turns.push({
          ...{ cluster, status: has.status, noticed: at },
          ...narrowed(byFlags, has.status === 'True' ? {} : signs.of(cluster), at),
        });
      }
    }
    signs.take(change);
  }
  return turns;
}

/** A failure came after the last answer and before the first refusal, also if flags that were only assumed say otherwise. */
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
    ...{ earliest, latest, taken: Math.round((earliest + latest) / 2) },
    ...(since ? { since } : {}),
    ...(until ? { until } : {}),
  };
}

/** Tells the events of Ready conditions when the member itself turned. */
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
