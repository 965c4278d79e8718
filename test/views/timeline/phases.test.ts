import { expect, test } from '@jest/globals';
import { ascii } from '../../../src/presentation/text/style.ts';
import { PHASES } from '../../../src/views/timeline/phases.ts';

test('the marks of phases differ, also in ASCII', () => {
  const marks = Object.values(PHASES).map(({ mark }) => ascii(mark));
  expect(new Set(marks).size).toBe(marks.length);
});
