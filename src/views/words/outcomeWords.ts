import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { Words } from '../../presentation/model.ts';
import { asBad, asWarning } from '../../presentation/words.ts';
import type { EvictionTaskExplanation } from '../../analysis/explanation/tasks/evictionTask.ts';
import { snapshotKey } from '../../karmada/objects/identities.ts';
import type { Outcome, ReplicaGap, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import type { CostOfLoss } from '../../analysis/forecast/costOfLoss.ts';
import { plural } from './amounts.ts';
import { duration } from './duration.ts';
import { placementText } from './names.ts';

/** Worst first. */
export const SEVERITY: readonly Outcome[] = [
  'lost',
  'blocked',
  'flaps',
  'partly-moves',
  'restarted',
  'moves',
  'starts',
  'deleted',
  'tolerates',
  'stays',
];

const words: Record<Outcome, [one: string, many: string]> = {
  lost: ['is lost', 'are lost'],
  blocked: ['is blocked', 'are blocked'],
  flaps: ['flaps', 'flap'],
  'partly-moves': ['moves in part', 'move in part'],
  restarted: ['is restarted', 'are restarted'],
  moves: ['moves', 'move'],
  starts: ['starts', 'start'],
  deleted: ['is deleted', 'are deleted'],
  tolerates: ['tolerates it', 'tolerate it'],
  stays: ['stays', 'stay'],
};

/** "2 are lost" */
export function outcomeCount(outcome: Outcome, count: number): string {
  return `${count} ${words[outcome][count === 1 ? 0 : 1]}`;
}

/** "2 lost", "1 moves", as lists count them. */
function shortOutcomeCount(outcome: Outcome, count: number): string {
  return outcomeCount(outcome, count).replace(/ (is|are) /, ' ');
}

/** "3 lost (1 uncertain)": losses, and how many of them are estimates or unknown. */
export function lossCount(lost: number, uncertain: number, mark = ' uncertain'): Words {
  return asBad(`${lost} lost${uncertain > 0 ? ` (${uncertain}${mark})` : ''}`);
}

/**
 * "3 lost (1 uncertain), 1 down": how many workloads these evictions leave without a copy or a ready replica. A workload
 * with several tasks counts once.
 */
export function evictionLosses(
  tasks: readonly Pick<EvictionTaskExplanation, 'binding' | 'outcome' | 'certainty' | 'down'>[],
  mark?: string,
): Words[] {
  const workloads = [...new Map(tasks.map((task) => [snapshotKey(task.binding), task])).values()];
  const lost = workloads.filter(({ outcome }) => outcome === 'lost');
  const uncertain = lost.filter(({ certainty }) => certainty !== 'certain').length;
  const down = workloads.filter((one) => one.down && one.outcome !== 'lost').length;
  return [
    ...(lost.length > 0 ? [lossCount(lost.length, uncertain, mark)] : []),
    ...(down > 0 ? [asBad(`${down} down`)] : []),
  ];
}

/** Why a workload without a ready replica at the end is down, by its outcome; if it is lost, the outcome says it. */
const DOWN: Record<Exclude<Outcome, 'lost' | 'deleted'>, string> = {
  blocked: 'blocked, no replica ready',
  flaps: 'flaps, no replica ready at the end',
  'partly-moves': 'moves in part, no replica ready at the end',
  restarted: 'restarted, no replica ready at the end',
  moves: 'moves, no replica ready at the end',
  starts: 'starts, no replica ready at the end',
  tolerates: 'tolerates, so Karmada will not move it',
  stays: 'stays, no replica ready',
};

/** "down: tolerates, so Karmada will not move it": for a workload that is down at the end, whatever its outcome. */
export function downWords({
  outcome,
  down,
  reason,
}: Pick<WorkloadOutcome, 'outcome' | 'down' | 'reason'>): Words {
  if (!down || outcome === 'lost' || outcome === 'deleted') return '';
  if (outcome === 'tolerates' && reason?.endsWith(' for a time'))
    return asBad('down: tolerates, so Karmada does not move it yet');
  return asBad(`down: ${DOWN[outcome]}`);
}

/** The rank of an outcome, worst first: down comes right after lost. */
export function severityOf({ outcome, down }: Pick<WorkloadOutcome, 'outcome' | 'down'>): number {
  return outcome === 'lost' ? 0 : down ? 0.5 : SEVERITY.indexOf(outcome);
}

/** Words in the tone of the outcome. */
export function outcomeTone(outcome: Outcome, words: Words): Words {
  if (outcome === 'lost' || outcome === 'blocked' || outcome === 'flaps') return asBad(words);
  return outcome === 'partly-moves' || outcome === 'restarted' ? asWarning(words) : words;
}

/** "2 lost", "12 move": how many workloads have each outcome, the worst first. */
export function outcomeCounts(counts: Partial<Record<Outcome, number>>): Words[] {
  return SEVERITY.flatMap((outcome) => {
    const count = counts[outcome] ?? 0;
    return count === 0 ? [] : [outcomeTone(outcome, shortOutcomeCount(outcome, count))];
  });
}

/** The certainty of an outcome and what it depends on; nothing if it is certain. */
export function doubtWords({
  certainty,
  dependsOn = [],
}: Pick<WorkloadOutcome, 'certainty' | 'dependsOn'>): Words {
  return certainty === 'certain' ? '' : { certainty, dependsOn };
}

/**
 * "may end on virginia×6 or on tokyo×6", if different processing orders end differently; otherwise nothing. A flapping workload settles
 * only in some of them.
 */
export function possibleEndsText({
  outcome,
  possibleEnds = [],
}: Pick<WorkloadOutcome, 'possibleEnds'> & { outcome?: Outcome | null }): string[] {
  if (possibleEnds.length === 0) return [];
  const placed = possibleEnds.map((end) => placementText(end)).filter((text) => text !== '');
  const nowhere = placed.length < possibleEnds.length ? ['on no cluster'] : [];
  const ends = outcome === 'flaps' ? 'may settle' : 'may end';
  return [`${ends} ${[...placed.map((text) => `on ${text}`), ...nowhere].join(' or ')}`];
}

type Deleted = NonNullable<WorkloadOutcome['deletedReady']>;
type DeletedDocument = (Omit<Deleted[number], 'time'> & { time: string })[];

/** A cache: all tasks of a workload share one list. */
const documents = new WeakMap<Deleted, DeletedDocument>();

function withTimes(deleted: Deleted): DeletedDocument {
  let document = documents.get(deleted);
  if (!document) {
    document = deleted.map((one) => ({ ...one, time: rfc3339Milliseconds(one.time) }));
    documents.set(deleted, document);
  }
  return document;
}

/** The times of an outcome in documents. */
export function outcomeDocument({
  deletedReady,
  flapping,
}: Pick<WorkloadOutcome, 'deletedReady' | 'flapping'>) {
  return {
    ...(deletedReady ? { deletedReady: withTimes(deletedReady) } : {}),
    ...(flapping ? { flapping: { periodSeconds: flapping.period / 1000, cause: flapping.cause } } : {}),
  };
}

/**
 * How many ready replicas are missing, and for how long: "3 for 1m9s", "3 permanently", "up to 6, 3 permanently". A
 * flapping workload lacks them in each round, so the end of the simulation is irrelevant.
 * @param noun the text after the number: " replicas down"
 */
export function gapText(
  { gap, outcome }: Partial<Pick<WorkloadOutcome, 'gap' | 'outcome'>>,
  noun = '',
): string {
  if (!gap) return '';
  const { replicas, atEnd = replicas } = gap;
  const missing = `${replicas}${replicas === 1 ? noun.replace('replicas', 'replica') : noun}`;
  if (outcome === 'flaps') return `${missing}, again and again`;
  if (!gap.open) return `${missing} for ${gapLength(gap)}`;
  const lasts = permanenceText(gap.permanent);
  return atEnd === replicas ? `${missing} ${lasts}` : `up to ${missing}, ${atEnd} ${lasts}`;
}

/** The duration of a gap at the end: unknown while something still changes, and for a recording. */
export function permanenceText(permanent = false): 'permanently' | 'at the end' {
  return permanent ? 'permanently' : 'at the end';
}

/** "5 workloads down", "13 replicas down permanently" and "60 replica-minutes of downtime", each if there are any. */
export function costTexts(cost: CostOfLoss): [workloads: string, replicas: string, downtime: string] {
  const { missingReplicaMinutes: minutes } = cost;
  const downtime = minutes === 0 ? '' : `${plural(minutes, 'replica-minute')} of downtime`;
  return [workloadsDownText(cost), downText(cost), downtime];
}

/** "5 workloads down": those without a ready replica at the end; nothing if they are just the lost ones. */
export function workloadsDownText({ down, lost }: CostOfLoss, noun = 'workload'): string {
  return down <= lost ? '' : `${noun ? plural(down, noun) : down} down`;
}

/** "13 replicas down permanently"; nothing if none is down at the end. */
export function downText(
  { missingForGood, missingPermanently }: Pick<CostOfLoss, 'missingForGood' | 'missingPermanently'>,
  noun: 'replica' | '' = 'replica',
): string {
  if (missingForGood === 0) return '';
  const down = noun === '' ? `${missingForGood}` : `${plural(missingForGood, noun)} down`;
  return `${down} ${permanenceText(missingPermanently === missingForGood)}`;
}

/** "1m9s"; less than a second counts as one. */
export function gapLength({ seconds }: ReplicaGap): string {
  return duration(Math.max(1000, seconds * 1000));
}
