import type { Evidence } from '../../karmada/evidence.ts';
import type { WorkloadExplanation } from '../../analysis/explanation/workloadExplanation.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, asWarning } from '../../presentation/words.ts';
import { evidenceWords } from '../words/evidence.ts';
import { offsetText } from '../words/timelineEvent.ts';
import type { Choice } from './answered.ts';
import type { Moment, Place } from './place.ts';
import { policyIdentity } from '../../karmada/objects/policies.ts';
import { listedTaints } from '../../karmada/taints/policyFields.ts';
import type { World } from '../../karmada/world.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import { listed } from '../words/amounts.ts';
import { objectText } from '../words/names.ts';

/**
 * The evidence of an explanation, in its order; each opens the object at the field that was read, at the explained moment of a recording.
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
    yield { title: asWarning(`eviction from ${fromCluster}`), evidence };
  for (const { time, evidence } of chain) yield { title: asFaint(offsetText(time, now)), evidence };
  for (const { clusters } of decision.groups)
    for (const { name, filters } of clusters)
      for (const { plugin, reason, evidence = [] } of filters)
        if (reason !== undefined) yield { title: [asBad(`not ${name}`), asFaint(` ${plugin}`)], evidence };
}

const LINKS = {
  holds: asGood('holds'),
  limits: asWarning('limits'),
  broken: asBad('broken'),
  unknown: asWarning('unknown'),
};

/** A field without an object is a gate or flag. */
function placeOf({ object, field }: Evidence, binding: ObjectIdentity, moment: Moment): Place | undefined {
  if (field === undefined) return object && { view: 'object', object, ...moment };
  if (object || /^(?:metadata|spec|status)\b/.test(field))
    return { view: 'object', object: object ?? binding, field, ...moment };
  return { view: 'failover' };
}

/** The ClusterTaintPolicies of a world with the taints that they add, then the propagation policies; each opens the object. */
export function policyChoices({
  taintPolicies,
  policies,
}: Pick<World, 'taintPolicies' | 'policies'>): Choice[] {
  const propagating = policies.map((policy): Choice => {
    const object = policyIdentity(policy);
    return { key: objectText(object), words: objectText(object), opens: { view: 'object', object } };
  });
  return [...taintChoices(taintPolicies), ...propagating.sort(byKey)];
}

function taintChoices(taintPolicies: World['taintPolicies']): Choice[] {
  return taintPolicies
    .map((policy): Choice => {
      const { name } = policy.metadata;
      const taints = listedTaints(policy).map(formatTaint);
      return {
        key: name,
        words: [
          `ClusterTaintPolicy ${name}`,
          asFaint(`   ${taints.length === 0 ? 'no taints' : listed(taints, 3)}`),
        ],
        opens: { view: 'object', object: { kind: 'ClusterTaintPolicy', name } },
      };
    })
    .sort(byKey);
}

const byKey = (a: Choice, b: Choice) => (a.key < b.key ? -1 : 1);
