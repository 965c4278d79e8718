import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Taint, Toleration } from '../../../src/karmada/api/meta.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import type { Evidence } from '../../../src/karmada/evidence.ts';
import { noExecuteDecision, usedTolerations } from '../../../src/karmada/taints/noExecuteDecision.ts';

const start = Date.UTC(2026, 2, 14);
const taint = (key: string, addedAt?: number): Taint => ({
  key,
  effect: 'NoExecute',
  ...(addedAt !== undefined && { timeAdded: rfc3339(start + addedAt * 1000) }),
});
const tolerate = (key: string | undefined, seconds?: number): Toleration => ({
  ...(key && { key }),
  operator: 'Exists',
  ...(seconds !== undefined && { tolerationSeconds: seconds }),
});
const decide = (taints: Taint[], tolerations: Toleration[], at: number) =>
  noExecuteDecision(taints, tolerations, start + at * 1000);

const evict = { kind: 'evict', after: expect.stringMatching(/oleration/) };
const stay = { kind: 'stay' };
const wait = (seconds: number) => ({ kind: 'wait', milliseconds: seconds * 1000 });

describe('the decision on NoExecute taints', () => {
  test('evicts nothing without a taint', () => {
    expect(decide([], [], 0)).toEqual(stay);
  });

  test('evicts at once for an untolerated taint, even if others are tolerated', () => {
    expect(decide([taint('a', 0)], [], 0)).toEqual(evict);
    expect(decide([taint('a', 0), taint('b', 0)], [tolerate('a')], 0)).toEqual(evict);
  });

  test('evicts exactly at the end of a toleration, counted from the time of the taint', () => {
    expect(decide([taint('a', 0)], [tolerate('a', 300)], 299)).toEqual(wait(1));
    expect(decide([taint('a', 0)], [tolerate('a', 300)], 300)).toEqual(evict);
    expect(decide([taint('a', 0)], [tolerate('a', 300)], 301)).toEqual(evict);
  });

  test('evicts at once with zero or negative toleration seconds', () => {
    expect(decide([taint('a', 0)], [tolerate('a', 0)], 0)).toEqual(evict);
    expect(decide([taint('a', 0)], [tolerate('a', -5)], 0)).toEqual(evict);
  });

  test('uses the first matching toleration of a taint', () => {
    expect(decide([taint('a', 0)], [tolerate('a'), tolerate('a', 10)], 1000)).toEqual(stay);
    expect(decide([taint('a', 0)], [tolerate('a', 10), tolerate('a')], 5)).toEqual(wait(5));
  });

  test('applies a used toleration to every taint that it covers', () => {
    const both = [taint('a', 0), taint('b', 100)];
    expect(decide(both, [tolerate(undefined, 60), tolerate('b')], 20)).toEqual(wait(40));
    // b is tolerated forever, but the key-less toleration for a covers b as well
    expect(decide([taint('b', 0), taint('a', 50)], [tolerate('b'), tolerate(undefined, 30)], 50)).toEqual(
      evict,
    );
  });

  test('evicts nothing for a tolerated taint without a time', () => {
    expect(decide([taint('a')], [tolerate('a', 5)], 1e6)).toEqual(stay);
  });

  test('wraps around toleration seconds beyond 292 years, like Go', () => {
    expect(decide([taint('a', 0)], [tolerate('a', 2 ** 63)], 0)).toEqual(evict);
    expect(decide([taint('a', 0)], [tolerate('a', 9_223_372_036)], 0)).toEqual(wait(9_223_372_036));
    expect(decide([taint('a', 0)], [tolerate('a', 9_223_372_037)], 0)).toEqual(evict);
    // 2^64 ns and a half
    const [more] = [decide([taint('a', 0)], [tolerate('a', 18_446_744_074)], 0)];
    expect(more).toEqual({ kind: 'wait', milliseconds: expect.closeTo(290.448, 3) });
  });

  test('lists the used tolerations in taint order, with repetitions', () => {
    const any = tolerate(undefined, 60);
    const onlyB = tolerate('b');
    expect(usedTolerations([taint('b'), taint('a'), taint('c')], [onlyB, any])).toEqual([onlyB, any, any]);
    expect(usedTolerations([taint('b'), taint('a')], [onlyB])).toBeUndefined();
  });

  test('has evidence with the decisive taint and toleration', () => {
    const ruleOf = (taints: Taint[], tolerations: Toleration[]) => {
      const evidence: Evidence[] = [];
      noExecuteDecision(taints, tolerations, start, evidence);
      expect(evidence).toHaveLength(1);
      return evidence[0]!.rule;
    };
    expect(ruleOf([taint('a', 0)], [])).toBe('no toleration for the taint a:NoExecute');
    expect(ruleOf([taint('a', 0)], [tolerate('a', 60)])).toBe(
      'toleration of 1m for the taint a:NoExecute ends later',
    );
    expect(ruleOf([taint('a', -60)], [tolerate('a', 60)])).toBe(
      'toleration of 1m for the taint a:NoExecute has ended',
    );
    expect(ruleOf([taint('a', 0)], [tolerate('a')])).toBe('every NoExecute taint is tolerated forever');
    expect(ruleOf([taint('a')], [tolerate('a', 60)])).toBe(
      'the toleration never expires for the taint a:NoExecute: it has no timeAdded',
    );
  });

  test('requests the time of a taint that may change the decision', () => {
    const missing = (taints: Taint[], at: number) => {
      const evidence: Evidence[] = [];
      noExecuteDecision(taints, [tolerate(undefined, 60)], start + at * 1000, evidence);
      return evidence.filter(({ certainty }) => certainty === 'estimate').map((one) => one.missing);
    };
    const text = 'timeAdded of the taint b:NoExecute: add it to the Cluster in the state';
    expect(missing([taint('a', 0), taint('b')], 30)).toEqual([text]);
    expect(missing([taint('a', 0), taint('b')], 60)).toEqual([]);
    expect(missing([taint('a', 0)], 30)).toEqual([]);
  });
});

