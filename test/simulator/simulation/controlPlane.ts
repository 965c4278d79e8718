import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type {
  ResourceBinding,
  ResourceBindingSpec,
  ResourceBindingStatus,
  TargetCluster,
} from '../../../src/karmada/api/work.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { v1_18 } from '../../dialects.ts';
import {
  APPLIED_PLACEMENT_ANNOTATION,
  PROPAGATION_POLICY_PERMANENT_ID_LABEL,
} from '../../../src/karmada/api/names.ts';
import type { World } from '../../../src/karmada/world.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import type { Simulation } from '../../../src/simulator/simulation/simulation.ts';
import type { WorkloadOutcome } from '../../../src/simulator/verdicts/outcome.ts';

export const START = Date.parse('2026-09-01T08:00:00Z');
const LONG_AGO = '2026-08-01T00:00:00Z';

/** Failover with all its gates and flags enabled. */
export const failoverOn: Configuration = {
  ...v1_18.defaults,
  featureGates: { ...v1_18.defaults.featureGates, Failover: true, StatefulFailoverInjection: true },
  controllerManager: { ...v1_18.defaults.controllerManager, 'enable-no-execute-taint-eviction': true },
};

export function cluster(name: string, taints: Taint[] = []): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, generation: 1, creationTimestamp: LONG_AGO },
    spec: { syncMode: 'Push', region: name.split('-')[0]!, taints },
    status: {
      apiEnablements: [
        { groupVersion: 'apps/v1', resources: [{ kind: 'Deployment' }] },
        { groupVersion: 'v1', resources: [{ kind: 'ConfigMap' }] },
      ],
      conditions: [{ type: 'Ready', status: 'True', reason: 'ClusterReady', lastTransitionTime: LONG_AGO }],
      resourceSummary: {
        allocatable: { cpu: '100', memory: '400Gi', pods: '1000' },
        allocated: { pods: '10' },
      },
    },
  };
}

export interface WorkloadOptions {
  placement: Placement;
  clusters: TargetCluster[];
  replicas?: number;
  /** the placement last scheduled with, if it differs */
  applied?: Placement | null;
  spec?: Partial<ResourceBindingSpec>;
}

/** A binding that was scheduled, and is healthy wherever it runs. */
export function deployment(name: string, options: WorkloadOptions): ResourceBinding {
  const { placement, clusters, replicas = 0, applied = placement, spec } = options;
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name: `${name}-deployment`,
      namespace: 'shop',
      generation: 2,
      creationTimestamp: LONG_AGO,
      labels: { [PROPAGATION_POLICY_PERMANENT_ID_LABEL]: 'policy' },
      annotations: applied ? { [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify(applied) } : {},
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name, uid: `uid-${name}` },
      replicas,
      clusters,
      placement,
      ...(replicas > 0 ? { replicaRequirements: { resourceRequest: { cpu: '100m' } } } : {}),
      ...spec,
    },
    status: healthyOn(placement, clusters),
  };
}

/** The status of a binding that has been scheduled to clusters, and is healthy there. */
export function healthyOn(placement: Placement, clusters: TargetCluster[]): ResourceBindingStatus {
  return {
    schedulerObservedGeneration: 2,
    lastScheduledTime: LONG_AGO,
    ...(placement.clusterAffinities
      ? { schedulerObservingAffinityName: placement.clusterAffinities[0]!.affinityName }
      : {}),
    conditions: [{ type: 'Scheduled', status: 'True', reason: 'Success', lastTransitionTime: LONG_AGO }],
    aggregatedStatus: clusters.map(({ name, replicas = 0 }) => ({
      clusterName: name,
      applied: true,
      health: 'Healthy',
      status: { replicas, readyReplicas: replicas, availableReplicas: replicas },
    })),
  };
}

/** Clusters that are not Ready get a NoExecute taint, while they are not. */
const evictNotReady = {
  metadata: { name: 'evict-not-ready', creationTimestamp: LONG_AGO },
  spec: {
    addOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] }],
    removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
    taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' as const }],
  },
};

export function world(clusters: Cluster[], bindings: ResourceBinding[]): World {
  return { clusters, bindings, works: [], policies: [], taintPolicies: [evictNotReady], others: [] };
}

export interface When {
  /** seconds after the start, and what happens then */
  events?: [seconds: number, action: ScenarioAction][];
  configuration?: Configuration;
  unverified?: ReadonlySet<string>;
  /** seconds after the start */
  until?: number;
  readyAfterSeconds?: number;
}

export function run(state: World, when: When): Simulation {
  return simulate(
    state,
    {
      start: START,
      ...(when.until === undefined ? {} : { until: START + when.until * 1000 }),
      members: { workloadReadyAfter: (when.readyAfterSeconds ?? 20) * 1000, neverReady: [] },
      events: (when.events ?? []).map(([seconds, action]) => ({ at: START + seconds * 1000, action })),
    },
    when.configuration ?? failoverOn,
    when.unverified ? { unverified: when.unverified } : {},
  );
}

export function outcomeOf({ workloads }: Simulation, name: string): WorkloadOutcome {
  return workloads.find((one) => one.name === name)!;
}

/** "12.3 Evicted east-1": the events of a workload, seconds after the start. */
export function story({ events }: Simulation, name: string): string[] {
  return events
    .filter(({ object }) => object.name === `${name}-deployment`)
    .map(
      ({ time, type, cluster: where }) =>
        `${((time - START) / 1000).toFixed(0)}s ${type}${where ? ` ${where}` : ''}`,
    );
}
