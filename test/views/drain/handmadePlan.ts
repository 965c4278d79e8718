import type {
  DrainOutcome,
  DrainPlan,
  PlannedCluster,
  PlannedWorkload,
} from '../../../src/analysis/drain/plan/drainPlan.ts';
import type { DrainOptions } from '../../../src/analysis/drain/drainOptions.ts';
import type { TargetCluster } from '../../../src/karmada/api/work.ts';
import { drainOf } from '../../analysis/drain/drainOf.ts';

export const NOW = Date.parse('2026-09-01T09:30:00Z');

export const options: DrainOptions = drainOf(['frankfurt']);

/** "dublin:2 virginia" → placements */
function on(text: string): TargetCluster[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const [name = '', replicas] = word.split(':');
      return { name, ...(replicas === undefined ? {} : { replicas: Number(replicas) }) };
    });
}

export function planned(
  workload: string,
  fate: DrainOutcome,
  before: string,
  after: string,
  more: Partial<PlannedWorkload> = {},
): PlannedWorkload {
  const [kind = '', name = '', namespace] =
    workload.split('/').reverse().length === 3
      ? [workload.split('/')[1], workload.split('/')[2], workload.split('/')[0]]
      : workload.split('/');
  const scope = namespace === undefined ? {} : { namespace };
  return {
    kind,
    ...scope,
    name,
    binding: {
      kind: namespace === undefined ? 'ClusterResourceBinding' : 'ResourceBinding',
      ...scope,
      name: `${name}-${kind.toLowerCase()}`,
    },
    resourceVersion: '4711',
    uid: `uid-of-${name}`,
    from: on(before).filter((one) => one.name === 'frankfurt'),
    before: on(before),
    after: on(after),
    fate,
    certainty: 'certain',
    takesAlong: [],
    leavesBehind: [],
    evidence: [],
    ...more,
  } as PlannedWorkload;
}

/** The times of the nth eviction: one every two seconds, ready half a minute later. */
const nth = (order: number) => ({
  order,
  evictedAt: NOW + 2000 * order - 1000,
  readyAt: NOW + 2000 * order + 30_000,
  goneAt: NOW + 2000 * order + 32_000,
});

/** A lost workload is never ready. */
const lostAt = (order: number) => {
  const { readyAt: _ready, ...times } = nth(order);
  return times;
};

const cluster = (
  name: string,
  [workloads, replicas, cpu]: [number, number, string],
  [workloadsAfter, replicasAfter, cpuAfter]: [number, number, string],
): PlannedCluster => ({
  name,
  drained: name === 'frankfurt',
  ready: 'True',
  before: { workloads, replicas },
  after: { workloads: workloadsAfter, replicas: replicasAfter },
  capacity: [
    { resource: 'cpu', allocatable: '20', allocatedBefore: cpu, allocatedAfter: cpuAfter },
    { resource: 'memory', allocatable: '64Gi', allocatedBefore: '20Gi', allocatedAfter: '31Gi' },
    { resource: 'pods', allocatable: '110', allocatedBefore: '30', allocatedAfter: '37' },
  ],
});

const room = 'reported capacity, followed from the capture';

/** A refused plan with every fate. */
export const handmadePlan: DrainPlan = {
  now: NOW,
  options,
  karmadaVersion: 'v1.18',
  cordons: [
    {
      object: { kind: 'Cluster', name: 'frankfurt' },
      resourceVersion: '99',
      uid: 'uid-of-frankfurt',
      patch: { spec: { taints: [{ key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' }] } },
    },
  ],
  workloads: [
    planned('shop/Deployment/checkout', 'moves', 'frankfurt:6', 'virginia:6', {
      ...nth(1),
      certainty: 'estimate',
      dependsOn: [room],
      takesAlong: [{ kind: 'ConfigMap', namespace: 'shop', name: 'checkout-settings' }],
      leavesBehind: [{ kind: 'Secret', namespace: 'shop', name: 'checkout-tls' }],
    }),
    planned('shop/Deployment/cart', 'moves', 'dublin:2 frankfurt:3 oregon:2', 'dublin:4 oregon:3', {
      ...nth(2),
      certainty: 'estimate',
      dependsOn: [room],
    }),
    planned('shop/DaemonSet/metrics-agent', 'leaves', 'dublin frankfurt oregon', 'dublin oregon', nth(3)),
    planned('ClusterRole/support-readonly', 'leaves', 'frankfurt virginia', 'virginia', nth(4)),
    planned('shop/ConfigMap/checkout-settings', 'follows', 'frankfurt', 'virginia', {
      goneAt: NOW + 40_000,
      requiredBy: [{ kind: 'ResourceBinding', namespace: 'shop', name: 'checkout-deployment' }],
    }),
    planned('data/Deployment/archive', 'stays', 'frankfurt:2 dublin:2', 'frankfurt:2 dublin:2', {
      reason: 'excluded: it is on the skip list',
    }),
    planned('shop/Deployment/search', 'partly-moves', 'frankfurt:6', 'dublin:4', {
      ...nth(5),
      gap: { replicas: 2, seconds: 600, open: true, permanent: true },
    }),
    planned('shop/Deployment/pricing', 'blocked', 'virginia:2 frankfurt:2', 'virginia:2 frankfurt:2', {
      reason: 'the number of feasible region is less than spreadConstraint.MinGroups',
    }),
    planned('data/StatefulSet/ledger', 'lost', 'frankfurt:3', '', {
      ...lostAt(6),
      reason: 'no feasible cluster',
      until: NOW + 612_000,
    }),
    planned('shop/Deployment/recommendations', 'lost', 'frankfurt:6', '', {
      ...lostAt(7),
      reason: 'no feasible cluster',
      until: NOW + 612_000,
    }),
  ],
  clusters: [
    cluster('frankfurt', [10, 34, '17'], [2, 4, '2']),
    cluster('dublin', [6, 10, '12'], [7, 16, '18']),
    cluster('virginia', [8, 10, '16'], [10, 16, '22500m']),
    cluster('oregon', [3, 2, '4'], [3, 3, '4500m']),
    cluster('tokyo', [0, 0, '0'], [0, 0, '0']),
  ],
  refusals: [
    {
      risk: 'loss',
      accepted: false,
      problem: '2 workloads would be lost',
      workloads: [
        { kind: 'StatefulSet', namespace: 'data', name: 'ledger' },
        { kind: 'Deployment', namespace: 'shop', name: 'recommendations' },
      ],
    },
    {
      risk: 'blocked',
      accepted: true,
      problem: '1 workload cannot leave',
      workloads: [{ kind: 'Deployment', namespace: 'shop', name: 'pricing' }],
    },
  ],
  duration: { shortest: 46, expected: 70, longest: 650 },
  atRest: true,
  events: [
    {
      time: NOW + 1000,
      controller: 'drain',
      type: 'Evicted',
      object: { kind: 'ResourceBinding', namespace: 'shop', name: 'checkout-deployment' },
      cluster: 'frankfurt',
      clusters: [],
      evicting: ['frankfurt'],
      evidence: [],
    },
  ],
};
