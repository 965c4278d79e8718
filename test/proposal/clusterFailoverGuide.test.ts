import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { planWorks } from '../../src/karmada/eviction/works.ts';
import { processTaintedPair } from '../../src/karmada/taints/taintedPair.ts';
import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import { APPLIED_PLACEMENT_ANNOTATION } from '../../src/karmada/api/names.ts';
import { admitObject } from '../../src/karmada/defaults/admitObject.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import type { Placement, PropagationPolicy } from '../../src/karmada/api/policy.ts';
import type {
  GracefulEvictionTask,
  ResourceBinding,
  ResourceBindingSpec,
} from '../../src/karmada/api/work.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { cluster, deployment, outcomeOf, run, START } from '../simulator/simulation/controlPlane.ts';
import { PURGE_MODE, STATE_PRESERVATION } from './documentsOfReleases.ts';
import { evicting, FAULT, onOneOf, plainWorld } from './underDesign.ts';

// Document 002 is the guide of v1.15.
const VERSION = 'v1.15.9';
const release = evicting(VERSION);
const injecting: Configuration = {
  ...release,
  featureGates: { ...release.featureGates, StatefulFailoverInjection: true },
};
const members = ['member1', 'member2', 'member3'].map((name) => cluster(name));
const flink = parse(STATE_PRESERVATION) as PropagationPolicy;
const LABEL = 'application.karmada.io/cluster-failover-jobid';

function admit(policy: unknown) {
  return admitObject({
    kind: 'PropagationPolicy',
    operation: 'CREATE',
    namespace: 'default',
    permanentId: 'uuid',
    object: policy as Record<string, unknown>,
    rules: release.rules,
  });
}

/** foo with 4 replicas on member1, which gets a NoExecute taint at the start. */
function play(
  spec: Partial<ResourceBindingSpec> = {},
  {
    configuration = release,
    placement = onOneOf('member1', 'member2', 'member3'),
  }: { configuration?: Configuration; placement?: Placement } = {},
): Simulation {
  const foo = deployment('foo', {
    placement,
    replicas: 4,
    clusters: [{ name: 'member1', replicas: 4 }],
    spec,
  });
  return run(plainWorld(members, [foo]), {
    configuration,
    events: [[0, { type: 'taint', cluster: 'member1', taint: { key: 'fault', effect: 'NoExecute' } }]],
  });
}

const typesOf = ({ events }: Simulation) =>
  events.map(({ type, cluster: where = '' }) => `${type} ${where}`.trim());

describe('002 how to perform cluster failover', () => {
  test('002 when a cluster fails, its replicas move to member2 or member3', () => {
    const placement: Placement = {
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
    };
    const { after, outcome } = outcomeOf(play({}, { placement }), 'foo');
    expect(outcome).toBe('moves');
    expect(after.map(({ name }) => name)).not.toContain('member1');
    expect(after.reduce((sum, { replicas = 0 }) => sum + replicas, 0)).toBe(4);
  });

  test('002 feature gate Failover: Beta, and disabled by default', () => {
    const { featureGates } = dialectOf(VERSION).dialect;
    expect(featureGates['Failover']).toMatchObject({ default: false, stage: 'Beta' });
    const off = { ...release, featureGates: { ...release.featureGates, Failover: false } };
    expect(outcomeOf(play({}, { configuration: off }), 'foo').outcome).toBe('stays');
  });

  test('002 (missing in the guide) failover also requires the flag enable-no-execute-taint-eviction, off by default', () => {
    const flag = 'enable-no-execute-taint-eviction';
    expect(dialectOf(VERSION).dialect.defaults.controllerManager[flag]).toBe(false);
    expect(outcomeOf(play({}, { configuration: evicting(VERSION, { [flag]: false }) }), 'foo').outcome).toBe(
      'stays',
    );
  });
});

describe('002 configure PurgeMode', () => {
  const cluster = (purgeMode: 'Directly' | 'Gracefully') => ({ failover: { cluster: { purgeMode } } });

  test('002 the example of PurgeMode: admitted unchanged', () => {
    expect(admit(parse(PURGE_MODE))).toMatchObject({
      allowed: true,
      object: { spec: { failover: { cluster: { purgeMode: 'Directly' } } } },
    });
  });

  test('002 PurgeMode: Gracefully by default; other values are refused', () => {
    const policy = parse(PURGE_MODE) as PropagationPolicy;
    const mode = (failover: object) =>
      admit({ ...policy, spec: { ...policy.spec, failover: { cluster: failover } } });
    expect(mode({})).toMatchObject({
      object: { spec: { failover: { cluster: { purgeMode: 'Gracefully' } } } },
    });
    for (const purgeMode of ['Never', 'Immediately', 'Graciously'])
      expect(mode({ purgeMode })).toMatchObject({ allowed: false });
  });

  test('002 Directly: the legacy application is removed before a new one is created', () => {
    const types = typesOf(play(cluster('Directly')));
    expect(types.indexOf('WorkRemoved member1')).toBeGreaterThan(0);
    expect(types.indexOf('WorkRemoved member1')).toBeLessThan(types.indexOf('WorkCreated member2'));
  });

  test('002 Gracefully: the old copy is removed once the application is healthy on the new cluster', () => {
    const types = typesOf(play(cluster('Gracefully')));
    expect(types.indexOf('WorkCreated member2')).toBeLessThan(types.indexOf('WorkDeleted member1'));
  });

  test('002 Gracefully: the old copy is removed at the timeout', () => {
    const foo = deployment('foo', {
      placement: onOneOf('member1', 'member2'),
      replicas: 4,
      clusters: [{ name: 'member1', replicas: 4 }],
      spec: cluster('Gracefully'),
    });
    const { events } = run(plainWorld(members, [foo]), {
      configuration: release,
      readyAfterSeconds: 1e6,
      until: 2000,
      events: [[0, { type: 'taint', cluster: 'member1', taint: { key: 'fault', effect: 'NoExecute' } }]],
    });
    const ended = events.find(({ type }) => type === 'TaskEnded')!;
    expect(Math.round((ended.time - START) / 60_000)).toBe(10);
  });
});

