import { beforeAll, describe, expect, test } from '@jest/globals';
import { StateError } from '../../../src/state/errors.ts';
import { planParser } from '../../../src/state/plan/planFile.ts';
import { mutatedPlan, wholePlan } from '../../fuzz/mutatedPlan.ts';
import { brokenFields } from '../brokenFields.ts';

const RECORD = /(matchLabels|\]\.fields|patch)$/;
const broken = brokenFields(
  [wholePlan],
  (plan) => plan,
  (pattern) => RECORD.test(pattern),
);

/** docs/schema calls these optional (older plans have no summary), or does not describe their content. */
const MAY_BE_MISSING =
  /(namespace|uid|resourceVersion|replicas|\.reason|message|\.cluster|possibleEnds|deletedReady|flapping|requiredBy|dependsOn|leaving|outcome|order|At|until|gap|permanent|capacity|longest|maxConcurrent|gracePeriodSeconds|selection\..*|clusters|evicting|\.(object|field|value|certainty|missing)|patch\.\*|fields\.\*|summary|\])$/;
/** Names and texts: any other value is valid, too. */
const ANY_TEXT =
  /(kind|namespace|name|uid|resourceVersion|policy|\.key|values\[\]|kinds\[\]|skip\[\]|only\[\]|matchLabels\.\*|reason|problem|message|flag|source|rule|field|missing|ready|cause|resource|dependsOn\[\]|controller|type|\.cluster|evicting\[\]|fields\.\*|karmadaVersion)$/;
/** Seconds and rates may be fractions, and any rate above 0 is valid. */
const FRACTIONS = /[sS]econds(\.\w+)?$|evictionRate$|secondaryEvictionRate$/i;
/** Any JSON. */
const ANYTHING = /\.value$|patch\.\*$/;

let parse: Awaited<ReturnType<typeof planParser>>;
beforeAll(async () => void (parse = await planParser()));

function problemOf(text: string): string | undefined {
  try {
    expect(JSON.stringify(parse(text, 'FILE'), odd)).not.toContain('odd number');
    return undefined;
  } catch (error) {
    if (error instanceof StateError) return error.message;
    throw error;
  }
}

function odd(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? 'odd number' : value;
}

describe('a saved drain plan', () => {
  const outcomes = () =>
    broken.map(({ how, pattern, value }) => ({
      how,
      pattern,
      problem: problemOf(JSON.stringify(value, null, 1)),
    }));

  test('is read if it is valid, and has over 150 fields', () => {
    expect(problemOf(JSON.stringify(wholePlan))).toBeUndefined();
    expect(new Set(broken.map(({ pattern }) => pattern)).size).toBeGreaterThan(150);
  });

  test('is refused if a field has another type, is negative, huge, fractional, unknown, null or missing', () => {
    const accepted = outcomes().filter(({ how, pattern, problem }) => {
      if (problem !== undefined || ANYTHING.test(pattern)) return false;
      if (how === 'a fraction') return !FRACTIONS.test(pattern);
      if (how === 'huge') return !/evictionRate$/i.test(pattern);
      if (how === 'missing') return !MAY_BE_MISSING.test(pattern);
      if (how === 'a stranger') return !ANY_TEXT.test(pattern);
      return true;
    });
    expect(accepted.map(({ how, pattern }) => `${how}: ${pattern}`)).toEqual([]);
  });

  test('is refused with its file, line, column and field', () => {
    const problems = outcomes().flatMap(({ problem }) => problem ?? []);
    const named =
      /^plan FILE(:\d+:\d+: [\w[\].*"-]+: \S.*|: (is not a DrainPlan|schemaVersion .* is not read, only "v1")); save one with a dry run of drain$/;
    expect(problems.filter((problem) => !named.test(problem))).toEqual([]);
    expect(problems.length).toBeGreaterThan(600);
  });

  test('is refused with the exact place of the invalid field', () => {
    const text = JSON.stringify(wholePlan, null, 2).replace(
      '"secondaryEvictionRate": 0.1',
      '"secondaryEvictionRate": -1',
    );
    const line = text.split('\n').findIndex((one) => one.includes('secondaryEvictionRate')) + 1;
    expect(problemOf(text)).toMatch(
      new RegExp(`^plan FILE:${line}:7: options.pace.secondaryEvictionRate: -1 must be >= 0; `),
    );
  });
});

test('a plan with random changes is read, or refused in one line', () => {
  const outcomes = Array.from({ length: 1500 }, (_, seed) => problemOf(mutatedPlan(seed)));
  expect(outcomes.filter((problem) => problem?.includes('\n'))).toEqual([]);
  expect(outcomes.filter((problem) => problem !== undefined).length).toBeGreaterThan(1000);
  expect(outcomes).toContain(undefined);
});
