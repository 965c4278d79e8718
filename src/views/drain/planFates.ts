import type { DrainOutcome, DrainPlan, PlannedWorkload } from '../../analysis/drain/plan/drainPlan.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import type { Words } from '../../presentation/model.ts';
import { asBad, asFaint, joined, asStrong, asWarning } from '../../presentation/words.ts';
import { listed, plural } from '../words/amounts.ts';
import { gapText, possibleEndsText } from '../words/outcomeWords.ts';
import { placementText, workloadName } from '../words/names.ts';
import { offsetText } from '../words/timelineEvent.ts';
import { groupedBy } from '../../kubernetes/nonEmpty.ts';

/** Worst first. */
export const DRAIN_OUTCOMES: readonly DrainOutcome[] = [
  'lost',
  'blocked',
  'flaps',
  'partly-moves',
  'stays',
  'follows',
  'leaves',
  'moves',
];
/** The number of groups shown per outcome, those with the most workloads first. */
const MAX_GROUPS = 4;
const MAX_NAMES = 3;

/** The outcome of the workloads, one line per outcome and reason: the number, the outcome, the names and the reason. */
export function outcomeRows(plan: DrainPlan): Words[][] {
  const digits = String(plan.workloads.length).length;
  return DRAIN_OUTCOMES.flatMap((fate) => {
    const found = plan.workloads.filter((one) => one.fate === fate);
    if (found.length === 0) return [];
    const groups = fate === 'moves' ? [movesText(found)] : groupTexts(found, plan);
    return groups.map((text, index) => [
      index === 0 ? drainOutcomeTone(fate, String(found.length).padStart(digits), asStrong) : '',
      index === 0 ? drainOutcomeTone(fate, drainOutcomeWords(fate, found.length), asStrong) : '',
      text,
    ]);
  });
}

/** The outcome of this many workloads: "moves", "move in part", "would be lost". */
export function drainOutcomeWords(fate: DrainOutcome, count: number): string {
  const one = count === 1;
  switch (fate) {
    case 'moves':
      return one ? 'moves' : 'move';
    case 'partly-moves':
      return one ? 'moves in part' : 'move in part';
    case 'leaves':
      return one ? 'leaves' : 'leave';
    case 'follows':
      return one ? 'follows' : 'follow';
    case 'stays':
      return one ? 'stays' : 'stay';
    case 'flaps':
      return 'would flap';
    case 'blocked':
      return 'blocked';
    case 'lost':
      return 'would be lost';
  }
}

/** Words with the tone of an outcome; `good` also colours good outcomes. */
export function drainOutcomeTone(fate: DrainOutcome, words: string, good: (words: string) => Words): Words {
  const tone = toneOfDrainOutcome(fate);
  return tone === 'bad' ? asBad(words) : tone === 'warn' ? asWarning(words) : good(words);
}

export function toneOfDrainOutcome(fate: DrainOutcome): 'bad' | 'warn' | 'plain' {
  if (fate === 'lost' || fate === 'blocked' || fate === 'flaps') return 'bad';
  return fate === 'partly-moves' ? 'warn' : 'plain';
}

/** Where the replicas go: "dublin +9 replicas, virginia +7; without replicas: oregon". */
function movesText(workloads: PlannedWorkload[]): string {
  const gained = new Map<string, number>();
  for (const { before, after } of workloads)
    for (const { name, replicas = 0 } of after) {
      const had = before.find((one) => one.name === name);
      if (had && (had.replicas ?? 0) >= replicas) continue;
      gained.set(name, (gained.get(name) ?? 0) + replicas - (had?.replicas ?? 0));
    }
  const most = [...gained].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const texts = most.map(([name, count], index) => {
    if (count === 0) return name;
    return `${name} +${count}${index === 0 ? (count === 1 ? ' replica' : ' replicas') : ''}`;
  });
  if (texts.length > 0) return `to ${listed(texts)}`;
  // in a continued drain, all of them already have their places
  return `${listed(workloads.map(workloadName), MAX_NAMES)}: evicted already, and placed elsewhere`;
}

