import type { NamedTaint } from '../../engine/evidence.ts';
import type { WorkloadExplanation } from '../../engine/explanation/workloadExplanation.ts';
import type { TimelineEvent } from '../../engine/simulation/timeline/timelineEvent.ts';
import type { TextOptions } from '../answer.ts';
import { duration } from '../duration.ts';
import { evidenceText } from '../evidence.ts';
import { objectText } from '../objectText.ts';
import { columns } from '../table.ts';
import { eventWords, offsetText } from '../timelineEvent.ts';
import type { Style } from '../style.ts';

/** From the trigger to the last Work, a line for each step; with `wide` all of them and all evidence. */
export function chainText(explanation: WorkloadExplanation, now: number, options: TextOptions): string {
  const { chain } = explanation;
  const { style, wide } = options;
  const title = `${titleOf(explanation, now)}:`;
  const steps = wide ? chain.map(asStep) : merged(chain.filter(isTelling));
  if (steps.length === 0) return `${title} ${style.faint('nothing; no eviction and no retry is under way')}`;
  const shown = wide || steps.length <= MOST_STEPS ? steps : steps.slice(0, MOST_STEPS - LAST_STEPS);
  const rest = steps.slice(Math.max(shown.length, steps.length - LAST_STEPS));
  const hidden = steps.length - shown.length - rest.length;
  const lines = [
    ...stepLines(shown, explanation, now, options),
    ...(hidden > 0 ? [['', '', style.faint(`… ${hidden} more steps, and so on; see -o wide`)]] : []),
    ...stepLines(rest, explanation, now, options),
  ];
  return `${title}\n${columns(lines, 2)}`;
}

/** Steps that are printed unless all are asked for, and how many of them are the last ones. */
const MOST_STEPS = 40;
const LAST_STEPS = 4;

function stepLines(
  steps: Step[],
  explanation: WorkloadExplanation,
  now: number,
  options: TextOptions,
): string[][] {
  const { style } = options;
  return steps.flatMap((step) => [
    [offsetText(step.event.time, now), style.faint(step.event.controller), stepText(step, explanation)],
    ...reasons(step.event, options).map((reason) => ['', '', `  ${reason}`]),
  ]);
}

function titleOf({ failures, present, verdict }: WorkloadExplanation, now: number): string {
  if (failures.length === 0) return 'If nothing else happens';
  const concerned = new Set(
    [...present.clusters, ...verdict.leaving, ...verdict.after].map(({ name }) => name),
  );
  const none = failures.every(({ cluster }) => !concerned.has(cluster));
  const fails = failures.map(({ cluster, time }) =>
    time === now ? `${cluster} fails now` : `${cluster} fails in ${duration(time - now)}`,
  );
  return `If ${fails.join(' and ')}${none ? ', where it does not run' : ''}`;
}

/** What one wants to read first: the steps that lead to the next one. */
function isTelling({ type, message }: TimelineEvent): boolean {
  if (type === 'TaskStamped' || type === 'WorkRemoved') return false;
  return type !== 'HealthChanged' || message === 'Healthy';
}

interface Step {
  event: TimelineEvent;
  /** of events that say the same of several clusters */
  clusters: string[];
}

const asStep = (event: TimelineEvent): Step => ({ event, clusters: event.cluster ? [event.cluster] : [] });

const MERGED = new Set<TimelineEvent['type']>(['WorkCreated', 'WorkUpdated', 'WorkDeleted', 'HealthChanged']);

/** Steps of the same kind at the same time in one line. */
function merged(events: TimelineEvent[]): Step[] {
  const steps: Step[] = [];
  for (const event of events) {
    const last = steps.at(-1);
    const same =
      last &&
      MERGED.has(event.type) &&
      last.event.type === event.type &&
      last.event.message === event.message &&
      Math.abs(last.event.time - event.time) < 1000;
    if (same) last.clusters.push(event.cluster ?? '');
    else steps.push(asStep(event));
  }
  return steps;
}

function stepText({ event, clusters }: Step, { binding }: WorkloadExplanation): string {
  const words = eventWords(clusters.length > 1 ? { ...event, cluster: clusters.join(', ') } : event);
  const { object } = event;
  if (object.kind === 'Cluster') return `${object.name} ${words}`;
  return object.kind === binding.kind && object.name === binding.name
    ? words
    : `${objectText(object)} ${words}`;
}

/** Steps whose reason is not in their own words. */
const EXPLAINED = new Set<TimelineEvent['type']>([
  'Evicted',
  'EvictionWaits',
  'EvictionBlocked',
  'TaskEnded',
]);

function reasons({ type, evidence, object, taint }: TimelineEvent, { style, wide }: TextOptions): string[] {
  if (wide) return evidence.map((one) => evidenceText(one, object, style));
  if (taint && type !== 'TaintRemoved') return policiesOf(taint, evidence, style);
  if (!EXPLAINED.has(type) || evidence.length === 0) return [];
  // what an eviction rests on comes first; its words have the purge mode already
  const told = type === 'Evicted' ? evidence.slice(0, 1) : evidence;
  return [style.faint([...new Set(told.map(({ rule }) => rule))].join('; '))];
}

/** One look may add taints of several policies: those that speak of this one are named, each once. */
function policiesOf(taint: NamedTaint, evidence: TimelineEvent['evidence'], style: Style): string[] {
  const names = evidence.flatMap(({ object, taint: told }) =>
    object?.kind === 'ClusterTaintPolicy' && told?.key === taint.key && told.effect === taint.effect
      ? [objectText(object)]
      : [],
  );
  return [...new Set(names)].map((name) => style.faint(`by ${name}`));
}
