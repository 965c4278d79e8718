import { isObject } from '../../../kubernetes/json.ts';
import { isDoubtOfOrder } from '../../../simulator/simulation/otherOrders.ts';
import type { Answer } from '../../../views/answer.ts';

type PlanDocument = Answer['document'];

/**
 * Whether a plan made a second time says the same. Time alone changes it slightly: deadlines approach and periodic work
 * shifts, so other processing orders may end differently, or be too many to try.
 * @param slack the tolerated difference in seconds
 */
export function isSamePlan(before: PlanDocument, after: PlanDocument, slack: number): boolean {
  const same = (a: unknown, b: unknown, field = ''): boolean => {
    if (a === before['now'] && b === after['now']) return true;
    if (/seconds$/i.test(field) && typeof a === 'number' && typeof b === 'number')
      return Math.abs(a - b) <= slack;
    if (Array.isArray(a))
      return Array.isArray(b) && a.length === b.length && a.every((one, at) => same(one, b[at]));
    if (!isObject(a) || !isObject(b)) return a === b;
    const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
    // a gap that stays open lasts until the end of the simulation
    if (a['open'] === true) fields.delete('seconds');
    const [doubts, doubtsNow] = [doubtsOf(a), doubtsOf(b)];
    if ([...doubts, ...doubtsNow].some(isDoubtOfOrder)) {
      for (const name of ['certainty', 'dependsOn', 'possibleEnds']) fields.delete(name);
      const others = (all: string[]) => all.filter((one) => !isDoubtOfOrder(one));
      if (!same(others(doubts), others(doubtsNow)) || (mayEndNowhere(b) && !mayEndNowhere(a))) return false;
    }
    return [...fields].every((name) => same(a[name], b[name], name));
  };
  return same(before, after);
}

function mayEndNowhere({ possibleEnds }: Record<string, unknown>): boolean {
  return Array.isArray(possibleEnds) && possibleEnds.some((end) => Array.isArray(end) && end.length === 0);
}

function doubtsOf({ dependsOn }: Record<string, unknown>): string[] {
  return Array.isArray(dependsOn) ? dependsOn.filter((one) => typeof one === 'string') : [];
}
