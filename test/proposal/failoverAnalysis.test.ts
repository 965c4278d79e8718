import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { evictionClock, evictionDeadline } from '../../src/karmada/eviction/evictionRule.ts';
import { createClusterSnapshot } from '../../src/karmada/scheduling/clusterSnapshot.ts';
import { scheduleBinding } from '../../src/karmada/scheduling/scheduleBinding.ts';
import { schedulerOptions } from '../../src/karmada/scheduling/schedulerOptions.ts';
import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import { admitObject } from '../../src/karmada/defaults/admitObject.ts';
import type { Taint } from '../../src/karmada/api/meta.ts';
import type { Placement, PropagationPolicy } from '../../src/karmada/api/policy.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import {
  cluster,
  deployment,
  outcomeOf,
  run,
  START,
  type When,
} from '../simulator/simulation/controlPlane.ts';
import { DIVIDED, DUPLICATED, TOLERATIONS } from './documentsOfReleases.ts';
import { evicting, onOneOf, plainWorld, taskFrom } from './underDesign.ts';

// Document 000 describes what v1.10 to v1.13 do.
const VERSIONS = ['v1.10.11', 'v1.13.10'];
const members = [1, 2, 3, 4, 5].map((number) => cluster(`member${number}`));
const MINUTE = 60;

const specOf = (yaml: string) => (parse(yaml) as PropagationPolicy).spec;

/** The placement of an example as stored in a control plane: the webhook completes constraints and tolerations. */
function storedPlacement(yaml: string, version: string): Placement {
  const verdict = admitObject({
    kind: 'PropagationPolicy',
    operation: 'CREATE',
    namespace: 'default',
    permanentId: 'uuid',
    object: parse(yaml) as Record<string, unknown>,
    rules: dialectOf(version).dialect.rules,
  });
  if (!verdict.allowed) throw new Error(verdict.message);
  return (verdict.object as unknown as PropagationPolicy).spec.placement!;
}
const names = (targets: { name: string }[]) => targets.map(({ name }) => name).sort();

/** The taints added to member1, each with its second after the start. */
const taintsOf = ({ events }: Simulation) =>
  events
    .filter(({ type, cluster: where }) => type === 'TaintAdded' && where === 'member1')
    .map(({ time, taint }) => ({ at: (time - START) / 1000, key: taint!.key, effect: taint!.effect }));

function failing(version: string, more: Partial<When> = {}): Simulation {
  return run(plainWorld(members, []), {
    configuration: evicting(version),
    events: [[0, { type: 'fail', cluster: 'member1' }]],
    ...more,
  });
}

