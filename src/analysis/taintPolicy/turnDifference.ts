import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { ClusterLook, TaintMove } from './clusterLook.ts';
import type { ConditionTurn, TurnedCondition } from './conditionTurns.ts';

/** What happens at a change of a condition with some policies and not with others. */
export interface TurnDifference {
  condition: TurnedCondition;
  /** only what differs; never empty */
  look: ClusterLook;
  /** whether something else happens with both */
  also: boolean;
}

/** What `turns` do and `others` do not, for each change of a condition at which they differ. */
export function turnDifferences(
  turns: readonly ConditionTurn[],
  others: readonly ConditionTurn[],
): TurnDifference[] {
  return turns.flatMap(({ condition, look }): TurnDifference[] => {
    const other = others.find((one) => deepEqual(one.condition, condition))?.look;
    if (look.refused !== undefined)
      return look.refused === other?.refused ? [] : [{ condition, look, also: false }];
    const [all, known] = [moves(look), other ? moves(other) : []];
    const isNew = (move: Move) => !known.some((one) => deepEqual(fact(one), fact(move)));
    const only = all.filter(isNew);
    if (only.length === 0) return [];
    const of = (verb: Verb) => only.filter((move) => move.verb === verb).map(({ move }) => move);
    return [
      {
        condition,
        look: { ...look, gains: of('gains'), loses: of('loses'), renews: of('renews') },
        also: only.length < all.length,
      },
    ];
  });
}

/** Whether the same happens at the same change of a condition. */
export function sameTurn(a: ConditionTurn, b: ConditionTurn): boolean {
  const covers = (one: ConditionTurn, other: ConditionTurn) => turnDifferences([other], [one]).length === 0;
  return deepEqual(a.condition, b.condition) && covers(a, b) && covers(b, a);
}

type Verb = (typeof VERBS)[number];
interface Move {
  verb: Verb;
  move: TaintMove;
}

const VERBS = ['gains', 'loses', 'renews'] as const;

/** What really happens: nothing if the Cluster API refuses the write. */
function moves(look: ClusterLook): Move[] {
  if (look.refused !== undefined) return [];
  return VERBS.flatMap((verb) => look[verb].map((move) => ({ verb, move })));
}

/** To the cluster it makes no difference which policy does it. */
const fact = ({ verb, move: { taint, after, undone } }: Move) => [verb, taint, after, undone];
