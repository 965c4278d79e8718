import { describe, expect, test } from '@jest/globals';
import { POD_INFORMER, staleInformers } from '../../../src/karmada/detection/memberAccess.ts';
import { v1_18 } from '../../dialects.ts';
import { Bench } from '../controllers/bench.ts';

// The API server of a member was away from 10 s to 20 s.
describe('after the API server of a member recovers', () => {
  const { view } = new Bench({}, v1_18.defaults);
  const until = (agent?: { running: boolean; since: number }) =>
    staleInformers(
      view,
      { name: 'm1', up: false, downSince: 10_000, ...(agent && { agent }) },
      20_000,
      () => 0.5,
    ).stale?.until[POD_INFORMER];

  test('informers of the controller manager are stale until they relist', () => {
    expect(until()).toBe(28_000);
  });

  test('informers of an agent that kept running are stale until they relist', () => {
    expect(until({ running: true, since: 0 })).toBe(28_000);
  });

  test('an agent that starts during or after the outage has current informers', () => {
    expect(until({ running: true, since: 15_000 })).toBeUndefined();
    expect(until({ running: false, since: 10_000 })).toBeUndefined();
  });
});
