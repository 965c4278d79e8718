import { choicesOf, countChoices, type Tie } from './division/tie.ts';

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
 * All that a decision of the scheduler can come to. Before v1.16 Karmada gives what remains of a division to clusters of
 * equal weight at random; since then there is one outcome.
 *
 * @param decide makes the decision with those winners; without any, the first names win
 * @param limit of outcomes; each takes a decision
 */
export function possibleOutcomes<Outcome extends { tie?: Tie }>(
  decide: (winners?: ReadonlySet<string>) => Outcome,
  limit = MOST_OUTCOMES,
): Possible<Outcome> {
  const first = decide();
  const { tie } = first;
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
