import { describe, expect, test } from '@jest/globals';
import { explainWorkload } from '../../src/analysis/explanation/workloadExplanation.ts';
import { failoverStatus, failoverStatusChanges } from '../../src/analysis/explanation/failoverStatus.ts';
import { waitingEvictions, waitingSummary } from '../../src/analysis/explanation/waitingEvictions.ts';
import { bindingIdentity } from '../../src/karmada/objects/identities.ts';
import { simulate } from '../../src/simulator/simulation/simulate.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import type { Taint } from '../../src/karmada/api/meta.ts';
import type { ResourceBindingSpec } from '../../src/karmada/api/work.ts';
import { rfc3339 } from '../../src/kubernetes/time.ts';
import { explanationAnswer } from '../../src/views/explanation/explanation.ts';
import { evictionTaskList } from '../../src/views/eviction/evictionTaskList.ts';
import { failoverStatusChanges as watchedStatus } from '../../src/views/status/failoverStatusChanges.ts';
import { failoverStatusAnswer } from '../../src/views/status/failoverStatus.ts';
import { simulationAnswer } from '../../src/views/simulation/simulation.ts';
import { breaches } from '../commands/schema.ts';
import { cluster, deployment, run, START } from '../simulator/simulation/controlPlane.ts';
import { answerText } from '../views/shownText.ts';
import { evicting, onOneOf, plainWorld } from './underDesign.ts';

const configuration = evicting('proposal');
const common = { karmadaVersion: 'proposal', assumptions: [] };
const fault = (effect: Taint['effect']): Taint => ({ key: 'fault', effect, timeAdded: rfc3339(START) });
/** This many clusters, the first of them faulty. */
const clusters = (count: number, faulty: number, effect: Taint['effect'] = 'NoExecute') =>
  Array.from({ length: count }, (_, i) => cluster(`member${i + 1}`, i < faulty ? [fault(effect)] : []));
const nginx = (placement: Placement, spec: Partial<ResourceBindingSpec> = {}) =>
  deployment('nginx', { placement, clusters: [{ name: 'member1', replicas: 2 }], replicas: 2, spec });
const plain = (document: unknown) => JSON.parse(JSON.stringify(document)) as unknown;

