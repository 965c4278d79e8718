// Works and their copies in the members, from the template to the last copy.
import { describe, expect, test } from '@jest/globals';
import { manifestIdentifier } from '../../../src/karmada/objects/identities.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding, Work } from '../../../src/karmada/api/work.ts';
import { workName } from '../../../src/karmada/api/names.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { cluster, deployment, outcomeOf, run, START, story, world } from './controlPlane.ts';

const anywhere: Placement = {
  clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
};
const clusters = [cluster('east-1'), cluster('west-1')];
const seconds = (at: number) => rfc3339(START + at * 1000);
const withId = (binding: ResourceBinding): ResourceBinding => ({
  ...binding,
  metadata: {
    ...binding.metadata,
    labels: { ...binding.metadata.labels, 'resourcebinding.karmada.io/permanent-id': binding.metadata.name },
  },
});

function template(name: string, rest: Record<string, unknown> = {}): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop', uid: `uid-${name}` },
    spec: { replicas: 2, ...rest },
  } as KubernetesObject;
}

/** The Work of a binding, captured as applied and Healthy. */
function work({ metadata, spec }: ResourceBinding, name: string, rest: Partial<Work> = {}): Work {
  const { apiVersion, kind } = spec.resource;
  const identifier = manifestIdentifier({
    apiVersion,
    kind,
    metadata: { name: spec.resource.name, namespace: 'shop' },
  });
  return {
    metadata: {
      name: `${spec.resource.name}-1`,
      namespace: `karmada-es-${name}`,
      creationTimestamp: '2026-08-01T00:00:00Z',
      labels: { 'resourcebinding.karmada.io/permanent-id': metadata.name },
      ...rest.metadata,
    },
    spec: {
      workload: {
        manifests: [
          {
            apiVersion,
            kind,
            metadata: { name: spec.resource.name, namespace: 'shop' },
            spec: { replicas: spec.replicas },
          } as never,
        ],
      },
      ...rest.spec,
    },
    status: {
      conditions: [{ type: 'Applied', status: 'True' }],
      manifestStatuses: [
        { identifier, health: 'Healthy', status: { readyReplicas: spec.replicas, replicas: spec.replicas } },
      ],
    },
  };
}

describe('when a Work is deleted', () => {
  const web = deployment('web', {
    placement: anywhere,
    clusters: [{ name: 'east-1', replicas: 2 }],
    replicas: 2,
  });
  const works = [work(withId(web), 'east-1')];
  const target = { kind: 'Work', namespace: 'karmada-es-east-1', name: 'web-1' };

  // Karmada v1.18.2: the binding controller watches no Works
  test('its copy is deleted, and the Work is not recreated before the spec of its binding changes', () => {
    const state = { ...world(clusters, [withId(web)]), works, others: [template('web')] };
    const simulation = run(state, { events: [[1, { type: 'delete', target }]] });
    expect(outcomeOf(simulation, 'web')).toMatchObject({
      outcome: 'lost',
      reason: 'its Work on east-1 is deleted, and not recreated until its spec changes',
      gap: { replicas: 2, open: true },
    });
  });
});

test('a workload that conflicts with an existing object has an uncertain outcome', () => {
  const web = withId(
    deployment('web', { placement: anywhere, clusters: [{ name: 'east-1', replicas: 2 }], replicas: 2 }),
  );
  const conditions = [{ type: 'Applied', status: 'False' as const, message: 'web already exists' }];
  const refused: Work = { ...work(web, 'east-1'), status: { conditions } };
  const simulation = run({ ...world(clusters, [web]), works: [refused], others: [template('web')] }, {});
  expect(outcomeOf(simulation, 'web')).toMatchObject({
    outcome: 'stays',
    certainty: 'estimate',
    dependsOn: [expect.stringMatching(/of the same name on east-1: Karmada did not create it/)],
  });
});

