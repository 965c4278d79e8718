import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { PropagationPolicy } from '../../src/karmada/api/policy.ts';
import type { ResourceBindingSpec } from '../../src/karmada/api/work.ts';
import type { Taint, Toleration } from '../../src/karmada/api/meta.ts';
import { rfc3339 } from '../../src/kubernetes/time.ts';
import { taintDecision, termsOf, activeMigrationDecision } from '../../src/karmada/taints/evictionTerms.ts';
import { rejectionReason } from '../../src/karmada/scheduling/filters/filters.ts';
import { taintToleration } from '../../src/karmada/scheduling/filters/taintToleration.ts';
import { createAffinities } from '../../src/karmada/selection/clusterAffinity.ts';
import { noWorkloadGroups } from '../../src/karmada/scheduling/workloadGroups.ts';
import type { SchedulingRules } from '../../src/karmada/scheduling/schedulerOptions.ts';
import type { Evidence } from '../../src/karmada/evidence.ts';
import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import {
  cluster,
  deployment,
  outcomeOf,
  run,
  START,
  story,
  type When,
} from '../simulator/simulation/controlPlane.ts';
import { NGINX_PROPAGATION } from './documents.ts';
import { evicting, onOneOf, plainWorld } from './underDesign.ts';

const configuration = evicting('proposal');
const PREFER: Taint = { key: 'fault', effect: 'PreferNoExecute' };
const members = ['member1', 'member2', 'member3'].map((name) => cluster(name));
const on1 = [{ name: 'member1', replicas: 2 }];
const added = (taint: Taint, secondsAgo = 0): Taint => ({
  ...taint,
  timeAdded: rfc3339(START - secondsAgo * 1000),
});

/** nginx on member1, which gets a taint at the start. */
function play(
  spec: Partial<ResourceBindingSpec>,
  {
    taint = PREFER,
    tolerations,
    events = [],
  }: { taint?: Taint; tolerations?: Toleration[]; events?: When['events'] } = {},
): Simulation {
  const placement = {
    ...onOneOf('member1', 'member2'),
    ...(tolerations && { clusterTolerations: tolerations }),
  };
  const nginx = deployment('nginx', { placement, clusters: on1, replicas: 2, spec });
  return run(plainWorld(members, [nginx]), {
    configuration,
    events: [[0, { type: 'taint', cluster: 'member1', taint }], ...events],
  });
}

const evictions = (simulation: Simulation) =>
  story(simulation, 'nginx').filter((step) => step.includes('Evicted'));

