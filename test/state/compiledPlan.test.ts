import { expect, test } from '@jest/globals';
import type { ValidateFunction } from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { validate as validateDeletion } from '../../src/state/plan/deletionPlanValidator.ts';
import { validate as validatePlan } from '../../src/state/plan/planValidator.ts';
import { schemaViolation } from '../../src/state/plan/schemaBreach.ts';
import { wholeDeletionPlan } from '../fuzz/mutatedDeletionPlan.ts';
import { wholePlan } from '../fuzz/mutatedPlan.ts';
import { brokenFields } from './brokenFields.ts';

const dist = resolve('dist');

test.each([
  ['planValidator', validatePlan, wholePlan, 600],
  ['deletionPlanValidator', validateDeletion, wholeDeletionPlan, 300],
] as const)(
  'the bundled validator reports the same problem as the schema for each invalid plan: %s',
  (name, validate, whole, least) => {
    const chunk = join(
      dist,
      readdirSync(dist).find((file) => new RegExp(`^${name}-.*\\.cjs$`).test(file))!,
    );
    const bundled = createRequire(import.meta.url)(chunk) as { validate: ValidateFunction };
    const compiled = (plan: unknown) => schemaViolation(bundled.validate, plan);
    expect(compiled(whole)).toBeUndefined();
    const broken = brokenFields(
      [whole],
      (plan) => plan,
      (pattern) => /(matchLabels|\]\.fields|patch)$/.test(pattern),
    ).map(({ value }) => value);
    const reported = broken.map((plan) => schemaViolation(validate, plan));
    expect(broken.map(compiled)).toEqual(reported);
    expect(reported.filter((problem) => problem !== undefined).length).toBeGreaterThan(least);
    expect(readFileSync(chunk, 'utf8')).not.toMatch(/new Function\(/);
  },
);
