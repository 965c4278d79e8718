import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Certainty } from '../evidence.ts';
import { conditionsMatch } from '../taints/matchConditions.ts';
import type { EntryWindow } from '../taints/windows/matchWindow.ts';
import type { TaintWindow } from '../taints/windows/taintWindows.ts';

/** The window of a policy for one taint of a cluster, as the conditions tell it. */
export interface ExplainedWindow {
  /** what its end does */
  verb: 'adds' | 'removes';
  /** since when the conditions have matched, or not matched, without a break (epoch milliseconds) */
  since: number;
  /** addOnMatchSeconds or removeOnMismatchSeconds, or their default */
  seconds: number;
  /** epoch milliseconds */
  ends: number;
  /** it has not ended yet */
  runs: boolean;
  /** estimate: the controller may remember an earlier beginning, so that the window ends sooner */
  certainty: Extract<Certainty, 'certain' | 'estimate'>;
  /** of an estimate: what would settle it */
  missing?: string;
}

/** A window for answers. A running one whose beginning conditions alone do not tell is an estimate. */
export function explainedWindow(
  { verb, match, seconds, ends }: TaintWindow,
  cluster: Cluster,
  now: number,
): ExplainedWindow {
  const runs = ends > now;
  const missing = runs ? whatIsMissing(match.entries, match.matches, cluster) : undefined;
  return {
    verb,
    since: match.since,
    seconds,
    ends,
    runs,
    certainty: missing === undefined ? 'certain' : 'estimate',
    ...(missing !== undefined && { missing }),
  };
}

const STATUSES = ['True', 'False', 'Unknown'];

/** What the state does not tell about the beginning of a window; undefined: it tells all. */
function whatIsMissing(
  entries: readonly EntryWindow[],
  matches: boolean,
  { metadata: { name } }: Cluster,
): string | undefined {
  const deciding = entries.filter(({ holds }) => holds === matches);
  const undated = deciding.find(({ seen }) => seen.every(({ at }) => at === undefined));
  if (undated)
    return `lastTransitionTime of the condition ${undated.wanted.conditionType} of ${name}: give it with the state`;
  const turned = deciding.find(({ wanted, holds, seen }) =>
    STATUSES.some((status) => {
      const other = { type: wanted.conditionType, status: status as 'True' };
      return seen.every((one) => one.status !== status) && conditionsMatch([other], [wanted]) === holds;
    }),
  );
  if (!turned) return undefined;
  const word = matches ? 'match' : 'mismatch';
  return `what karmada-controller-manager remembers of ${name}: the ${word} may have begun before the last transition of ${turned.wanted.conditionType}`;
}
