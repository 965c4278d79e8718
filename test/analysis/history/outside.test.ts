import { describe, expect, test } from '@jest/globals';
import type { Changed } from '../../../src/karmada/controllers/write.ts';
import type { ObservedChange } from '../../../src/analysis/history/history.ts';
import {
  observedScenario,
  withAcceptedPolicies,
} from '../../../src/analysis/history/replay/observedScenario.ts';
import { divergedAt } from '../../../src/analysis/history/replay/steps.ts';
import type { KubernetesObject, Taint } from '../../../src/karmada/api/meta.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';

const at = (seconds: number) => START + seconds * 1000;
const binding = deployment('cart', {
  placement: {},
  replicas: 2,
  clusters: [{ name: 'east', replicas: 2 }],
});
const east = cluster('east');
const withSpec = (before: ResourceBinding, spec: object): ResourceBinding => ({
  ...before,
  spec: { ...before.spec, ...spec },
});
const withHealth = (before: ResourceBinding, health: 'Healthy' | 'Unhealthy'): ResourceBinding => ({
  ...before,
  status: { ...before.status, aggregatedStatus: [{ clusterName: 'east', health }] },
});
const task = (producer: string, more: object = {}) => ({
  gracefulEvictionTasks: [{ fromCluster: 'east', reason: 'r', producer, ...more }],
});

/** The reported and the unreported changes; each is relative to the previous object. */
function outside(
  ...changes: readonly [seconds: number, before: object | undefined, after: object | undefined][]
) {
  return outsideOf(world([east], [binding]), changes);
}

function outsideOf(
  first: World,
  changes: readonly (readonly [seconds: number, before: object | undefined, after: object | undefined])[],
) {
  const { events, unsimulated } = observedScenario(
    first,
    changes.map(([seconds, before, after]): ObservedChange => ({
      at: at(seconds),
      ...({ before, after } as Changed<KubernetesObject>),
    })),
    failoverOn.rules,
  );
  return { events: events.map(({ action }) => action), unsimulated };
}

const policy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { namespace: 'shop', name: 'all' },
  spec: { resourceSelectors: [] },
};

/** The cluster east, not Ready. */
function unready(taints: Taint[]) {
  const one = cluster('east', taints);
  const conditions = one.status!.conditions!.map((each) => ({ ...each, status: 'False' as const }));
  return { ...one, status: { ...one.status, conditions } };
}

