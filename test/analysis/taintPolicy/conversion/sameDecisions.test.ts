import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { complementOf } from '../../../../src/analysis/taintPolicy/conversion/statusSets.ts';
import { convertPolicy } from '../../../../src/analysis/taintPolicy/conversion/convertPolicy.ts';
import type { PolicyForm } from '../../../../src/analysis/taintPolicy/conversion/forms.ts';
import { policyPass, type PolicyPass } from '../../../../src/karmada/taints/policyPass.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { Taint } from '../../../../src/karmada/api/meta.ts';
import type {
  ClusterTaintPolicy,
  ClusterTaintPolicySpec,
  MatchCondition,
} from '../../../../src/karmada/api/policy.ts';
import { dialectOf, newestReleased } from '../../../../src/karmada/dialects/dialects.ts';
import { applyDataChange, changeTree } from '../../../../src/kubernetes/dataChange.ts';
import { rfc3339 } from '../../../../src/kubernetes/time.ts';

const rulesOf = {
  shipped: dialectOf(newestReleased).dialect.rules,
  proposed: dialectOf('proposal').dialect.rules,
};
const BEGIN = Date.parse('2026-10-01T00:00:00Z');

type Statuses = Record<string, string | undefined>;

/** The taints after each change of the statuses, once it has lasted ten seconds. */
function taintsAfter(
  form: PolicyForm,
  policy: ClusterTaintPolicy,
  history: Statuses[],
  first: Taint[],
): string[][] {
  let taints = first;
  let memory: PolicyPass['memory'];
  const since = new Map<string, { status: string; time: number }>();
  return history.map((statuses, at) => {
    const begin = BEGIN + at * 10_000;
    for (const [type, status] of Object.entries(statuses)) {
      if (status === undefined) since.delete(type);
      else if (since.get(type)?.status !== status) since.set(type, { status, time: begin });
    }
    const cluster = (): Cluster => ({
      metadata: { name: 'member1', creationTimestamp: rfc3339(BEGIN - 60_000) },
      spec: { taints },
      status: {
        conditions: [...since].map(([type, { status, time }]) => ({
          type,
          status: status as 'True',
          lastTransitionTime: rfc3339(time),
        })),
      },
    });
    for (const now of [begin, begin + 1000, begin + 2000]) {
      const pass = policyPass({ cluster: cluster(), policies: [policy], memory, now, rules: rulesOf[form] });
      ({ taints, memory } = pass);
    }
    return taints.map(({ key, value = '', effect }) => `${key}=${value}:${effect}`).sort();
  });
}

const policyOf = (spec: ClusterTaintPolicySpec): ClusterTaintPolicy => ({
  metadata: { name: 'p', creationTimestamp: rfc3339(BEGIN - 60_000) },
  spec,
});

const status = fc.constantFrom('True', 'False', 'Unknown');
// Karmada reports Ready for every cluster; other conditions may be missing, or have any status
const statuses = fc.record({
  Ready: status,
  Net: fc.option(fc.oneof(status, fc.constant('Odd')), { nil: undefined }),
});
const history = fc.array(statuses, { minLength: 1, maxLength: 6 });
const condition = fc.record({
  conditionType: fc.constantFrom('Ready', 'Ready', 'Net'),
  operator: fc.constantFrom('In', 'NotIn'),
  statusValues: fc.subarray(['True', 'False', 'Unknown'], { minLength: 1, maxLength: 2 }),
});
const conditions = fc.array(condition, { minLength: 1, maxLength: 2 });
const effect = fc.constantFrom('NoSchedule' as const, 'NoExecute' as const);
const there = fc.constantFrom<Taint[][]>(
  [],
  [{ key: 'a', effect: 'NoSchedule' }],
  [{ key: 'mine', effect: 'NoExecute' }],
);

function holdsSame(
  form: PolicyForm,
  spec: ClusterTaintPolicySpec,
  past: Statuses[],
  first: Taint[],
): boolean {
  const to = form === 'shipped' ? 'proposed' : 'shipped';
  const { changes, findings } = convertPolicy(spec, to);
  if (findings.some(({ weight }) => weight !== 'note')) return false;
  const policy = policyOf(spec);
  const converted = applyDataChange(policy, changeTree(changes)) as ClusterTaintPolicy;
  expect(taintsAfter(to, converted, past, first)).toEqual(taintsAfter(form, policy, past, first));
  return true;
}

test('a shipped policy without form differences adds the same taints in the proposed form', () => {
  let exact = 0;
  const remove = (add: MatchCondition[], other: MatchCondition[], same: boolean) =>
    same ? complementOf(add) : other;
  fc.assert(
    fc.property(
      conditions,
      conditions,
      fc.boolean(),
      effect,
      history,
      there,
      (add, other, same, how, past, first) => {
        const spec = {
          addOnConditions: add,
          removeOnConditions: remove(add, other, same),
          taints: [{ key: 'a', effect: how, value: 'x' }],
        };
        if (holdsSame('shipped', spec, past, first)) exact++;
      },
    ),
    { numRuns: 1000 },
  );
  expect(exact).toBeGreaterThan(100);
});

test('a proposed policy with windows of one second adds the same taints in the shipped form', () => {
  let exact = 0;
  fc.assert(
    fc.property(conditions, effect, history, there, (matchConditions, how, past, first) => {
      const windows = { addOnMatchSeconds: 1, removeOnMismatchSeconds: 1 };
      const spec = { matchConditions, taintsToAdd: [{ key: 'a', effect: how, ...windows }] };
      if (holdsSame('proposed', spec, past, first)) exact++;
    }),
    { numRuns: 1000 },
  );
  expect(exact).toBeGreaterThan(100);
});