describe('the decision on NoExecute taints over time', () => {
  const key = fc.constantFrom('a', 'b', 'c');
  const taints = fc.array(fc.tuple(key, fc.option(fc.nat(100), { nil: undefined })), { maxLength: 4 });
  const tolerations = fc.array(
    fc.tuple(
      fc.option(key, { nil: undefined }),
      fc.option(fc.integer({ min: -10, max: 100 }), { nil: undefined }),
    ),
    { maxLength: 5 },
  );

  test('evicts exactly at the end of a wait and never reverts an eviction', () => {
    fc.assert(
      fc.property(taints, tolerations, fc.nat(250), (taintPairs, tolerationPairs, at) => {
        const all = taintPairs.map(([of, added]) => taint(of, added));
        const tolerated = tolerationPairs.map(([of, seconds]) => tolerate(of, seconds));
        const decision = decide(all, tolerated, at);
        if (decision.kind !== 'wait') {
          expect(decide(all, tolerated, at + 1000)).toEqual(decision);
          return;
        }
        const end = at + decision.milliseconds / 1000;
        expect(decide(all, tolerated, end - 0.001).kind).toBe('wait');
        expect(decide(all, tolerated, end)).toEqual(evict);
      }),
    );
  });

  test('never waits longer with an additional taint', () => {
    fc.assert(
      fc.property(taints, tolerations, key, fc.nat(100), (taintPairs, tolerationPairs, more, added) => {
        const all = taintPairs.map(([of, addedAt]) => taint(of, addedAt));
        const tolerated = tolerationPairs.map(([of, seconds]) => tolerate(of, seconds));
        const left = (decision: ReturnType<typeof decide>) =>
          decision.kind === 'stay' ? Infinity : decision.kind === 'evict' ? 0 : decision.milliseconds;
        expect(left(decide([...all, taint(more, added)], tolerated, 50))).toBeLessThanOrEqual(
          left(decide(all, tolerated, 50)),
        );
      }),
    );
  });
});
