import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { conditionsMatch } from '../../../../src/karmada/taints/matchConditions.ts';
import { reconcileTaintWindows } from '../../../../src/karmada/taints/windows/reconcileTaintWindows.ts';
import type { TaintWindowMemory } from '../../../../src/karmada/taints/windows/taintWindows.ts';
import type { Condition, Taint } from '../../../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy, MatchCondition } from '../../../../src/karmada/api/policy.ts';
import { rfc3339 } from '../../../../src/kubernetes/time.ts';
import { proposal } from '../../../proposal/documents.ts';
import { at, BEGIN } from './windows.ts';

const LAST_SECOND = 120;

/** Statuses by type; a missing type is not reported. */
type Statuses = Record<string, string>;
/** An event at a whole second; the first is at 0. */
type History = readonly { second: number; statuses: Statuses }[];

/** The conditions of a second, as Karmada writes them: a transition is dated when the status changes. */
function conditionsAt(history: History, second: number): Condition[] {
  const known = new Map<string, Condition>();
  for (const one of history.filter((change) => change.second <= second)) {
    for (const type of [...known.keys()]) if (!(type in one.statuses)) known.delete(type);
    for (const [type, status] of Object.entries(one.statuses))
      if (known.get(type)?.status !== status)
        known.set(type, {
          type,
          status: status as Condition['status'],
          lastTransitionTime: rfc3339(at(one.second)),
        });
  }
  return [...known.values()];
}

const matchesAt = (list: MatchCondition[], history: History, second: number) =>
  list.length === 0 || conditionsMatch(conditionsAt(history, second), list);

interface Reported {
  /** epoch milliseconds */
  time: number;
  verb: string;
  taint: string;
}

/** The rule itself: for each second, how long a match has lasted. */
function ruled(policy: ClusterTaintPolicy, history: History): Reported[] {
  const list = policy.spec.matchConditions!;
  const taints = policy.spec.taintsToAdd!.map((one) => ({ ...one, there: false }));
  const listed: Reported[] = [];
  let lasted = 0;
  for (let second = 1; second <= LAST_SECOND; second++) {
    const matches = matchesAt(list, history, second);
    lasted = matches === matchesAt(list, history, second - 1) ? lasted + 1 : 0;
    for (const taint of taints) {
      const seconds = matches ? taint.addOnMatchSeconds! : taint.removeOnMismatchSeconds!;
      if (lasted < seconds || taint.there === matches) continue;
      taint.there = matches;
      listed.push({ time: at(second), verb: matches ? 'adds' : 'removes', taint: taint.key });
    }
  }
  return listed;
}

/**
 * The controller's result if it looks at changes, at the ends of windows that it names, and at all other calls; each instant of `restarts`
 * (epoch milliseconds) is a look by a new process.
 */
function played(
  policy: ClusterTaintPolicy,
  history: History,
  { looks = [], restarts = [] }: { looks?: readonly number[]; restarts?: readonly number[] } = {},
): Reported[] {
  const due = new Set([...history.map(({ second }) => at(second)), ...looks, ...restarts]);
  const listed: Reported[] = [];
  let memory: TaintWindowMemory | undefined;
  let taints: Taint[] = [];
  for (;;) {
    const now = Math.min(...due);
    if (now > at(LAST_SECOND)) return listed;
    due.delete(now);
    const conditions = conditionsAt(history, (now - BEGIN) / 1000);
    const cluster = {
      metadata: { name: 'm1', creationTimestamp: rfc3339(BEGIN) },
      spec: { taints },
      status: { conditions },
    };
    const result = reconcileTaintWindows({
      cluster,
      policies: [policy],
      memory: restarts.includes(now) ? undefined : memory,
      now,
      rules: proposal.rules,
    });
    // the memory survives being saved
    memory = JSON.parse(JSON.stringify(result.memory)) as TaintWindowMemory;
    taints = result.taints;
    for (const { verb, taint } of result.acts) listed.push({ time: now, verb, taint: taint.key });
    if (result.nextEnd !== undefined) due.add(result.nextEnd);
  }
}

