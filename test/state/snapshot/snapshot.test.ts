import { describe, expect, test } from '@jest/globals';
import type { SavedSimulation } from '../../../src/simulator/store/savedSimulation.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicySpec, MatchCondition } from '../../../src/karmada/api/policy.ts';
import { stateFromFiles } from '../../../src/state/fileSource.ts';
import { savedStateText, snapshotText } from '../../../src/state/snapshot/snapshot.ts';
import type { LoadedState } from '../../../src/state/source.ts';

const none = { commandLines: [], versions: [], warnings: [] };
const stateOf = (world: Partial<World>, more: Partial<LoadedState> = {}): LoadedState => ({
  world: { clusters: [], bindings: [], works: [], policies: [], taintPolicies: [], others: [], ...world },
  origins: [],
  components: none,
  warnings: [],
  ...more,
});
const saved = (state: LoadedState): string => [...snapshotText(state)].join('');
const items = (state: LoadedState) => (JSON.parse(saved(state)) as { items: KubernetesObject[] }).items;
const load = (text: string) => stateFromFiles(['-'], () => [Buffer.from(text)]).load();
const object = (apiVersion: string, kind: string, fields: object = {}): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name: 'one', namespace: 'shop' },
  ...fields,
});

describe('a snapshot keeps', () => {
  test('versions, flags, warnings and unread kinds of the state', async () => {
    const state = stateOf(
      { unread: [{ kind: 'Work', missing: 'list on works.work.karmada.io' }] },
      {
        captured: { time: Date.parse('2026-09-01T10:00:00.250Z'), source: 'the clock of the API server' },
        detected: { version: 'v1.18', source: 'the API has overflowAffinities, as in v1.18' },
        components: {
          commandLines: [
            {
              component: 'controllerManager',
              flags: [{ name: 'feature-gates', value: 'Failover=true' }],
              source: 'Deployment karmada-system/karmada-controller-manager',
            },
          ],
          versions: [{ component: 'controllerManager', version: 'v1.18.2', source: 'Deployment x' }],
          warnings: ['two run'],
        },
        warnings: ['works could not be read'],
      },
    );
    const { world, captured, detected, components, warnings } = await load(saved(state));
    expect({ unread: world.unread, captured, detected, components }).toEqual({
      unread: state.world.unread,
      captured: state.captured,
      detected: state.detected,
      components: state.components,
    });
    expect(warnings).toContain('works could not be read');
  });

  test('the newest time in files, even from an omitted object', async () => {
    const newestTimestamp = {
      time: Date.parse('2026-09-01T10:00:00Z'),
      object: { kind: 'Event', name: 'e' },
    };
    expect(await load(saved(stateOf({}, { newestTimestamp })))).toMatchObject({ newestTimestamp });
  });

  test('ClusterTaintPolicies of both forms, with unknown fields', async () => {
    const policy = (name: string, spec: ClusterTaintPolicySpec) => ({
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterTaintPolicy',
      metadata: { name, creationTimestamp: '2026-08-01T00:00:00Z' },
      spec: { ...spec, later: { of: ['a version', 'to come'] } },
    });
    const entry: MatchCondition = {
      conditionType: 'Ready',
      operator: 'In',
      statusValues: ['False', 'Unknown'],
    };
    const taint = { key: 'not-ready', value: 'v' };
    const both = [
      policy('proposed', {
        targetCluster: { labelSelector: { matchLabels: { tier: 'one' } } },
        matchConditions: [entry],
        taintsToAdd: [
          { ...taint, effect: 'PreferNoExecute', addOnMatchSeconds: 60, removeOnMismatchSeconds: 30 },
        ],
      }),
      policy('shipped', {
        targetClusters: { exclude: ['east-1'] },
        addOnConditions: [entry],
        removeOnConditions: [{ ...entry, statusValues: ['True'] }],
        taints: [{ ...taint, effect: 'NoExecute' }],
      }),
    ];
    const { world } = await load(saved(stateOf({ taintPolicies: both })));
    expect(world.taintPolicies).toEqual(both);
    // and once more
    expect((await load(saved(stateOf(world)))).world.taintPolicies).toEqual(both);
  });

  test('the --controllers flag of karmada-controller-manager', async () => {
    const flags = [
      { name: 'controllers', value: '*,-gracefulEviction' },
      { name: 'token', value: 'hidden' },
    ];
    const commandLines = [{ component: 'controllerManager' as const, flags, source: 'Deployment x' }];
    const { components } = await load(saved(stateOf({}, { components: { ...none, commandLines } })));
    expect(components.commandLines[0]!.flags).toEqual([flags[0], { name: 'token', value: '***' }]);
  });

  test('each object on one line', () => {
    const others = [object('v1', 'ConfigMap'), object('v1', 'Service')];
    const lines = saved(stateOf({ others })).split('\n');
    expect(lines.filter((line) => line.startsWith('{"apiVersion"'))).toHaveLength(2);
  });
});

