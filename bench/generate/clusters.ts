import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { Random } from './random.ts';

const REGIONS = [
  ['aws', 'eu-central-1'],
  ['aws', 'eu-west-1'],
  ['aws', 'us-east-1'],
  ['aws', 'ap-southeast-2'],
  ['gcp', 'europe-west4'],
  ['gcp', 'us-central1'],
  ['gcp', 'asia-northeast1'],
  ['azure', 'northeurope'],
  ['azure', 'canadacentral'],
  ['onprem', 'berlin'],
  ['onprem', 'osaka'],
] as const;
export const TEAMS = ['payments', 'search', 'catalog', 'checkout', 'media', 'identity', 'data', 'platform'];

/** The models that Karmada gives a cluster without its own: grades of doubling size. */
const RESOURCE_MODELS = Array.from({ length: 9 }, (_, grade) => {
  const cpu = (power: number) => (power < 0 ? '0' : String(2 ** power));
  const memory = (power: number) => (power < 0 ? '0' : power < 8 ? `${4 * 2 ** power}Gi` : '1Ti');
  const last = grade === 8;
  return {
    grade,
    ranges: [
      { max: last ? '9223372036854775807' : cpu(grade), min: cpu(grade - 1), name: 'cpu' },
      { max: last ? '9223372036854775807' : memory(grade), min: memory(grade - 1), name: 'memory' },
    ],
  };
});

const API_ENABLEMENTS = [
  ['apps/v1', 'ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler'],
  ['batch/v1', 'CronJob', 'Job'],
  ['networking.k8s.io/v1', 'Ingress', 'NetworkPolicy'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  ['v1', 'ConfigMap', 'Namespace', 'PersistentVolumeClaim', 'Secret', 'Service', 'ServiceAccount'],
].map(([groupVersion, ...kinds]) => ({
  groupVersion: groupVersion!,
  resources: kinds.map((kind) => ({ kind, name: `${kind.toLowerCase()}s` })),
}));

/**
 * Member clusters in several regions. The first is large and matches the selectors of every policy that wants it: it is the one to fail.
 */
export function generateClusters(count: number, random: Random, since: string): Cluster[] {
  return Array.from({ length: count }, (_, index) => {
    const [provider, region] = index === 0 ? REGIONS[0] : random.pick(REGIONS);
    const nodes = index === 0 ? 4000 : 40 + random.below(160);
    const usedShare = 0.2 + random.below(40) / 100;
    return {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: {
        creationTimestamp: since,
        finalizers: ['karmada.io/cluster-controller'],
        generation: 2,
        labels: {
          env: index === 0 || random.chance(0.8) ? 'prod' : 'staging',
          owner: index === 0 ? TEAMS[0]! : random.pick(TEAMS),
          tier: random.pick(['gold', 'silver', 'bronze']),
        },
        name: `${region}-${String(index).padStart(3, '0')}`,
        resourceVersion: String(1000 + index),
        uid: random.uid(),
      },
      spec: {
        apiEndpoint: `https://${region}-${index}.clusters.example:6443`,
        id: random.uid(),
        provider,
        region,
        ...(random.chance(0.5) && { resourceModels: RESOURCE_MODELS }),
        syncMode: random.chance(0.7) || index === 0 ? ('Push' as const) : ('Pull' as const),
        zones: [`${region}-${random.pick(['a', 'b', 'c'])}`],
      },
      status: {
        apiEnablements: API_ENABLEMENTS,
        conditions: [
          {
            lastTransitionTime: since,
            message: 'cluster is healthy and ready to accept workloads',
            reason: 'ClusterReady',
            status: 'True' as const,
            type: 'Ready',
          },
          {
            lastTransitionTime: since,
            message: 'collected complete APIEnablements from the cluster',
            reason: 'Complete',
            status: 'True' as const,
            type: 'CompleteAPIEnablements',
          },
        ],
        kubernetesVersion: `v1.${32 + random.below(3)}.${random.below(6)}`,
        nodeSummary: { readyNum: nodes, totalNum: nodes },
        resourceSummary: {
          allocatable: { cpu: String(nodes * 64), memory: `${nodes * 256}Gi`, pods: String(nodes * 110) },
          allocatableModelings: RESOURCE_MODELS.map(({ grade }) => ({
            count: grade === 5 ? Math.floor(nodes * (1 - usedShare)) : grade === 3 ? nodes >> 3 : 0,
            grade,
          })),
          allocated: {
            cpu: `${Math.floor(nodes * 64_000 * usedShare)}m`,
            memory: `${Math.floor(nodes * 256 * 1024 * usedShare)}Mi`,
            pods: String(Math.floor(nodes * 110 * usedShare)),
          },
        },
      },
    };
  });
}
