import { beforeAll, describe, expect, test } from '@jest/globals';
import { StateError } from '../../../src/state/errors.ts';
import { deletionPlanParser } from '../../../src/state/plan/deletionPlanFile.ts';
import { wholeDeletionPlan } from '../../fuzz/mutatedDeletionPlan.ts';
import { brokenFields } from '../brokenFields.ts';

const broken = brokenFields(
  [wholeDeletionPlan],
  (plan) => plan,
  () => false,
);

/** docs/schema calls these optional. */
const MAY_BE_MISSING =
  /(namespace|uid|resourceVersion|creationTimestamp|replicas|reason|message|possibleEnds|dependsOn|gap|leavesAfterSeconds|\.(object|field|value|taint|certainty|missing|undone|refused|wanted|keptBecause|policy|file|line|column|assumed|byDefault|taints|conflicts|event|apiVersion|time|subresource)|^writes|^missing|targetClusters|clusterNames|OnConditions|statusValues|\])$/;
/** Names and texts: any other value is valid, too. */
const ANY_TEXT =
  /(kind|namespace|name|uid|resourceVersion|policy|key|values\[\]|effect|source|rule|field|missing|event|code|message|file|manager|apiVersion|time|subresource|type|status|from|wanted|refused|cluster|condition\w*|operator|spec\.taints\[\]\.value|taint\.value|karmadaVersion|reason|refused\[\]|(policies|listedBy|stillListedBy|dependsOn|assumed|clusterNames|statusValues)\[\])$/;
const FRACTIONS = /[sS]econds$/;
/** Any JSON. */
const ANYTHING = /\.value$/;
/** Changes of the policy by another client, or observed by it: it describes the state, not what to do. */
const MAY_BE_NULL = /(\.since|\.from|\.without|\.with|spec\.\w+(\[\])?(\.\w+(\[\])?)?)$/;

let parse: Awaited<ReturnType<typeof deletionPlanParser>>;
beforeAll(async () => void (parse = await deletionPlanParser()));

function problemOf(value: unknown): string | undefined {
  try {
    parse(JSON.stringify(value, null, 1), 'FILE');
    return undefined;
  } catch (error) {
    if (error instanceof StateError) return error.message;
    throw error;
  }
}

const outcomes = () => broken.map(({ how, pattern, value }) => ({ how, pattern, problem: problemOf(value) }));

describe('a saved deletion plan', () => {
  test('is read if it is valid, and has over 100 fields', () => {
    expect(problemOf(wholeDeletionPlan)).toBeUndefined();
    expect(new Set(broken.map(({ pattern }) => pattern)).size).toBeGreaterThan(100);
  });

  test('is refused if a field has another type, is negative, huge, fractional, unknown, null or missing', () => {
    const accepted = outcomes().filter(({ how, pattern, problem }) => {
      if (problem !== undefined || ANYTHING.test(pattern)) return false;
      if (how === 'a fraction') return !FRACTIONS.test(pattern);
      if (how === 'missing') return !MAY_BE_MISSING.test(pattern);
      if (how === 'a stranger') return !ANY_TEXT.test(pattern);
      if (how === 'null') return !MAY_BE_NULL.test(pattern);
      return true;
    });
    expect(accepted.map(({ how, pattern }) => `${how}: ${pattern}`)).toEqual([]);
  });

  test('is refused with its file, line, column and field', () => {
    const problems = outcomes().flatMap(({ problem }) => problem ?? []);
    const named =
      /^plan FILE(:\d+:\d+: [\w[\].]+: \S.*|: (is not a TaintPolicyChange|schemaVersion .* is not read, only "v1")); save one with a dry run of taint-policy delete$/;
    expect(problems.filter((problem) => !named.test(problem))).toEqual([]);
    expect(problems.length).toBeGreaterThan(300);
  });
});

test.each([
  ['another action', { action: 'apply' }, 'action: "apply" is not a deletion'],
  ['no basis', { standsOn: undefined }, 'standsOn: is missing'],
  [
    'a policy outside its basis',
    { policies: [{ name: 'other', verb: 'deleted' }] },
    'policies[0].name: "other" is not one of standsOn.policies',
  ],
  [
    'an additional policy outside its basis',
    { policies: [...(wholeDeletionPlan['policies'] as object[]), { name: 'other', verb: 'deleted' }] },
    'policies: contradicts standsOn.policies, which has 1',
  ],
  ['taints of an unnamed cluster', { clusters: [] }, 'leftBehind[0].cluster: "alpha" is not one of clusters'],
  [
    'removed taints despite withTaints: false',
    { withTaints: false },
    'clusters[0].removed: contradicts withTaints: false',
  ],
  ['an invalid date', { now: '2026-13-01T00:00:00Z' }, 'now: "2026-13-01T00:00:00Z" is not an RFC 3339 time'],
])('a deletion plan with %s is refused', (_, change, problem) => {
  expect(problemOf({ ...wholeDeletionPlan, ...change })).toContain(`: ${problem}; save one`);
});
