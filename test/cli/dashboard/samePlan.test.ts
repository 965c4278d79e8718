import { expect, test } from '@jest/globals';
import { isSamePlan } from '../../../src/cli/dashboard/actions/samePlan.ts';

const plan = (now: string, gap: object, replicas = 3) => ({
  kind: 'TaintPolicyChange' as const,
  schemaVersion: 'v1' as const,
  now,
  assumptions: [{ name: 'now', value: now }],
  workloads: [{ after: [{ name: 'east-1', replicas }], gap }],
});
const before = plan('2026-03-14T09:00:00Z', { seconds: 30, open: false });

test.each<[string, ReturnType<typeof plan>, boolean]>([
  ['less time left is the same', plan('2026-03-14T09:00:20Z', { seconds: 10, open: false }), true],
  ['a much longer duration is different', plan('2026-03-14T09:00:20Z', { seconds: 91, open: false }), false],
  [
    'another number of replicas is different',
    plan('2026-03-14T09:00:20Z', { seconds: 30, open: false }, 4),
    false,
  ],
  ['permanent downtime is different', plan('2026-03-14T09:00:20Z', { seconds: 30, open: true }), false],
])('a second plan with %s', (_, after, same) => {
  expect(isSamePlan(before, after, 60)).toBe(same);
});

test('a second plan with longer permanent downtime is the same, because that is the length of the simulation', () => {
  const [short, long] = [300, 900].map((seconds) => plan('2026-03-14T09:00:00Z', { seconds, open: true }));
  expect(isSamePlan(short!, long!, 60)).toBe(true);
});

test('a second plan with another dependency is different, unless that is the processing order', () => {
  const order = 'the processing order, which Karmada does not guarantee: another order gives other steps';
  const doubted = (...dependsOn: string[]) => {
    const known = plan('2026-03-14T09:00:00Z', { seconds: 30, open: false });
    const certainty = dependsOn.length > 0 ? 'estimate' : 'certain';
    return { ...known, workloads: known.workloads.map((one) => ({ ...one, certainty, dependsOn })) };
  };
  expect(isSamePlan(doubted(), doubted(order), 60)).toBe(true);
  expect(isSamePlan(doubted(order, 'a guess'), doubted('a guess'), 60)).toBe(true);
  expect(isSamePlan(doubted(), doubted('a guess'), 60)).toBe(false);
  expect(isSamePlan(doubted(order), doubted(order, 'a guess'), 60)).toBe(false);
  // a loss that was not agreed to
  const orNowhere = doubted(order);
  const lost = {
    ...orNowhere,
    workloads: orNowhere.workloads.map((one) => ({ ...one, possibleEnds: [[]] })),
  };
  expect(isSamePlan(doubted(), lost, 60)).toBe(false);
});
