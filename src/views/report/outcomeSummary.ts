import type { Block, Words } from '../../presentation/model.ts';
import { asStrong } from '../../presentation/words.ts';
import type { Outcome, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import { listed, plural } from '../words/amounts.ts';
import { duration } from '../words/duration.ts';
import { workloadName } from '../words/names.ts';
import { SEVERITY, outcomeCount, outcomeTone, permanenceText } from '../words/outcomeWords.ts';

/** The meaning of outcomes, for readers new to the terms. docs/output.md describes them in full. */
const MEANINGS: Readonly<Record<Outcome, string>> = {
  lost: 'no replica remains, or none becomes ready',
  blocked: 'the scheduler finds no cluster for the missing replicas',
  flaps: 'they move again and again',
  'partly-moves': 'some copies are gone without a replacement',
  restarted: 'the copy is evicted or deleted, and starts again on the same cluster',
  moves: 'all replicas run, on other clusters',
  starts: 'not placed before, placed then',
  deleted: 'deleted, or all that require them are deleted',
  tolerates: 'stay although their cluster fails or is tainted',
  stays: 'nothing changes',
};
const MAX_NAMED = 5;

/** One line per outcome: how many workloads have it, its meaning, and the names of those that need attention. */
export function outcomeSummary(workloads: readonly WorkloadOutcome[]): Block[] {
  const rows = SEVERITY.flatMap((outcome): Words[][] => {
    const found = workloads.filter((one) => one.outcome === outcome);
    if (found.length === 0) return [];
    const [count, ...words] = outcomeCount(outcome, found.length).split(' ');
    const what = words.filter((word) => word !== 'is' && word !== 'are').join(' ');
    const tone = (text: string) => outcomeTone(outcome, text);
    const isGood = tone(what) === what;
    const names = isGood ? '' : `: ${listed(found.map(workloadName), MAX_NAMED)}`;
    return [
      [
        isGood ? asStrong(count!) : tone(count!),
        isGood ? asStrong(what) : tone(what),
        `${MEANINGS[outcome]}${names}`,
      ],
    ];
  });
  return rows.length === 0 ? [] : [{ type: 'rows', rows }];
}

/** The total downtime of all workloads, as a clause: "2 workloads are down and 1 lacks some replicas permanently". */
export function gapWords(
  workloads: readonly Partial<Pick<WorkloadOutcome, 'gap' | 'down' | 'outcome'>>[],
): string {
  const short = workloads.filter(({ gap, outcome }) => gap && outcome !== 'flaps');
  const gaps = short.flatMap(({ gap }) => gap ?? []);
  if (gaps.length === 0) return 'no ready replica is missing at any time';
  const open = short.filter(({ gap }) => gap?.open);
  if (open.length > 0) {
    const lasts = permanenceText(open.every(({ gap }) => gap?.permanent));
    return `${openText(open.filter(({ down }) => down).length, open.length)} ${lasts}`;
  }
  const longest = Math.max(1000, ...gaps.map(({ seconds }) => seconds * 1000));
  const had = gaps.length === 1 ? '1 workload has' : `${gaps.length} workloads have`;
  return `${had} fewer ready replicas for a time, the longest for ${duration(longest)}`;
}

/** "2 workloads are down and 1 lacks some replicas": of the workloads that lack replicas at the end, those without any. */
function openText(down: number, all: number): string {
  const isDown = `${plural(down, 'workload')} ${down === 1 ? 'is' : 'are'} down`;
  const others = all - down;
  if (others === 0) return isDown;
  const lack = `${others === 1 ? 'lacks' : 'lack'} some replicas`;
  return down === 0 ? `${plural(others, 'workload')} ${lack}` : `${isDown} and ${others} ${lack}`;
}
