import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { newestReleases } from '../../../../src/karmada/dialects/dialects.ts';
import { patched } from './applied.ts';
import { karmadasSamples } from '../../../fixtures/karmadasSamples.ts';
import { copyOf, placed, replicasOn, reported, web, webPolicy } from './examples/example.ts';
import { placedOnMissing } from '../../../../src/analysis/findings/state/checks/undone.ts';
import { diagnosed, diagnosedFile, examinedAsLive } from './diagnosed.ts';
import { changed, type Written } from './healthyWorld.ts';

// Healthy control planes: each release with each way to choose clusters and to divide replicas. Doctor must find nothing.

const divided = { replicaSchedulingType: 'Divided' };
const everywhere = ['member1', 'member2', 'member3'];
const two = ['member1', 'member2'];
const unset = { replicaDivisionPreference: null, weightPreference: null };

/** How replicas are divided, and how many of four replicas each cluster then has. */
const strategies: Record<string, Strategy> = {
  Duplicated: {
    scheduling: { ...unset, replicaSchedulingType: 'Duplicated' },
    replicas: (names) => names.map(() => 4),
  },
  'by room': {
    scheduling: {
      ...divided,
      replicaDivisionPreference: 'Weighted',
      weightPreference: { dynamicWeight: 'AvailableReplicas' },
    },
    replicas: () => [2, 2],
  },
  'by static weights': {
    scheduling: {
      ...divided,
      replicaDivisionPreference: 'Weighted',
      weightPreference: {
        dynamicWeight: null,
        staticWeightList: two.map((name) => ({ targetCluster: { clusterNames: [name] }, weight: 1 })),
      },
    },
    replicas: () => [2, 2],
  },
  Aggregated: {
    scheduling: { ...divided, replicaDivisionPreference: 'Aggregated', weightPreference: null },
    replicas: () => [4],
  },
  'Aggregated on two': {
    scheduling: { ...divided, replicaDivisionPreference: 'Aggregated', weightPreference: null },
    replicas: () => [3, 1],
  },
};

/** How clusters are chosen, and which of them the workload is on. */
const choices: Record<string, Choice> = {
  'by names': { placement: { clusterAffinity: { clusterNames: everywhere } }, names: everywhere },
  'all of them': { placement: { clusterAffinity: null }, names: everywhere },
  'all but one': { placement: { clusterAffinity: { clusterNames: null, exclude: ['member3'] } }, names: two },
  'by groups': {
    placement: {
      clusterAffinity: null,
      clusterAffinities: [
        { affinityName: 'primary', clusterNames: two },
        { affinityName: 'backup', clusterNames: ['member3'] },
      ],
    },
    names: two,
    group: 'primary',
  },
  'spread over two regions of three': {
    placement: {
      clusterAffinity: { clusterNames: everywhere },
      spreadConstraints: [
        { spreadByField: 'region', minGroups: 2, maxGroups: 3 },
        { spreadByField: 'cluster', minGroups: 2, maxGroups: 3 },
      ],
    },
    names: everywhere,
  },
};

/** The healthy control plane limited to a release: flags and policies of NoExecute came with v1.14. */
function ofRelease(version: string): Written[] {
  const objects = changed({ version });
  const [, minor] = version.split('.');
  if (Number(minor) >= 14) return objects;
  const known = JSON.stringify(objects.filter(({ kind }) => kind !== 'ClusterTaintPolicy'))
    .replace(',"--enable-no-execute-taint-eviction=true"', '')
    .replace(',"--allow-no-execute-taint-policy=true"', '');
  return JSON.parse(known) as Written[];
}

interface Choice {
  placement: object;
  names: readonly string[];
  group?: string;
}
interface Strategy {
  scheduling: object;
  replicas: (names: readonly string[]) => (number | undefined)[];
}