describe('when a namespace is deleted', () => {
  const inNamespace = (name: string, namespace: string) => {
    const binding = deployment(name, {
      placement: anywhere,
      clusters: [{ name: 'east-1', replicas: 2 }],
      replicas: 2,
    });
    return { ...binding, metadata: { ...binding.metadata, namespace } };
  };
  const target = { kind: 'Namespace', name: 'shop' };

  // kube-controller-manager: namespaceDeletionGracePeriod
  test('only its contents are deleted after 5 s', () => {
    const other = inNamespace('search', 'bank');
    other.spec.resource.namespace = 'bank';
    const state = world(clusters, [inNamespace('web', 'shop'), other]);
    const simulation = run(state, { events: [[1, { type: 'delete', target }]] });
    expect(outcomeOf(simulation, 'web')).toMatchObject({ outcome: 'deleted' });
    expect(outcomeOf(simulation, 'search')).toMatchObject({ outcome: 'stays' });
    const [removed] = simulation.events.filter(({ type }) => type === 'WorkRemoved');
    expect((removed!.time - START) / 1000).toBeCloseTo(6, 0);
  });

  const namespace = (deletionTimestamp?: string): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', uid: 'uid-shop', ...(deletionTimestamp && { deletionTimestamp }) },
  });
  /** What brings the namespace to a cluster. */
  const bringing: Work = {
    metadata: {
      name: 'shop-1',
      namespace: 'karmada-es-east-1',
      finalizers: ['karmada.io/execution-controller'],
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Namespace', name: 'shop', uid: 'uid-shop', controller: true },
      ],
    },
    spec: { workload: { manifests: [namespace() as never] } },
  };
  const held = { ...inNamespace('web', 'shop') };
  held.metadata = { ...held.metadata, finalizers: ['karmada.io/binding-controller'] };
  const goneAfter = (state: World, events: [number, ScenarioAction][]) =>
    run(state, { events })
      .events.filter(({ type, object }) => type === 'WorkDeleted' && object.name === 'shop-1')
      .map(({ time }) => (time - START) / 1000);

  // recorded on Karmada v1.18.2, as are the next two
  test.each([
    ['5 s, if no object in it has finalizers', inNamespace('web', 'shop'), 6],
    ['10 s, at the second check, if an object has finalizers', held, 11],
  ])('the Work of the namespace is deleted after %s', (_, binding, seconds) => {
    const state = { ...world(clusters, [binding]), works: [bringing], others: [namespace()] };
    expect(goneAfter(state, [[1, { type: 'delete', target }]])).toEqual([expect.closeTo(seconds, 0)]);
  });

  test('a second deletion of the deleted namespace changes nothing', () => {
    const state = { ...world(clusters, [held]), works: [bringing], others: [namespace()] };
    const twice: [number, ScenarioAction][] = [1, 60].map((at) => [at, { type: 'delete', target }]);
    expect(goneAfter(state, twice)).toEqual([expect.closeTo(11, 0)]);
  });

  test('it is checked every 8 s while a finalizer keeps an object', () => {
    const finalizers = [...held.metadata.finalizers!, 'example.com/holds'];
    const kept = { ...held, metadata: { ...held.metadata, finalizers } };
    const state = { ...world(clusters, [kept]), works: [bringing], others: [namespace()] };
    const deleting: [number, ScenarioAction] = [1, { type: 'delete', target }];
    expect(goneAfter(state, [deleting])).toEqual([]);
    const binding = { kind: 'ResourceBinding', namespace: 'shop', name: held.metadata.name };
    const merge = { metadata: { finalizers: [] } };
    const releasing: [number, ScenarioAction] = [30, { type: 'patch', target: binding, merge }];
    expect(goneAfter(state, [deleting, releasing])).toEqual([expect.closeTo(35, 0)]);
  });

  test('a scenario with a wrong namespace name is refused', () => {
    const wrong = { kind: 'Namespace', name: 'shpo' };
    expect(() => run(world(clusters, []), { events: [[1, { type: 'delete', target: wrong }]] })).toThrow(
      'nothing to delete in namespace shpo: check its name',
    );
  });

  test('the deletion continues if it has started before the capture', () => {
    const state = { ...world(clusters, [held]), works: [bringing], others: [namespace(seconds(-2))] };
    expect(goneAfter(state, [])).toEqual([expect.closeTo(8, 0)]);
  });

  test('the deletion does not continue if it has been stuck for more than a minute', () => {
    const state = { ...world(clusters, [held]), works: [bringing], others: [namespace(seconds(-70))] };
    expect(goneAfter(state, [])).toEqual([]);
  });
});

