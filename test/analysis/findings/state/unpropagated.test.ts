import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { explainFailover } from '../../../../src/useCases/explanation/explainFailover.ts';
import { quietPorts } from '../../../useCases/quietPorts.ts';
import { patched } from './applied.ts';
import { diagnosed } from './diagnosed.ts';
import { changed, NOW, type Written } from './healthyWorld.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';

const LONG_AGO = '2026-05-01T08:00:00Z';

const api = (metadata: object = {}): Written => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: { replicas: 1 },
  metadata: { namespace: 'shop', name: 'api', creationTimestamp: LONG_AGO, ...metadata },
});
const policy = (selector: object, namespace = 'shop', spec: object = {}): Written => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { namespace, name: 'api', creationTimestamp: LONG_AGO },
  spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', ...selector }], ...spec },
});
/** The healthy control plane whose own policy selects its workload by name. */
const shop = (...adds: Written[]): Written[] => [
  ...patched(
    changed({}),
    { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' },
    { spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }] } },
  ),
  ...adds,
];

/** Why explain says that no cluster gets an object. */
async function explainedUnbound(objects: readonly Written[], target: string): Promise<unknown> {
  const file = join(temporaryFolder('unbound-'), 'state.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  const explaining = explainFailover(
    {
      state: { source: { files: [file] }, at: { time: Date.parse(NOW), text: NOW } },
      target,
      failures: [],
      clusters: [],
    },
    quietPorts(),
  );
  return explaining.catch((error: { data: { broken: unknown } }) => error.data.broken);
}

const event = (reason: string, message: string, lastTimestamp: string, type = 'Warning'): Written => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { namespace: 'shop', name: `api.${reason}` },
  type,
  reason,
  message,
  lastTimestamp,
  involvedObject: { kind: 'Deployment', namespace: 'shop', name: 'api' },
});

describe('doctor and explain report the reason why no cluster gets a workload', () => {
  const refused = event(
    'ApplyPolicyFailed',
    'failed calling webhook "rb.karmada.io"',
    '2026-05-04T09:55:00Z',
  );
  const cases: [string, Written[], string, RegExp][] = [
    [
      'a PropagationPolicy in another namespace (#3359)',
      shop(api(), policy({ name: 'api' }, 'other')),
      'policy-selects-nothing',
      /PropagationPolicy other\/api: .*selects only in namespace other, and Deployment shop\/api/,
    ],
    [
      'a selector with another apiVersion (#4255)',
      shop(api(), policy({ apiVersion: 'apps/v1beta1', name: 'api' })),
      'policy-selects-nothing',
      /its selector says apiVersion apps\/v1beta1, and Deployment shop\/api has apps\/v1/,
    ],
    [
      'a selector with other labels (#4255)',
      shop(api(), policy({ labelSelector: { matchLabels: { app: 'api' } } })),
      'policy-selects-nothing',
      /its labelSelector .* does not match the labels of Deployment shop\/api/,
    ],
    [
      'a selector with another name (#4255)',
      shop(api(), policy({ name: 'aip' })),
      'policy-selects-nothing',
      /its selector names aip, and no policy selects Deployment shop\/api/,
    ],
    [
      'a policy that does not exist (#6704)',
      shop(
        api({
          labels: { 'propagationpolicy.karmada.io/permanent-id': 'p9' },
          annotations: {
            'propagationpolicy.karmada.io/namespace': 'shop',
            'propagationpolicy.karmada.io/name': 'gone',
          },
        }),
      ),
      'policy-missing',
      /claimed by PropagationPolicy shop\/gone, which does not exist/,
    ],
    [
      'a webhook that refuses its binding (#5486)',
      shop(api(), policy({ name: 'api' }), refused),
      'failure-reported',
      /Deployment shop\/api: its policy is not applied \(ApplyPolicyFailed\): failed calling webhook/,
    ],
    [
      'a controller that has not created the binding (#2381)',
      shop(api(), policy({ name: 'api' })),
      'workload-without-binding',
      /PropagationPolicy shop\/api selects it, and there is no binding/,
    ],
    [
      'a missing override that the policy requires (#1140)',
      shop(api(), policy({ name: 'api' }, 'shop', { dependentOverrides: ['registry'] })),
      'dependent-override-missing',
      /waits for the override registry, which does not exist: no cluster gets Deployment shop\/api/,
    ],
    [
      'a namespace that Karmada never propagates (#6352)',
      shop(api({ namespace: 'karmada-system' }), policy({ name: 'api' }, 'karmada-system')),
      'propagation-skipped',
      /skips Deployment karmada-system\/api, which a policy selects/,
    ],
  ];

  test.each(cases)('%s', async (_, objects, check, says) => {
    const { findings } = await diagnosed(objects);
    expect(findings[0]).toMatchObject({ check, message: expect.stringMatching(says) });
    expect(await explainedUnbound(objects, 'deployment/api')).toMatchObject({
      check,
      message: expect.stringMatching(says),
    });
  });

  test('no policy for the workload, which only explain reports', async () => {
    const objects = shop(api());
    const { findings } = await diagnosed(objects);
    expect(findings).toEqual([]);
    expect(await explainedUnbound(objects, 'deploy.apps/api')).toMatchObject({
      message:
        'no policy selects Deployment shop/api: PropagationPolicy shop/web: its selector names web, and no policy selects Deployment shop/api',
    });
  });
});