describe.each(VERSIONS)('000 failover analysis, in %s', (version) => {
  test('000 add taints on fault cluster: Ready False adds not-ready:NoSchedule, and after 5 minutes not-ready:NoExecute', () => {
    const [first, later, ...others] = taintsOf(failing(version));
    expect(first).toMatchObject({ key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' });
    expect(later).toMatchObject({ key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' });
    expect(others).toEqual([]);
    const wait = later!.at - first!.at;
    expect(wait).toBeGreaterThanOrEqual(5 * MINUTE);
    expect(wait).toBeLessThan(5 * MINUTE + 10);
  });

  test('000 add taints on fault cluster: failover-eviction-timeout sets the delay', () => {
    const configuration = evicting(version, { 'failover-eviction-timeout': 60_000 });
    const [first, later] = taintsOf(failing(version, { configuration }));
    expect(later!.at - first!.at).toBeLessThan(60 + 10);
  });

  test('000 add taints on fault cluster: Ready Unknown adds unreachable taints', () => {
    const [one, ...others] = members;
    const pull = { ...one!, spec: { ...one!.spec, syncMode: 'Pull' as const } };
    const simulation = run(plainWorld([pull, ...others], []), {
      configuration: evicting(version),
      events: [[0, { type: 'fail', cluster: 'member1' }]],
    });
    expect(taintsOf(simulation).map(({ key, effect }) => `${key}:${effect}`)).toEqual([
      'cluster.karmada.io/unreachable:NoSchedule',
      'cluster.karmada.io/unreachable:NoExecute',
    ]);
  });

  test('000 tolerate cluster taints: the webhook adds the tolerations of the example, for 300 s', () => {
    const example = parse(TOLERATIONS) as PropagationPolicy;
    const { clusterTolerations } = example.spec.placement!;
    const admit = (seconds: number) =>
      admitObject({
        kind: 'PropagationPolicy',
        operation: 'CREATE',
        namespace: 'default',
        permanentId: 'uuid',
        object: { ...example, spec: { ...example.spec, placement: {} } },
        rules: dialectOf(version).dialect.rules,
        defaultTolerations: { notReady: seconds, unreachable: seconds },
      });
    expect(admit(300)).toMatchObject({ object: { spec: { placement: { clusterTolerations } } } });
    // default-not-ready-toleration-seconds and default-unreachable-toleration-seconds
    expect(admit(60)).toMatchObject({
      object: {
        spec: { placement: { clusterTolerations: [{ tolerationSeconds: 60 }, { tolerationSeconds: 60 }] } },
      },
    });
  });

  test('000 failover: after its toleration a cluster leaves the result, and the scheduler chooses another one', () => {
    const placement = { ...onOneOf('member1', 'member2'), ...specOf(TOLERATIONS).placement };
    const nginx = deployment('nginx', {
      placement,
      replicas: 3,
      clusters: [{ name: 'member1', replicas: 3 }],
    });
    const simulation = run(plainWorld(members, [nginx]), {
      configuration: evicting(version),
      events: [[0, { type: 'fail', cluster: 'member1' }]],
    });
    const [, tainted] = taintsOf(simulation);
    const evicted = simulation.events.find(({ type }) => type === 'Evicted')!;
    // timeAdded is in whole seconds
    const tolerated = (evicted.time - START) / 1000 - Math.floor(tainted!.at);
    expect(tolerated).toBeGreaterThanOrEqual(300);
    expect(tolerated).toBeLessThan(310);
    expect(outcomeOf(simulation, 'nginx').after).toEqual([{ name: 'member2', replicas: 3 }]);
  });

  test('000 Duplicated: one of the 2 matching clusters of the 3 remaining ones replaces member2, and member1 stays', () => {
    const placement = storedPlacement(DUPLICATED, version);
    const clusters = ['member1', 'member2'].map((name) => ({ name, replicas: 2 }));
    const nginx = deployment('nginx', { placement, replicas: 2, clusters });
    const simulation = run(plainWorld(members, [nginx]), {
      configuration: evicting(version),
      events: [[0, { type: 'fail', cluster: 'member2' }]],
    });
    const after = names(outcomeOf(simulation, 'nginx').after);
    expect([
      ['member1', 'member3'],
      ['member1', 'member5'],
    ]).toContainEqual(after);
  });

  test('000 Duplicated: with fewer candidates than failed clusters, nothing is rescheduled', () => {
    const placement = storedPlacement(DUPLICATED, version);
    const clusterAffinity = { clusterNames: ['member1', 'member2'] };
    const clusters = ['member1', 'member2'].map((name) => ({ name, replicas: 2 }));
    const nginx = deployment('nginx', {
      placement: { ...placement, clusterAffinity },
      replicas: 2,
      clusters,
    });
    const simulation = run(plainWorld(members, [nginx]), {
      configuration: evicting(version),
      events: [[0, { type: 'fail', cluster: 'member2' }]],
    });
    expect(simulation.events.filter(({ type }) => type === 'Scheduled')).toEqual([]);
  });

  test('000 Divided: 3 replicas are first divided 1 to 2 by weight', () => {
    const placement = storedPlacement(DIVIDED, version);
    const nginx = deployment('nginx', { placement, replicas: 3, clusters: [] });
    const { spec } = scheduleBinding({
      snapshot: createClusterSnapshot(members, schedulerOptions(evicting(version))),
      binding: nginx,
      now: START,
    });
    expect(spec.clusters).toEqual([
      { name: 'member2', replicas: 2 },
      { name: 'member1', replicas: 1 },
    ]);
  });

  test('000 Divided: given 1 replica on member1 and 2 on member2, member1 fails and member2 gets 3', () => {
    const placement = storedPlacement(DIVIDED, version);
    const clusters = [
      { name: 'member1', replicas: 1 },
      { name: 'member2', replicas: 2 },
    ];
    const nginx = deployment('nginx', { placement, replicas: 3, clusters });
    const simulation = run(plainWorld(members, [nginx]), {
      configuration: evicting(version),
      events: [[0, { type: 'fail', cluster: 'member1' }]],
    });
    expect(outcomeOf(simulation, 'nginx')).toMatchObject({
      outcome: 'moves',
      after: [{ name: 'member2', replicas: 3 }],
    });
  });

  test('000 graceful eviction: the evicted cluster becomes a task, and its copy stays until the new one is healthy', () => {
    const nginx = deployment('nginx', {
      placement: onOneOf('member1', 'member2'),
      replicas: 3,
      clusters: [{ name: 'member1', replicas: 3 }],
    });
    const { events } = run(plainWorld(members, [nginx]), {
      configuration: evicting(version),
      events: [[0, { type: 'taint', cluster: 'member1', taint: { key: 'fault', effect: 'NoExecute' } }]],
    });
    expect(events.find(({ type }) => type === 'Evicted')).toMatchObject({ evicting: ['member1'] });
    const at = (type: string) => events.findIndex((event) => event.type === type);
    const healthy = events.findIndex(
      ({ type, message }) => type === 'HealthChanged' && message === 'Healthy',
    );
    expect(healthy).toBeLessThan(at('TaskEnded'));
    expect(at('TaskEnded')).toBeLessThan(at('WorkDeleted'));
  });

  test('000 graceful eviction: graceful-eviction-timeout, by default 10 minutes, ends a task', () => {
    const task = taskFrom('member1');
    const minutes = (flags?: object) =>
      (evictionDeadline(task, evictionClock(START, evicting(version, flags)))! - START) / 60_000;
    expect(minutes()).toBe(10);
    expect(minutes({ 'graceful-eviction-timeout': 180_000 })).toBe(3);
  });
});

test('000 add taints on fault cluster: since v1.14 Karmada adds no NoExecute taint itself', () => {
  const effects: Taint['effect'][] = taintsOf(failing('v1.14.0')).map(({ effect }) => effect);
  expect(effects).toEqual(['NoSchedule']);
});
