import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { FailoverBehavior, Placement, PropagationPolicy } from '../../src/karmada/api/policy.ts';
import type { TargetCluster } from '../../src/karmada/api/work.ts';
import type { Random } from './random.ts';
import { TEAMS } from './clusters.ts';

/** A policy, and what its bindings share. */
export interface Scheme {
  policy: PropagationPolicy;
  permanentId: string;
  placement: Placement;
  failover?: FailoverBehavior;
  /** the affinity group in force, if there are groups */
  affinityName?: string;
  /** each cluster gets all replicas, so a workload without replicas can be placed too */
  duplicates: boolean;
  /** where a workload of this many replicas runs */
  place(replicas: number): TargetCluster[];
  /** multiples of this divide exactly by the weights */
  replicaUnit: number;
}

/**
 * One policy of one of the usual kinds. Its bindings run on `required` if given, otherwise anywhere except the first cluster, and have
 * other clusters to go to.
 */
export function generateScheme(
  index: number,
  clusters: readonly Cluster[],
  random: Random,
  required: Cluster | undefined,
  since: string,
): Scheme {
  const namespace = `${required ? TEAMS[0] : random.pick(TEAMS)}-${index % 97}`;
  const permanentId = random.uid();
  const chosen = choosePlacement(clusters, random, required);
  const tolerations = ['not-ready', 'unreachable'].map((key) => ({
    effect: 'NoExecute',
    key: `cluster.karmada.io/${key}`,
    operator: 'Exists',
    ...(random.chance(0.9) && { tolerationSeconds: random.pick([30, 300, 300, 600]) }),
  }));
  const placement: Placement = {
    ...chosen.placement,
    ...(random.chance(0.4) && { clusterTolerations: tolerations }),
  };
  const failover: FailoverBehavior | undefined = random.chance(0.15)
    ? { cluster: { purgeMode: random.pick(['Directly', 'Gracefully'] as const) } }
    : undefined;
  const name = `policy-${String(index).padStart(5, '0')}`;
  const policy: PropagationPolicy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: {
      creationTimestamp: since,
      finalizers: ['karmada.io/propagation-policy-controller'],
      generation: 1,
      labels: { 'propagationpolicy.karmada.io/permanent-id': permanentId },
      name,
      namespace,
      resourceVersion: String(10_000 + index),
      uid: random.uid(),
    },
    spec: {
      conflictResolution: 'Abort',
      ...(failover && { failover }),
      placement,
      preemption: 'Never',
      priority: 0,
      resourceSelectors: [
        { apiVersion: 'apps/v1', kind: 'Deployment', labelSelector: { matchLabels: { placement: name } } },
        { apiVersion: 'apps/v1', kind: 'StatefulSet', labelSelector: { matchLabels: { placement: name } } },
        { apiVersion: 'v1', kind: 'ConfigMap', labelSelector: { matchLabels: { placement: name } } },
      ],
      schedulerName: 'default-scheduler',
    },
  };
  return { ...chosen, policy, permanentId, placement, ...(failover && { failover }) };
}

type Choice = Pick<Scheme, 'placement' | 'affinityName' | 'duplicates' | 'place' | 'replicaUnit'>;

function choosePlacement(
  clusters: readonly Cluster[],
  random: Random,
  required: Cluster | undefined,
): Choice {
  const others = clusters.slice(1);
  const some = (from: readonly Cluster[], count: number) =>
    (required
      ? [
          required,
          ...random.sample(
            from.filter((c) => c !== required),
            count - 1,
          ),
        ]
      : random.sample(from, count)
    ).map(nameOf);
  switch (random.below(6)) {
    case 0: {
      const clusterNames = some(others, 2 + random.below(3));
      return duplicated({ clusterAffinity: { clusterNames } }, clusterNames);
    }
    case 1: {
      const env = 'prod';
      const targets = some(matching(others, { env }), 3);
      const placement = {
        clusterAffinity: { labelSelector: { matchLabels: { env } } },
        spreadConstraints: [{ maxGroups: 3, minGroups: 2, spreadByField: 'cluster' }],
      };
      return duplicated(placement, targets);
    }
    case 2: {
      const clusterNames = some(others, 2 + random.below(3));
      return weighted(clusterNames, random);
    }
    case 3: {
      const region = (required ?? random.pick(others)).spec?.region ?? '';
      const inRegion = others.filter((cluster) => cluster.spec?.region === region);
      const placement = {
        clusterAffinity: {
          fieldSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: [region] }] },
        },
        ...dividedBy({ dynamicWeight: 'AvailableReplicas' }),
      };
      return divided(placement, some(inRegion, 4));
    }
    case 4: {
      const env = 'prod';
      const placement = {
        clusterAffinity: { labelSelector: { matchLabels: { env } } },
        replicaScheduling: { replicaDivisionPreference: 'Aggregated', replicaSchedulingType: 'Divided' },
        spreadConstraints: [{ maxGroups: 4, minGroups: 1, spreadByField: 'cluster' }],
      };
      return divided(placement, some(matching(others, { env }), 1 + random.below(2)));
    }
    default: {
      const [primary, backup] = [some(others, 3), random.sample(others, 3).map(nameOf)];
      const placement = {
        clusterAffinities: [
          { affinityName: 'primary', clusterNames: primary },
          { affinityName: 'backup', clusterNames: backup },
        ],
        ...dividedBy({ dynamicWeight: 'AvailableReplicas' }),
      };
      return { ...divided(placement, primary.slice(0, 2)), affinityName: 'primary' };
    }
  }
}

function dividedBy(weightPreference: NonNullable<Placement['replicaScheduling']>['weightPreference']) {
  return {
    replicaScheduling: {
      replicaDivisionPreference: 'Weighted',
      replicaSchedulingType: 'Divided',
      ...(weightPreference && { weightPreference }),
    },
  };
}

function duplicated(placement: Placement, targets: string[]): Choice {
  return {
    placement: { ...placement, replicaScheduling: { replicaSchedulingType: 'Duplicated' } },
    duplicates: true,
    place: (replicas) => targets.map((name) => target(name, replicas)),
    replicaUnit: 1,
  };
}

function weighted(targets: string[], random: Random): Choice {
  const weights = targets.map(() => 1 + random.below(3));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const staticWeightList = targets.map((name, index) => ({
    targetCluster: { clusterNames: [name] },
    weight: weights[index]!,
  }));
  return {
    placement: { clusterAffinity: { clusterNames: targets }, ...dividedBy({ staticWeightList }) },
    duplicates: false,
    place: (replicas) => targets.map((name, index) => target(name, (replicas / total) * weights[index]!)),
    replicaUnit: total,
  };
}

function divided(placement: Placement, targets: string[]): Choice {
  const share = (replicas: number, index: number) =>
    Math.floor((replicas + targets.length - 1 - index) / targets.length);
  return {
    placement,
    duplicates: false,
    place: (replicas) =>
      targets
        .map((name, index) => target(name, share(replicas, index)))
        .filter((cluster) => cluster.replicas !== undefined),
    replicaUnit: 1,
  };
}

function target(name: string, replicas: number): TargetCluster {
  return replicas > 0 ? { name, replicas } : { name };
}

function matching(clusters: readonly Cluster[], labels: Record<string, string>): Cluster[] {
  return clusters.filter(({ metadata }) =>
    Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value),
  );
}

function nameOf({ metadata }: Cluster): string {
  return metadata.name;
}