/** A text for each reason: which workloads, and why. */
function groupTexts(workloads: PlannedWorkload[], { now, options }: DrainPlan): Words[] {
  const groups = groupedBy(workloads, (one) => reasonText(one, now, options.clusters));
  const sorted = [...groups].sort((a, b) => b[1].length - a[1].length);
  const shown = sorted.slice(0, MAX_GROUPS).map(([reason, members]) => {
    const names = listed(members.map(workloadName), MAX_NAMES);
    const ofAll =
      members.length > 1
        ? reason.replace(/^its copies\b/, 'their copies').replace(/\bits copy\b/, 'their copies')
        : reason;
    return [names, reasonWords(ofAll)];
  });
  const hidden = sorted.slice(MAX_GROUPS).reduce((sum, [, members]) => sum + members.length, 0);
  return hidden > 0 ? [...shown, `${hidden} more for other reasons`] : shown;
}

/**
 * ": why", as separate words: after a workload name such as auth-token, a reason would be redacted as a secret's value.
 */
export function reasonWords(reason: string): Words {
  return reason === '' ? '' : [': ', reason];
}

/** Why and when: the differences between workloads with one outcome. */
export function reasonText(one: PlannedWorkload, start: number, drained: string[]): string {
  const { fate, reason = '', until, goneAt } = one;
  const parts = [fate === 'leaves' && reason === '' ? 'its copies on other clusters stay' : reason];
  if (fate === 'stays' && until !== undefined) parts.push(`until ${offsetText(until, start)}`);
  if (fate === 'lost' && (until ?? goneAt) !== undefined)
    parts.push(`the last copy is gone at ${offsetText((until ?? goneAt)!, start)}`);
  if (fate === 'partly-moves')
    parts.push(remainsText([...one.before, ...(one.leaving ?? [])], one.after, drained));
  return joined(parts, '; ');
}

/** "4 of 6 replicas elsewhere at the end", or, without replicas, "on dublin at the end". */
function remainsText(before: TargetCluster[], after: TargetCluster[], drained: string[]): string {
  const sum = (clusters: TargetCluster[]) => clusters.reduce((all, { replicas = 0 }) => all + replicas, 0);
  const left = after.filter(({ name }) => !drained.includes(name));
  if (sum(before) === 0) return `on ${placementText(left) || 'no cluster'} at the end`;
  return `${sum(left)} of ${sum(before)} replicas elsewhere at the end`;
}

/** Dependents that follow the workloads, and dependencies left behind. */
export function dependencyLines({ workloads }: DrainPlan): Words[] {
  const behind = workloads.flatMap((one) => one.leavesBehind.map((left) => ({ one, left })));
  const short = workloads.filter(({ gap }) => gap !== undefined);
  const lines: Words[] = [];
  if (behind.length > 0)
    lines.push(
      asWarning(
        `Left behind: ${listed(
          behind.map(({ one, left }) => `${workloadName(left)} of ${workloadName(one)}`),
          MAX_NAMES,
        )}`,
      ),
    );
  if (short.length > 0)
    lines.push(
      asWarning(
        `Replicas down during the drain: ${listed(
          short.map((one) => `${workloadName(one)} (${gapText(one)})`),
          MAX_NAMES,
        )}`,
      ),
    );
  return lines;
}

/** The uncertainties, and what they depend on. */
export function doubtLines({ workloads }: DrainPlan): Words[] {
  const counts = new Map<string, number>();
  for (const { certainty, dependsOn = [] } of workloads)
    if (certainty !== 'certain') for (const one of dependsOn) counts.set(one, (counts.get(one) ?? 0) + 1);
  const open = workloads.flatMap((one) =>
    possibleEndsText(one).map((ends) => `${workloadName(one)} (${ends})`),
  );
  return [
    ...(open.length > 0 ? [asWarning(`Uncertain outcomes: ${listed(open, MAX_NAMES)}`)] : []),
    ...[...counts].map(([text, count]) =>
      asFaint(`Estimate: ${plural(count, 'workload')} ${count === 1 ? 'depends' : 'depend'} on ${text}`),
    ),
  ];
}
