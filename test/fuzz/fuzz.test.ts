import { test } from '@jest/globals';
import { standMadeUpInputs } from './madeUpInputs.ts';

/** A short run; `fuzz.long.test.ts` has more, and docs/security.md says what a long one has shown. */
test('made-up inputs bring about no stack trace, exit code 70, hang, garbage, control character or secret', () =>
  standMadeUpInputs(200, 20260902));
