import type { ComparedWorkload } from '../../simulator/comparison/differences.ts';
import type { Words } from '../../presentation/model.ts';
import { joined } from '../../presentation/words.ts';
import { duration } from '../words/duration.ts';
import { doubtWords, gapText, outcomeTone, possibleEndsText } from '../words/outcomeWords.ts';
import { placementText } from '../words/names.ts';

/** How a workload fares in one of two simulations: "moves: dublin×3, after 5m, 3 replicas down for 40s, estimate". */
export function comparedWords(side: ComparedWorkload | undefined): Words {
  if (!side) return 'is not there';
  const { outcome, after, leavesAfterSeconds } = side;
  const fewer = gapText(side, ' replicas down');
  const end: Words = [outcomeTone(outcome, outcome), `: ${placementText(after) || 'nowhere'}`];
  const leaves = leavesAfterSeconds === undefined ? '' : `after ${duration(leavesAfterSeconds * 1000)}`;
  return joined([end, leaves, fewer, ...possibleEndsText(side), doubtWords(side)], ', ');
}
