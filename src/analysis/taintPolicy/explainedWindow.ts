import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Certainty } from '../../karmada/evidence.ts';
import { missingBeginning } from '../../karmada/taints/windows/missingBeginning.ts';
import type { TaintWindow } from '../../karmada/taints/windows/taintWindows.ts';

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
  const missing = runs ? missingBeginning(match, cluster.metadata.name) : undefined;
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
