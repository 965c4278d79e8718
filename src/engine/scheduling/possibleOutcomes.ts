import type { ResourceBindingSpec, ResourceBindingStatus } from '../../karmada/api/work.ts';
import type { ClusterSnapshot } from './clusterSnapshot.ts';
import { choicesOf, countChoices, type Tie } from './division/tie.ts';
import { schedule, type ScheduleResult } from './schedule.ts';
import { scheduleBinding, type ScheduleOutcome, type ScheduleRequest } from './scheduleBinding.ts';

/**
 * What can come of a decision that Karmada partly draws lots for; the one that is foretold comes first. Simulations try some of them
 * as other orders; recorded decisions, which are any of them, are held against all.
 */
export interface Possible<Outcome> {
  outcomes: Outcome[];
  /** no other outcome is possible; false if there are more than were asked for */
  complete: boolean;
}

/** Beyond so many outcomes nobody reads them, and each takes a scheduling. */
const MOST_OUTCOMES = 1000;

/**
 * All that `schedule` can come to. Before v1.16 Karmada gives what remains of a division to clusters of equal weight at
 * random; since then there is one outcome.
 */
export function possibleResults(
  snapshot: ClusterSnapshot,
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus | undefined,
  limit = MOST_OUTCOMES,
): Possible<ScheduleResult> {
  return possible(
    (winners) => schedule(snapshot, spec, status, undefined, winners),
    (result) => ('error' in result ? undefined : result.tie),
    limit,
  );
}

/** The same for `scheduleBinding`; what is traced and the evidence are those of the first outcome. */
export function possibleOutcomes(request: ScheduleRequest, limit = MOST_OUTCOMES): Possible<ScheduleOutcome> {
  const { trace: _, evidence: __, ...again } = request;
  return possible(
    (winners) => scheduleBinding(winners ? { ...again, winners } : request),
    ({ tie }) => tie,
    limit,
  );
}

function possible<Outcome>(
  decide: (winners: ReadonlySet<string> | undefined) => Outcome,
  tieOf: (outcome: Outcome) => Tie | undefined,
  limit: number,
): Possible<Outcome> {
  const first = decide(undefined);
  const tie = tieOf(first);
  if (!tie) return { outcomes: [first], complete: true };
  const outcomes = [first];
  const choices = choicesOf(tie);
  choices.next(); // the first names win in the first outcome already
  for (const winners of choices) {
    if (outcomes.length >= limit) break;
    outcomes.push(decide(winners));
  }
  return { outcomes, complete: outcomes.length === countChoices(tie) };
}
