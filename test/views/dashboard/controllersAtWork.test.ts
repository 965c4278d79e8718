import { describe, expect, test } from '@jest/globals';
import type { ObservedLease } from '../../../src/analysis/overview/feed.ts';
import { plain } from '../../../src/presentation/words.ts';
import { controllerBlocks, controllerWords } from '../../../src/views/dashboard/controllersAtWork.ts';

const NOW = Date.parse('2026-09-01T10:00:00Z');
const held: ObservedLease = { state: 'held', holder: 'host-1', since: NOW - 300_000, renewed: NOW - 2000 };
const expired: ObservedLease = { state: 'expired', holder: 'host-1', renewed: NOW - 40_000 };
const unknown: ObservedLease = { state: 'unknown', why: 'leases is forbidden' };
const absent: ObservedLease = { state: 'absent' };

const words = (karmadas: ObservedLease, ours: ObservedLease) =>
  controllerWords({ karmadas, ours }, NOW).map((one) => plain(one));

describe('the first screen', () => {
  test.each([
    ["says nothing while Karmada's own is at work", held, absent, []],
    ['says that ours is at work, and for how long', absent, held, ['controller run at work for 5m']],
    [
      'says which one is silent, and for how long',
      expired,
      expired,
      ['controller run silent for 40s', 'karmada-controller-manager silent for 40s'],
    ],
    ['says that it does not know what it may not read', unknown, unknown, ['controllers unknown']],
  ])('%s', (_, karmadas, ours, expected) => {
    expect(words(karmadas, ours)).toEqual(expected);
  });
});

test('the page of failover says who holds the Leases, or why that is unknown', () => {
  const [section] = controllerBlocks({ karmadas: held, ours: unknown }, NOW);
  expect(JSON.stringify(section)).toContain('for 5m, renewed 2s ago: host-1');
  expect(JSON.stringify(section)).toContain('unknown: leases is forbidden');
});