describe('doctor ignores an Event of a failure', () => {
  const quiet: [string, Written[]][] = [
    ['that is old', [event('SyncWorkFailed', 'refused', '2026-05-04T09:30:00Z')]],
    [
      'before a later success',
      [
        event('SyncWorkFailed', 'refused', '2026-05-04T09:55:00Z'),
        event('SyncWorkSucceed', 'done', '2026-05-04T09:56:00Z', 'Normal'),
      ],
    ],
    [
      'that reports a write conflict',
      [event('SyncWorkFailed', 'the object has been modified; please apply', '2026-05-04T09:55:00Z')],
    ],
    ['of another component', [event('BackOff', 'restarting failed container', '2026-05-04T09:55:00Z')]],
  ];
  test.each(quiet)('%s', async (_, events) => {
    const { findings } = await diagnosed([...changed({}), ...events], { only: ['failure-reported'] });
    expect(findings).toEqual([]);
  });
});

describe('doctor reports first', () => {
  const web = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };
  const template = { kind: 'Deployment', namespace: 'shop', name: 'web' };
  const shopPolicy = { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' };
  const scaler = (kind: string, name: string, spec: object): Written => ({
    apiVersion: 'autoscaling.karmada.io/v1alpha1',
    kind,
    metadata: { namespace: 'shop', name: 'x' },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name }, ...spec },
  });
  const broken: [string, Written[], string, RegExp][] = [
    [
      'an autoscaler of a missing workload',
      [...changed({}), scaler('FederatedHPA', 'wbe', { minReplicas: 1, maxReplicas: 3 })],
      'reference-missing',
      /FederatedHPA shop\/x names Deployment shop\/wbe, which does not exist/,
    ],
    [
      'an autoscaler without metrics (#4692)',
      [
        ...changed({}),
        {
          ...scaler('FederatedHPA', 'web', { minReplicas: 1, maxReplicas: 3 }),
          status: {
            conditions: [
              {
                type: 'ScalingActive',
                status: 'False',
                reason: 'FailedGetPodsMetric',
                message: 'unable to get metric rps',
                lastTransitionTime: '2026-05-04T08:00:00Z',
              },
            ],
          },
        },
      ],
      'condition-failed',
      /FederatedHPA shop\/x: ScalingActive is False .*FailedGetPodsMetric: unable to get metric rps/,
    ],
    [
      'a workload with 0 replicas, which its HPA does not scale (#4110)',
      [
        ...patched(
          patched(changed({}), template, {
            metadata: { labels: { 'resourcetemplate.karmada.io/retain-replicas': 'true' } },
            spec: { replicas: 0 },
          }),
          web,
          { spec: { replicas: 0 }, status: { aggregatedStatus: null } },
        ),
        { ...scaler('HorizontalPodAutoscaler', 'web', { minReplicas: 1 }), apiVersion: 'autoscaling/v2' },
      ],
      'scaling-off-at-zero',
      /Deployment shop\/web asks for 0 replicas: HorizontalPodAutoscaler shop\/x does not scale it/,
    ],
    [
      'static weights that ignore a spread constraint (#3184)',
      patched(changed({}), shopPolicy, {
        spec: {
          placement: {
            spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
            clusterAffinity: { clusterNames: ['member1', 'member2'] },
            replicaScheduling: {
              weightPreference: {
                dynamicWeight: null,
                staticWeightList: ['member1', 'member2'].map((name) => ({
                  targetCluster: { clusterNames: [name] },
                  weight: 1,
                })),
              },
            },
          },
        },
      }),
      'spread-not-met',
      /Deployment shop\/web: maxGroups is 1, and it is on 2 clusters: static weights ignore it/,
    ],
    [
      'an override that changes the placed replicas (#4325)',
      [
        ...changed({}),
        {
          apiVersion: 'policy.karmada.io/v1alpha1',
          kind: 'OverridePolicy',
          metadata: { namespace: 'shop', name: 'zero' },
          spec: {
            resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
            overrideRules: [
              {
                targetCluster: { clusterNames: ['member2'] },
                overriders: { plaintext: [{ operator: 'replace', path: '/spec/replicas', value: 0 }] },
              },
            ],
          },
        },
      ],
      'override-writes-replicas',
      /member2 runs 0 of Deployment shop\/web, where 2 are placed/,
    ],
    [
      'an unreachable cluster without workloads (#3771)',
      [
        ...changed({}),
        {
          apiVersion: 'cluster.karmada.io/v1alpha1',
          kind: 'Cluster',
          metadata: { name: 'dev' },
          spec: { syncMode: 'Push', apiEndpoint: 'https://dev:6443' },
          status: {
            conditions: [
              {
                type: 'Ready',
                status: 'False',
                reason: 'ClusterNotReachable',
                message: 'cluster is not reachable',
                lastTransitionTime: LONG_AGO,
              },
            ],
          },
        },
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'karmada-es-dev' } },
      ],
      'cluster-never-reported',
      /dev has never been Ready since .*ClusterNotReachable.*reach its API server https:\/\/dev:6443/,
    ],
    [
      'a WorkloadRebalancer that no controller processes',
      patched(changed({}), { kind: 'WorkloadRebalancer', name: 'back' }, { status: null }),
      'rebalancer-without-effect',
      /WorkloadRebalancer back was created at .*, and nothing has processed it/,
    ],
  ];
  test.each(broken)('%s', async (_, objects, check, says) => {
    const { findings } = await diagnosed(objects);
    expect(findings[0]).toMatchObject({ check, message: expect.stringMatching(says) });
  });
});
