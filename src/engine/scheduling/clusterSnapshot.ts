import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Placement, SpreadConstraint } from '../../karmada/api/policy.ts';
import type { ResourceBindingSpec, ResourceBindingStatus } from '../../karmada/api/work.ts';
import type { FeatureGates } from '../../karmada/configuration.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';
import { isWorkload } from '../selection/isWorkload.ts';
import { compileFleetCapacity, type FleetCapacity } from './capacity/fleetCapacity.ts';
import { listsApi } from './filters/apiEnablement.ts';
import { compileBindingAffinity } from './filters/clusterAffinity.ts';
import { spreadConstraintFilter } from './filters/spreadConstraint.ts';
import { untoleratedTaint } from './filters/taintToleration.ts';

/** How the scheduler was started. */
export interface SchedulerOptions {
  featureGates: Pick<
    FeatureGates,
    'CustomizedClusterResourceModeling' | 'MultiplePodTemplatesScheduling' | 'WorkloadAffinity'
  >;
  /** --enable-empty-workload-propagation */
  enableEmptyWorkloadPropagation: boolean;
}

/**
 * All clusters at one instant, in name order, compiled for scheduling many bindings. What filters and
 * estimators say of all clusters is kept by what it depends on: thousands of bindings ask the same few
 * questions. A cluster is named by its index here.
 */
export interface ClusterSnapshot {
  readonly clusters: readonly Cluster[];
  readonly index: ReadonlyMap<string, number>;
  readonly options: SchedulerOptions;
  readonly fleet: FleetCapacity;
  /** some cluster is being deleted */
  readonly terminating: ReadonlySet<string>;
  /** 1 for each cluster that passes every filter that asks neither for the previous result nor for tasks */
  feasible(spec: ResourceBindingSpec, status: ResourceBindingStatus | undefined): Uint8Array;
  /** the same without the filters from which clusters of the previous result are exempt */
  feasibleWhenAssigned(spec: ResourceBindingSpec, status: ResourceBindingStatus | undefined): Uint8Array;
  /** all indexes, most available first, equals by name */
  byAvailability(available: Int32Array): Int32Array;
  /** The snapshot after clusters have changed; what does not depend on them is shared. */
  with(...changed: Cluster[]): ClusterSnapshot;
}

/** Compiles a snapshot. Throws InvalidQuantity for quantities that cannot be read. */
export function createClusterSnapshot(
  clusters: readonly Cluster[],
  options: SchedulerOptions,
): ClusterSnapshot {
  return compile(
    clusters.toSorted((a, b) => compareUtf8(a.metadata.name, b.metadata.name)),
    options,
  );
}

const placementTexts = new WeakMap<Placement, string>();

/** Equal placements have the same text; each object is printed once. */
function placementText(placement: Placement): string {
  let text = placementTexts.get(placement);
  if (text === undefined) placementTexts.set(placement, (text = JSON.stringify(placement)));
  return text;
}

/** Masks kept; a control plane has far fewer different placements. */
const REMEMBERED = 20_000;

function compile(clusters: Cluster[], options: SchedulerOptions, previous?: FleetCapacity): ClusterSnapshot {
  const index = new Map(clusters.map((cluster, at) => [cluster.metadata.name, at]));
  const terminating = new Set(
    clusters.filter(({ metadata }) => metadata.deletionTimestamp).map(({ metadata }) => metadata.name),
  );
  const present = Uint8Array.from(clusters, ({ metadata }) => (metadata.deletionTimestamp ? 0 : 1));
  const fleet = compileFleetCapacity(clusters, options.featureGates, previous);
  const masks = new Map<string, Uint8Array>();
  const orders = new WeakMap<Int32Array, Int32Array>();

  function mask(key: string, passes: (cluster: Cluster) => boolean): Uint8Array {
    let found = masks.get(key);
    if (!found) {
      if (masks.size >= REMEMBERED) masks.clear();
      masks.set(key, (found = Uint8Array.from(clusters, (cluster) => (passes(cluster) ? 1 : 0))));
    }
    return found;
  }

  function both(key: string, a: () => Uint8Array, b: () => Uint8Array): Uint8Array {
    let found = masks.get(key);
    if (!found) {
      const [x, y] = [a(), b()];
      masks.set(key, (found = x.map((passes, at) => passes & y[at]!)));
    }
    return found;
  }

  const bindingKey = (spec: ResourceBindingSpec, status: ResourceBindingStatus | undefined) => {
    const { placement } = spec;
    // What a plain cluster affinity selects depends on nothing but the placement.
    const term = placement?.clusterAffinities
      ? `${isWorkload(spec) ? 'w' : ''}|${status?.schedulerObservingAffinityName ?? ''}`
      : '';
    return `${term}|${placement ? placementText(placement) : ''}`;
  };

  function assignable(spec: ResourceBindingSpec, status: ResourceBindingStatus | undefined): Uint8Array {
    const constraints: readonly SpreadConstraint[] = spec.placement?.spreadConstraints ?? [];
    return mask(`a|${bindingKey(spec, status)}`, (cluster) => {
      if (cluster.metadata.deletionTimestamp || spreadConstraintFilter(constraints, cluster)) return false;
      return compileBindingAffinity(spec, status)(cluster);
    });
  }

  function admitted(spec: ResourceBindingSpec): Uint8Array {
    const { apiVersion, kind } = spec.resource;
    const tolerations = spec.placement?.clusterTolerations ?? [];
    const api = `api|${apiVersion}|${kind}`;
    const taints = tolerations.length === 0 ? 't' : `t|${JSON.stringify(tolerations)}`;
    return both(
      `${api}|${taints}`,
      () => mask(api, (cluster) => listsApi(cluster, apiVersion, kind)),
      () => mask(taints, ({ spec: own }) => untoleratedTaint(own?.taints ?? [], tolerations) === undefined),
    );
  }

  return {
    clusters,
    index,
    options,
    fleet,
    terminating,
    feasible(spec, status) {
      const { apiVersion, kind } = spec.resource;
      return both(
        `f|${apiVersion}|${kind}|${bindingKey(spec, status)}`,
        () => assignable(spec, status),
        () => admitted(spec),
      );
    },
    feasibleWhenAssigned: assignable,
    byAvailability(available) {
      let order = orders.get(available);
      if (!order) {
        order = Int32Array.from(clusters, (_, at) => at).filter((at) => present[at] === 1);
        order.sort((a, b) => available[b]! - available[a]! || a - b);
        orders.set(available, order);
      }
      return order;
    },
    with(...changed) {
      const next = [...clusters];
      let grew = false;
      for (const cluster of changed) {
        const at = index.get(cluster.metadata.name);
        if (at !== undefined) next[at] = cluster;
        else {
          next.push(cluster);
          grew = true;
        }
      }
      if (grew) return createClusterSnapshot(next, options);
      return compile(next, options, fleet);
    },
  };
}
