import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { reconcileTaints, type TaintMove } from '../../../src/analysis/taintPolicy/taintReconcile.ts';
import { effectOf, type ClusterEffect } from '../../../src/analysis/taintPolicy/effect.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { instant, rfc3339 } from '../../../src/kubernetes/time.ts';
import { failoverByDesign } from '../../proposal/documents.ts';
import { START } from '../../simulator/simulation/controlPlane.ts';
import { fleet, member, taintPolicy } from './policies.ts';

const members = { workloadReadyAfter: 20_000, neverReady: [] };
/** The longest of these windows, in seconds. */
const LONGEST = 600;

const seconds = fc.integer({ min: 1, max: LONGEST });
const listed = fc.uniqueArray(
  fc.record({
    key: fc.constantFrom('a', 'b'),
    effect: fc.constantFrom('NoSchedule' as const, 'NoExecute' as const, 'PreferNoExecute' as const),
    addOnMatchSeconds: seconds,
    removeOnMismatchSeconds: seconds,
  }),
  { selector: ({ key, effect }) => `${key}:${effect}`, minLength: 1, maxLength: 2 },
);
const entry = fc.record({
  conditionType: fc.constantFrom('Ready', 'Net', 'Power'),
  operator: fc.constantFrom('In', 'NotIn'),
  statusValues: fc.subarray(['True', 'False', 'Unknown'], { minLength: 1 }),
});
const spec = fc.record({ matchConditions: fc.array(entry, { maxLength: 2 }), taintsToAdd: listed });
const created = fc.integer({ min: 0, max: 2 * LONGEST }).map((ago) => rfc3339(START - ago * 1000));
const policies = fc
  .array(fc.tuple(spec, created), { maxLength: 3 })
  .map((all) => all.map(([own, at], index) => taintPolicy(`p${index}`, own, at)));

/** Net and Power changed up to 20 minutes ago, and the cluster has some of the taints. */
const cluster = fc
  .tuple(
    fc.record({ Net: fc.constantFrom('True', 'False'), Power: fc.constantFrom('True', 'Unknown', '') }),
    fc.tuple(created, created),
    fc.subarray(['a:NoSchedule', 'a:NoExecute', 'b:PreferNoExecute']),
  )
  .map(([{ Net, Power }, turned, taints]): Cluster => {
    const one = member('east-1', { conditions: [`Net=${Net}`, ...(Power ? [`Power=${Power}`] : [])] });
    const conditions = one.status!.conditions!.map((condition) =>
      condition.type === 'Ready'
        ? condition
        : { ...condition, lastTransitionTime: turned[condition.type === 'Net' ? 0 : 1] },
    );
    const has = taints.map((text): Taint => {
      const [key, effect] = text.split(':');
      return { key: key!, effect: effect as Taint['effect'], timeAdded: rfc3339(START - 3600_000) };
    });
    return { ...one, spec: { ...one.spec, taints: has }, status: { ...one.status, conditions } };
  });

const nameOf = ({ key, effect }: Pick<Taint, 'key' | 'effect'>) => `${key}:${effect}`;

/** "a:NoExecute 12": a taint, and for an added one the second after the start. */
function predicted(one: Cluster, world: World, { atOnce, calledOff }: ClusterEffect): string[] {
  const known = reconcileTaints(one, world.taintPolicies, failoverByDesign, START);
  const goesOn = (moves: readonly TaintMove[], off: readonly TaintMove[]) =>
    moves.filter(
      ({ taint, after }) =>
        after !== undefined && !off.some((other) => nameOf(other.taint) === nameOf(taint)),
    );
  // first those that the change does not concern, but whose windows are open; the change may alter their time
  const gains = [...goesOn(known.gains, calledOff.gains), ...atOnce.gains];
  const loses = [...atOnce.loses, ...goesOn(known.loses, calledOff.loses)];
  const stays = (one.spec?.taints ?? []).filter(
    (taint) => !loses.some((lost) => nameOf(lost.taint) === nameOf(taint)),
  );
  const comes = new Map(
    gains.map(({ taint, after = 0 }) => [nameOf(taint), `${nameOf(taint)} ${Math.ceil(after / 1000)}`]),
  );
  return [...stays.map(nameOf), ...comes.values()].sort();
}

/** The taints of the cluster once all windows have ended, according to the simulator. */
function simulated(world: World, policy: ClusterTaintPolicy): string[] {
  const object = { ...policy, apiVersion: 'policy.karmada.io/v1alpha1', kind: 'ClusterTaintPolicy' };
  let ended: World | undefined;
  simulate(
    world,
    {
      start: START,
      until: START + (LONGEST + 60) * 1000,
      members,
      events: [{ at: START, action: { type: 'apply', objects: [object] } }],
    },
    failoverByDesign,
    { save: (end) => void (ended = end) },
  );
  return (ended!.clusters[0]!.spec?.taints ?? [])
    .map((taint) => {
      const after = (instant(taint.timeAdded!) - START) / 1000;
      return after < 0 ? nameOf(taint) : `${nameOf(taint)} ${after}`;
    })
    .sort();
}

test('the predicted taints of a new or edited policy equal the simulation, at once and after windows', () => {
  fc.assert(
    fc.property(cluster, policies, fc.constantFrom('p0', 'new'), spec, (one, own, name, edited) => {
      const world = fleet([one], own);
      const policy = taintPolicy(name, edited);
      const change = { applied: [policy] };
      const options = { members, playedTurns: 0 };
      const { clusters, policies: changed } = effectOf(world, change, failoverByDesign, START, options);
      fc.pre(changed[0]!.verb !== 'unchanged');
      expect(predicted(one, world, clusters[0]!)).toEqual(simulated(world, policy));
    }),
    { numRuns: 200 },
  );
});
