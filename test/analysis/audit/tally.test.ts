import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startAudit } from '../../../src/analysis/audit/audit.ts';
import { auditPart, createTurns, takeTurn, turnsDone } from '../../../src/analysis/audit/auditPart.ts';
import { contingenciesOf } from '../../../src/analysis/audit/contingencies.ts';
import { worldOfSeed } from '../../worlds/worldOfSeed.ts';

const { world, configuration, scenario } = worldOfSeed(9104);
const when = { start: scenario.start, members: scenario.members };
const options = { contingencies: contingenciesOf(world.clusters, { pairs: true }) };
const begun = () => startAudit(world, world.bindings, when, configuration, options);

describe('an audit in parts', () => {
  const whole = begun();
  while (whole.step());
  const text = JSON.stringify(whole.result());

  test('is that of one thread, however its contingencies are shared out and in which order they are added', () => {
    const all = Array.from({ length: whole.total }, (_, at) => at);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), fc.nat(all.length), (order, first) => {
        const [one, other] = [begun(), begun()];
        for (const at of order.slice(0, first)) one.simulate(at);
        for (const at of order.slice(first)) other.simulate(at);
        // as another thread or a file would hand it over
        one.tally.merge(JSON.parse(JSON.stringify(other.tally.state())));
        expect(JSON.stringify(one.result())).toBe(text);
      }),
      { numRuns: 8 },
    );
  });

  test('is shared by turns: what one thread has taken the other leaves out', async () => {
    const [turns, here] = [createTurns(), begun()];
    expect(takeTurn(here, turns)).toBe(true);
    const there = await auditPart(
      {
        ...{ world, bindings: world.bindings, when, configuration, turns },
        options: { ...options, now: here.now },
      },
      (found) => Promise.resolve(found),
    );
    expect(there.contingencies).toHaveLength(whole.total - 1);
    expect(turnsDone(turns)).toBe(whole.total);
    expect(takeTurn(here, turns)).toBe(false);
    here.tally.merge(there);
    expect(JSON.stringify(here.result())).toBe(text);
  });
});
