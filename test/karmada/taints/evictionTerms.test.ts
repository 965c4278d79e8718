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

describe('two eviction terms', () => {
  const failover = { tolerationSeconds: 10 };

  test('are equal if their tolerations and failover.cluster are equal', () => {
    expect(sameTerms({ ...tolerates(5), failover }, { ...tolerates(5), failover: { ...failover } })).toBe(
      true,
    );
    expect(sameTerms({}, {})).toBe(true);
    expect(sameTerms({ ...tolerates(5), failover }, { ...tolerates(6), failover })).toBe(false);
    expect(sameTerms({ ...tolerates(5), failover }, tolerates(5))).toBe(false);
  });

  test('differ if tolerations are unknown in one and empty in the other', () => {
    expect(sameTerms({}, { tolerations: [] })).toBe(false);
  });
});

describe('NoExecute and PreferNoExecute taints on one cluster', () => {
  const both = [since('NoExecute', 0), since('PreferNoExecute', 0)];

  test('evict at the earlier end, with only its evidence', () => {
    const sooner = decided(both, { ...tolerates(40), failover: { tolerationSeconds: 100 } });
    expect(sooner.decision).toEqual({ kind: 'wait', milliseconds: 40_000 });
    expect(sooner.fields).not.toContain('spec.failover.cluster.tolerationSeconds');
    expect(sooner.fields).toHaveLength(1);
    const later = decided(both, { ...tolerates(100), failover: { tolerationSeconds: 40 } });
    expect(later.decision).toEqual({ kind: 'wait', milliseconds: 40_000 });
    expect(later.fields).toEqual(['spec.failover.cluster.tolerationSeconds']);
  });

  test('give evidence of both if both end at the same time', () => {
    const { decision, fields } = decided(both, { ...tolerates(40), failover: { tolerationSeconds: 40 } });
    expect(decision).toEqual({ kind: 'wait', milliseconds: 40_000 });
    expect(fields).toHaveLength(2);
  });

  test('evict at once if one of them is due, and by NoExecute if both are due', () => {
    expect(decided(both, { tolerations: [], failover: { tolerationSeconds: 0 } }).decision).toEqual({
      kind: 'evict',
      after: 'noToleration',
    });
    expect(decided(both, { ...tolerates(40), failover: { tolerationSeconds: 0 } }).decision).toEqual({
      kind: 'evict',
      after: 'toleration',
    });
  });

  test('evict only by NoExecute without failover.cluster', () => {
    expect(decided(both, tolerates(40)).decision).toEqual({ kind: 'wait', milliseconds: 40_000 });
  });

  test('evict by failover.cluster if NoExecute is tolerated permanently', () => {
    expect(decided(both, { ...tolerates(), failover: { tolerationSeconds: 7 } }).decision).toEqual({
      kind: 'wait',
      milliseconds: 7000,
    });
  });
});

describe('only PreferNoExecute taints', () => {
  const soft = (...ages: (number | undefined)[]) => ages.map((age) => since('PreferNoExecute', age));

  test('use failover.cluster, even if tolerations are unknown', () => {
    expect(decided(soft(10), { failover: { tolerationSeconds: 60 } }).decision).toEqual({
      kind: 'wait',
      milliseconds: 50_000,
    });
  });

  test('evict at the first end of several taints, with evidence of that taint', () => {
    const { decision, evidence } = decided(soft(10, 30, 20), { failover: { tolerationSeconds: 60 } });
    expect(decision).toEqual({ kind: 'wait', milliseconds: 30_000 });
    expect(evidence).toMatchObject([
      {
        rule: expect.stringContaining('ends later'),
        value: { tolerationSeconds: 60, timeAdded: rfc3339(now - 30_000) },
      },
    ]);
  });

  test('evict exactly at the end of the toleration', () => {
    const { decision, evidence } = decided(soft(60), { failover: { tolerationSeconds: 60 } });
    expect(decision).toEqual({ kind: 'evict', after: 'toleration' });
    expect(evidence).toMatchObject([{ rule: expect.stringContaining('is over') }]);
  });

  test('request the time of a taint without one, unless another taint has ended', () => {
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

  test('evict nothing without failover.cluster, with evidence', () => {
    const { decision, evidence } = decided(soft(999), {});
    expect(decision).toEqual({ kind: 'stay' });
    expect(evidence).toMatchObject([{ field: 'spec.failover.cluster', value: null }]);
  });
});

test('a stay with only PreferNoExecute taints is explained by failover.cluster or a missing time', () => {
  const soft = since('PreferNoExecute');
  expect(stayText([soft], {})).toBe(
    'the taint fault:PreferNoExecute moves only workloads whose policy sets failover.cluster',
  );
  expect(stayText([soft], { failover: {} })).toBe(
    'the toleration never expires for the taint fault:PreferNoExecute: it has no timeAdded',
  );
  for (const taints of [[], [since('NoExecute')], [soft, since('NoExecute')]])
    expect(stayText(taints, {})).toBeUndefined();
});
