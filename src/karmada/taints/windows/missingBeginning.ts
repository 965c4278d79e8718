import { conditionsMatch } from '../matchConditions.ts';
import type { MatchWindow } from './matchWindow.ts';

const STATUSES = ['True', 'False', 'Unknown'];

/** What a window's beginning depends on besides conditions, as text after "depends on"; undefined if nothing. */
export function missingBeginning({ entries, matches }: MatchWindow, cluster: string): string | undefined {
  const deciding = entries.filter(({ holds }) => holds === matches);
  const undated = deciding.find(({ seen }) => seen.every(({ at }) => at === undefined));
  if (undated)
    return `lastTransitionTime of the condition ${undated.wanted.conditionType} of ${cluster}: add it to the state`;
  const turned = deciding.find(({ wanted, holds, seen }) =>
    STATUSES.some((status) => {
      const other = { type: wanted.conditionType, status: status as 'True' };
      return seen.every((one) => one.status !== status) && conditionsMatch([other], [wanted]) === holds;
    }),
  );
  if (!turned) return undefined;
  const word = matches ? 'match' : 'mismatch';
  return `what karmada-controller-manager has in memory about ${cluster}: the ${word} may have begun before the last transition of ${turned.wanted.conditionType}`;
}
