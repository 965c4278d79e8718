import type { Outcome, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { strong } from '../../presentation/words.ts';
import { listed } from '../words/listed.ts';
import { outcomeCount, outcomeTone, SEVERITY } from '../words/outcomeWords.ts';
import { workloadName } from '../words/workloadName.ts';

/** What outcomes mean, for readers who do not know the words. docs/output.md has them at length. */
const MEANINGS: Readonly<Record<Outcome, string>> = {
  lost: 'nothing of it is left, or nothing of it becomes ready',
  blocked: 'the scheduler finds no place for the missing part',
  flaps: 'it never comes to rest',
  'partly-moves': 'less of it is left, since nothing replaces the rest',
  restarted: 'it was evicted, or its ready copy deleted, and it came back to the same cluster',
  moves: 'as much of it as before is somewhere else',
  starts: 'it was nowhere and is placed',
  tolerates: 'it is where it was, although its cluster fails or is tainted',
  stays: 'it is where it was',
};
const MOST_NAMED = 5;

/** A line for each outcome: how many workloads have it, what it means, and the names of those that somebody has to see to. */
export function outcomeSummary(workloads: readonly WorkloadOutcome[]): Block[] {
  const rows = SEVERITY.flatMap((outcome): Words[][] => {
    const found = workloads.filter((one) => one.outcome === outcome);
    if (found.length === 0) return [];
    const [count, ...words] = outcomeCount(outcome, found.length).split(' ');
    const what = words.filter((word) => word !== 'is' && word !== 'are').join(' ');
    const tone = (text: string) => outcomeTone(outcome, text);
    const isGood = tone(what) === what;
    const names = isGood ? '' : `: ${listed(found.map(workloadName), MOST_NAMED)}`;
    return [
      [
        isGood ? strong(count!) : tone(count!),
        isGood ? strong(what) : tone(what),
        `${MEANINGS[outcome]}${names}`,
      ],
    ];
  });
  return rows.length === 0 ? [] : [{ type: 'rows', rows }];
}
