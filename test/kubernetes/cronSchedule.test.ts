import { expect, test } from '@jest/globals';
import { whyNeverDue } from '../../src/kubernetes/cronSchedule.ts';

test.each([
  '* * * * *',
  '*/5 8-18/2 1,15 * mon-fri',
  '0 22 29 2 *',
  '0 0 31 1-12 ?',
  // a day of the week is enough
  '0 0 31 2 0',
  '0 0 31 2 */2',
  '30 6 * JAN Sun',
  '5/15 0 * * *',
  'TZ=UTC 0 0 * * *',
  '1,,2 0 * * *',
  '+5 0 * * *',
  '@daily',
])('the cron schedule %s is due at some time', (schedule) => {
  expect(whyNeverDue(schedule)).toBeUndefined();
});

test.each([
  ['0 0 30 2 *', 'its months have no such day'],
  ['0 0 30 2 ?/1', 'its months have no such day'],
  ['0 0 31 2,4,6,9,11 *', 'its months have no such day'],
  ['61 0 * * *', 'its minute is not within 0-59'],
  ['0 24 * * *', 'its hour is not within 0-23'],
  ['0 0 * * 7', 'its day of week is not within 0-6'],
  ['0 0 * 13 *', 'its month is not within 1-12'],
  ['0 9-8 * * *', 'its hour is not within 0-23'],
  ['*/0 * * * *', 'its minute is not within 0-59'],
  ['0 0 0 * * *', 'it needs 5 fields, and has 6'],
  [', * * * *', 'its minute is an empty list'],
  ['0 22 , * *', 'its months have no such day'],
  ['0 0 30 2 ,', 'its months have no such day'],
  ['0 0 30 2 *-5,1/2', 'its months have no such day'],
  ['0 0 30 2 *-3', 'its months have no such day'],
  ['noon', 'it needs 5 fields, and has 1'],
])('the cron schedule %s is never due: %s', (schedule, why) => {
  expect(whyNeverDue(schedule)).toBe(why);
});
