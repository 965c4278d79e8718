import { expect } from '@jest/globals';
import { startAudit } from '../../../src/analysis/audit/audit.ts';
import { contingenciesOf } from '../../../src/analysis/audit/contingencies.ts';
import { isUncovered, troubleOf } from '../../../src/analysis/audit/trouble.ts';
import { isReady } from '../../../src/karmada/objects/clusterReadiness.ts';
import { bindingIdentity, objectKey } from '../../../src/karmada/objects/identities.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import { worldOfSeed } from '../../worlds/worldOfSeed.ts';

export const seeds = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);

/** Holds an audit of a generated world, pairs included, against a simulation of each contingency with all bindings. */
export function holdsAgainstBruteForce(seed: number): void {
  const { world: state, configuration, scenario } = worldOfSeed(seed);
  const when = { start: scenario.start, members: scenario.members };
  const contingencies = contingenciesOf(state.clusters, { pairs: true });
  const { step, result } = startAudit(state, state.bindings, when, configuration, { contingencies });
  while (step());
  const audit = result();
  const bindings = new Map(state.bindings.map((one) => [objectKey(bindingIdentity(one)), one]));
  const troublesOf = (failing: readonly string[]) => {
    const events = failing.map((name) => ({
      at: scenario.start,
      action: { type: 'fail', cluster: name } as const,
    }));
    const { workloads } = simulate(state, { ...when, events }, configuration, {});
    return new Map(
      workloads.flatMap((outcome) => {
        const key = objectKey(outcome.binding);
        const trouble = troubleOf(outcome, bindings.get(key)!);
        return isUncovered(trouble) ? [[key, trouble] as const] : [];
      }),
    );
  };
  const up = new Set(state.clusters.filter(isReady).map(({ metadata }) => metadata.name));
  const calm = troublesOf([]);
  for (const { binding, now } of audit.workloads)
    expect([binding, isUncovered(now) ? now : undefined]).toEqual([binding, calm.get(objectKey(binding))]);
  for (const { name, clusters } of audit.contingencies) {
    const brute = troublesOf(clusters.filter((one) => up.has(one)));
    for (const { binding, now, troubles } of audit.workloads) {
      const key = objectKey(binding);
      const here = troubles.find(({ contingency }) => contingency === name)?.trouble;
      const found = isUncovered(here) ? here : isUncovered(now) ? brute.get(key) : undefined;
      expect([name, binding.name, found]).toEqual([name, binding.name, brute.get(key)]);
    }
  }
}
