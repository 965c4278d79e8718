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
    ["omits controllers while only Karmada's own run", held, absent, []],
    ['shows how long controller run has been active', absent, held, ['controller run active for 5m']],
    [
      'names silent controllers, and for how long',
      expired,
      expired,
      [
        'controller run: last Lease renewal 40s ago',
        'karmada-controller-manager: last Lease renewal 40s ago',
      ],
    ],
    ['shows unknown controllers if the Leases may not be read', unknown, unknown, ['controllers unknown']],
  ])('%s', (_, karmadas, ours, expected) => {
    expect(words(karmadas, ours)).toEqual(expected);
  });
});

test('the page :failover shows the holders of the Leases, or why they are unknown', () => {
  const [section] = controllerBlocks({ karmadas: held, ours: unknown }, NOW);
  expect(JSON.stringify(section)).toContain('for 5m, renewed 2s ago: host-1');
  expect(JSON.stringify(section)).toContain('unknown: leases is forbidden');
});
