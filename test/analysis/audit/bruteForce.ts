import { expect } from '@jest/globals';
import { type AuditOptions, startAudit } from '../../../src/analysis/audit/audit.ts';
import { contingenciesOf } from '../../../src/analysis/audit/contingencies.ts';
import { isUncovered, type Trouble, troubleOf } from '../../../src/analysis/audit/trouble.ts';
import { keptByTasks } from '../../../src/karmada/eviction/works.ts';
import { placedOn } from '../../../src/karmada/objects/placement.ts';
import { bindingIdentity, objectKey } from '../../../src/karmada/objects/identities.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { WorkloadOutcome } from '../../../src/simulator/verdicts/outcome.ts';
import { type GeneratedWorld, worldOfSeed } from '../../worlds/worldOfSeed.ts';

export const seeds = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);

/** Compares an audit of a generated world, pairs included, with a simulation of each contingency with all bindings. */
export function holdsAgainstBruteForce(seed: number): void {
  heldAgainstBruteForce(worldOfSeed(seed));
}

/** The same for any world; returns how many pairs there were, and how many were combined from single failures. */
export function heldAgainstBruteForce(
  { world: state, configuration, scenario }: Pick<GeneratedWorld, 'world' | 'configuration' | 'scenario'>,
  taint?: AuditOptions['taint'],
): { pairs: number; combined: string[] } {
  const when = { start: scenario.start, members: scenario.members };
  const contingencies = contingenciesOf(state.clusters, { pairs: true });
  const { step, result } = startAudit(state, state.bindings, when, configuration, {
    contingencies,
    ...(taint && { taint }),
  });
  while (step());
  const audit = result();
  const bindings = new Map(state.bindings.map((one) => [objectKey(bindingIdentity(one)), one]));
  const outcomesOf = (failing: readonly string[]) => {
    const events = failing.map((cluster) => ({
      at: scenario.start,
      action: taint ? ({ type: 'taint', cluster, taint } as const) : ({ type: 'fail', cluster } as const),
    }));
    const { workloads } = simulate(state, { ...when, events }, configuration, {});
    return new Map(workloads.map((outcome) => [objectKey(outcome.binding), outcome]));
  };
  const uncovered = (key: string, outcome: WorkloadOutcome | undefined): Trouble | undefined => {
    const binding = bindings.get(key);
    const trouble = outcome && binding && troubleOf(outcome, binding);
    return isUncovered(trouble) ? trouble : undefined;
  };
  const calm = outcomesOf([]);
  for (const { binding, now } of audit.workloads) {
    const key = objectKey(binding);
    expect([binding, isUncovered(now) ? now : undefined]).toEqual([binding, uncovered(key, calm.get(key))]);
  }
  for (const { name, clusters: failing, outcomes } of audit.contingencies) {
    const brute = outcomesOf(failing);
    const counts: typeof outcomes = {};
    for (const { binding, now, troubles } of audit.workloads) {
      const key = objectKey(binding);
      const here = troubles.find(({ contingency }) => contingency === name)?.trouble;
      const expected = uncovered(key, brute.get(key));
      const found = isUncovered(here) ? here : isUncovered(now) ? expected : undefined;
      expect([name, binding.name, found]).toEqual([name, binding.name, expected]);
      const outcome = brute.get(key)?.outcome;
      const { spec } = bindings.get(key)!;
      const placed = placedOn(spec).map((one) => one.name);
      const copies = [...placed, ...keptByTasks(spec, configuration.rules)];
      const isThere = copies.some((one) => failing.includes(one));
      if (outcome && isThere) counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    expect([name, outcomes]).toEqual([name, counts]);
  }
  const pairs = audit.contingencies.filter(({ kind }) => kind === 'pair');
  return { pairs: pairs.length, combined: pairs.flatMap(({ combined, name }) => (combined ? [name] : [])) };
}
