import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { meetsTarget } from '../../../src/analysis/audit/auditedWorkload.ts';
import { startAudit } from '../../../src/analysis/audit/audit.ts';
import { auditPart, createTurns, takeTurn, turnsDone } from '../../../src/analysis/audit/auditPart.ts';
import { contingenciesOf } from '../../../src/analysis/audit/contingencies.ts';
import { worldOfSeed } from '../../worlds/worldOfSeed.ts';

function auditOf(seed: number) {
  const { world, configuration, scenario } = worldOfSeed(seed);
  const when = { start: scenario.start, members: scenario.members };
  const options = { contingencies: contingenciesOf(world.clusters, { pairs: true }) };
  const begun = () => startAudit(world, world.bindings, when, configuration, options);
  return { world, configuration, when, options, begun };
}
const { world, configuration, when, options, begun } = auditOf(9104);

describe('an audit in several threads', () => {
  const whole = begun();
  while (whole.step());
  const text = JSON.stringify(whole.result());

  test('equals an audit in one thread, for any split of contingencies and any order of results', () => {
    const all = Array.from({ length: whole.total }, (_, at) => at);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), fc.nat(all.length), (order, first) => {
        const [one, other] = [begun(), begun()];
        for (const at of order.slice(0, first)) one.simulate(at);
        for (const at of order.slice(first)) other.simulate(at);
        // as passed by another thread or a file
        one.tally.merge(JSON.parse(JSON.stringify(other.tally.state())));
        expect(JSON.stringify(one.result())).toBe(text);
      }),
      { numRuns: 8 },
    );
  });

  test('simulates each contingency in one thread only', async () => {
    const [turns, here] = [createTurns(), begun()];
    expect(takeTurn(here, turns)).toBe(true);
    const there = await auditPart(
      { world, bindings: world.bindings, when, configuration, turns, options },
      (found) => Promise.resolve(found),
    );
    expect(there.contingencies).toHaveLength(whole.total - 1);
    expect(turnsDone(turns)).toBe(whole.total);
    expect(takeTurn(here, turns)).toBe(false);
    here.tally.merge(there);
    expect(JSON.stringify(here.result())).toBe(text);
  });
});

describe('the estimated downtime of a combined pair', () => {
  // some of its pairs are combined
  const running = auditOf(9136).begun();
  while (running.step());
  const { contingencies, workloads } = running.result();

  test('has an upper bound, and a target is met only if the bound meets it', () => {
    expect(contingencies.some(({ combined }) => combined)).toBe(true);
    const estimated = workloads.filter(({ downtime }) => downtime?.atMost !== undefined);
    expect(estimated.length).toBeGreaterThan(0);
    for (const workload of estimated) {
      const { seconds, atMost } = workload.downtime!;
      expect(atMost).toBeGreaterThan(seconds!);
      expect(meetsTarget({ ...workload, target: seconds! })).toBe(false);
      expect(meetsTarget({ ...workload, target: atMost! })).toBe(true);
    }
  });
});
