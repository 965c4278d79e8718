import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { planBreach } from '../../src/state/planSchema.ts';
import { wholePlan } from '../fuzz/mutatedPlan.ts';
import { brokenFields } from './brokenFields.ts';

const dist = resolve('dist');
const chunk = join(
  dist,
  readdirSync(dist).find((name) => /^planSchema-.*\.cjs$/.test(name))!,
);

test('the bundle says of each broken plan what its schema says, and compiles none', () => {
  const compiled = createRequire(import.meta.url)(chunk) as { planBreach: typeof planBreach };
  expect(compiled.planBreach(wholePlan)).toBeUndefined();
  const broken = brokenFields(
    [wholePlan],
    (plan) => plan,
    (pattern) => /(matchLabels|\]\.fields|patch)$/.test(pattern),
  ).map(({ value }) => value);
  const told = broken.map(planBreach);
  expect(broken.map(compiled.planBreach)).toEqual(told);
  expect(told.filter((problem) => problem !== undefined).length).toBeGreaterThan(600);
  expect(readFileSync(chunk, 'utf8')).not.toMatch(/new Function\(/);
});
