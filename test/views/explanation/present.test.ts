import { describe, expect, test } from '@jest/globals';
import type { WorkloadExplanation } from '../../../src/analysis/explanation/workloadExplanation.ts';
import { linksBlocks, presentBlock } from '../../../src/views/explanation/present.ts';
import { blocksText, plainly } from '../shownText.ts';

const NOW = Date.parse('2026-09-01T10:00:00Z');
const frankfurt = { name: 'frankfurt', replicas: 3, health: 'Healthy', stale: false };
const show = (present: object, more: object = {}) =>
  blocksText(
    [
      presentBlock(
        {
          workload: { kind: 'Deployment', namespace: 'shop', name: 'cart' },
          binding: { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' },
          policy: { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' },
          decision: { strategy: 'Aggregated' },
          attached: false,
          present: {
            replicas: 3,
            clusters: [frankfurt],
            evictions: [],
            scheduled: { status: 'True', reason: 'Success', message: '' },
            upToDate: true,
            ...present,
          },
          ...more,
        } as unknown as WorkloadExplanation,
        NOW,
      ),
    ],
    80,
  );
const line = (present: object, label: string, more: object = {}) =>
  show(present, more)
    .split('\n')
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${label} `))
    ?.slice(label.length)
    .trim();

describe('the present state of a workload', () => {
  test('begins with the workload, its policy, and its strategy', () => {
    expect(show({}, { decision: { strategy: 'DynamicWeight' } })).toBe(
      [
        'Deployment shop/cart',
        '  PropagationPolicy shop/web',
        '  3 replicas divided by capacity (dynamic weight)',
        '  on   frankfurt×3',
      ].join('\n'),
    );
    expect(show({}, { policy: null })).toContain('ResourceBinding shop/cart-deployment');
  });

  test.each<[string, object, object, string]>([
    ['one replica', { replicas: 1 }, {}, '1 replica on as few clusters as possible (Divided, Aggregated)'],
    ['no strategy', {}, { decision: {} }, '3 replicas'],
    ['no replicas', { replicas: null }, {}, 'no replicas, a copy on each cluster'],
    ['each cluster', {}, { decision: { strategy: 'Duplicated' } }, '3 replicas on each cluster (Duplicated)'],
    ['static weights', {}, { decision: { strategy: 'StaticWeight' } }, '3 replicas divided by static weight'],
  ])('shows the desired replicas: %s', (_, present, more, text) => {
    const first = show(present, more).split('\n  on ')[0]!;
    expect(first.endsWith(text)).toBe(true);
  });

  test('shows its clusters with their health', () => {
    const clusters = [
      frankfurt,
      { name: 'dublin', replicas: 2, health: 'Unhealthy', stale: false },
      { name: 'oregon', replicas: 1, health: null, stale: false },
      { name: 'tokyo', replicas: 0, health: 'Healthy', stale: true },
    ];
    expect(show({ clusters }).replaceAll(/\s+/g, ' ')).toContain(
      'on frankfurt×3, dublin×2 (Unhealthy), oregon×1 (nothing reported), tokyo (Healthy when last reported)',
    );
    expect(line({ clusters: [] }, 'on')).toBe('no cluster');
  });

  test('shows its evictions, with wait and deadline', () => {
    const eviction = {
      fromCluster: 'frankfurt',
      replicas: 3,
      waitingFor: 'dublin to be Healthy',
      deadline: '2026-09-01T10:07:00Z',
      consequence: 'the old copy goes then',
      toClusters: [],
      verdict: 'waiting',
    };
    const ending = { ...eviction, replicas: null, waitingFor: null };
    const reported = show({
      evictions: [
        eviction,
        { ...ending, deadline: null, verdict: 'ends-now' },
        { ...ending, deadline: '2026-09-01T08:00:00Z', verdict: 'overdue' },
      ],
    });
    expect(reported.replaceAll(/\s+/g, ' ')).toContain(
      'leaves frankfurt×3, waits for dublin to be Healthy; at the latest in 7m: the old copy goes then leaves frankfurt, ends now: the old copy goes then leaves frankfurt, overdue: is karmada-controller-manager running?; deadline 2h ago: the old copy goes then',
    );
  });

  test.each<[string, object, object, string | undefined]>([
    ['absent if it is scheduled', {}, {}, undefined],
    [
      'an error',
      { scheduled: { status: 'False', reason: 'NoClusterFit', message: '0/3 clusters' } },
      {},
      'NoClusterFit: 0/3 clusters',
    ],
    ['not scheduled yet', { scheduled: null }, {}, 'has not scheduled it yet'],
    ['current spec not observed yet', { upToDate: false }, {}, 'has not seen the current spec yet'],
    [
      'not scheduled, as it is a dependent',
      { scheduled: null },
      { attached: true },
      'does not place it: it follows the objects that require it',
    ],
  ])('shows the scheduler status: %s', (_, present, more, text) => {
    expect(line(present, 'scheduler', more)).toBe(text);
  });

  test('shows the affinity group', () => {
    expect(line({ affinityGroup: 'primary' }, 'group')).toBe('primary');
  });
});

const binding = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' };
const link = (state: string, text: string, more: object = {}) => ({
  id: text,
  state,
  text,
  evidence: [],
  ...more,
});
const all = [
  link('holds', 'Failover=true', {
    evidence: [{ rule: 'without it nothing is evicted', field: 'Failover', value: true }],
  }),
  link('limits', 'a toleration of 5m keeps it there so long'),
  link('broken', 'nothing taints dublin', { fix: 'add a ClusterTaintPolicy' }),
  link('unknown', 'enable-taint-manager is assumed to be true'),
];
const showLinks = (links: object[], failures: object[] = [], wide = false) =>
  blocksText(
    linksBlocks({ links, failures, binding } as unknown as WorkloadExplanation, { ...plainly, wide }),
    80,
  );

test('links of the chain are marked by state, with the fix of broken ones', () => {
  expect(showLinks(all)).toBe(
    [
      'Requirements for it to leave a cluster that fails:',
      '  ✓ Failover=true',
      '  ! a toleration of 5m keeps it there so long',
      '  ✗ nothing taints dublin',
      '      → add a ClusterTaintPolicy',
      '  ? enable-taint-manager is assumed to be true',
    ].join('\n'),
  );
});

test('given a simulated failure, only unexpected links are listed', () => {
  const failures = [{ cluster: 'dublin', time: 0 }];
  const text = showLinks(all, failures);
  expect(text.split('\n')[0]).toBe('Note:');
  expect(text).not.toContain('Failover=true');
  expect(showLinks(all.slice(0, 1), failures)).toBe('');
  expect(showLinks(all, failures, true)).toContain('Requirements for it');
});

test('-o wide shows the evidence of links', () => {
  expect(showLinks(all, [], true)).toContain('      without it nothing is evicted [Failover: true]');
  expect(showLinks(all)).not.toContain('without it nothing is evicted');
});