describe('when a template is deleted', () => {
  const gone = { type: 'delete', target: { kind: 'Deployment', namespace: 'shop', name: 'web' } } as const;
  const web = deployment('web', {
    placement: anywhere,
    clusters: [{ name: 'east-1', replicas: 2 }],
    replicas: 2,
    spec: { propagateDeps: true },
  });

  test('its binding and Works are deleted within half a second, and its dependents lose their Works', () => {
    const settings: ResourceBinding = {
      kind: 'ResourceBinding',
      metadata: { name: 'settings-configmap', namespace: 'shop', generation: 1 },
      spec: {
        resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' },
        requiredBy: [{ namespace: 'shop', name: 'web-deployment', clusters: web.spec.clusters! }],
      },
      status: { aggregatedStatus: [{ clusterName: 'east-1', applied: true, health: 'Healthy' }] },
    };
    const state = { ...world(clusters, [web, settings]), others: [template('web')] };
    const { events } = run(state, { events: [[1, gone]] });
    const removed = events.filter(({ type }) => type === 'WorkRemoved');
    expect(removed.map(({ object, cluster: where }) => `${object.name} ${where}`).sort()).toEqual([
      'settings-configmap east-1',
      'web-deployment east-1',
    ]);
    for (const { time } of removed) expect(time - START).toBeLessThan(1600);
  });

  test('its outcome is deleted, not lost', () => {
    const state = { ...world(clusters, [web]), others: [template('web')] };
    const simulation = run(state, { events: [[1, gone]] });
    expect(outcomeOf(simulation, 'web')).toMatchObject({
      outcome: 'deleted',
      after: [],
      certainty: 'certain',
    });
  });

  test('only replicas that are missing before the deletion count as down', () => {
    const half = { ...web, spec: { ...web.spec, replicas: 4 } };
    const state = (one: ResourceBinding) => ({ ...world(clusters, [one]), others: [template('web')] });
    const gapOf = (one: ResourceBinding) => outcomeOf(run(state(one), { events: [[7, gone]] }), 'web').gap;
    expect(gapOf(web)).toBeUndefined();
    expect(gapOf(half)).toMatchObject({ replicas: 2, open: false });
    expect(gapOf(half)!.seconds).toBeCloseTo(7, 0);
  });

  test('its capacity becomes free for waiting workloads', () => {
    const small = cluster('east-1');
    small.status!.resourceSummary = {
      allocatable: { cpu: '1', pods: '100' },
      allocated: { cpu: '800m', pods: '2' },
    };
    const wide = { resourceRequest: { cpu: '400m' } };
    const first = { ...web, spec: { ...web.spec, replicaRequirements: wide } };
    const pinned: Placement = { ...anywhere, clusterAffinity: { clusterNames: ['east-1'] } };
    const waiting = deployment('waiting', {
      placement: pinned,
      clusters: [],
      replicas: 2,
      spec: { replicaRequirements: wide },
    });
    delete waiting.status!.schedulerObservedGeneration;
    const state = { ...world([small], [first, waiting]), others: [template('web')] };
    expect(story(run(state, { until: 300 }), 'waiting')).not.toContainEqual(
      expect.stringContaining('WorkCreated'),
    );
    expect(story(run(state, { events: [[1, gone]], until: 300 }), 'waiting')).toContainEqual(
      expect.stringContaining('WorkCreated east-1'),
    );
  });
});

