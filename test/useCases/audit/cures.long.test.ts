import { afterAll, describe, expect, test } from '@jest/globals';
import { judgedOf, progressSince } from '../../../src/analysis/audit/gate.ts';
import { compareTroubles } from '../../../src/analysis/audit/trouble.ts';
import { countTrouble, createWorkloadSummaries } from '../../../src/analysis/explanation/workloadNow.ts';
import { objectKey } from '../../../src/karmada/objects/identities.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { ResumableWorld } from '../../../src/simulator/store/savedSimulation.ts';
import { auditState } from '../../../src/useCases/audit/auditFailover.ts';
import { worldOfSeed } from '../../worlds/worldOfSeed.ts';
import { quietPorts } from '../quietPorts.ts';

describe('changes suggested by an audit, applied and audited again', () => {
  let cures = 0;

  test.each(Array.from({ length: 60 }, (_, at) => 31_000 + at))(
    'of seed %i help against their contingency, and harm nothing',
    async (seed) => {
      const { world: captured, configuration, scenario } = worldOfSeed(seed);
      const { start, members } = scenario;
      const audited = async (world: ResumableWorld, now: number) => {
        const state = { world, now, configuration, karmadaVersion: 'v1.18.2', assumptions: [] };
        const asked = { selection: {}, groupBy: [], pairs: false, targets: { namespaces: new Map() } };
        const { signal } = new AbortController();
        const request = { ...asked, readyAfter: members.workloadReadyAfter, signal };
        return (await auditState(state, request, quietPorts())).audit;
      };
      const before = await audited(captured, start);
      const present = countTrouble(createWorkloadSummaries()(captured, configuration));
      expect(before.coverage.inTroubleNow).toBe(present.all);
      for (const { workload, contingency, changes } of before.causes.flatMap((one) => one.cures ?? []))
        for (const { text, patches } of changes) {
          if (patches.length === 0) continue;
          const events = patches.map(({ target: { apiVersion: _, ...target }, merge }) => ({
            at: start,
            action: { type: 'patch', target, merge } as const,
          }));
          let settled: ResumableWorld = captured;
          const { end } = simulate(captured, { start, members, events }, configuration, {
            save: (world) => void (settled = world),
          });
          const after = await audited(settled, end);
          const troubleIn = ({ workloads }: typeof after) =>
            workloads
              .find((one) => objectKey(one.workload) === objectKey(workload))
              ?.troubles.find((one) => one.contingency === contingency)?.trouble;
          const change = compareTroubles(troubleIn(after), troubleIn(before));
          expect([text, change > 0]).toEqual([text, true]);
          expect(progressSince(judgedOf(after), judgedOf(before)).worse).toEqual([]);
          cures++;
        }
    },
  );

  afterAll(() => expect(cures).toBeGreaterThan(10));
});