describe('001 taint types and behaviors', () => {
  const forever: Toleration = { operator: 'Exists' };

  test('001 NoSchedule: existing workloads stay', () => {
    expect(outcomeOf(play({}, { taint: { key: 'fault', effect: 'NoSchedule' } }), 'nginx').outcome).toBe(
      'stays',
    );
  });

  test('001 NoExecute: workloads that do not tolerate the taint are migrated', () => {
    const taint: Taint = { key: 'fault', effect: 'NoExecute' };
    expect(outcomeOf(play({}, { taint }), 'nginx').outcome).toBe('moves');
    expect(outcomeOf(play({}, { taint, tolerations: [forever] }), 'nginx').outcome).toBe('tolerates');
  });

  test('001 PreferNoExecute: by default nothing is migrated, even without a toleration', () => {
    const simulation = play({});
    expect(evictions(simulation)).toEqual([]);
    expect(outcomeOf(simulation, 'nginx')).toMatchObject({
      outcome: 'stays',
      reason:
        'stays on member1: the taint fault:PreferNoExecute moves only workloads whose policy sets failover.cluster',
    });
  });

  test('001 PreferNoExecute: failover.cluster configures active migration', () => {
    const simulation = play({ failover: { cluster: { tolerationSeconds: 0 } } });
    expect(outcomeOf(simulation, 'nginx')).toMatchObject({ outcome: 'moves', after: [{ name: 'member2' }] });
  });

  test.each<[string, Partial<ResourceBindingSpec>, boolean]>([
    ['rejects the cluster for a binding with failover.cluster', { failover: { cluster: {} } }, false],
    ['passes the cluster for a binding without failover.cluster', {}, true],
    [
      'passes the cluster for a binding with failover.cluster that is already placed there',
      { failover: { cluster: {} }, clusters: on1 },
      true,
    ],
  ])('001 PreferNoExecute: the scheduler filter %s', (_, spec, passes) => {
    const tainted = cluster('member1', [PREFER]);
    const asked = {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx' },
      placement: { clusterTolerations: [forever] },
      ...spec,
    };
    const rejected = (rules: SchedulingRules) =>
      rejectionReason(taintToleration, asked, undefined, {
        filters: [],
        rules,
        workloads: noWorkloadGroups,
        affinities: createAffinities(rules),
      })(tainted);
    expect(rejected(configuration.rules.scheduling) === undefined).toBe(passes);
    const shipped = evicting('v1.18').rules.scheduling;
    expect(rejected(shipped)).toBeUndefined();
  });

  test('001 PreferNoExecute: ignored by v1.18', () => {
    const nginx = deployment('nginx', {
      placement: onOneOf('member1', 'member2'),
      clusters: on1,
      replicas: 2,
      spec: { failover: { cluster: {} } },
    });
    const simulation = run(plainWorld([cluster('member1', [added(PREFER)]), members[1]!], [nginx]), {
      configuration: evicting('v1.18'),
    });
    expect(evictions(simulation)).toEqual([]);
  });
});