function healthy(
  version: string,
  { placement, names, group }: Choice,
  { scheduling, replicas }: Strategy,
): Written[] {
  const clusters = replicas(names).map((count, at) => ({ name: names[at]!, replicas: count }));
  const ready = { replicas: 4, readyReplicas: 4, availableReplicas: 4, updatedReplicas: 4 };
  const ofPolicy = patched(
    ofRelease(version),
    { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' },
    { spec: { placement: { ...placement, replicaScheduling: scheduling } } },
  );
  // each cluster has its Work
  const [work] = ofPolicy.filter(({ kind }) => kind === 'Work');
  const works = clusters.map(({ name }) => ({
    ...work!,
    metadata: { ...work!.metadata, namespace: `karmada-es-${name}` },
  }));
  const applied = [...ofPolicy.filter(({ kind }) => kind !== 'Work'), ...works];
  return ['web-deployment', 'web-service', 'web-config-configmap'].reduce((objects, name) => {
    const own = name === 'web-deployment' ? clusters : names.map((one) => ({ name: one }));
    return patched(
      objects,
      { kind: 'ResourceBinding', namespace: 'shop', name },
      {
        spec: { clusters: own },
        status: {
          ...(group && { schedulerObservingAffinityName: group }),
          aggregatedStatus: own.map((one) => ({
            clusterName: one.name,
            applied: true,
            health: 'Healthy',
            ...(name === 'web-deployment' && { status: ready }),
          })),
        },
      },
    );
  }, applied);
}

/** The policy tolerates this, and member1 has these taints. */
function tolerating(toleration: object, taints: object[]): Written[] {
  return patched(
    patched(changed({}), webPolicy, { spec: { placement: { clusterTolerations: [toleration] } } }),
    { kind: 'Cluster', name: 'member1' },
    { spec: { taints } },
  );
}

const states = newestReleases.flatMap((version) =>
  Object.keys(choices).flatMap((choice) =>
    Object.keys(strategies)
      // two clusters of one region do not spread
      .filter((strategy) => !choice.startsWith('spread') || strategy !== 'Aggregated')
      .map((strategy) => [version, choice, strategy] as const),
  ),
);

interface SamplePlacement {
  clusterAffinity?: { clusterNames?: string[] };
  replicaScheduling?: { replicaSchedulingType?: string };
}

/** The placements of the policies in Karmada's samples; none if its Go module is not installed. */
const samples = karmadasSamples().flatMap((directory) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => loadAll(readFileSync(join(directory, file), 'utf8')) as (Written | null)[])
    .flatMap((object) => {
      const { placement } = (object?.['spec'] ?? {}) as { placement?: SamplePlacement };
      return object?.kind.endsWith('PropagationPolicy') && placement ? [placement] : [];
    }),
);

/** Real control planes before their incidents, with correct policies; the other recordings have wrong ones on purpose. */
const recorded = [
  ...['application-failover', 'directly-with-state', 'manual-taint-and-cordon', 'member-fails'],
  ...['rebalance-back', 'incidents/0004', 'incidents/0005', 'incidents/0006', 'incidents/0007b'],
  ...['incidents/0011a', 'incidents/0209b', 'incidents/other-01b'],
].map((name) => `${name}/${name.startsWith('incidents') ? '01-before' : 'state'}.json.gz`);

/** The workload crashes on member1, which has capacity for one replica more. */
function crashing(): Written[] {
  const placement = {
    clusterAffinity: null,
    clusterAffinities: [
      { affinityName: 'primary', clusterNames: ['member1'] },
      { affinityName: 'backup', clusterNames: ['member2'] },
    ],
    replicaScheduling: { ...unset, replicaSchedulingType: 'Duplicated' },
  };
  const member1 = { kind: 'Cluster', name: 'member1' };
  const full = { allocated: { cpu: '15', memory: '8Gi', pods: '20' } };
  return patched(
    patched(changed(placed(placement, replicasOn('1', { member1: 4 }))), member1, {
      status: { resourceSummary: full },
    }),
    web,
    reported(copyOf('member1', 'Unhealthy', 0)),
  );
}

/** The status of the workload cannot be written, since this time. */
function conflict(count: number, firstTimestamp: string): Written {
  return {
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { namespace: 'shop', name: 'web.conflict' } },
    ...{ type: 'Warning', reason: 'AggregateStatusFailed', count, firstTimestamp },
    message: 'Operation cannot be fulfilled on deployments "web": the object has been modified',
    lastTimestamp: '2026-05-04T09:59:30Z',
    involvedObject: { kind: 'Deployment', namespace: 'shop', name: 'web' },
  };
}

