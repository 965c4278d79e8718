import type { NamedTaint } from '../../karmada/evidence.ts';
import type { WorkloadExplanation } from '../../analysis/explanation/workloadExplanation.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { Block, TimelineStep, Words } from '../../presentation/model.ts';
import { asFaint } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { listed } from '../words/amounts.ts';
import { duration } from '../words/duration.ts';
import { evidenceWords } from '../words/evidence.ts';
import { objectText } from '../words/names.ts';
import { eventWords, offsetText } from '../words/timelineEvent.ts';

/** From the trigger to the last Work, one line per step; with `wide` all of them and all evidence. */
export function chainBlocks(explanation: WorkloadExplanation, now: number, shown: Shown): Block[] {
  const { chain } = explanation;
  const { wide } = shown;
  const [first = '', ...others] = chainTitle(explanation, now);
  const title = `${first.toUpperCase()}${others.join('')}:`;
  const steps = wide ? chain.map(asStep) : merged(chain.filter(isInformative));
  if (steps.length === 0)
    return [
      { type: 'paragraph', words: [title, ' ', asFaint('nothing happens; no eviction or retry is pending')] },
    ];
  const begin = wide || steps.length <= MAX_STEPS ? steps : steps.slice(0, MAX_STEPS - LAST_STEPS);
  const rest = steps.slice(Math.max(begin.length, steps.length - LAST_STEPS));
  const hidden = steps.length - begin.length - rest.length;
  const shownStep = (step: ChainStep) => timelineStep(step, explanation, now, shown);
  const leftOut: TimelineStep[] =
    hidden > 0
      ? [{ when: '', actor: '', words: asFaint(`… ${hidden} more steps, and so on; see -o wide`) }]
      : [];
  const all = [...begin.map(shownStep), ...leftOut, ...rest.map(shownStep)];
  return [{ type: 'section', title, blocks: [{ type: 'timeline', steps: all }] }];
}

/** How many steps are printed unless all are requested, and how many of these are the last ones. */
const MAX_STEPS = 40;
const LAST_STEPS = 4;

function timelineStep(
  step: ChainStep,
  explanation: WorkloadExplanation,
  now: number,
  shown: Shown,
): TimelineStep {
  return {
    when: offsetText(step.event.time, now),
    actor: step.event.controller,
    words: stepText(step, explanation),
    details: reasons(step.event, shown),
  };
}

/** "if frankfurt fails now": the assumed event. */
export function chainTitle(
  { failures, recoveries = [], present, verdict }: WorkloadExplanation,
  now: number,
): string {
  const recovers = recoveries.map(({ cluster, time }) => `${cluster} recovers in ${duration(time - now)}`);
  if (failures.length === 0)
    return recovers.length > 0 ? `if ${recovers.join(' and ')}` : 'with no further failures';
  const concerned = new Set(
    [...present.clusters, ...verdict.leaving, ...verdict.after].map(({ name }) => name),
  );
  const none = failures.every(({ cluster }) => !concerned.has(cluster));
  const atOnce = failures.filter(({ time }) => time === now).map(({ cluster }) => cluster);
  const fails = [
    ...(atOnce.length === 0
      ? []
      : [`${listed(atOnce, 8, ' and ')} ${atOnce.length === 1 ? 'fails' : 'fail'} now`]),
    ...failures
      .filter(({ time }) => time !== now)
      .map(({ cluster, time }) => `${cluster} fails in ${duration(time - now)}`),
  ];
  return `if ${[...fails, ...recovers].join(' and ')}${none ? ', where it does not run' : ''}`;
}

/** The steps to read first: those that lead to the next one. */
function isInformative({ type, message }: TimelineEvent): boolean {
  if (type === 'TaskStamped' || type === 'WorkRemoved') return false;
  return type !== 'HealthChanged' || message === 'Healthy';
}

interface ChainStep {
  event: TimelineEvent;
  /** the clusters of otherwise identical events */
  clusters: string[];
}

const asStep = (event: TimelineEvent): ChainStep => ({
  event,
  clusters: event.cluster ? [event.cluster] : [],
});

const MERGED = new Set<TimelineEvent['type']>(['WorkCreated', 'WorkUpdated', 'WorkDeleted', 'HealthChanged']);

/** Merges steps of the same kind and time into one line. */
function merged(events: TimelineEvent[]): ChainStep[] {
  const steps: ChainStep[] = [];
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

function stepText({ event, clusters }: ChainStep, { binding }: WorkloadExplanation): string {
  const words = eventWords(clusters.length > 1 ? { ...event, cluster: clusters.join(', ') } : event);
  const { object } = event;
  if (object.kind === 'Cluster') return `${object.name} ${words}`;
  return object.kind === binding.kind && object.name === binding.name
    ? words
    : `${objectText(object)} ${words}`;
}

/** Steps whose text does not contain their reason. */
const EXPLAINED = new Set<TimelineEvent['type']>([
  'Evicted',
  'EvictionWaits',
  'EvictionBlocked',
  'EvictionAbandoned',
  'TaskEnded',
]);

function reasons({ type, evidence, object, taint }: TimelineEvent, { wide }: Shown): Words[] {
  if (wide) return evidence.map((one) => evidenceWords(one, object));
  if (taint && type !== 'TaintRemoved') return policiesOf(taint, evidence);
  if (!EXPLAINED.has(type) || evidence.length === 0) return [];
  // the reason for an eviction comes first; its text already names the purge mode
  const shown = type === 'Evicted' ? evidence.slice(0, 1) : evidence;
  return [asFaint([...new Set(shown.map(({ rule }) => rule))].join('; '))];
}

/** The policies behind a taint, each once. One reconcile may add taints of several policies. */
function policiesOf(taint: NamedTaint, evidence: TimelineEvent['evidence']): Words[] {
  const names = evidence.flatMap(({ object, taint: listed }) =>
    object?.kind === 'ClusterTaintPolicy' && listed?.key === taint.key && listed.effect === taint.effect
      ? [objectText(object)]
      : [],
  );
  return [...new Set(names)].map((name) => asFaint(`by ${name}`));
}
