import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { reconcileTaints } from '../../../src/analysis/taintPolicy/taintReconcile.ts';
import { effectOf } from '../../../src/analysis/taintPolicy/effect.ts';
import { explains } from '../../../src/karmada/taints/taintSources.ts';
import { policiesAround } from '../../../src/analysis/taintPolicy/policyChange.ts';
import { withoutTaints } from '../../../src/analysis/taintPolicy/removalPlan.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import type { ClusterAffinity } from '../../../src/karmada/api/policy.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { START } from '../../simulator/simulation/controlPlane.ts';
import { allowed, fleet, member, removalAfterDeletion, taintPolicy } from './policies.ts';

const members = { workloadReadyAfter: 20_000, neverReady: [] };
const clusters = ['east-1', 'east-2', 'west-1'];

const effect = fc.constantFrom('NoSchedule' as const, 'NoExecute' as const);
const anyTaint = fc.record({
  key: fc.constantFrom('a', 'b', 'cluster.karmada.io/not-ready'),
  effect: fc.constantFrom('NoSchedule' as const, 'NoExecute' as const, 'PreferNoSchedule' as const),
  value: fc.constantFrom('', 'x', 'y'),
});
const condition = fc.record({
  conditionType: fc.constantFrom('Ready', 'Net', 'Power'),
  operator: fc.constantFrom('In', 'NotIn', 'Exists'),
  statusValues: fc.subarray(['True', 'False', 'Unknown']),
});
const byTaint = { selector: ({ key, effect: how }: Taint) => `${key}:${how}` };
const spec = fc.record({
  targetClusters: fc.constantFrom<(ClusterAffinity | undefined)[]>(
    undefined,
    { clusterNames: ['east-1'] },
    { exclude: ['east-1'] },
  ),
  addOnConditions: fc.array(condition, { maxLength: 2 }),
  removeOnConditions: fc.array(condition, { maxLength: 2 }),
  taints: fc.uniqueArray(anyTaint, { ...byTaint, minLength: 1, maxLength: 3 }),
});
const policies = fc
  .array(fc.tuple(spec, fc.nat(2)), { maxLength: 3 })
  .map((specs) =>
    specs.map(([{ targetClusters, ...own }, age], at) =>
      taintPolicy(
        `p${at}`,
        { ...(targetClusters && { targetClusters }), ...own },
        `2026-08-0${age + 1}T00:00:00Z`,
      ),
    ),
  );
const there = fc.uniqueArray(
  fc.record({
    key: fc.constantFrom('a', 'b'),
    effect,
    timeAdded: fc.constantFrom('2026-07-01T00:00:00Z', '2026-08-20T00:00:00Z'),
  }),
  byTaint,
);
const status = fc.constantFrom('True', 'False');
const world = fc
  .tuple(policies, fc.tuple(there, there, there), fc.tuple(status, status, status))
  .map(([own, taints, net]) =>
    fleet(
      clusters.map((name, at) =>
        member(name, {
          taints: taints[at]!,
          conditions: net[at] === 'True' ? ['Net=True'] : ['Net=False', 'Power=True'],
        }),
      ),
      own,
    ),
  );
/** Existing names are edits, others new policies. */
const change = fc.record({
  applied: fc
    .uniqueArray(fc.tuple(fc.constantFrom('p0', 'p1', 'new'), spec), {
      selector: ([name]) => name,
      maxLength: 2,
    })
    .map((all) =>
      all.map(([name, { targetClusters, ...own }]) =>
        taintPolicy(name, { ...(targetClusters && { targetClusters }), ...own }),
      ),
    ),
  deleted: fc.subarray(['p2']),
});

const reported = (taints: readonly Taint[] = []) =>
  taints.map(({ key, effect: how, value = '' }) => `${key}=${value}:${how}`).sort();

test('the immediate effect of a change equals the simulation', () => {
  fc.assert(
    fc.property(world, change, (before, what) => {
      const { clusters: effects, policies: changed } = effectOf(before, what, allowed, START, {
        members,
        playedTurns: 0,
      });
      const { after } = policiesAround(before.taintPolicies, what, START);
      const objects = after
        .filter(({ metadata }) => what.applied.some((one) => one.metadata.name === metadata.name))
        .map((one) => ({ ...one, apiVersion: 'policy.karmada.io/v1alpha1', kind: 'ClusterTaintPolicy' }));
      const deleted = changed.filter(({ verb }) => verb === 'deleted');
      let ended: World | undefined;
      simulate(
        before,
        {
          start: START,
          until: START + 10_000,
          members,
          events: [
            { at: START, action: { type: 'apply', objects } },
            ...deleted.map(({ name }) => ({
              at: START,
              action: { type: 'delete' as const, target: { kind: 'ClusterTaintPolicy', name } },
            })),
          ],
        },
        allowed,
        { save: (world) => void (ended = world) },
      );
      for (const { metadata, spec: own } of ended!.clusters) {
        const known = effects.find(({ cluster }) => cluster === metadata.name)?.atOnce.taints;
        const left = before.clusters.find((one) => one.metadata.name === metadata.name)!.spec?.taints;
        expect(reported(own?.taints)).toEqual(reported(known ?? left));
      }
    }),
    { numRuns: 200 },
  );
});

test('a second reconcile changes only taints with conflicting policies', () => {
  fc.assert(
    fc.property(world, ({ clusters: all, taintPolicies }) => {
      for (const cluster of all) {
        const first = reconcileTaints(cluster, taintPolicies, allowed, START);
        if (first.refused !== undefined) continue;
        const next = { ...cluster, spec: { ...cluster.spec, taints: [...first.taints] } };
        const second = reconcileTaints(next, taintPolicies, allowed, START + 1000);
        const isUndone = (one: { undone?: boolean }) => one.undone === true;
        expect([...second.gains, ...second.loses].every(isUndone)).toBe(true);
        expect(reported(second.taints)).toEqual(reported(first.taints));
      }
    }),
  );
});

test('the plan to delete policies removes the listed taints, and no taint with another owner', () => {
  fc.assert(
    fc.property(world, fc.subarray(['p0', 'p1', 'p2']), ({ clusters: all, taintPolicies }, names) => {
      const { steps, kept } = removalAfterDeletion(fleet(all, taintPolicies), names);
      const left = taintPolicies.filter(({ metadata }) => !names.includes(metadata.name));
      for (const cluster of all) {
        const before = cluster.spec?.taints ?? [];
        const listed = steps.flatMap((step) => (step.cluster === cluster.metadata.name ? step.taints : []));
        const after = withoutTaints(before, listed);
        expect(reported([...after, ...listed])).toEqual(reported(before));
        for (const taint of listed) {
          expect(
            kept.some((one) => one.left.cluster === cluster.metadata.name && one.left.taint === taint),
          ).toBe(false);
          expect(taint.timeAdded! > '2026-08-01').toBe(true);
          const stays = left.some((policy) => explains(policy, cluster, taint, allowed.rules));
          expect(stays).toBe(false);
        }
        // It has been renewed meanwhile: then it is left alone.
        const renewed = before.map((taint) => ({ ...taint, timeAdded: rfc3339(START) }));
        expect(withoutTaints(renewed, listed)).toBe(renewed);
      }
    }),
    { numRuns: 500 },
  );
});
