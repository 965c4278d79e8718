import type { Evidence } from '../../karmada/evidence.ts';
import type { WorkloadExplanation } from '../../analysis/explanation/workloadExplanation.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Words } from '../../presentation/model.ts';
import { bad, faint, good, warn } from '../../presentation/words.ts';
import { evidenceWords } from '../words/evidence.ts';
import { offsetText } from '../words/timelineEvent.ts';
import type { Choice } from './answered.ts';
import type { Moment, Place } from './place.ts';

/**
 * The evidence of an explanation, in its order; each opens the object at the field that was looked at, as it was at the
 * moment of a recording that is explained.
 */
export function evidenceChoices(explanation: WorkloadExplanation, now: number, moment?: number): Choice[] {
  const choices: Choice[] = [];
  const seen = new Set<string>();
  for (const { title, evidence } of factsOf(explanation, now))
    for (const one of evidence) {
      const key = JSON.stringify([one.object, one.field, one.rule]);
      if (seen.has(key)) continue;
      seen.add(key);
      choices.push({
        key,
        words: [title, ' ', evidenceWords(one, explanation.binding)],
        opens: placeOf(one, explanation.binding, moment === undefined ? {} : { at: moment }),
      });
    }
  return choices;
}

interface Fact {
  title: Words;
  evidence: readonly Evidence[];
}

function* factsOf({ links, present, chain, decision }: WorkloadExplanation, now: number): Generator<Fact> {
  for (const { state, evidence } of links) yield { title: LINKS[state], evidence };
  for (const { fromCluster, evidence } of present.evictions)
    yield { title: warn(`eviction from ${fromCluster}`), evidence };
  for (const { time, evidence } of chain) yield { title: faint(offsetText(time, now)), evidence };
  for (const { clusters } of decision.groups)
    for (const { name, filters } of clusters)
      for (const { plugin, reason, evidence = [] } of filters)
        if (reason !== undefined) yield { title: [bad(`not ${name}`), faint(` ${plugin}`)], evidence };
}

const LINKS = {
  holds: good('holds'),
  limits: warn('limits'),
  broken: bad('broken'),
  unknown: warn('unknown'),
};

/** A field without an object is a gate or flag. */
function placeOf({ object, field }: Evidence, binding: ObjectIdentity, moment: Moment): Place | undefined {
  if (field === undefined) return object && { view: 'object', object, ...moment };
  if (object || /^(?:metadata|spec|status)\b/.test(field))
    return { view: 'object', object: object ?? binding, field, ...moment };
  return { view: 'failover' };
}
