import type { ConversionFact } from '../../analysis/taintPolicy/conversion/findings.ts';
import type { TypeStatuses } from '../../analysis/taintPolicy/conversion/formDifferences.ts';
import type { PolicyForm } from '../../analysis/taintPolicy/conversion/forms.ts';
import { CONVERTED_ANNOTATION } from '../../analysis/taintPolicy/conversion/keptSpec.ts';
import { OTHER_STATUS } from '../../analysis/taintPolicy/conversion/statusSets.ts';
import { listed } from '../words/listed.ts';
import { taintText } from './taintWords.ts';

type Restored = (ConversionFact & { code: 'restored' })['what'][number];

const COMES_BACK: Record<Exclude<Restored, 'text'>, string> = {
  windows: 'addOnMatchSeconds and removeOnMismatchSeconds',
  effect: 'PreferNoExecute',
  conditions: 'lists of conditions',
  taint: 'a taint that was left out',
};

/** What a conversion cannot carry over, or carries over differently, in one line. */
export function conversionText(fact: ConversionFact): string {
  switch (fact.code) {
    case 'durations': {
      const { taint, addOnMatchSeconds, removeOnMismatchSeconds } = fact;
      return `${taintText(taint)}: the shipped form adds and removes it at once; it does not wait ${addOnMatchSeconds}s to add it and ${removeOnMismatchSeconds}s to remove it`;
    }
    case 'one-second':
      return fact.to === 'proposed'
        ? 'the proposed form waits at least 1s before it adds or removes a taint; the shipped one does not'
        : 'the shipped form does not wait 1s before it adds or removes a taint';
    case 'effect':
      return fact.leftOut
        ? `${taintText(fact.taint)} is left out: Karmada's Clusters refuse PreferNoExecute, and the policy lists NoSchedule, which would stand for it`
        : `${taintText(fact.taint)} becomes NoSchedule, which moves nothing: Karmada's Clusters refuse PreferNoExecute`;
    case 'empty-conditions':
      return fact.to === 'shipped'
        ? 'without matchConditions every cluster is tainted, without addOnConditions none; Ready with any status stands for that, which a cluster without the condition does not have'
        : 'without addOnConditions the policy only removes taints; matchConditions that never match stand for that, and remove the taints whatever the conditions are';
    case 'removal':
      return removalText(fact);
    case 'absent-condition':
      return `if a cluster does not report ${fact.conditionType}, ${inEachForm(fact.to, leaves, removes)}`;
    case 'shared-taint':
      return `${taintText(fact.taint)} is also of the policy ${fact.policy}: of shipped policies the newest has the last word, in the proposed form the taint stays as long as one of them matches`;
    case 'no-taints':
      return 'a policy in the shipped form needs a taint, and this one has none';
    case 'restored': {
      if (fact.what.includes('text')) return 'is again as it was written before it was converted';
      const what = fact.what.flatMap((one) => (one === 'text' ? [] : [COMES_BACK[one]]));
      return `the annotation ${CONVERTED_ANNOTATION} brings back: ${what.join(', ')}`;
    }
    case 'bad-annotation':
      return `the annotation ${CONVERTED_ANNOTATION} is not what a conversion from the other form writes; remove it`;
    case 'refused-there':
      return `the API of the ${fact.to} form refuses it: ${fact.message}`;
    case 'outdated':
      return fact.what === 'taint'
        ? `the annotation ${CONVERTED_ANNOTATION} keeps ${taintText(fact.taint)}, which the policy no longer lists; it does not come back`
        : `matchConditions were edited since, so that the removeOnConditions in the annotation ${CONVERTED_ANNOTATION} no longer fit; new ones are made`;
  }
}

/** What each form does with a taint; the form that the policy has comes first. */
function inEachForm(to: PolicyForm, shipped: Does, proposed: Does): string {
  const first =
    to === 'shipped' ? `the proposed form ${proposed('a taint')}` : `the shipped form ${shipped('a taint')}`;
  const second =
    to === 'shipped' ? `the shipped form ${shipped('it')}` : `the proposed form ${proposed('it')}`;
  return `${first}, and ${second}`;
}

type Does = (what: string) => string;
const leaves: Does = (what) => `leaves ${what} as it is`;
const removes: Does = (what) => `removes ${what}`;
const keeps: Does = (what) => `keeps ${what}`;

function removalText({ to, holds, where }: ConversionFact & { code: 'removal' }): string {
  const state = `with ${where.map(statusText).join(' and ')}`;
  if (holds === 'both') return `${state} both lists hold: ${inEachForm(to, removes, keeps)}`;
  const what = `${state} ${inEachForm(to, leaves, removes)}`;
  return to === 'shipped' && where.length > 1
    ? `${what}; a second policy with the same taints, and removeOnConditions alone, can remove it there`
    : what;
}

/** "Ready=False", "Ready True, Unknown or any other status" */
function statusText({ conditionType, statuses }: TypeStatuses): string {
  const names = statuses.map((status) => (status === OTHER_STATUS ? 'any other status' : status));
  if (names.length === 1 && names[0] !== 'any other status') return `${conditionType}=${names[0]!}`;
  return `${conditionType} ${names.length > 1 ? `${listed(names.slice(0, -1))} or ` : ''}${names.at(-1)!}`;
}
