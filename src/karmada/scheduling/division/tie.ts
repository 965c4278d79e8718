import type { DivisionTie } from '../../controllers/controller.ts';

/** The number of possible outcomes of a tie. */
function countChoices({ clusters, winners }: DivisionTie): number {
  let count = 1;
  for (let i = 1; i <= winners; i++) count = (count * (clusters.length - winners + i)) / i;
  return Math.round(count);
}

/** All outcomes of a tie, beginning with the one in which the first names win. */
export function* choicesOf({ clusters, winners }: DivisionTie): Generator<ReadonlySet<string>> {
  const chosen = Array.from({ length: winners }, (_, i) => i);
  for (;;) {
    yield new Set(chosen.map((at) => clusters[at]!));
    let last = winners - 1;
    while (last >= 0 && chosen[last] === clusters.length - winners + last) last--;
    if (last < 0) return;
    chosen[last]! += 1;
    for (let i = last + 1; i < winners; i++) chosen[i] = chosen[i - 1]! + 1;
  }
}

/**
 * The possible outcomes of a decision with a random tie, the predicted one first. Simulations try some of them as other
 * orders; a recorded decision may match any of them.
 */
interface Possible<Outcome> {
  outcomes: Outcome[];
  /** no other outcome is possible; false if the limit omitted some */
  complete: boolean;
}

/** The limit of listed outcomes: each takes a scheduling cycle. */
const MAX_OUTCOMES = 1000;

/**
 * All possible outcomes of a decision of the scheduler. Before v1.16 Karmada gives the remainder of a division to
 * clusters of equal weight at random; since then there is one outcome.
 *
 * @param decide makes the decision with the given winners; without them, the first names win
 * @param limit the most outcomes to return; each costs a decision
 */
export function possibleOutcomes<Outcome extends { tie?: DivisionTie }>(
  decide: (winners?: ReadonlySet<string>) => Outcome,
  limit = MAX_OUTCOMES,
): Possible<Outcome> {
  const first = decide();
  const { tie } = first;
  if (!tie) return { outcomes: [first], complete: true };
  const outcomes = [first];
  const choices = choicesOf(tie);
  choices.next(); // the first outcome already has the first names
  for (const winners of choices) {
    if (outcomes.length >= limit) break;
    outcomes.push(decide(winners));
  }
  return { outcomes, complete: outcomes.length === countChoices(tie) };
}
