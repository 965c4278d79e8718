import { describe, expect, test } from '@jest/globals';
import type { Evidence } from '../../../src/karmada/evidence.ts';
import {
  sameTerms,
  stayText,
  taintDecision,
  type EvictionTerms,
} from '../../../src/karmada/taints/evictionTerms.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import type { Taint } from '../../../src/kubernetes/schema/core.ts';

const now = Date.UTC(2026, 2, 14);
/** A taint added this many seconds ago. */
const since = (effect: Taint['effect'], seconds?: number): Taint => ({
  key: 'fault',
  effect,
  ...(seconds !== undefined && { timeAdded: rfc3339(now - seconds * 1000) }),
});
const tolerates = (tolerationSeconds?: number): EvictionTerms => ({
  tolerations: [
    { key: 'fault', operator: 'Exists', ...(tolerationSeconds !== undefined && { tolerationSeconds }) },
  ],
});

/** The decision, and the fields that its evidence names. */
function decided(taints: Taint[], terms: EvictionTerms) {
  const evidence: Evidence[] = [];
  const decision = taintDecision(taints, terms, now, evidence);
  expect(taintDecision(taints, terms, now)).toEqual(decision);
  return { decision, fields: evidence.map(({ field }) => field), evidence };
}

describe('two terms are the same', () => {
  const failover = { tolerationSeconds: 10 };

  test('if both what is tolerated and failover.cluster are', () => {
    expect(sameTerms({ ...tolerates(5), failover }, { ...tolerates(5), failover: { ...failover } })).toBe(
      true,
    );
    expect(sameTerms({}, {})).toBe(true);
    expect(sameTerms({ ...tolerates(5), failover }, { ...tolerates(6), failover })).toBe(false);
    expect(sameTerms({ ...tolerates(5), failover }, tolerates(5))).toBe(false);
  });

  test('tolerations that are unknown are not those that are none', () => {
    expect(sameTerms({}, { tolerations: [] })).toBe(false);
  });
});

describe('NoExecute and PreferNoExecute on one cluster', () => {
  const both = [since('NoExecute', 0), since('PreferNoExecute', 0)];

  test('the earlier end decides, and only its evidence is given', () => {
    const sooner = decided(both, { ...tolerates(40), failover: { tolerationSeconds: 100 } });
    expect(sooner.decision).toEqual({ kind: 'wait', milliseconds: 40_000 });
    expect(sooner.fields).not.toContain('spec.failover.cluster.tolerationSeconds');
    expect(sooner.fields).toHaveLength(1);
    const later = decided(both, { ...tolerates(100), failover: { tolerationSeconds: 40 } });
    expect(later.decision).toEqual({ kind: 'wait', milliseconds: 40_000 });
    expect(later.fields).toEqual(['spec.failover.cluster.tolerationSeconds']);
  });

  test('if both end at once, both are given', () => {
    const { decision, fields } = decided(both, { ...tolerates(40), failover: { tolerationSeconds: 40 } });
    expect(decision).toEqual({ kind: 'wait', milliseconds: 40_000 });
    expect(fields).toHaveLength(2);
  });

  test('an eviction that is due now comes before one that waits, and is that of NoExecute if both are due', () => {
    expect(decided(both, { tolerations: [], failover: { tolerationSeconds: 0 } }).decision).toEqual({
      kind: 'evict',
      after: 'noToleration',
    });
    expect(decided(both, { ...tolerates(40), failover: { tolerationSeconds: 0 } }).decision).toEqual({
      kind: 'evict',
      after: 'toleration',
    });
  });

  test('without failover.cluster only NoExecute decides', () => {
    expect(decided(both, tolerates(40)).decision).toEqual({ kind: 'wait', milliseconds: 40_000 });
  });

  test('of what is tolerated permanently, failover.cluster decides', () => {
    expect(decided(both, { ...tolerates(), failover: { tolerationSeconds: 7 } }).decision).toEqual({
      kind: 'wait',
      milliseconds: 7000,
    });
  });
});

describe('only PreferNoExecute', () => {
  const soft = (...ages: (number | undefined)[]) => ages.map((age) => since('PreferNoExecute', age));

  test('uses failover.cluster, even if tolerations are unknown', () => {
    expect(decided(soft(10), { failover: { tolerationSeconds: 60 } }).decision).toEqual({
      kind: 'wait',
      milliseconds: 50_000,
    });
  });

  test('moves at the first end of several taints, and says which that is', () => {
    const { decision, evidence } = decided(soft(10, 30, 20), { failover: { tolerationSeconds: 60 } });
    expect(decision).toEqual({ kind: 'wait', milliseconds: 30_000 });
    expect(evidence).toMatchObject([
      {
        rule: expect.stringContaining('ends later'),
        value: { tolerationSeconds: 60, timeAdded: rfc3339(now - 30_000) },
      },
    ]);
  });

  test('moves in the instant of the end itself', () => {
    const { decision, evidence } = decided(soft(60), { failover: { tolerationSeconds: 60 } });
    expect(decision).toEqual({ kind: 'evict', after: 'toleration' });
    expect(evidence).toMatchObject([{ rule: expect.stringContaining('is over') }]);
  });

  test('a taint without a time is asked for, unless another has ended: it could only end earlier', () => {
    const asks = (...ages: (number | undefined)[]) =>
      decided(soft(...ages), { failover: { tolerationSeconds: 60 } }).evidence.some(
        ({ missing }) => missing !== undefined,
      );
    expect(asks(undefined)).toBe(true);
    expect(asks(30, undefined)).toBe(true);
    expect(asks(60, undefined)).toBe(false);
    expect(asks(90, undefined)).toBe(false);
    expect(asks(30)).toBe(false);
  });

  test('moves nothing without failover.cluster, and says so', () => {
    const { decision, evidence } = decided(soft(999), {});
    expect(decision).toEqual({ kind: 'stay' });
    expect(evidence).toMatchObject([{ field: 'spec.failover.cluster', value: null }]);
  });
});

test('why a binding stays is not its tolerations, if the taints are only PreferNoExecute', () => {
  const soft = since('PreferNoExecute');
  expect(stayText([soft], {})).toBe(
    'the taint fault:PreferNoExecute moves only workloads whose policy sets failover.cluster',
  );
  expect(stayText([soft], { failover: {} })).toBe(
    'no clock runs for the taint fault:PreferNoExecute: it has no timeAdded',
  );
  for (const taints of [[], [since('NoExecute')], [soft, since('NoExecute')]])
    expect(stayText(taints, {})).toBeUndefined();
});