describe('external changes of a binding', () => {
  test('include an edit of the template, as a patch of the binding', () => {
    const { events, unsimulated } = outside([10, binding, withSpec(binding, { replicas: 5 })]);
    expect(events).toEqual([
      {
        type: 'patch',
        target: { kind: binding.kind, namespace: binding.metadata.namespace, name: binding.metadata.name },
        merge: { spec: { replicas: 5 } },
      },
    ]);
    expect(unsimulated).toEqual([]);
  });

  test('list a template edit as unsimulated after a policy change', () => {
    const { events, unsimulated } = outside(
      [5, undefined, policy],
      [10, binding, withSpec(binding, { replicas: 5 })],
    );
    expect(events.map(({ type }) => type)).toEqual(['apply']);
    expect(unsimulated).toEqual([
      {
        at: at(10),
        binding: expect.stringContaining('cart'),
        what: expect.stringContaining('spec.replicas'),
      },
    ]);
  });

  test('include the scaling of an observed template, even after a policy change', () => {
    // given a workload whose template was observed
    const template = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: binding.metadata.namespace ?? '', name: binding.spec.resource.name },
      spec: { replicas: 2 },
    };
    const first = { ...world([east], [binding]), others: [template as KubernetesObject] };
    // when it is scaled after a policy has changed
    const { events, unsimulated } = outsideOf(first, [
      [5, undefined, policy],
      [10, binding, withSpec(binding, { replicas: 5 })],
    ]);
    // then the detector treats the template the same way from then on
    expect(unsimulated).toEqual([]);
    expect(events.slice(1)).toMatchObject([
      { target: { kind: 'ResourceBinding' }, merge: { spec: { replicas: 5 } } },
      { target: { kind: 'Deployment' }, merge: { spec: { replicas: 5 } } },
    ]);
  });

  test('list a manual placement as unsimulated', () => {
    const written = (manager: string) => {
      const moved = withSpec(binding, { clusters: [{ name: 'west', replicas: 2 }] });
      const entry = { manager, fieldsV1: { 'f:spec': { 'f:clusters': {} } } };
      return { ...moved, metadata: { ...moved.metadata, managedFields: [entry] } };
    };
    expect(outside([10, binding, written('karmada-scheduler')]).unsimulated).toEqual([]);
    expect(outside([10, binding, written('kubectl-edit')]).unsimulated).toEqual([
      expect.objectContaining({ what: expect.stringMatching(/^by kubectl-edit, spec\.clusters of /) }),
    ]);
  });

  test('exclude the deletion of a finished WorkloadRebalancer after its TTL', () => {
    const rebalancer = (status: object) => ({
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: { name: 'again' },
      spec: { workloads: [], ttlSecondsAfterFinished: 5 },
      status,
    });
    const finished = rebalancer({ finishTime: '2026-09-01T10:00:00Z' });
    expect(outside([5, undefined, finished], [10, finished, undefined]).events).toHaveLength(1);
    const running = rebalancer({});
    expect(outside([5, undefined, running], [10, running, undefined]).events).toHaveLength(2);
  });

  test('list a changed placement as unsimulated if no policy changed', () => {
    const placed = withSpec(binding, { placement: { clusterAffinity: { clusterNames: ['west'] } } });
    expect(outside([10, binding, placed]).unsimulated).toEqual([
      expect.objectContaining({
        what: expect.stringMatching(/^without a change of policies, spec\.placement of /),
      }),
    ]);
    expect(outside([5, undefined, policy], [10, binding, placed]).unsimulated).toEqual([]);
    const labelled = { ...policy, metadata: { ...policy.metadata, labels: { tier: 'gold' } } };
    expect(outside([5, policy, labelled], [10, binding, placed]).unsimulated).toHaveLength(1);
  });

  test.each([
    ['the taint manager creates', [binding, withSpec(binding, task('TaintManager'))], 0],
    ['a drain creates', [binding, withSpec(binding, task('karmada-failover'))], 1],
    [
      'a user holds',
      [
        withSpec(binding, task('TaintManager')),
        withSpec(binding, task('TaintManager', { suppressDeletion: true })),
      ],
      1,
    ],
    [
      'Karmada stamps',
      [
        withSpec(binding, task('TaintManager')),
        withSpec(binding, task('TaintManager', { creationTimestamp: '2026-09-01T10:00:00Z' })),
      ],
      0,
    ],
    ['a drain cancels', [withSpec(binding, task('karmada-failover')), binding], 1],
  ] as const)(
    'list manual tasks and drain tasks as unsimulated: a task that %s',
    (_, [before, after], count) => {
      expect(outside([10, before, after]).unsimulated).toHaveLength(count);
    },
  );

  test('include a health change without another cause', () => {
    const [well, ill] = [withHealth(binding, 'Healthy'), withHealth(binding, 'Unhealthy')];
    expect(outside([10, well, ill], [60, ill, well]).events).toMatchObject([
      { type: 'health', cluster: 'east', health: 'Unhealthy' },
      { type: 'health', cluster: 'east', health: 'Healthy' },
    ]);
  });

  test('exclude a health change after a change of the copy, or on a cluster that is not Ready', () => {
    const [well, ill] = [withHealth(binding, 'Healthy'), withHealth(binding, 'Unhealthy')];
    const more = withSpec(well, { clusters: [{ name: 'east', replicas: 4 }] });
    const moreIll = withSpec(ill, { clusters: [{ name: 'east', replicas: 4 }] });
    expect(outside([10, well, more], [11, more, moreIll]).events).toEqual([]);
    const down = {
      ...east,
      status: { ...east.status, conditions: [{ type: 'Ready', status: 'False', reason: 'r' }] },
    };
    expect(outside([10, east, down], [11, well, ill]).events.map(({ type }) => type)).not.toContain('health');
  });
});