test('repeated write conflicts with another program are a problem (#4823)', async () => {
  const { findings } = await diagnosed([...changed({}), conflict(80, '2026-05-04T08:00:00Z')]);
  expect(findings[0]).toMatchObject({
    check: 'failure-reported',
    remedy: { text: expect.stringMatching(/^stop the other program/) },
  });
});

describe('doctor reports no problem in a healthy control plane', () => {
  test.each(recorded)('in the recording %s before its incident', async (file) => {
    const { findings } = await diagnosedFile(join('test/recordings/data', file));
    expect(findings.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([]);
  });

  (samples.length > 0 ? test : test.skip)("with the placements of Karmada's own samples", async () => {
    for (const { clusterAffinity, replicaScheduling, ...others } of samples) {
      const own = clusterAffinity?.clusterNames?.filter((name) => everywhere.includes(name)) ?? [];
      const names = own.length > 0 ? own : everywhere;
      const placement = { clusterAffinity: { ...clusterAffinity, clusterNames: names }, ...others };
      const isDivided = replicaScheduling?.replicaSchedulingType === 'Divided';
      const strategy: Strategy = {
        scheduling: { ...unset, replicaSchedulingType: 'Duplicated', ...replicaScheduling },
        replicas: () =>
          names.map((_, at) => (isDivided ? [[4], [2, 2], [2, 1, 1]][names.length - 1]![at] : 4)),
      };
      const objects = everywhere.reduce(
        (left, name) => patched(left, { kind: 'Cluster', name }, { spec: { provider: 'huaweicloud' } }),
        healthy('v1.18.2', { placement, names }, strategy),
      );
      const { findings } = await diagnosed(objects);
      const errors = findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
      expect({ placement, errors }).toEqual({ placement, errors: [] });
    }
    expect(samples.length).toBeGreaterThan(5);
  });

  test.each<[id: string, what: string, objects: Written[]]>([
    ...['full-cluster-chosen', 'duplicated-ignores-room'].map((id): [string, string, Written[]] => [
      id,
      'a crash on a cluster with little room, where no Pod waits for a node',
      crashing(),
    ]),
    [
      'failure-reported',
      'conflicts of writes that a retry ends',
      [...changed({}), conflict(3, '2026-05-04T09:59:00Z')],
    ],
    [
      'weights-leave-out-cluster',
      'a backup group without weights, which divides equally',
      patched(changed({}), webPolicy, {
        spec: {
          placement: {
            ...choices['by groups']!.placement,
            replicaScheduling: strategies['by static weights']!.scheduling,
          },
        },
      }),
    ],
    [
      'weights-leave-out-cluster',
      'static weights that Duplicated scheduling ignores',
      patched(changed({}), webPolicy, {
        spec: {
          placement: {
            replicaScheduling: {
              ...strategies['by static weights']!.scheduling,
              replicaSchedulingType: 'Duplicated',
            },
          },
        },
      }),
    ],
    [
      'bug-purge-mode-ignored-at-once',
      'a workload without tolerations, evicted in the purge mode of the flag',
      changed({
        version: 'v1.14.3',
        flags: { controllerManager: ['--no-execute-taint-eviction-purge-mode=Directly'] },
      }),
    ],
    [
      'toleration-effect-differs',
      'a taint with two effects, one of them tolerated',
      tolerating({ key: 'away', operator: 'Exists', effect: 'NoExecute' }, [
        { key: 'away', effect: 'NoExecute' },
        { key: 'away', effect: 'NoSchedule' },
      ]),
    ],
    [
      'toleration-effect-differs',
      'a toleration that ends for NoExecute, on a failed cluster with NoSchedule',
      tolerating(
        {
          key: 'cluster.karmada.io/not-ready',
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        },
        [{ key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' }],
      ),
    ],
    [
      'toleration-effect-differs',
      'a toleration with the value of another taint',
      tolerating({ key: 'away', value: 'a', effect: 'NoSchedule' }, [
        { key: 'away', value: 'b', effect: 'NoExecute' },
      ]),
    ],
    [
      'scheduler-plugin-left-out',
      'a repeated flag whose lists are merged',
      changed({ flags: { scheduler: ['--plugins=*', '--plugins=Own'] } }),
    ],
    [
      'api-not-served',
      'a cluster that already runs the workload',
      patched(changed({}), { kind: 'Cluster', name: 'member2' }, { status: { apiEnablements: [] } }),
    ],
    [
      'policy-missing',
      'files that contain only another kind of policy',
      changed({
        patches: [{ target: webPolicy, merge: null }],
        adds: [
          {
            apiVersion: 'policy.karmada.io/v1alpha1',
            kind: 'ClusterPropagationPolicy',
            metadata: { name: 'other' },
            spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'Secret' }] },
          },
        ],
      }),
    ],
    [
      'alert-on-unknown-metric',
      'a metric from a recording rule',
      patched(
        changed({}),
        { kind: 'PrometheusRule', namespace: 'monitoring', name: 'karmada' },
        {
          spec: {
            groups: [
              {
                rules: [
                  { record: 'karmada_evictions', expr: 'sum(eviction_queue_depth)' },
                  { alert: 'Evictions', expr: 'karmada_evictions > 100' },
                ],
              },
            ],
          },
        },
      ),
    ],
    [
      'placed-on-missing-cluster',
      'files with an execution space but without its Cluster',
      changed({}).filter(({ kind, metadata }) => kind !== 'Cluster' || metadata.name !== 'member2'),
    ],
    ...[
      { creationTimestamp: '2026-05-04T09:59:50Z' },
      { managedFields: [{ manager: 'kubectl', time: '2026-05-04T09:59:50Z' }] },
    ].map((metadata): [string, string, Written[]] => [
      'policy-not-applied',
      `a policy written ten seconds ago, by its ${Object.keys(metadata)[0]!}`,
      patched(changed({}), webPolicy, {
        metadata,
        spec: { placement: { clusterAffinity: { clusterNames: two } } },
      }),
    ]),
  ])('for %s with %s', async (id, _what, objects) => {
    const { findings } = await diagnosed(objects, { only: [id] });
    expect(findings.map(({ message }) => message)).toEqual([]);
  });

  test('except a note for files with only one of three clusters', async () => {
    const part = changed({}).filter(
      ({ kind, metadata }) =>
        !['Work', 'Namespace'].includes(kind) && (kind !== 'Cluster' || metadata.name === 'member1'),
    );
    const { findings } = await diagnosed(part, { only: ['placed-on-missing-cluster'] });
    expect(findings.map(({ severity }) => severity)).toEqual(['note', 'note']);
    expect(findings[0]?.message).toMatch(/it was unjoined, or is not in these files/);
  });

  test('unless a live state has an execution space without its Cluster', async () => {
    const left = changed({}).filter(
      ({ kind, metadata }) => kind !== 'Cluster' || metadata.name !== 'member2',
    );
    await diagnosed(left, { only: [placedOnMissing.id] });
    const live = await examinedAsLive();
    expect(placedOnMissing.find(live)).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/: placed on member2, and there is no such cluster$/),
      }),
    ]);
  });

  test('in at least 200 states', () => expect(states.length).toBeGreaterThanOrEqual(200));

  test.each(newestReleases)('in %s, for any choice of clusters and division of replicas', async (release) => {
    const said: string[] = [];
    for (const [version, choice, strategy] of states.filter(([one]) => one === release)) {
      const { findings } = await diagnosed(healthy(version, choices[choice]!, strategies[strategy]!));
      for (const { severity, check, message } of findings)
        if (severity !== 'note') said.push(`${choice}, ${strategy}: ${check}: ${message}`);
    }
    // a permanent bug of these two releases, which this placement triggers
    const isCrash = (text: string) => /^spread .*, Duplicated: bug-scheduler-divides-by-zero: /.test(text);
    expect(said.filter((text) => !isCrash(text))).toEqual([]);
    expect(said.some(isCrash)).toBe(/^v1\.1[23]\./.test(release));
  });
});