describe('001 answers: failover status', () => {
  const statusOf = (count: number, faulty: number, from = configuration) => {
    const status = failoverStatus(plainWorld(clusters(count, faulty), []), { configuration: from });
    const answer = failoverStatusAnswer({
      status,
      drains: [],
      switches: [],
      now: START,
      detailed: false,
      ...common,
    });
    const document = plain(answer.document);
    expect(breaches('failover-status', document)).toBe('');
    return { document, text: answerText(answer, {}) };
  };

  test.each([
    [20, 11, 'normal', 0.5, 0.55, 'evicts 0.5 workloads per second: 11 of 20 clusters are faulty.'],
    [
      20,
      12,
      'slow',
      0.1,
      0.6,
      'evicts 0.1 workloads per second: 12 of 20 clusters are faulty, more than 55%.',
    ],
    [10, 6, 'paused', 0, 0.6, 'is paused: 6 of 10 clusters are faulty, more than 55%'],
  ])(
    '001 answers: given %i clusters with %i faulty, the status reports the current rate and the faulty share',
    (count, faulty, mode, rate, share, text) => {
      const reported = statusOf(count, faulty);
      expect(reported.document).toMatchObject({ evictionPace: { mode, rate, share, clusters: count } });
      expect(reported.text.replaceAll(/\s+/g, ' ')).toContain(`The eviction queue ${text}`);
    },
  );

  test.each(['NoExecute', 'PreferNoExecute'] as const)(
    '001 answers: failover is on if a policy of the design adds %s, and Karmada adds no taint itself',
    (effect) => {
      const policy = {
        metadata: { name: 'detect-cluster-not-ready', creationTimestamp: rfc3339(START) },
        spec: {
          matchConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['False', 'Unknown'] }],
          taintsToAdd: [{ key: 'cluster.karmada.io/not-ready', effect, addOnMatchSeconds: 300 }],
        },
      };
      const world = { ...plainWorld(clusters(2, 0), []), taintPolicies: [policy] };
      const { failover, taintRules } = failoverStatus(world, { configuration });
      expect(failover).toMatchObject({ state: 'on', uncovered: [] });
      expect(taintRules.filter(({ by }) => by === 'cluster-controller')).toEqual([]);
    },
  );

  test.each([
    ['True', 'its matchConditions no longer hold'],
    ['False', undefined],
  ] as const)("001 answers: a policy's taint on a cluster with Ready %s has the note %s", (status, note) => {
    const taint = { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' } as const;
    const policy = {
      metadata: { name: 'detect-cluster-not-ready', creationTimestamp: rfc3339(START) },
      spec: {
        matchConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['False'] }],
        taintsToAdd: [taint],
      },
    };
    const [first] = clusters(1, 0);
    const tainted = {
      ...first!,
      spec: { ...first!.spec, taints: [{ ...taint, timeAdded: rfc3339(START) }] },
      status: { ...first!.status, conditions: [{ type: 'Ready', status }] },
    };
    const world = { ...plainWorld([tainted], []), taintPolicies: [policy] };
    const reported = failoverStatus(world, { configuration }).clusters[0]!.taints[0]!;
    expect(reported).toMatchObject({ owner: 'policy', policies: ['detect-cluster-not-ready'] });
    expect(reported.note).toBe(note);
  });

  test('001 answers: the status counts queued workloads, and its watch reports a changed rate', () => {
    const of = (faulty: number) => {
      const world = plainWorld(clusters(20, faulty), [nginx(onOneOf('member1', 'member2'))]);
      const queue = waitingEvictions(world, { now: START, configuration })!;
      return failoverStatus(world, { configuration, evictionQueue: waitingSummary(queue) });
    };
    const [before, after] = [of(11), of(12)];
    const answer = failoverStatusAnswer({
      status: before,
      drains: [],
      switches: [],
      now: START,
      detailed: false,
      ...common,
    });
    expect(breaches('failover-status', plain(answer.document))).toBe('');
    expect(answerText(answer, {}).replaceAll(/\s+/g, ' ')).toContain(
      '1 workload waits in the eviction queue (member1 1), and the last leaves now (estimate: certainty needs',
    );
    const [change, ...others] = failoverStatusChanges(before, after).filter(
      ({ cluster }) => cluster === null,
    );
    expect(others).toEqual([]);
    expect(change).toMatchObject({ type: 'MODIFIED', evictionPace: { mode: 'slow', rate: 0.1 } });
    const shownChanges = watchedStatus({ status: before, switches: [], forecast: false, ...common });
    const [seen] = shownChanges.visible([change!], false);
    const reported = shownChanges.answer([seen!], START);
    expect(breaches('failover-status-change', plain(reported.document))).toBe('');
    expect(answerText(reported, {})).toContain('evicts 0.1 workloads per second');
    expect(shownChanges.visible([change!], false)).toEqual([]);
  });

  test('001 answers: eviction inspect lists queued workloads, with position and reason', () => {
    const binding = nginx(onOneOf('member1', 'member2'));
    const world = plainWorld(clusters(3, 1), [binding]);
    const queue = waitingEvictions(world, { now: START, configuration });
    const answer = evictionTaskList({ items: [], queue, now: START, detailed: false, ...common });
    expect(breaches('eviction-task-list', plain(answer.document))).toBe('');
    const text = answerText(answer, {}).replaceAll(/ +/g, ' ');
    expect(text).toContain('which evicts 0.5 workloads per second (1 of 3 clusters is faulty) (estimate:');
    expect(text).toContain('shop Deployment/nginx member1 1 now now its turn');
  });

  test('001 answers: a manual taint with either effect evicts', () => {
    expect(statusOf(2, 0).text.replaceAll(/\s+/g, ' ')).toContain(
      'only if an operator adds a NoExecute or PreferNoExecute taint',
    );
    expect(statusOf(2, 0, evicting('v1.18')).text.replaceAll(/\s+/g, ' ')).toContain(
      'only if an operator adds a NoExecute taint',
    );
  });

  test('001 answers: without gate Failover, and in releases, the status has no eviction rate', () => {
    const off = { ...configuration, featureGates: { ...configuration.featureGates, Failover: false } };
    expect(statusOf(2, 1, off).document).not.toHaveProperty('evictionPace');
    expect(statusOf(2, 1, evicting('v1.18')).document).not.toHaveProperty('evictionPace');
  });
});

