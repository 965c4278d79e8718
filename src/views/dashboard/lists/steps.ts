import type { TimelineEvent, TimelineEventType } from '../../../engine/simulation/timeline/timelineEvent.ts';
import { snapshotKey } from '../../../engine/objects/identities.ts';
import type { Words } from '../../../presentation/model.ts';
import { bad, faint, good, warn } from '../../../presentation/words.ts';
import { eventWords, offsetText } from '../../timelineEvent.ts';
import { objectText } from '../../objectText.ts';
import type { List } from '../list.ts';
import type { Place } from '../place.ts';

/** A change in a simulation, without its evidence. */
export type Step = Omit<TimelineEvent, 'evidence'>;

/** The changes of a simulation in order of time; Enter tells why. */
export function stepList(start: number, failing: readonly string[]): List<Step> {
  return {
    name: 'events',
    one: 'step',
    none: 'Nothing happens.',
    items: () => [],
    key: (step) => stepKey(step),
    namespace: ({ object }) => object.namespace,
    text: (step) =>
      `${objectText(step.object)} ${step.controller} ${step.type} ${eventWords({ ...step, evidence: [] })}`,
    columns: [
      { name: 'AT', words: ({ time }) => offsetText(time, start), order: ({ time }) => time },
      {
        name: 'WHO',
        words: ({ controller }) => faint(controller),
        order: ({ controller }) => controller,
        leaves: 1,
      },
      {
        name: 'OBJECT',
        words: ({ object }) => objectText(object),
        order: ({ object }) => objectText(object),
        least: 20,
      },
      { name: 'WHAT', words: stepWords, order: ({ type }) => type, least: 24 },
    ],
    opens: (step) => placeOf(step, failing),
    object: ({ object }) => ({ view: 'object', object }),
  };
}

function stepKey({ time, type, object, cluster, message }: Step): string {
  return [time, type, object.kind, object.namespace, object.name, cluster, message].join(' ');
}

const TONES: Partial<Record<TimelineEventType, (words: Words) => Words>> = {
  ClusterFailed: bad,
  ClusterRecovered: good,
  TaintAdded: warn,
  Evicted: warn,
  ScheduleFailed: bad,
  EvictionBlocked: bad,
  EvictionAbandoned: bad,
  Scheduled: good,
};

function stepWords(step: Step): Words {
  const words = eventWords({ ...step, evidence: [] });
  return TONES[step.type]?.(words) ?? words;
}

function placeOf({ object }: Step, failing: readonly string[]): Place {
  const isBinding = object.kind === 'ResourceBinding' || object.kind === 'ClusterResourceBinding';
  return isBinding
    ? { view: 'workload', key: snapshotKey(object), ifFails: failing }
    : { view: 'object', object };
}
