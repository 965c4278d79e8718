import type {
  MatchedList,
  PolicyByLists,
  PolicyByWindow,
  PolicyOnTaint,
} from '../../analysis/taintPolicy/policyOnTaint.ts';
import type { MatchedCondition } from '../../karmada/taints/matchConditions.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import type { TreeNode } from '../../presentation/model.ts';
import { faint, good, warn } from '../../presentation/words.ts';
import { duration } from '../words/duration.ts';

/** What a policy does with a taint and what it waits for; `now` is epoch milliseconds. */
export function policyNodes(one: PolicyOnTaint, now: number): TreeNode[] {
  return 'window' in one ? windowNodes(one, now) : listNodes(one, now);
}

/** When the window of a policy ends, and what delays it. */
function windowNodes({ policy, match, window, overruledBy }: PolicyByWindow, now: number): TreeNode[] {
  const { verb, since, seconds, ends, runs, certainty, missing } = window;
  const lasts = duration(seconds * 1000);
  const isMatch = verb === 'adds';
  const wanted = match.entries.map(({ wanted: one }) => conditionText(one)).join(' and ') || 'always';
  const state = isMatch
    ? `matches for ${age(since, now)}`
    : `does not match for ${age(since, now)} (${match.waitsFor.map((one) => reportText(one, now)).join(', ')})`;
  const left = `${verb} it in ${duration(ends - now)}, at ${rfc3339(ends)}`;
  const end = runs ? warn(left) : good(`${verb} it after ${lasts}, which are over`);
  return [
    {
      words: [`${policy} (${wanted}) ${state}: `, end],
      ...(certainty === 'estimate' && missing !== undefined
        ? { children: [{ words: faint(`at the latest, an estimate; to be sure needs ${missing}`) }] }
        : {}),
    },
    ...(overruledBy === undefined
      ? []
      : [{ words: faint(`${overruledBy} still matches, so ${policy} does not remove it`) }]),
  ];
}

function listNodes({ policy, add, remove, wants, overruledBy }: PolicyByLists, now: number): TreeNode[] {
  const list = (verb: string, when: string, { entries, holds, since, waitsFor }: MatchedList): TreeNode => {
    if (entries.length === 0)
      return { words: faint(`${policy} never ${verb} it: it names no conditions for that`) };
    const wanted = entries.map(({ wanted: one }) => conditionText(one)).join(' and ');
    const state = holds
      ? good(`holds${since === undefined ? '' : ` for ${age(since, now)}`}`)
      : `waits for ${waitsFor.map((one) => waitText(one, now)).join(' and ')}`;
    return { words: [`${policy} ${verb} it ${when} ${wanted}: `, state] };
  };
  return [
    list('adds', 'while', add),
    list('removes', 'once', remove),
    ...(overruledBy === undefined || wants === undefined
      ? []
      : [
          {
            words: warn(`${overruledBy} is newer and has the last word: ${policy} ${wants} it in vain`),
          },
        ]),
  ];
}

function conditionText({ conditionType, operator, statusValues = [] }: MatchedCondition['wanted']): string {
  if (operator === 'In' && statusValues.length === 1) return `${conditionType}=${statusValues[0]}`;
  return `${conditionType} ${operator} [${statusValues.join(' ')}]`;
}

/** What an entry waits for, and what the cluster reports instead. */
function waitText(entry: MatchedCondition, now: number): string {
  return `${conditionText(entry.wanted)} (${statusText(entry, now)})`;
}

/** "Ready=True for 40s", "Net not reported" */
function reportText(entry: MatchedCondition, now: number): string {
  const { found, wanted } = entry;
  return `${wanted.conditionType}${found.length > 0 ? '=' : ' '}${statusText(entry, now)}`;
}

/** "True for 40s" */
function statusText({ found }: MatchedCondition, now: number): string {
  const last = found.at(-1);
  if (!last) return 'not reported';
  const { status, lastTransitionTime } = last;
  return `${status}${lastTransitionTime ? ` for ${age(instant(lastTransitionTime), now)}` : ''}`;
}

/** How long ago an instant was, both in epoch milliseconds. */
export function age(since: number, now: number): string {
  return duration(Math.max(0, now - since));
}
