import { compareText } from '../../simulator/store/indexes.ts';
import type { ComparedWorkload } from '../../simulator/comparison/differences.ts';
import type { Words } from '../../presentation/model.ts';
import { isEmpty, joined, plain, asWarning } from '../../presentation/words.ts';
import { duration } from '../words/duration.ts';
import { SEVERITY, doubtWords, gapText, outcomeTone, possibleEndsText } from '../words/outcomeWords.ts';
import { placementText } from '../words/names.ts';

/**
 * A workload's result in two simulations: "moves: dublin×3, leaves after 5m, 3 replicas down for 40s, estimate"; for equal outcomes without
 * `wide` only the differences: "moves: leaves after 5m" and "moves: leaves after 30s".
 */
export function comparedWords(
  from: ComparedWorkload | undefined,
  to: ComparedWorkload | undefined,
  wide: boolean,
): [from: Words, to: Words] {
  const [a, b] = [partsOf(from), partsOf(to)];
  if (!from || !to || wide || from.outcome !== to.outcome) return [wordsOf(from, a), wordsOf(to, b)];
  const differing = a.map((part, at) => at >= DOUBTS || plain(part) !== plain(b[at]!));
  const only = (parts: readonly Words[]) => parts.filter((_, at) => differing[at]);
  return [wordsOf(from, only(a)), wordsOf(to, only(b))];
}

/**
 * The same in brief, one cell each: "moves → lost?", then other differences: "5m → 30s", "dublin×3 → nowhere", "3 for 40s → -"; last how
 * often both flap, other possible ends, and what both depend on.
 */
export function comparedCells(from: ComparedWorkload | undefined, to: ComparedWorkload | undefined): Words[] {
  const outcome = (side: ComparedWorkload | undefined) =>
    side
      ? [outcomeTone(side.outcome, side.outcome), side.certainty === 'certain' ? '' : asWarning('?')]
      : 'not there';
  const differing = (textOf: (side: ComparedWorkload) => string) => {
    const [before, now] = [from, to].map((side) => (side && textOf(side)) || '-');
    return before === now ? '' : `${before} → ${now}`;
  };
  return [
    from?.outcome === to?.outcome ? outcome(to) : [outcome(from), ' → ', outcome(to)],
    differing(leavingText),
    // another order of clusters is not a difference
    differing(
      ({ after }) => placementText(after.toSorted((a, b) => compareText(a.name, b.name))) || 'nowhere',
    ),
    differing((side) => gapText(side)),
    joined(
      [
        from?.outcome === 'flaps' && to?.outcome === 'flaps' ? differing(({ reason = '' }) => reason) : '',
        differing((side) => possibleEndsText(side).join(', ')),
        doubtsOf([from, to]),
      ],
      ', ',
    ),
  ];
}

/** The doubts of all of them. */
function doubtsOf(sides: readonly (ComparedWorkload | undefined)[]): Words {
  const there = sides.flatMap((side) => side ?? []);
  const uncertain = (['unknown', 'estimate'] as const).find((one) =>
    there.some(({ certainty }) => certainty === one),
  );
  const dependsOn = [...new Set(there.flatMap((side) => side.dependsOn ?? []))];
  return uncertain ? doubtWords({ certainty: uncertain, dependsOn }) : '';
}

/** By the outcomes in the second simulation, the worst first. */
export function worstFirst<Compared extends { to?: ComparedWorkload }>(
  workloads: readonly Compared[],
): Compared[] {
  const rank = ({ to }: Compared) => (to ? SEVERITY.indexOf(to.outcome) : SEVERITY.length);
  return [...workloads].sort((a, b) => rank(a) - rank(b));
}

function wordsOf(side: ComparedWorkload | undefined, parts: readonly Words[]): Words {
  if (!side) return 'is not there';
  const { outcome } = side;
  const words = joined(parts, ', ');
  return [outcomeTone(outcome, outcome), isEmpty(words) ? '' : ': ', words];
}

/** Parts from this index on are uncertainties, which are never left out. */
const DOUBTS = 3;

/** Its final placement, when it leaves, missing replicas, other possible ends, and the certainty. */
function partsOf(side: ComparedWorkload | undefined): Words[] {
  if (!side) return [];
  const leaving = leavingText(side);
  const leaves = leaving === '' ? '' : `leaves after ${leaving}`;
  const ends = possibleEndsText(side).join(', ');
  return [
    placementText(side.after) || 'nowhere',
    leaves,
    gapText(side, ' replicas down'),
    ends,
    doubtWords(side),
  ];
}

function leavingText({ leavesAfterSeconds: seconds }: ComparedWorkload): string {
  return seconds === undefined ? '' : duration(seconds * 1000);
}
