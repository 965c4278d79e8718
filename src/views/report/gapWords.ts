import type { Outcome, ReplicaGap } from '../../simulator/verdicts/outcome.ts';
import { duration } from '../words/duration.ts';
import { plural } from '../words/plural.ts';

/** What the gaps of all workloads come to, as a part of a sentence: "4 workloads lack ready replicas to the end". */
export function gapWords(workloads: readonly { gap?: ReplicaGap; outcome?: Outcome | null }[]): string {
  const gaps = workloads.flatMap(({ gap, outcome }) => (gap && outcome !== 'flaps' ? [gap] : []));
  if (gaps.length === 0) return 'no ready replica is missing at any time';
  const open = gaps.filter((gap) => gap.open).length;
  if (open > 0)
    return `${plural(open, 'workload')} ${open === 1 ? 'lacks' : 'lack'} ready replicas to the end`;
  const longest = Math.max(1000, ...gaps.map(({ seconds }) => seconds * 1000));
  const had = gaps.length === 1 ? '1 workload has' : `${gaps.length} workloads have`;
  return `${had} fewer ready replicas for a time, the longest for ${duration(longest)}`;
}