describe('external changes of a cluster', () => {
  const leaving = { ...east, metadata: { ...east.metadata, deletionTimestamp: '2026-09-01T10:00:00Z' } };
  const target = { kind: 'Cluster', name: 'east' };

  test('include its join, with its first report', () => {
    const west = { ...east, metadata: { name: 'west' }, status: undefined };
    const apiEnablements = [{ groupVersion: 'v1', resources: [{ kind: 'Pod' }] }];
    const resourceSummary = { allocatable: { cpu: '8' } };
    const known = { ...west, status: { apiEnablements, resourceSummary } };
    const { events, unsimulated } = outside([10, undefined, west], [11, west, known]);
    expect(events).toEqual([
      { type: 'apply', objects: [west] },
      {
        type: 'patch',
        target: { kind: 'Cluster', name: 'west' },
        merge: { status: { apiEnablements, resourceSummary } },
      },
    ]);
    expect(unsimulated).toEqual([]);
  });

  test('include its deletion, but not the final removal by Karmada', () => {
    expect(outside([10, east, leaving], [30, leaving, undefined])).toEqual({
      events: [{ type: 'delete', target }],
      unsimulated: [],
    });
  });

  test('include a change of labels or region', () => {
    const labelled = { ...east, metadata: { ...east.metadata, labels: { tier: 'gold' } } };
    const moved = { ...east, spec: { ...east.spec, region: 'moon' } };
    expect(outside([10, east, labelled], [20, labelled, east], [30, east, moved], [40, moved, east])).toEqual(
      {
        events: [
          { type: 'patch', target, merge: { metadata: { labels: { tier: 'gold' } } } },
          { type: 'patch', target, merge: { metadata: { labels: { tier: null } } } },
          { type: 'patch', target, merge: { spec: { region: 'moon' } } },
          { type: 'patch', target, merge: { spec: { region: 'east' } } },
        ],
        unsimulated: [],
      },
    );
  });

  test('exclude changes in deletion if it joined during the recording', () => {
    const west = { ...east, metadata: { name: 'west' } };
    const going = { ...west, metadata: { ...west.metadata, deletionTimestamp: '2026-09-01T10:00:00Z' } };
    const tainted = { ...going, spec: { ...going.spec, taints: [{ key: 'a', effect: 'NoExecute' }] } };
    const { events } = outside([10, undefined, west], [20, west, going], [30, going, tainted]);
    expect(events.map(({ type }) => type)).toEqual(['apply', 'delete']);
  });
});

describe('unsimulated changes for all workloads', () => {
  test('include a removed cluster whose deletion was not observed', () => {
    expect(outside([10, east, undefined])).toEqual({
      events: [],
      unsimulated: [{ at: at(10), what: 'when Cluster east leaves' }],
    });
  });

  test('exclude a taint on an otherwise unchanged cluster', () => {
    const tainted = { ...east, spec: { ...east.spec, taints: [{ key: 'a', effect: 'NoExecute' }] } };
    expect(outside([10, east, tainted])).toMatchObject({ events: [{ type: 'taint' }], unsimulated: [] });
  });
});

test('two sequences of steps diverge at the later time of their first difference', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((placement, i) => ({ time: i * 10, placement }));
  expect(divergedAt([a!, b!], [a!, { ...c!, time: 25 }])).toBe(25);
  expect(divergedAt([a!], [a!, b!])).toBe(10);
  expect(divergedAt([a!, b!, c!], [a!, b!])).toBe(20);
  expect(divergedAt([a!], [a!])).toBe(Infinity);
});

describe('a taint in a ClusterTaintPolicy', () => {
  const listed = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name: 'not-ready' },
    spec: {
      addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['False'] }],
      removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
      taints: [{ key: 'disk', effect: 'NoExecute' }],
    },
  };
  const disk = { key: 'disk', effect: 'NoExecute' as const };
  const timed = { ...disk, timeAdded: new Date(at(10)).toISOString() };
  const taintEvents = (...changes: readonly [seconds: number, before: object, after: object][]) =>
    outside([1, undefined, listed], ...changes).events.filter(({ type }) => type.endsWith('taint'));

  test('belongs to the policy if its conditions match', () => {
    expect(taintEvents([10, unready([]), unready([timed])])).toEqual([]);
    expect(taintEvents([10, cluster('east', [disk]), east])).toEqual([]);
  });

  test('belongs to a user if the conditions do not match', () => {
    expect(taintEvents([10, east, cluster('east', [disk])])).toEqual([
      { type: 'taint', cluster: 'east', taint: disk },
    ]);
    expect(taintEvents([10, unready([disk]), unready([])])).toEqual([
      { type: 'untaint', cluster: 'east', ...disk },
    ]);
  });

  test('belongs to a user if nothing has woken the policy since the user added it', () => {
    expect(
      taintEvents([10, east, cluster('east', [disk])], [20, cluster('east', [disk]), east]),
    ).toMatchObject([{ type: 'taint' }, { type: 'untaint' }]);
  });

  test('belongs to a user after the policy is deleted', () => {
    const { events } = outside(
      [1, undefined, listed],
      [5, listed, undefined],
      [10, unready([]), unready([disk])],
    );
    expect(events).toContainEqual({ type: 'taint', cluster: 'east', taint: disk });
  });

  test('belongs to a policy in the proposed form as well', () => {
    const spec = { matchConditions: listed.spec.addOnConditions, taintsToAdd: listed.spec.taints };
    const { events } = outside([1, undefined, { ...listed, spec }], [10, unready([]), unready([timed])]);
    expect(events).not.toContainEqual(expect.objectContaining({ type: 'taint' }));
  });

  test('belongs to a user if managedFields show a manual change', () => {
    const entry = { manager: 'kubectl-edit', fieldsV1: { 'f:spec': { 'f:taints': {} } } };
    const tainted = unready([timed]);
    const after = { ...tainted, metadata: { ...tainted.metadata, managedFields: [entry] } };
    expect(taintEvents([10, unready([]), after])).toEqual([{ type: 'taint', cluster: 'east', taint: disk }]);
  });

  test('belongs to a user without timeAdded, which every controller sets', () => {
    expect(taintEvents([10, unready([]), unready([disk])])).toMatchObject([{ type: 'taint' }]);
  });

  test('has an unknown owner long after the conditions started to match, which is reported', () => {
    // the Ready condition changed 100s ago, and the policy has been there since then
    const since = (taints: Taint[]) => {
      const one = unready(taints);
      const lastTransitionTime = new Date(at(0)).toISOString();
      const conditions = one.status.conditions.map((each) => ({ ...each, lastTransitionTime }));
      return { ...one, status: { ...one.status, conditions } };
    };
    const { events, unsimulated } = outside([1, undefined, listed], [100, since([]), since([timed])]);
    expect(events.filter(({ type }) => type === 'taint')).toEqual([]);
    expect(unsimulated).toMatchObject([
      { at: at(100), what: expect.stringMatching(/^who added taint disk:NoExecute to east .* for 99s/) },
    ]);
  });
});