describe('a Pull member', () => {
  test('removes deleted resources at once after its recovery, however long its agent was down', () => {
    const pull = [cluster('east-1'), cluster('west-1')];
    pull[0]!.spec!.syncMode = 'Pull';
    const web = deployment('web', {
      placement: anywhere,
      clusters: [{ name: 'east-1', replicas: 2 }],
      replicas: 2,
    });
    const simulation = run(world(pull, [web]), {
      events: [
        [1, { type: 'fail', cluster: 'east-1' }],
        [1500, { type: 'recover', cluster: 'east-1' }],
      ],
    });
    const ready = simulation.events.find(
      ({ type, cluster: where, message }) =>
        type === 'ConditionChanged' && where === 'east-1' && message === 'Ready=True',
    )!;
    const removed = simulation.events.find(
      ({ type, cluster: where }) => type === 'WorkRemoved' && where === 'east-1',
    )!;
    expect(removed.time - ready.time).toBeLessThan(500);
  });

  test('is False while its agent reports False, and Unknown only without reports', () => {
    const readiness = (status: 'False' | 'Unknown', action: 'condition' | 'fail') => {
      const pull = cluster('east-1');
      pull.spec!.syncMode = 'Pull';
      const happens =
        action === 'fail'
          ? { type: action, cluster: 'east-1' }
          : { type: action, cluster: 'east-1', condition: { type: 'Ready', status } };
      return run(world([pull, cluster('west-1')], []), { events: [[1, happens]], until: 300 })
        .events.filter(({ type }) => type === 'ConditionChanged')
        .map(({ message }) => message);
    };
    expect(readiness('False', 'condition')).toEqual(['Ready=False']);
    expect(readiness('Unknown', 'condition')).toEqual(['Ready=Unknown']);
    expect(readiness('Unknown', 'fail')).toEqual(['Ready=Unknown']);
  });
});

describe('a copy that was preserved after its workload moved', () => {
  const web = (conflictResolution: string) =>
    deployment('web', {
      placement: {
        ...anywhere,
        spreadConstraints: [],
        replicaScheduling: { replicaSchedulingType: 'Duplicated' },
      },
      clusters: [
        { name: 'east-1', replicas: 2 },
        { name: 'west-1', replicas: 2 },
      ],
      replicas: 2,
      spec: { preserveResourcesOnDeletion: true, conflictResolution },
    });
  const workload = { kind: 'Deployment', namespace: 'shop', name: 'web' };
  const comeBack = (conflictResolution: string, health: 'Healthy' | 'Unhealthy') =>
    run(world(clusters, [web(conflictResolution)]), {
      events: [
        [1, { type: 'taint', cluster: 'east-1', taint: { key: 'x', effect: 'NoExecute' } }],
        [50, { type: 'health', workload, cluster: 'east-1', health }],
        [100, { type: 'untaint', cluster: 'east-1', key: 'x' }],
      ],
      until: 300,
    });
  const healthOnEast = (conflictResolution: string, health: 'Healthy' | 'Unhealthy' = 'Healthy') =>
    comeBack(conflictResolution, health)
      .events.filter(({ type, cluster: where }) => type === 'HealthChanged' && where === 'east-1')
      .map(({ message }) => message)
      .at(-1);

  test('is not adopted after the recovery with Abort: its health is Unknown', () => {
    expect(healthOnEast('Abort')).toBe('Unknown');
  });

  test('is adopted with Overwrite: it is Healthy at once', () => {
    expect(healthOnEast('Overwrite')).toBe('Healthy');
  });

  test('becomes Unhealthy like others, although no Work reports it', () => {
    expect(healthOnEast('Overwrite', 'Unhealthy')).toBe('Unhealthy');
  });
});

describe('a DaemonSet', () => {
  test('needs the same time to become Healthy as workloads with replicas', () => {
    const resource = { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: 'shop', name: 'web' };
    const state = [cluster('east-1'), cluster('west-1')];
    for (const one of state)
      one.status!.apiEnablements = [{ groupVersion: 'apps/v1', resources: [{ kind: 'DaemonSet' }] }];
    const placement: Placement = { ...anywhere };
    delete placement.replicaScheduling;
    const daemonSet = deployment('web', { placement, clusters: [{ name: 'east-1' }], spec: { resource } });
    const simulation = run(world(state, [daemonSet]), {
      events: [[1, { type: 'taint', cluster: 'east-1', taint: { key: 'x', effect: 'NoExecute' } }]],
    });
    const steps = story(simulation, 'web');
    expect(steps).toContain('1s WorkCreated west-1');
    // it has no replicas to report
    expect(simulation.events.find(({ type }) => type === 'WorkCreated')!.message).toBeUndefined();
    expect(steps).toContain('24s TaskEnded east-1');
  });
});