describe('a snapshot omits', () => {
  test('Secrets, and the data of ConfigMaps and other irrelevant objects', () => {
    const others = [
      object('v1', 'Secret', { data: { a: 'hidden' } }),
      object('v1', 'ConfigMap', { data: { a: 'hidden' }, binaryData: { b: 'hidden' } }),
      object('example.com/v1', 'Database', { spec: { password: 'hidden' }, status: { url: 'hidden' } }),
      object('apiregistration.k8s.io/v1', 'APIService', { spec: { caBundle: 'hidden' }, status: {} }),
    ];
    expect(items(stateOf({ others })).map(({ kind, ...rest }) => [kind, Object.keys(rest)])).toEqual([
      ['ConfigMap', ['apiVersion', 'metadata']],
      ['Database', ['apiVersion', 'metadata']],
      ['APIService', ['apiVersion', 'metadata', 'status']],
    ]);
  });

  test('the values that overrides write, except replicas', () => {
    const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'Deployment' }];
    const targetCluster = { clusterNames: ['member1'] };
    const path = '/spec/template/spec/containers/0/env';
    const written = [
      { path, operator: 'add', value: [{ name: 'TOKEN', value: 'hidden' }] },
      { path: '/spec/replicas', operator: 'replace', value: 3 },
    ];
    const image = { component: 'Registry', operator: 'replace' };
    const overriders = {
      plaintext: written,
      imageOverrider: [{ ...image, value: 'hidden.example.com' }],
      argsOverrider: [{ containerName: 'web', operator: 'add', value: ['--pin=hidden'] }],
    };
    const [kept] = items(
      stateOf({
        others: [
          object('policy.karmada.io/v1alpha1', 'OverridePolicy', {
            spec: { resourceSelectors, overrideRules: [{ targetCluster, overriders }] },
          }),
        ],
      }),
    );
    expect(kept).toMatchObject({ kind: 'OverridePolicy' });
    expect(Object(kept).spec).toEqual({
      resourceSelectors,
      overrideRules: [
        {
          targetCluster,
          overriders: { plaintext: [{ path, operator: 'add' }, written[1]], imageOverrider: [image] },
        },
      ],
    });
  });

  test('fields of templates and manifests, except replicas and scheduling requirements', () => {
    const podSpec = {
      containers: [
        {
          name: 'main',
          image: 'hidden',
          env: [{ name: 'PASSWORD', value: 'hidden' }],
          args: ['--password=hidden'],
          resources: { requests: { cpu: '1' } },
        },
      ],
      nodeSelector: { disk: 'ssd' },
      volumes: [{ name: 'hidden' }],
    };
    const spec = { replicas: 3, template: { metadata: { annotations: { a: 'hidden' } }, spec: podSpec } };
    const work = {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: { name: 'cart', namespace: 'karmada-es-one' },
      spec: {
        workload: {
          manifests: [
            object('apps/v1', 'Deployment', { spec }),
            object('v1', 'Secret', { data: { a: 'hidden' } }),
          ],
        },
      },
    };
    const world = {
      works: [work as unknown as World['works'][number]],
      others: [object('apps/v1', 'Deployment', { spec, status: { readyReplicas: 'hidden' } })],
    };
    expect(saved(stateOf(world))).not.toContain('hidden');
    expect(items(stateOf(world))).toEqual([
      {
        ...work,
        spec: {
          workload: {
            manifests: [object('apps/v1', 'Deployment', { spec: { replicas: 3 } }), object('v1', 'Secret')],
          },
        },
      },
      object('apps/v1', 'Deployment', {
        spec: {
          replicas: 3,
          template: {
            spec: {
              nodeSelector: { disk: 'ssd' },
              containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }],
            },
          },
        },
      }),
    ]);
  });

  test('passwords of proxies', () => {
    const cluster = {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'one' },
      spec: {
        syncMode: 'Push',
        secretRef: { namespace: 'karmada-cluster', name: 'one' },
        proxyURL: 'https://user:hidden@proxy.example:3128/',
        proxyHeader: { 'Proxy-Authorization': 'hidden' },
      },
    } as unknown as World['clusters'][number];
    expect(items(stateOf({ clusters: [cluster] }))).toEqual([
      {
        ...cluster,
        spec: {
          syncMode: 'Push',
          secretRef: { namespace: 'karmada-cluster', name: 'one' },
          proxyURL: 'https://***@proxy.example:3128/',
        },
      },
    ]);
  });

  test('annotations of other projects', () => {
    const annotations = {
      'policy.karmada.io/applied-placement': '{}',
      'karmada-failover/drain': '{}',
      'vault.example.com/token': 'hidden',
      plain: 'hidden',
    };
    const metadata = { name: 'one', namespace: 'shop', annotations };
    const [kept] = items(stateOf({ others: [{ ...object('v1', 'ConfigMap'), metadata }] }));
    expect(Object.keys(kept!.metadata.annotations!)).toEqual([
      'policy.karmada.io/applied-placement',
      'karmada-failover/drain',
    ]);
  });

  test('values of irrelevant component flags', () => {
    const flags = [
      { name: 'etcd-password', value: 'hidden' },
      { name: 'resource-eviction-rate', value: '2' },
      { name: 'concurrent-work-syncs', value: '0' },
      { name: 'skipped-propagating-namespaces', value: 'shop' },
    ];
    const line = { component: 'controllerManager' as const, flags, source: 'Deployment x' };
    const text = saved(stateOf({}, { components: { ...none, commandLines: [line] } }));
    expect(text).not.toContain('hidden');
    const { components } = JSON.parse(text) as { components: { commandLines: { flags: unknown[] }[] } };
    expect(components.commandLines[0]?.flags).toEqual([
      { name: 'etcd-password', value: '***' },
      ...flags.slice(1),
    ]);
  });
});

test('a saved simulation redacts secrets in error messages of controllers', async () => {
  const queues = {
    failing: {
      'cluster-taint-policy-controller one': { since: 1, message: 'Invalid value: "token=hidden"' },
    },
  };
  const assumptions = { workloadReadyAfter: 1, neverReady: [{ name: '--token=hidden' }] };
  const simulation = { copies: {}, events: [], assumptions, queues } as unknown as SavedSimulation;
  const text = [...savedStateText(stateOf({ simulation } as Partial<World>))].join('');
  expect(text).not.toContain('hidden');
  expect(text).toContain('"message":"Invalid value: \\"token=***\\""');
});

describe('an invalid snapshot', () => {
  test.each([
    ['with another version', { schemaVersion: 'v9' }, 'schemaVersion is "v9"'],
    ['without components', { components: undefined }, 'Snapshot.components: nothing is not an object'],
    [
      'with an invalid time',
      { captured: { time: 'noon', source: '' } },
      'Snapshot.captured.time: "noon" is not an RFC 3339 time',
    ],
  ])('%s is refused', async (_, change, problem) => {
    const document = { ...(JSON.parse(saved(stateOf({}))) as object), ...change };
    await expect(load(JSON.stringify(document))).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(problem),
    });
  });
});