describe('002 application state preservation', () => {
  const { failover, placement } = flink.spec;
  const job: ResourceBinding = {
    metadata: {
      namespace: 'default',
      name: 'flink-app-flinkdeployment',
      annotations: { [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify(placement) },
    },
    spec: {
      resource: {
        apiVersion: 'flink.apache.org/v1beta1',
        kind: 'FlinkDeployment',
        namespace: 'default',
        name: 'flink-app',
      },
      placement: placement!,
      failover: failover!,
      clusters: [{ name: 'member1' }],
    },
    status: {
      aggregatedStatus: [{ clusterName: 'member1', applied: true, status: { jobStatus: { jobID: '7b93' } } }],
    },
  };

  function evicted(binding = job, configuration = injecting) {
    return processTaintedPair({
      clusterName: 'member1',
      cluster: cluster('member1', [FAULT]),
      binding,
      now: START,
      configuration,
    });
  }

  const works = (tasks: Partial<GracefulEvictionTask>[], on = ['member2'], gate = true) =>
    planWorks(
      {
        ...job.spec,
        clusters: on.map((name) => ({ name })),
        gracefulEvictionTasks: tasks.map((task) => ({
          fromCluster: 'member1',
          reason: 'r',
          producer: 'p',
          ...task,
        })),
      },
      [],
      { statefulFailoverInjection: gate, rules: release.rules },
    ).writes.map(({ preservedLabels }) => preservedLabels);
  const preserved = { [LABEL]: '7b93' };

  test('002 the example of state preservation: admitted unchanged', () => {
    expect(admit(flink)).toMatchObject({ allowed: true, object: { spec: { failover: failover! } } });
  });

  test('002 workflow: before migration the job id is copied from the status to the task', () => {
    expect(evicted()).toMatchObject({
      kind: 'evict',
      spec: {
        gracefulEvictionTasks: [
          { fromCluster: 'member1', purgeMode: 'Directly', preservedLabelState: preserved },
        ],
      },
    });
  });

  test('002 workflow: during migration the job id becomes a label of the application in the new cluster', () => {
    expect(works([{ purgeMode: 'Directly', preservedLabelState: preserved }])).toEqual([preserved]);
  });

  test('002 usage limitations: requires gate StatefulFailoverInjection, Alpha and disabled by default', () => {
    expect(dialectOf(VERSION).dialect.featureGates['StatefulFailoverInjection']).toMatchObject({
      default: false,
      stage: 'Alpha',
    });
    expect(evicted(job, release)).not.toHaveProperty('spec.gracefulEvictionTasks.0.preservedLabelState');
    expect(works([{ purgeMode: 'Directly', preservedLabelState: preserved }], ['member2'], false)).toEqual([
      {},
    ]);
  });

  test('002 usage limitations: state is injected only if the application moves from one cluster to one other', () => {
    const task = { purgeMode: 'Directly', preservedLabelState: preserved } as const;
    expect(works([task], ['member2', 'member3'])).toEqual([{}, {}]);
  });

  test('002 usage limitations: after consecutive failovers only the state of the last one is injected, even if it is empty', () => {
    const first = { purgeMode: 'Directly', preservedLabelState: { [LABEL]: 'old' } } as const;
    const last = { purgeMode: 'Directly', fromCluster: 'member2', preservedLabelState: preserved } as const;
    expect(works([first, last], ['member3'])).toEqual([preserved]);
    expect(works([first, { purgeMode: 'Directly', fromCluster: 'member2' }], ['member3'])).toEqual([{}]);
  });

  test('002 usage limitations: state is injected only if PurgeMode is Directly', () => {
    expect(works([{ purgeMode: 'Gracefully', preservedLabelState: preserved }])).toEqual([{}]);
  });

  test('002 JSONPath: starts from the status field', () => {
    const path = (jsonPath: string) => ({
      ...job,
      spec: {
        ...job.spec,
        failover: { cluster: { statePreservation: { rules: [{ aliasLabelName: LABEL, jsonPath }] } } },
      },
      status: {
        aggregatedStatus: [{ clusterName: 'member1', applied: true, status: { availableReplicas: 2 } }],
      },
    });
    expect(evicted(path('{.availableReplicas}'))).toMatchObject({
      spec: { gracefulEvictionTasks: [{ preservedLabelState: { [LABEL]: '2' } }] },
    });
    expect(evicted(path('{.status.availableReplicas}'))).toMatchObject({ kind: 'error' });
  });
});