describe('a state captured during a change', () => {
  test('gets the Works that were not created yet', () => {
    const scheduled = withId(
      deployment('web', { placement: anywhere, clusters: [{ name: 'west-1', replicas: 2 }], replicas: 2 }),
    );
    scheduled.status = { ...scheduled.status, lastScheduledTime: seconds(-1), aggregatedStatus: [] };
    const other = withId(
      deployment('api', { placement: anywhere, clusters: [{ name: 'east-1', replicas: 2 }], replicas: 2 }),
    );
    const state: World = { ...world(clusters, [scheduled, other]), works: [work(other, 'east-1')] };
    expect(story(run(state, {}), 'web')).toContain('0s WorkCreated west-1');
  });

  describe('without a Work that the binding requires', () => {
    const [web, api] = ['web', 'api'].map((name) =>
      withId(
        deployment(name, { placement: anywhere, clusters: [{ name: 'west-1', replicas: 2 }], replicas: 2 }),
      ),
    ) as [ResourceBinding, ResourceBinding];
    const played = (status: Partial<ResourceBinding['status']>, metadata: object = {}) => {
      const open = {
        ...web,
        metadata: { ...web.metadata, ...metadata },
        status: { ...web.status, ...status },
      };
      return run({ ...world(clusters, [open, api]), works: [work(api, 'west-1')] }, {});
    };

    test('creates the Work at once if its status was never reported, and replicas start then', () => {
      const simulation = played({ aggregatedStatus: [], lastScheduledTime: undefined });
      expect(story(simulation, 'web')).toEqual([
        '0s WorkCreated west-1',
        '0s HealthChanged west-1',
        '22s HealthChanged west-1',
      ]);
      expect(outcomeOf(simulation, 'web').dependsOn?.join() ?? '').not.toContain('the Work on west-1');
    });

    test('creates the Work at once if the scheduler has not updated the binding status yet', () => {
      expect(story(played({}, { generation: 3 }), 'web')).toContain('0s WorkCreated west-1');
    });

    test('does not create the Work if it was reported and the spec was scheduled long ago', () => {
      const simulation = played({});
      expect(story(simulation, 'web')).toEqual([]);
      expect(outcomeOf(simulation, 'web').dependsOn?.join()).toContain('whether the Work on west-1 is still');
    });
  });

  test('gets the bindings that were not created yet', () => {
    const policy = {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: {
        name: 'web',
        namespace: 'shop',
        labels: { 'propagationpolicy.karmada.io/permanent-id': 'p' },
      },
      spec: {
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
        placement: anywhere,
      },
    };
    const state: World = { ...world(clusters, []), policies: [policy], others: [template('web')] };
    expect(story(run(state, {}), 'web')).toContainEqual(expect.stringContaining('WorkCreated'));
  });

  const starting = () => {
    const web = withId(
      deployment('web', { placement: anywhere, clusters: [{ name: 'west-1', replicas: 2 }], replicas: 2 }),
    );
    web.status!.lastScheduledTime = seconds(-5);
    web.status!.aggregatedStatus = [{ clusterName: 'west-1', applied: true, health: 'Unhealthy' }];
    return web;
  };

  test('lets a starting replica become ready on time, whenever it is first read', () => {
    const healthyAt = (taintAt: number) =>
      run(world(clusters, [starting()]), {
        events: [[taintAt, { type: 'taint', cluster: 'east-1', taint: { key: 'x', effect: 'NoExecute' } }]],
      }).events.find(({ type, message }) => type === 'HealthChanged' && message === 'Healthy')?.time;
    expect(healthyAt(1)).toBeDefined();
    expect(healthyAt(600)).toBe(healthyAt(1));
  });

  test('has the same outcome without its Works and without aggregatedStatus', () => {
    const web = withId(
      deployment('web', { placement: anywhere, clusters: [{ name: 'east-1', replicas: 2 }], replicas: 2 }),
    );
    const bare = { ...web, status: { ...web.status } };
    delete bare.status.aggregatedStatus;
    const when = {
      events: [[1, { type: 'fail', cluster: 'east-1' }]] as [[number, { type: 'fail'; cluster: string }]],
    };
    const whole = run({ ...world(clusters, [web]), works: [work(web, 'east-1')] }, when);
    const withoutWorks = run(world(clusters, [web]), when);
    const withoutStatus = run(world(clusters, [bare]), when);
    expect(story(withoutWorks, 'web')).toEqual(story(whole, 'web'));
    expect(outcomeOf(withoutStatus, 'web').after).toEqual(outcomeOf(whole, 'web').after);
  });
});