describe('001 answers: failover explain', () => {
  function explain(binding = nginx({}), world = plainWorld(clusters(3, 1), [binding])) {
    const simulation = simulate(
      world,
      { start: START, members: { workloadReadyAfter: 20_000, neverReady: [] }, events: [] },
      configuration,
      { trace: bindingIdentity(binding) },
    );
    const explanation = explainWorkload(world, {
      binding,
      simulation,
      failures: [],
      clusters: [],
      configuration,
      unverified: new Set(),
      now: START,
      workloadReadyAfter: 20_000,
    });
    const answer = explanationAnswer({
      explanation,
      brokenLinks: [],
      now: START,
      ...common,
    });
    expect(breaches('explanation', plain(answer.document))).toBe('');
    return { explanation, link: (id: string) => explanation.links.find((one) => one.id === id) };
  }

  test('001 answers: a workload with an abandoned eviction stays, with the reason and a fix', () => {
    const { explanation, link } = explain();
    expect(explanation.verdict).toMatchObject({
      outcome: 'stays',
      reason: expect.stringContaining('abandoned: it is Duplicated without spread constraints'),
      evictionQueue: [{ state: 'abandoned', cluster: 'member1' }],
    });
    expect(link('pre-scheduling')).toMatchObject({ state: 'broken', fix: expect.any(String) });
    expect(explanation.chain.map(({ type }) => type)).toContain('EvictionAbandoned');
  });

  test('001 answers: given another cluster, no link is broken, and the eviction rate holds', () => {
    const { explanation, link } = explain(nginx(onOneOf('member1', 'member2')));
    expect(explanation.verdict.outcome).toBe('moves');
    expect(link('pre-scheduling')).toBeUndefined();
    expect(link('eviction-pace')).toMatchObject({ state: 'holds' });
  });

  test('001 answers: while the queue is paused, the workload is queued', () => {
    const binding = nginx(onOneOf('member1', 'member2'));
    const { explanation, link } = explain(binding, plainWorld(clusters(3, 2), [binding]));
    expect(link('eviction-pace')).toMatchObject({ state: 'broken' });
    expect(explanation.verdict).toMatchObject({
      outcome: 'stays',
      evictionQueue: [{ state: 'queued', position: 1 }],
    });
  });

  test('001 answers: for PreferNoExecute without failover.cluster, the link names the field to set', () => {
    const binding = nginx(onOneOf('member1', 'member2'));
    const { link } = explain(binding, plainWorld(clusters(3, 1, 'PreferNoExecute'), [binding]));
    expect(link('active-migration')).toMatchObject({
      state: 'broken',
      fix: 'set failover.cluster in the policy',
    });
  });
});

test('001 answers: failover simulate counts queued and abandoned evictions', () => {
  const simulation = run(plainWorld(clusters(3, 0), [nginx({})]), {
    configuration,
    events: [[0, { type: 'taint', cluster: 'member1', taint: { key: 'fault', effect: 'NoExecute' } }]],
  });
  const answer = simulationAnswer({ simulation, title: 'a fault', timeline: false, ...common });
  expect(breaches('simulation', plain(answer.document))).toBe('');
  const text = answerText(answer, {}).replaceAll(/\s+/g, ' ');
  expect(text).toContain('member1 is faulty: 1 workload enters the eviction queue');
  expect(text).toContain('evictions of 1 workload abandoned');
  expect(text).toContain('shop/deploy/nginx');
});