const TYPES = ['A', 'B'];
const status = fc.constantFrom('True', 'False', 'Unknown');
const statuses = fc.dictionary(fc.constantFrom(...TYPES), status);
const changes = <S extends Statuses>(one: fc.Arbitrary<S>) =>
  fc
    .tuple(
      one,
      fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: LAST_SECOND }), one), {
        selector: ([s]) => s,
        maxLength: 12,
      }),
    )
    .map(([first, later]): History =>
      [{ second: 0, statuses: first }, ...later.map(([second, two]) => ({ second, statuses: two }))].sort(
        (a, b) => a.second - b.second,
      ),
    );
const entry = fc.record({
  conditionType: fc.constantFrom(...TYPES),
  operator: fc.constantFrom('In', 'NotIn'),
  statusValues: fc.subarray(['True', 'False', 'Unknown']),
});
const seconds = fc.integer({ min: 1, max: 25 });
const policyOf = (entries: fc.Arbitrary<MatchCondition[]>) =>
  fc
    .tuple(entries, fc.array(fc.tuple(seconds, seconds), { minLength: 1, maxLength: 2 }))
    .map(([matchConditions, windows]): ClusterTaintPolicy => ({
      metadata: { name: 'p', creationTimestamp: rfc3339(BEGIN) },
      spec: {
        matchConditions,
        taintsToAdd: windows.map(([addOnMatchSeconds, removeOnMismatchSeconds], index) => ({
          key: `t${index}`,
          effect: 'PreferNoExecute',
          addOnMatchSeconds,
          removeOnMismatchSeconds,
        })),
      },
    }));
const anyPolicy = policyOf(fc.array(entry, { maxLength: 3 }));
const instants = fc.array(fc.integer({ min: BEGIN, max: at(LAST_SECOND) }), { maxLength: 10 });
const inOrder = (listed: readonly Reported[]) =>
  listed.map(({ time, verb, taint }) => `${(time - BEGIN) / 1000}s ${verb} ${taint}`).sort();

describe('a taint window with any history of conditions', () => {
  test('adds or removes a taint exactly after its conditions have matched or mismatched without a break', () => {
    fc.assert(
      fc.property(anyPolicy, changes(statuses), instants, (policy, history, looks) => {
        expect(inOrder(played(policy, history, { looks }))).toEqual(inOrder(ruled(policy, history)));
      }),
      { numRuns: 300 },
    );
  });

  test('never ends early after a restart of the process', () => {
    const reported = fc.record({ A: status, B: status });
    fc.assert(
      fc.property(anyPolicy, changes(reported), instants, (policy, history, restarts) => {
        for (const { time, verb, taint } of played(policy, history, { restarts })) {
          const one = policy.spec.taintsToAdd!.find(({ key }) => key === taint)!;
          const second = (time - BEGIN) / 1000;
          const lasting = verb === 'adds' ? one.addOnMatchSeconds! : one.removeOnMismatchSeconds!;
          for (let before = Math.ceil(second - lasting); before <= second; before++)
            expect(matchesAt(policy.spec.matchConditions!, history, before)).toBe(verb === 'adds');
        }
      }),
      { numRuns: 150 },
    );
  });

  test('never ends late after a restart if its condition has only two statuses', () => {
    const single = policyOf(
      fc.constantFrom([{ conditionType: 'A', operator: 'In', statusValues: ['False'] }]),
    );
    const twoFold = changes(fc.record({ A: fc.constantFrom('True', 'False') }));
    fc.assert(
      fc.property(single, twoFold, instants, (policy, history, restarts) => {
        expect(inOrder(played(policy, history, { restarts }))).toEqual(inOrder(ruled(policy, history)));
      }),
      { numRuns: 150 },
    );
  });
});
