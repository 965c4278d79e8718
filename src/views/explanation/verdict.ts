import type { FailoverVerdict } from '../../analysis/explanation/failoverVerdict.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asFaint, joined, asWarning } from '../../presentation/words.ts';
import type { ClusterLoss } from '../../analysis/explanation/workloadExplanation.ts';
import {
  downWords,
  gapLength,
  gapText,
  outcomeTone,
  possibleEndsText,
  severityOf,
} from '../words/outcomeWords.ts';
import { placementText } from '../words/names.ts';
import { offsetText } from '../words/timelineEvent.ts';

/** The first broken link of a chain, and whether it causes the verdict. */
export interface BrokenLink {
  /** the problem, in the words of `doctor` */
  words: Words;
  decides: boolean;
}

/**
 * The outcome of `subject` in a few sentences: the replicas that keep running, those missing, and for how long. The
 * first broken link of the chain comes first if it decides, otherwise last, so that nothing seems to follow from it.
 */
export function verdictBlocks(
  subject: Words,
  verdict: FailoverVerdict,
  now: number,
  broken?: BrokenLink,
): Block[] {
  const doubt = verdict.certainty === 'certain' ? '' : asWarning(` (${verdict.certainty})`);
  const outcome = [outcomeWords(verdict, !broken), doubt, ...(broken?.decides ? [': ', broken.words] : [])];
  const sentences: Words[] = [
    [subject, ': ', ...outcome, '.'],
    ...runningWords(verdict, now),
    ...oldCopyText(verdict, now),
    ...possibleEndsText(verdict).map((ends) => asWarning(`It ${ends}.`)),
    ...(broken && !broken.decides ? [['But ', broken.words, '.']] : []),
  ];
  const words = joined(sentences, ' ');
  // Karmada's own message is too long for our sentence
  if (broken || !isSchedulerText(verdict)) return [{ type: 'paragraph', words }];
  return [
    { type: 'section', title: words, blocks: [{ type: 'paragraph', words: asFaint(verdict.reason!) }] },
  ];
}

/** The failures of its clusters, the worst for it first. */
export function worstFirst(losses: readonly ClusterLoss[]): ClusterLoss[] {
  return losses.toSorted((a, b) => severityOf(a) - severityOf(b));
}

/** "If frankfurt fails: moves (estimate), 3 replicas down for 1m7s; then on dublin×3.": one row per cluster. */
export function lossRows(losses: readonly ClusterLoss[]): Block[] {
  return losses.length === 0 ? [] : [{ type: 'rows', rows: worstFirst(losses).map(lossCells) }];
}

function lossCells(loss: ClusterLoss): Words[] {
  const { cluster, outcome, after, certainty, gap } = loss;
  const where = outcome === 'lost' || after.length === 0 ? '' : `; then on ${placementText(after)}`;
  const doubt = certainty === 'certain' ? '' : asWarning(` (${certainty})`);
  const missing = gap ? `, ${gapText({ gap }, ' replicas down')}` : '';
  const ends = possibleEndsText(loss).map((text) => asWarning(`, ${text}`));
  const what = downWords(loss) || outcomeTone(outcome, outcome);
  return [`If ${cluster} fails:`, [what, doubt, missing, ...ends, where, '.']];
}

function isSchedulerText({ outcome, reason }: FailoverVerdict): boolean {
  return reason !== undefined && (outcome === 'lost' || outcome === 'blocked');
}

/** @param explains whether to include the simulation's reason */
function outcomeWords(verdict: FailoverVerdict, explains: boolean): Words {
  const { outcome, before, after, leaving } = verdict;
  const reason = explains ? verdict.reason : undefined;
  const { left, gained } = difference([...before, ...leaving], after);
  const because = reason ? `: ${reason.replace(/\.$/, '')}` : '';
  switch (outcome) {
    case 'moves':
      if (left.length === 0) return `moves${because}`;
      if (gained === '' && leaving.length > 0)
        return `moves from ${placementText(left)} to ${placementText(after)}`;
      return `moves from ${placementText(left)} to ${gained || 'nowhere else'}`;
    case 'partly-moves':
      return [asWarning('moves in part'), gained ? `, to ${gained}` : '', because];
    case 'restarted':
      return [asWarning('restarted'), because ? `${because}, and starts there again` : ''];
    case 'starts':
      return `starts on ${placementText(after)}`;
    case 'blocked':
      return [
        asBad('blocked'),
        `, ${placementText(left) || placementText(leaving) || 'it'} cannot be rescheduled`,
      ];
    case 'lost':
      return [asBad('lost'), `, nothing replaces ${placementText(before) || placementText(leaving) || 'it'}`];
    case 'flaps':
      return [asBad('flaps'), because];
    case 'deleted':
      return `deleted${because}`;
    case 'tolerates':
      return explains ? `stays, it ${reason ?? 'tolerates the taint'}` : `stays on ${placementText(before)}`;
    case 'stays':
      return before.length === 0 ? 'stays on no cluster' : `stays on ${placementText(before)}${because}`;
  }
}