test('the Works of a deleted execution namespace are deleted after five seconds and not recreated', () => {
  const web = withId(
    deployment('web', { placement: anywhere, clusters: [{ name: 'east-1', replicas: 2 }], replicas: 2 }),
  );
  const simulation = run(
    { ...world(clusters, [web]), works: [work(web, 'east-1')] },
    { events: [[1, { type: 'delete', target: { kind: 'Namespace', name: 'karmada-es-east-1' } }]] },
  );
  expect(story(simulation, 'web')).toEqual(
    expect.arrayContaining(['6s WorkDeleted east-1', '6s WorkRemoved east-1']),
  );
  expect(outcomeOf(simulation, 'web')).toMatchObject({ outcome: 'lost', down: true });
});

describe('the health of a custom kind without an interpreter in the state', () => {
  const fails: ScenarioAction = { type: 'fail', cluster: 'east-1' };
  const crane = (apiVersion: string, health: 'Healthy' | 'Unhealthy', replicas = 0) => {
    const made = deployment('crane', {
      placement: anywhere,
      clusters: [{ name: 'east-1', ...(replicas && { replicas }) }],
      replicas,
      spec: { resource: { apiVersion, kind: 'Crane', namespace: 'shop', name: 'crane' } },
    });
    made.status!.aggregatedStatus![0]!.health = health;
    return made;
  };
  const reported = (state: Partial<World>, binding: ResourceBinding) => {
    const { certainty, dependsOn = [] } = outcomeOf(
      run({ ...world(clusters, [binding]), ...state }, { events: [[1, fails]] }),
      'crane',
    );
    return { certainty, interpreter: dependsOn.filter((what) => what.includes('ResourceInterpreter')) };
  };
  const otherKinds = {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name: 'widgets' },
    spec: { target: { apiVersion: 'example.io/v1', kind: 'Widget' }, customizations: {} },
  } as unknown as KubernetesObject;

  test('is unknown, and the kinds to add to the state are listed', () => {
    expect(reported({}, crane('example.io/v1', 'Healthy'))).toEqual({
      certainty: 'unknown',
      interpreter: [
        'whether Karmada can judge the health of a Crane: the state has no interpreters, add ResourceInterpreterCustomization and ResourceInterpreterWebhookConfiguration to the state',
      ],
    });
  });

  test('is unknown, despite interpreters of other kinds, if the reported status shows an interpreter', () => {
    const others = [otherKinds];
    expect(reported({ others }, crane('example.io/v1', 'Healthy')).interpreter).toEqual([]);
    expect(reported({ others }, crane('example.io/v1', 'Unhealthy')).interpreter).toEqual([
      expect.stringContaining('although one is reported Unhealthy'),
    ]);
    expect(reported({ others }, crane('example.io/v1', 'Healthy', 2)).interpreter).toEqual([
      expect.stringContaining('although its replicas are known'),
    ]);
  });

  test('is certain for a Kubernetes kind, or if the control plane has no interpreters', () => {
    expect(reported({}, crane('storage.k8s.io/v1', 'Healthy')).interpreter).toEqual([]);
    expect(reported({ unread: [] }, crane('example.io/v1', 'Healthy')).interpreter).toEqual([]);
  });
});

