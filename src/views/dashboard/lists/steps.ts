import { snapshotKey } from '../../../karmada/objects/identities.ts';
import type { Words } from '../../../presentation/model.ts';
import { asBad, asFaint, asGood, asWarning } from '../../../presentation/words.ts';
import { eventWords, offsetText } from '../../words/timelineEvent.ts';
import { objectText } from '../../words/names.ts';
import type { List } from '../list.ts';
import { reasonPlace, type Place } from '../place.ts';
import type { Replayed, ReplayedStep } from '../answered.ts';

/** The changes of a simulation or a recording, in chronological order; Enter shows why. */
export function stepList({
  start,
  whatIf,
  steps,
}: Pick<Replayed, 'start' | 'whatIf' | 'steps'>): List<ReplayedStep> {
  // controllers' decisions name their object
  const isLog = steps.some((step) => 'line' in step);
  return {
    name: 'events',
    one: 'step',
    none: whatIf ? 'Nothing happens.' : 'Nothing changed in this time.',
    items: () => [],
    key: (step) => stepKey(step),
    namespace: ({ object }) => object.namespace,
    text: (step) => `${objectText(step.object)} ${step.controller} ${step.type} ${stepText(step)}`,
    columns: [
      { name: 'AT', words: ({ time }) => offsetText(time, start), order: ({ time }) => time },
      {
        name: 'WHO',
        words: ({ controller }) => asFaint(controller),
        order: ({ controller }) => controller,
        leaves: 1,
      },
      {
        name: 'OBJECT',
        words: ({ object }) => (object.name === '' ? '' : objectText(object)),
        short: (step) => shortObject(step.object),
        order: ({ object }) => objectText(object),
        least: 22,
        ...(isLog && { leaves: 2 }),
      },
      {
        name: 'WHAT',
        words: (step) => stepWords(step),
        short: (step) => stepWords(step, withoutGroup),
        order: ({ type }) => type,
        least: isLog ? 51 : 22,
      },
    ],
    opens: (step) => placeOf(step, whatIf),
    object: (step) => {
      if (step.object.name === '') return undefined;
      return 'line' in step ? { view: 'object', object: step.object } : objectAt(step, whatIf);
    },
  };
}

/** Most steps are about bindings, so the object is shown by name only. */
function shortObject(object: ReplayedStep['object']): string {
  if (object.name === '') return '';
  const { namespace, name } = object;
  return isBinding(object) ? `${namespace === undefined ? '' : `${namespace}/`}${name}` : objectText(object);
}

function isBinding({ kind }: ReplayedStep['object']): boolean {
  return kind === 'ResourceBinding' || kind === 'ClusterResourceBinding';
}

function stepKey(step: ReplayedStep): string {
  const { time, type, object, cluster, message } = step;
  return [
    'line' in step ? step.line : '',
    time,
    type,
    object.kind,
    object.namespace,
    object.name,
    cluster,
    message,
  ].join(' ');
}

const TONES: Partial<Record<ReplayedStep['type'], (words: Words) => Words>> = {
  ClusterFailed: asBad,
  ClusterRecovered: asGood,
  TaintAdded: asWarning,
  Evicted: asWarning,
  ScheduleFailed: asBad,
  EvictionBlocked: asBad,
  EvictionAbandoned: asBad,
  Scheduled: asGood,
  Gap: asBad,
};

function stepText(step: ReplayedStep): string {
  if ('line' in step) return step.message;
  return step.type === 'Gap' ? step.message : eventWords({ ...step, evidence: [] });
}

function stepWords(step: ReplayedStep, shorter = (text: string) => text): Words {
  const words = shorter(stepText(step));
  return TONES[step.type]?.(words) ?? words;
}

/** Karmada's own taints without their prefix. */
function withoutGroup(text: string): string {
  return text.replaceAll('cluster.karmada.io/', '');
}

function placeOf(step: ReplayedStep, whatIf: Replayed['whatIf']): Place | undefined {
  const { object, time: at } = step;
  if (step.type === 'Gap') return undefined;
  if ('line' in step) return { view: 'decision', line: step.line };
  if (!isBinding(object)) return objectAt(step, whatIf);
  const key = snapshotKey(object);
  return whatIf ? reasonPlace(key, whatIf) : { view: 'workload', key, at };
}

/** The object as it was then, if it was recorded. */
function objectAt(
  { object, time: at }: ReplayedStep,
  whatIf: Replayed['whatIf'],
): Extract<Place, { view: 'object' }> {
  return { view: 'object', object, ...(whatIf ? {} : { at }) };
}
