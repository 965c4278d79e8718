import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { deletionPlanBreach } from '../../src/state/plan/deletionPlanSchema.ts';
import { planBreach } from '../../src/state/plan/planSchema.ts';
import { wholeDeletionPlan } from '../fuzz/mutatedDeletionPlan.ts';
import { wholePlan } from '../fuzz/mutatedPlan.ts';
import { brokenFields } from './brokenFields.ts';

const dist = resolve('dist');

test.each([
  ['planSchema', 'planBreach', planBreach, wholePlan, 600],
  ['deletionPlanSchema', 'deletionPlanBreach', deletionPlanBreach, wholeDeletionPlan, 300],
] as const)(
  'the bundled validator reports the same problem as the schema for each invalid plan: %s',
  (name, exported, breach, whole, least) => {
    const chunk = join(
      dist,
      readdirSync(dist).find((file) => new RegExp(`^${name}-.*\\.cjs$`).test(file))!,
    );
    const bundled = createRequire(import.meta.url)(chunk) as Record<string, typeof planBreach>;
    const compiled = bundled[exported]!;
    expect(compiled(whole)).toBeUndefined();
    const broken = brokenFields(
      [whole],
      (plan) => plan,
      (pattern) => /(matchLabels|\]\.fields|patch)$/.test(pattern),
    ).map(({ value }) => value);
    const reported = broken.map(breach);
    expect(broken.map(compiled)).toEqual(reported);
    expect(reported.filter((problem) => problem !== undefined).length).toBeGreaterThan(least);
    expect(readFileSync(chunk, 'utf8')).not.toMatch(/new Function\(/);
  },
);