describe('an unjoined cluster', () => {
  const unjoin: ScenarioAction = { type: 'delete', target: { kind: 'Cluster', name: 'east-1' } };
  const pinned: Placement = { clusterAffinity: { clusterNames: ['east-1'] } };
  const web = () =>
    withId(
      deployment('web', { placement: pinned, clusters: [{ name: 'east-1', replicas: 2 }], replicas: 2 }),
    );
  const gone = ({ events }: ReturnType<typeof run>) =>
    events
      .filter(({ type, object }) => type === 'ObjectDeleted' && object.kind === 'Cluster')
      .map(({ time }) => Math.round((time - START) / 1000));

  test('moves its workloads, and is deleted five seconds later with its execution namespace', () => {
    const api = withId(
      deployment('api', { placement: anywhere, clusters: [{ name: 'east-1', replicas: 2 }], replicas: 2 }),
    );
    const simulation = run(world(clusters, [api]), { events: [[1, unjoin]] });
    // Its next status is an event, too.
    expect(gone(simulation)).toEqual([1, 6]);
    expect(story(simulation, 'api')).toEqual(
      expect.arrayContaining(['1s Scheduled', '1s WorkCreated west-1', '1s WorkDeleted east-1']),
    );
    expect(outcomeOf(simulation, 'api')).toMatchObject({ after: [{ name: 'west-1' }] });
  });

  // kube-controller-manager of the member: namespaceDeletionGracePeriod
  test('loses preserved resources with its namespaces', () => {
    const clusterNames = ['east-1', 'west-1'];
    const api = withId(
      deployment('api', {
        placement: { clusterAffinity: { clusterNames } },
        clusters: clusterNames.map((name) => ({ name, replicas: 2 })),
        replicas: 2,
        spec: { preserveResourcesOnDeletion: true },
      }),
    );
    const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    const works = clusterNames.flatMap((cluster): Work[] => [
      work(api, cluster, {
        metadata: {
          name: workName({ kind: 'Deployment', namespace: 'shop', name: 'api' }),
          namespace: `karmada-es-${cluster}`,
          labels: { 'resourcebinding.karmada.io/permanent-id': 'api-deployment' },
        },
        spec: { preserveResourcesOnDeletion: true },
      }),
      {
        apiVersion: 'work.karmada.io/v1alpha1',
        kind: 'Work',
        metadata: { namespace: `karmada-es-${cluster}`, name: workName({ kind: 'Namespace', name: 'shop' }) },
        spec: { workload: { manifests: [manifest] } },
        status: { conditions: [{ type: 'Applied', status: 'True' }] },
      },
    ]);
    const ready = (until: number) =>
      outcomeOf(run({ ...world(clusters, [api]), works }, { events: [[1, unjoin]], until }), 'api').gap;
    expect(ready(10)).toBeUndefined();
    expect(ready(20)).toMatchObject({ replicas: 2, open: true });
  });

  test('stays while another finalizer blocks a Work', () => {
    const held = { metadata: { finalizers: ['karmada.io/execution-controller', 'backup.io/keep'] } };
    const base = work(web(), 'east-1');
    const kept = {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      ...base,
      metadata: { ...base.metadata, ...held.metadata },
    };
    const simulation = run({ ...world(clusters, [web()]), works: [kept] }, { events: [[1, unjoin]] });
    expect(gone(simulation)).toEqual([1]);
    expect(simulation.atRest).toBe(true);
    const { namespace = '', name } = kept.metadata;
    const freed: ScenarioAction = {
      type: 'patch',
      target: { kind: 'Work', namespace, name },
      merge: { metadata: { finalizers: [] } },
    };
    const later = run(
      { ...world(clusters, [web()]), works: [kept] },
      {
        events: [
          [1, unjoin],
          [30, freed],
        ],
      },
    );
    expect(gone(later)[0]).toBe(1);
    expect(gone(later)[1]).toBeGreaterThanOrEqual(30);
  });

  test('gets no more Works, because its execution namespace is deleted first', () => {
    const later = withId(deployment('later', { placement: pinned, clusters: [], replicas: 2 }));
    const placedByHand: ScenarioAction = {
      type: 'patch',
      target: { kind: 'ResourceBinding', namespace: 'shop', name: 'later-deployment' },
      merge: { spec: { clusters: [{ name: 'east-1', replicas: 2 }] } },
    };
    const simulation = run(world(clusters, [later, web()]), {
      events: [
        [1, unjoin],
        [3, placedByHand],
      ],
    });
    expect(story(simulation, 'later')).not.toContainEqual(expect.stringContaining('WorkCreated'));
  });

  test('continues its deletion from a captured state', () => {
    const leaving = {
      ...clusters[0]!,
      metadata: { ...clusters[0]!.metadata, deletionTimestamp: seconds(-12) },
    };
    const simulation = run(
      { ...world([leaving, clusters[1]!], [web()]), works: [work(web(), 'east-1')] },
      {},
    );
    // the scheduler has not processed yet what still names it, and finds no other place
    expect(story(simulation, 'web')).toEqual(
      expect.arrayContaining(['0s ScheduleFailed', '0s WorkDeleted east-1']),
    );
    expect(outcomeOf(simulation, 'web')).toMatchObject({ outcome: 'lost', down: true });
  });
});