/** The losses and gains between two placements: "dublin +1, virginia +6". */
function difference(
  before: TargetCluster[],
  after: TargetCluster[],
): { left: TargetCluster[]; gained: string } {
  const had = new Map(before.map(({ name, replicas }) => [name, replicas ?? 0]));
  const has = new Map(after.map(({ name, replicas }) => [name, replicas ?? 0]));
  const gained = after.flatMap(({ name, replicas = 0 }) => {
    const old = had.get(name);
    if (old === undefined) return [placementText([{ name, replicas }])];
    return replicas > old ? [`${name} +${replicas - old}`] : [];
  });
  return { left: before.filter(({ name }) => !has.has(name)), gained: gained.join(', ') };
}

function runningWords({ replicas, gap, settledAt, outcome }: FailoverVerdict, now: number): Words[] {
  if (!replicas) return [];
  const { wanted, readyAtStart, fewest, readyAtEnd } = replicas;
  const noun = wanted === 1 ? 'replica' : 'replicas';
  if (!gap && fewest >= wanted) {
    const all = wanted === 2 ? 'Both' : `All ${wanted}`;
    return [wanted === 1 ? 'Its replica keeps running.' : `${all} replicas keep running.`];
  }
  if (readyAtStart < wanted && fewest === readyAtStart) {
    const later =
      readyAtEnd > readyAtStart && settledAt !== undefined
        ? `; ${readyAtEnd} from ${offsetText(settledAt, now)} on`
        : '';
    return [asWarning(`${readyAtStart} of ${wanted} ${noun} run now${later}.`)];
  }
  if (!gap) return [`${fewest} of ${wanted} ${noun} keep running.`];
  const missing = `${gap.replicas} ${gap.replicas === 1 ? 'is' : 'are'} missing`;
  const running = `${fewest} of ${wanted} ${noun} keep running; `;
  if (outcome === 'flaps') return [[running, asBad(`${missing} again and again`), '.']];
  if (!gap.open) return [[running, `${missing} for ${gapLength(gap)}`, '.']];
  return [[running, asBad(gapText({ gap }, gap.replicas === 1 ? ' is missing' : ' are missing')), '.']];
}

/** When the old copy is deleted; this matters most if nothing has replaced it. */
function oldCopyText(
  { outcome, certainty, oldCopyEnds, evicting, deletedReady = [] }: FailoverVerdict,
  now: number,
): string[] {
  const [deleted] = deletedReady;
  if (deleted) {
    const replicas = deleted.replicas === 1 ? 'ready replica' : `${deleted.replicas} ready replicas`;
    return [
      `The ${replicas} on ${deleted.cluster} ${deleted.replicas === 1 ? 'is' : 'are'} deleted at ${offsetText(deleted.time, now)}.`,
    ];
  }
  // A flapping workload has no end.
  if (outcome === 'flaps') return [];
  if (evicting.length > 0) {
    const [copies, are] = evicting.length === 1 ? ['copy', 'is'] : ['copies', 'are'];
    return [`The ${copies} on ${evicting.join(', ')} ${are} still there at the end.`];
  }
  if (!oldCopyEnds || (outcome !== 'lost' && outcome !== 'blocked')) return [];
  const { time, clusters, deletedBefore } = oldCopyEnds;
  if (deletedBefore) return [];
  const doubt = certainty === 'certain' ? '' : ` (${certainty})`;
  return [`Karmada deletes the copy on ${clusters.join(', ')} at ${offsetText(time, now)}${doubt}.`];
}
