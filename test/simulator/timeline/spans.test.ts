import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import {
  type CopyFacts,
  copyPhase,
  createSpanRecorder,
} from '../../../src/simulator/timeline/spanRecorder.ts';
import type { Phase, Span } from '../../../src/simulator/timeline/span.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import { cluster, deployment, failoverOn, START, world } from '../simulation/controlPlane.ts';

const anyOne: Placement = {
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
};
const patient: Placement = {
  ...anyOne,
  clusterTolerations: [
    { key: 'cluster.karmada.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
  ],
};

function spansOf(placement: Placement, bindings = 1): Span[] {
  const placed = Array.from({ length: bindings }, (_, i) =>
    deployment(`cart${i + 1}`, { placement, replicas: 3, clusters: [{ name: 'east-1', replicas: 3 }] }),
  );
  const scenario = {
    start: START,
    members: { workloadReadyAfter: 20_000, neverReady: [] },
    events: [{ at: START, action: { type: 'fail' as const, cluster: 'east-1' } }],
  };
  return simulate(world([cluster('east-1'), cluster('east-2')], placed), scenario, failoverOn, {
    spans: true,
  }).spans!;
}

/** "east-1 ready 0-35": seconds after the start. */
function story(spans: readonly Span[], name = 'cart1'): string[] {
  const seconds = (time: number | undefined) =>
    time === undefined ? '' : ((time - START) / 1000).toFixed(0);
  return spans
    .filter(({ workload }) => workload.name === name)
    .map(({ cluster: where = '', phase, from, to, replicas = '', ready = '' }) =>
      `${where} ${phase} ${seconds(from)}-${seconds(to)} ${ready}/${replicas}`.trim(),
    );
}

describe('the spans of a simulation', () => {
  test('show how a workload leaves a failed cluster', () => {
    expect(story(spansOf(anyOne))).toEqual([
      'gap 0-57 /3',
      'east-1 unreachable 0-35 0/3',
      'east-1 evicting 35-58 0/3',
      'east-1 leaving 58- 0/3',
      'east-2 starting 35-57 0/3',
      'east-2 ready 57- 3/3',
    ]);
  });

  test('show how long it tolerates a taint', () => {
    expect(story(spansOf(patient)).filter((one) => one.startsWith('east-1'))).toEqual([
      'east-1 unreachable 0-35 0/3',
      'east-1 tolerating 35-95 0/3',
      'east-1 evicting 95-118 0/3',
      'east-1 leaving 118- 0/3',
    ]);
  });

  test('show the workloads that wait in the eviction queue', () => {
    const waited = spansOf(anyOne, 5).filter(({ phase }) => phase === 'queued');
    expect(waited).not.toEqual([]);
    expect(waited.every(({ cluster: where, to }) => where === 'east-1' && to !== undefined)).toBe(true);
  });

  test('have evidence for their start, and are no more certain than the outcome', () => {
    const spans = spansOf(patient);
    const tolerating = spans.find(({ phase }) => phase === 'tolerating')!;
    expect(tolerating.evidence.map(({ rule }) => rule).join()).toMatch(/toleration/);
    expect(spans.find(({ phase }) => phase === 'starting')!.certainty).toBe('estimate');
  });

  test('are only created on request', () => {
    const scenario = { start: START, members: { workloadReadyAfter: 1, neverReady: [] }, events: [] };
    expect(simulate(world([cluster('east-1')], []), scenario, failoverOn)).not.toHaveProperty('spans');
  });
});

describe('the phase of a copy', () => {
  const there: CopyFacts = {
    placed: true,
    kept: false,
    present: true,
    unmanaged: false,
    reachable: true,
    replicas: 3,
    ready: 3,
    unhealthy: false,
  };
  test.each<[Phase | undefined, Partial<CopyFacts>]>([
    ['ready', {}],
    ['starting', { ready: 2 }],
    ['starting', { present: false, replicas: 0, ready: 0 }],
    ['ready', { replicas: 0, ready: 0 }],
    ['unhealthy', { unhealthy: true }],
    ['unreachable', { reachable: false, ready: 0 }],
    ['tolerating', { reachable: false, ready: 0, taints: 'tolerates' }],
    ['queued', { taints: 'waits' }],
    ['evicting', { placed: false, kept: true }],
    ['leaving', { placed: false }],
    ['unmanaged', { placed: false, unmanaged: true }],
    [undefined, { placed: false, present: false }],
  ])('is %s with %j', (phase, other) => {
    expect(copyPhase({ ...there, ...other })).toBe(phase);
  });
});

describe('a span recorder', () => {
  const workload = { kind: 'Deployment', namespace: 'shop', name: 'cart' };
  const phases: Phase[] = ['starting', 'ready', 'evicting'];
  const seen = fc.array(
    fc.record({
      after: fc.nat(3),
      cluster: fc.constantFrom('a', 'b'),
      phase: fc.option(fc.constantFrom(...phases)),
    }),
    { maxLength: 30 },
  );

  test('never lets spans of a copy overlap, and has the latest recorded phase at any time', () => {
    fc.assert(
      fc.property(seen, (steps) => {
        const recorder = createSpanRecorder();
        const last = new Map<string, Phase | null>();
        let now = 0;
        for (const { after, cluster: where, phase } of steps) {
          now += after;
          last.set(`${where} ${now}`, phase);
          recorder.set(workload, { cluster: where }, now, phase ? { phase, evidence: [] } : undefined);
        }
        const spans = recorder.spans();
        for (const where of ['a', 'b']) {
          let expected: Phase | null = null;
          for (let time = 0; time <= now; time++) {
            expected = last.has(`${where} ${time}`) ? last.get(`${where} ${time}`)! : expected;
            const at = spans.filter(
              ({ cluster: one, from, to = Infinity }) => one === where && from <= time && time < to,
            );
            expect(at.map(({ phase }) => phase)).toEqual(expected ? [expected] : []);
          }
          const own = spans.filter(({ cluster: one }) => one === where);
          own
            .slice(1)
            .forEach((span, i) => expect([own[i]!.phase, own[i]!.to]).not.toEqual([span.phase, span.from]));
        }
      }),
    );
  });
});