describe('a new copy of a custom resource', () => {
  const widget = { apiVersion: 'example.io/v1', kind: 'Widget' };
  const interpreter = {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name: 'widgets' },
    spec: {
      target: widget,
      customizations: {
        healthInterpretation: { luaScript: 'x' },
        replicaRevision: { luaScript: 'x' },
      },
    },
  } as unknown as KubernetesObject;
  const moved = (status: object): ResourceBinding => {
    const binding = deployment('crane', {
      placement: anywhere,
      clusters: [{ name: 'east-1', replicas: 2 }],
      replicas: 2,
      spec: {
        resource: { ...widget, namespace: 'shop', name: 'crane', uid: 'uid-crane' },
        failover: {
          cluster: {
            purgeMode: 'Directly',
            statePreservation: { rules: [{ aliasLabelName: 'ready', jsonPath: '{ .readyReplicas }' }] },
          },
        },
      },
    });
    binding.status!.aggregatedStatus![0]!.status = status;
    return binding;
  };
  const widgets = [cluster('east-1'), cluster('west-1')];
  for (const { status } of widgets)
    status!.apiEnablements!.push({ groupVersion: 'example.io/v1', resources: [{ kind: 'Widget' }] });
  const taint = (name: string) => ({
    type: 'taint' as const,
    cluster: name,
    taint: { key: 'x', effect: 'NoExecute' as const },
  });
  const stepsOf = (status: object) =>
    story(
      run(
        {
          ...world(widgets, [moved(status)]),
          others: [interpreter, { ...template('crane'), ...widget }],
        },
        {
          events: [
            [1, taint('east-1')],
            [5, { type: 'untaint', cluster: 'east-1', key: 'x' }],
            [8, taint('west-1')],
          ],
          until: 15,
        },
      ),
      'crane',
    );

  test('reports its replica counts before it is ready, so its state can be preserved', () => {
    expect(stepsOf({ observedGeneration: 1, replicas: 2, readyReplicas: 2 })).toContainEqual(
      expect.stringContaining('Evicted west-1'),
    );
  });
});

describe('when a Work is deleted while its cluster is not Ready', () => {
  const web = withId(
    deployment('web', { placement: anywhere, clusters: [{ name: 'east-1', replicas: 2 }], replicas: 2 }),
  );
  const target = { kind: 'Work', namespace: 'karmada-es-east-1', name: 'web-1' };
  const ready = (status: 'True' | 'False'): ScenarioAction => ({
    type: 'condition',
    cluster: 'east-1',
    condition: { type: 'Ready', status },
  });
  /** Retries come 2.6, 5.1, 10.2, 20.5, 41.0 and 81.9 s after the deletion. */
  const dependsOn = (readyAfter: number) => {
    const state = { ...world(clusters, [web]), works: [work(web, 'east-1')], taintPolicies: [] };
    const events: [number, ScenarioAction][] = [
      [1, ready('False')],
      [2, { type: 'delete', target }],
      [2 + readyAfter, ready('True')],
    ];
    return outcomeOf(run(state, { events }), 'web').dependsOn ?? [];
  };
  const phase = expect.stringContaining('east-1 becomes Ready within a second of a retry');

  test.each([40.5, 41.5])('the retry time is uncertain if the cluster is Ready %s s later', (after) => {
    expect(dependsOn(after)).toContainEqual(phase);
  });

  test.each([30, 60])('the next retry is certain if the cluster is Ready %s s later', (after) => {
    expect(dependsOn(after)).not.toContainEqual(phase);
  });

  test('a retry that is soon followed by the next one causes no uncertainty', () => {
    expect(dependsOn(5)).not.toContainEqual(phase);
  });
});
