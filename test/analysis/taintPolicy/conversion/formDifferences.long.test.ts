import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  complementOf,
  OTHER_STATUS,
  type TypeStatuses,
} from '../../../../src/analysis/taintPolicy/conversion/statusSets.ts';
import { formDifferences } from '../../../../src/analysis/taintPolicy/conversion/convertPolicy.ts';
import { conditionsMatch } from '../../../../src/karmada/taints/matchConditions.ts';
import type { Condition } from '../../../../src/karmada/api/meta.ts';
import type { MatchCondition } from '../../../../src/karmada/api/policy.ts';

const TYPES = ['Ready', 'Net', 'Power'];
const STATUSES = ['True', 'False', 'Unknown', 'Odd'];

/** A status for each type; undefined: the cluster does not report it. */
type Row = Record<string, string | undefined>;

/** Every combination of statuses, missing types included. */
const table: Row[] = TYPES.reduce<Row[]>(
  (rows, type) =>
    rows.flatMap((row) => [...STATUSES, undefined].map((status) => ({ ...row, [type]: status }))),
  [{}],
);

const holds = (list: MatchCondition[], row: Row) =>
  conditionsMatch(
    Object.entries(row).flatMap(([type, status]) =>
      status === undefined ? [] : [{ type, status: status as Condition['status'] }],
    ),
    list,
  );
/** The effect on a taint: `leaves` keeps it. */
const shipped = (add: MatchCondition[], remove: MatchCondition[], row: Row) =>
  holds(remove, row) ? 'absent' : holds(add, row) ? 'present' : 'leaves';
const proposed = (match: MatchCondition[], row: Row) => (holds(match, row) ? 'present' : 'absent');

const matches = (where: TypeStatuses[], row: Row) =>
  where.every(({ conditionType, statuses }) => {
    const status = row[conditionType];
    return status !== undefined && statuses.includes(status === 'Odd' ? OTHER_STATUS : status);
  });

const condition = fc.record({
  conditionType: fc.constantFrom(...TYPES),
  operator: fc.constantFrom('In', 'NotIn', 'Exists'),
  statusValues: fc.subarray(['True', 'False', 'Unknown']),
});
const list = fc.array(condition, { minLength: 1, maxLength: 3 });
/** Realistic removal lists are likelier: the complement, or something close to it. */
const lists = fc
  .tuple(list, list, fc.constantFrom('complement', 'none', 'any'))
  .map(([add, any, kind]): [MatchCondition[], MatchCondition[]] => [
    add,
    kind === 'complement' ? complementOf(add) : kind === 'none' ? [] : any,
  ]);
const isReported = (row: Row) => Object.values(row).every((status) => status !== undefined);

describe('the differences between a shipped and a proposed policy', () => {
  test('are complete for all statuses of all types', () => {
    fc.assert(
      fc.property(lists, ([add, remove]) => {
        const { bothHold, neitherHolds, unreported } = formDifferences(add, remove);
        for (const row of table) {
          const [a, b] = [shipped(add, remove, row), proposed(add, row)];
          if (bothHold && matches(bothHold, row)) expect([a, b]).toEqual(['absent', 'present']);
          if (neitherHolds && matches(neitherHolds, row)) expect([a, b]).toEqual(['leaves', 'absent']);
          if (a === b) continue;
          if (a === 'absent') expect(bothHold).toBeDefined();
          else if (isReported(row)) expect(neitherHolds).toBeDefined();
          else
            expect(neitherHolds !== undefined || unreported.some((type) => row[type] === undefined)).toBe(
              true,
            );
        }
      }),
      {
        numRuns: 500,
        // neither matches only if both types are missing
        examples: [
          [
            [
              [{ conditionType: 'Ready', operator: 'NotIn', statusValues: [] }],
              [{ conditionType: 'Power', operator: 'NotIn', statusValues: [] }],
            ],
          ],
        ],
      },
    );
  });

  test('all occur on at least one possible cluster', () => {
    fc.assert(
      fc.property(lists, ([add, remove]) => {
        const { bothHold, neitherHolds, unreported } = formDifferences(add, remove);
        for (const where of [bothHold, neitherHolds])
          if (where) expect(table.some((row) => isReported(row) && matches(where, row))).toBe(true);
        for (const type of unreported)
          expect(
            table.some(
              (row) =>
                row[type] === undefined &&
                shipped(add, remove, row) === 'leaves' &&
                proposed(add, row) === 'absent',
            ),
          ).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the complement of conditions', () => {
  test('of one type matches exactly if the conditions do not, on clusters that report the type', () => {
    const ofOneType = fc.array(
      condition.map((one) => ({ ...one, conditionType: 'Ready' })),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    fc.assert(
      fc.property(ofOneType, (add) => {
        for (const status of STATUSES) {
          const row = { Ready: status };
          const wanted = !holds(add, row);
          expect(holds(complementOf(add), row)).toBe(wanted);
        }
      }),
    );
  });

  test('of several types never matches together with the conditions', () => {
    fc.assert(
      fc.property(list, (add) => {
        for (const row of table) if (holds(add, row)) expect(holds(complementOf(add), row)).toBe(false);
      }),
    );
  });

  test('inverts the operator and keeps the values', () => {
    expect(
      complementOf([{ conditionType: 'Ready', operator: 'In', statusValues: ['False', 'Unknown'] }]),
    ).toEqual([{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['False', 'Unknown'] }]);
  });
});