describe('a taint with a key of Karmada', () => {
  const time = { timeAdded: new Date(at(10)).toISOString() };
  const notReady = (effect: Taint['effect'], more: object = {}): Taint => ({
    key: 'cluster.karmada.io/not-ready',
    effect,
    ...time,
    ...more,
  });
  const by = <T extends { metadata: object }>(manager: string, one: T): T => ({
    ...one,
    metadata: {
      ...one.metadata,
      managedFields: [{ manager, fieldsV1: { 'f:spec': { 'f:taints': {} } } }],
    },
  });
  const events = (...change: [before: object, after: object]) => outside([10, ...change]).events;

  test('belongs to Karmada if the cluster controller adds or removes it by that condition', () => {
    expect(events(unready([]), unready([notReady('NoSchedule')]))).toEqual([]);
    expect(events(cluster('east', [notReady('NoSchedule')]), east)).toEqual([]);
  });

  test('belongs to a user if only policies add its effect, and no policy matches', () => {
    expect(events(east, cluster('east', [notReady('NoExecute')]))).toEqual([
      { type: 'taint', cluster: 'east', taint: { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' } },
    ]);
    expect(events(unready([notReady('NoExecute')]), unready([]))).toMatchObject([{ type: 'untaint' }]);
  });

  test('belongs to a user if the cluster has another condition', () => {
    expect(events(east, cluster('east', [notReady('NoSchedule')]))).toMatchObject([{ type: 'taint' }]);
    expect(events(unready([notReady('NoSchedule')]), unready([]))).toMatchObject([{ type: 'untaint' }]);
  });

  test('belongs to a policy that adds its effect by that condition', () => {
    expect(events(unready([]), unready([notReady('NoExecute')]))).toEqual([]);
  });

  test('belongs to the manager in managedFields', () => {
    const tainted = unready([notReady('NoSchedule')]);
    expect(events(unready([]), by('karmadactl', tainted))).toMatchObject([{ type: 'taint' }]);
    expect(events(unready([]), by('karmada-controller-manager', tainted))).toEqual([]);
  });
});

describe('a recorded ClusterTaintPolicy with NoExecute', () => {
  const policy = (effect: Taint['effect']) => ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name: 'not-ready' },
    spec: { taints: [{ key: 'not-ready', effect }] },
  });
  const allowed = (change: object) =>
    withAcceptedPolicies(failoverOn, [{ at: at(1), ...change } as ObservedChange]).webhook[
      'allow-no-execute-taint-policy'
    ];

  test('shows that the webhook allows it, if it was written in the recording', () => {
    expect(allowed({ after: policy('NoExecute') })).toBe(true);
    expect(allowed({ before: policy('NoSchedule'), after: policy('NoExecute') })).toBe(true);
  });

  test('shows nothing if it existed before, or only adds NoSchedule', () => {
    const given = failoverOn.webhook['allow-no-execute-taint-policy'];
    expect(given).toBe(false);
    expect(allowed({ before: policy('NoExecute'), after: policy('NoExecute') })).toBe(given);
    expect(allowed({ after: policy('NoSchedule') })).toBe(given);
  });
});