describe('001 application-level cluster failover strategy', () => {
  const { failover, placement } = (parse(NGINX_PROPAGATION) as PropagationPolicy).spec;

  test('001 nginx-propagation: nginx is evicted 100 seconds after the taint, with purge mode Directly', () => {
    const simulation = play({ failover: failover! });
    expect(evictions(simulation)).toEqual(['100s Evicted member1']);
    const evicted = simulation.events.find(({ type }) => type === 'Evicted')!;
    expect(evicted.message).toBe('evicted from member1, Directly');
    expect(evicted.evidence.map(({ rule }) => rule)).toContain(
      'tolerationSeconds of failover.cluster, 1m40s for the taint fault:PreferNoExecute, is over',
    );
  });

  test.each([
    [
      'abandoned for the example, which is Duplicated without spread constraints',
      {},
      'EvictionAbandoned member1',
    ],
    [
      'written for the example with a spread constraint',
      { spreadConstraints: [{ minGroups: 1, maxGroups: 2 }] },
      'Evicted member1',
    ],
  ])('001 nginx-propagation: after 100 seconds, the eviction is %s', (_, more, end) => {
    const both = ['member1', 'member2'].map((name) => ({ name, replicas: 2 }));
    const nginx = deployment('nginx', {
      placement: { ...placement, ...more },
      clusters: both,
      replicas: 2,
      spec: { failover: failover! },
    });
    const simulation = run(plainWorld(members, [nginx]), {
      configuration,
      events: [[0, { type: 'taint', cluster: 'member1', taint: PREFER }]],
    });
    expect(story(simulation, 'nginx').filter((step) => /Evict(ed|ionAbandoned)/.test(step))).toEqual([
      `100s ${end}`,
    ]);
  });

  test('001 nginx-propagation: without failover.cluster the taint migrates nothing', () => {
    expect(evictions(play({ failover: { application: {} } }))).toEqual([]);
  });

  test('001 tolerationSeconds: 300 if absent, even in an object without CRD defaults', () => {
    expect(evictions(play({ failover: { cluster: {} } }))).toEqual(['300s Evicted member1']);
  });

  test.each([0, -5])('001 tolerationSeconds: %i evicts at once', (tolerationSeconds) => {
    expect(evictions(play({ failover: { cluster: { tolerationSeconds } } }))).toEqual(['0s Evicted member1']);
  });

  test('001 tolerationSeconds: applies only to PreferNoExecute; clusterTolerations apply to the other effects', () => {
    const shortly: Toleration = { key: 'fault', operator: 'Exists', tolerationSeconds: 30 };
    const spec = { failover: { cluster: { tolerationSeconds: 100 } } };
    const hard: Taint = { key: 'fault', effect: 'NoExecute' };
    expect(evictions(play(spec, { tolerations: [shortly] }))).toEqual(['100s Evicted member1']);
    expect(evictions(play(spec, { taint: hard, tolerations: [shortly] }))).toEqual(['30s Evicted member1']);
    expect(evictions(play(spec, { taint: hard }))).toEqual(['0s Evicted member1']);
  });

  test('001 tolerationSeconds: starts with the oldest taint', () => {
    const decision = activeMigrationDecision(
      [added(PREFER, 20), added({ ...PREFER, key: 'older' }, 70)],
      { tolerationSeconds: 100 },
      START,
    );
    expect(decision).toEqual({ kind: 'wait', milliseconds: 30_000 });
  });

  test('001 tolerationSeconds: does not start for a taint without timeAdded, and the evidence names that field', () => {
    const evidence: Evidence[] = [];
    expect(activeMigrationDecision([PREFER], {}, START, evidence)).toEqual({ kind: 'stay' });
    expect(evidence).toMatchObject([{ certainty: 'estimate', field: 'spec.taints[].timeAdded' }]);
  });

  test.each([
    [undefined, 'Gracefully'],
    ['Gracefully', 'Gracefully'],
    ['Directly', 'Directly'],
  ] as const)('001 purgeMode: %s creates a task that purges %s, for both effects', (purgeMode, reported) => {
    const spec = { failover: { cluster: { tolerationSeconds: 0, ...(purgeMode && { purgeMode }) } } };
    for (const effect of ['NoExecute', 'PreferNoExecute'] as const) {
      const simulation = play(spec, { taint: { key: 'fault', effect } });
      expect(simulation.events.find(({ type }) => type === 'Evicted')!.message).toBe(
        `evicted from member1, ${reported}`,
      );
    }
  });

  test('001 purgeMode: Gracefully for NoExecute evictions without failover.cluster', () => {
    const simulation = play({}, { taint: { key: 'fault', effect: 'NoExecute' } });
    expect(simulation.events.find(({ type }) => type === 'Evicted')!.message).toBe(
      'evicted from member1, Gracefully',
    );
  });
});

describe('001 both effects on one cluster', () => {
  const both = (hardAgo: number, softAgo: number) => [
    added({ key: 'hard', effect: 'NoExecute' }, hardAgo),
    added(PREFER, softAgo),
  ];
  const terms = (tolerationSeconds: number) => ({
    tolerations: [{ key: 'hard', operator: 'Exists', tolerationSeconds: 200 }],
    failover: { tolerationSeconds },
  });

  test.each([
    // the taints were added 10 and 40 seconds ago
    [300, { kind: 'wait', milliseconds: 190_000 }],
    [100, { kind: 'wait', milliseconds: 60_000 }],
    [40, { kind: 'evict', after: 'toleration' }],
  ])(
    '001 both effects: the earlier end decides, with tolerationSeconds %i',
    (tolerationSeconds, decision) => {
      const evidence: Evidence[] = [];
      expect(taintDecision(both(10, 40), terms(tolerationSeconds), START, evidence)).toEqual(decision);
      expect(evidence).toHaveLength(1);
    },
  );

  test('001 both effects: without a scheduled placement, only PreferNoExecute can be decided', () => {
    const unscheduled = termsOf(
      { spec: { failover: { cluster: {} } } as ResourceBindingSpec },
      { placement: undefined },
    );
    expect(taintDecision([added(PREFER)], unscheduled, START)).toEqual({
      kind: 'wait',
      milliseconds: 300_000,
    });
    expect(taintDecision(both(0, 0), unscheduled, START)).toBeUndefined();
  });
});
