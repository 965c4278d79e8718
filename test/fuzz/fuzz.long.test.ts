import { test } from '@jest/globals';
import { standMadeUpInputs } from './madeUpInputs.ts';

test('fuzzed inputs cause no stack trace, exit code 70, hang, garbage, control character or secret', () =>
  standMadeUpInputs(8000, 20260901));
