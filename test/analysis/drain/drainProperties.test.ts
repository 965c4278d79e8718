import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DrainOptions } from '../../../src/analysis/drain/drainOptions.ts';
import { planDrain } from '../../../src/analysis/drain/plan/planDrain.ts';
import { bindingKey } from '../../../src/karmada/objects/identities.ts';
import { followReadyReplicas } from '../../../src/simulator/verdicts/readyReplicas.ts';
import { simulatedDrain } from '../../../src/analysis/drain/plan/simulatedDrain.ts';
import { createClusterSnapshot } from '../../../src/karmada/scheduling/clusterSnapshot.ts';
import { scheduleBinding } from '../../../src/karmada/scheduling/scheduleBinding.ts';
import { schedulerOptions } from '../../../src/karmada/scheduling/schedulerOptions.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { START, world } from '../../simulator/simulation/controlPlane.ts';
import { aDrain, changeOf, defaults, drainer, lookOf, viewOf, type Stage } from './aDrain.ts';
import { names, options, stages } from './drainWorlds.ts';

/** The ready replicas of each workload, at every change; for full copies the least of them. */
function readyOverTime(stage: Stage, drains: DrainOptions[], neverReady: boolean) {
  const state = { ...world([...stage.clusters], [...stage.bindings]), taintPolicies: [] };
  const least = new Map<string, number>();
  const doubtful = neverReady
    ? stage.bindings.slice(0, 1).flatMap(({ spec: { resource } }) =>
        names.map((name) => ({
          kind: 'Deployment',
          namespace: 'shop',
          name: resource.name,
          cluster: name,
        })),
      )
    : [];
  const acting = drains.map((drain, at) => simulatedDrain(drain, defaults, `drain${at || ''}`));
  const simulation = simulate(
    state,
    { start: START, members: { workloadReadyAfter: 20_000, neverReady: doubtful }, events: [] },
    defaults,
    {
      actor: () => ({
        controllers: acting.flatMap(({ actor }) => actor.controllers ?? []),
        follow(given) {
          for (const { actor } of acting) actor.follow?.(given);
          const ready = followReadyReplicas(given.time);
          const note = (key: string) => {
            const { name } = given.time.view.get('Binding', key)!.spec.resource;
            least.set(name, Math.min(least.get(name) ?? Infinity, ready.of(key)));
          };
          for (const binding of stage.bindings) note(bindingKey(binding));
          ready.onChange(note);
        },
      }),
    },
  );
  return { least, simulation };
}

const total = ({ spec }: ResourceBinding) =>
  (spec.clusters ?? []).reduce((sum, { replicas = 0 }) => sum + replicas, 0);

describe('for any drained clusters', () => {
  /** A duplicated workload may have fewer copies afterwards, but always at least one full copy. */
  function expectEnough(stage: Stage, least: ReadonlyMap<string, number>): void {
    for (const binding of stage.bindings) {
      const { placement: own, resource, replicas = 0 } = binding.spec;
      const before = total(binding);
      const duplicated = own?.replicaScheduling?.replicaSchedulingType === 'Duplicated';
      // none is left out: each is counted before anything happens
      expect(least.get(resource.name)).toBeGreaterThanOrEqual(duplicated ? replicas : before);
    }
  }

  test.each([false, true])(
    'a held workload never has fewer ready replicas than before (never ready: %s)',
    (neverReady) => {
      fc.assert(
        fc.property(stages, options, (stage, drain) => {
          expectEnough(stage, readyOverTime(stage, [drain], neverReady).least);
        }),
        { numRuns: 60 },
      );
    },
  );

  test('two drains at once keep all replicas ready, and neither restores the evictions of the other', () => {
    fc.assert(
      fc.property(stages, options, options, (stage, drain, other) => {
        const rest = other.clusters.filter((name) => !drain.clusters.includes(name));
        fc.pre(rest.length > 0);
        const { least, simulation } = readyOverTime(stage, [drain, { ...other, clusters: rest }], false);
        expectEnough(stage, least);
        const drained = [...drain.clusters, ...rest];
        const gone = new Set<string>();
        for (const {
          controller,
          type,
          object,
          clusters: targets = [],
          cluster: from = '',
        } of simulation.events) {
          if (controller.startsWith('drain') && type === 'Evicted')
            from.split(',').forEach((name) => gone.add(`${object.name} ${name}`));
          for (const { name } of targets)
            if (drained.includes(name)) expect(gone).not.toContain(`${object.name} ${name}`);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('moved workloads are ready elsewhere at the end, and nothing else has changed', () => {
    fc.assert(
      fc.property(stages, options, (stage, drain) => {
        const plan = planDrain(
          { ...world([...stage.clusters], [...stage.bindings]), taintPolicies: [] },
          drain,
          defaults,
          START,
          { karmadaVersion: 'v1.18' },
        );
        expect(plan.atRest).toBe(true);
        for (const { fate, after, before, evictedAt, goneAt } of plan.workloads) {
          const here = after.some(({ name }) => drain.clusters.includes(name));
          if (fate === 'stays' || fate === 'blocked') {
            expect(evictedAt).toBeUndefined();
            expect(after).toEqual(before);
          } else {
            expect(fate).toMatch(/^(moves|leaves|partly-moves)$/);
            expect(here).toBe(false);
            expect(goneAt).toBeDefined();
          }
        }
        const concerned = new Set(plan.workloads.map(({ name }) => name));
        for (const { object, controller } of plan.events)
          if (controller === 'drain' && object.kind === 'ResourceBinding')
            expect(concerned.has(object.name.replace(/-deployment$/, ''))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('each workload is evicted once, only with a possible placement, and from all drained clusters in one write', () => {
    fc.assert(
      fc.property(stages, options, (stage, drain) => {
        const one = drainer(stage, drain);
        const evicted = new Set<string>();
        let now = START;
        for (let looks = 0; looks < 30; looks++) {
          const present = one.stage;
          const step = one.step(now);
          const evictions = step.writes.flatMap((write) =>
            write.kind === 'Binding' && changeOf(write).type === 'evict' ? [write] : [],
          );
          expect(evictions.length).toBeLessThanOrEqual(1);
          for (const { base, object } of evictions) {
            expect(evicted.has(base.metadata.name)).toBe(false);
            evicted.add(base.metadata.name);
            expect(object.spec.clusters?.some(({ name }) => drain.clusters.includes(name))).toBe(false);
            const metadata = { ...base.metadata, generation: 99 };
            const snapshot = createClusterSnapshot(present.clusters, schedulerOptions(defaults));
            const placed = scheduleBinding({ snapshot, binding: { ...object, metadata }, now });
            expect(placed.failure).toBeUndefined();
            expect(placed.spec.clusters?.some(({ name }) => drain.clusters.includes(name))).toBe(false);
          }
          // an outdated writer is refused: the writes name the version that they replace
          for (const write of step.writes) expect(write.lock).toBe(true);
          now += 2000;
        }
      }),
      { numRuns: 60 },
    );
  });

  test('a reconcile changes none of its inputs', () => {
    fc.assert(
      fc.property(stages, options, (stage, drain) => {
        const before = JSON.stringify(stage);
        const look = () => lookOf(aDrain(drain, defaults), viewOf(stage));
        expect(look()).toEqual(look());
        expect(JSON.stringify(stage)).toBe(before);
      }),
      { numRuns: 30 },
    );
  });
});
