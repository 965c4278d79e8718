import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { parseQuantity } from '../../kubernetes/parseQuantity.ts';
import { InvalidQuantity } from '../../kubernetes/quantity.ts';
import { quantityMilliValue, quantityValue } from '../../kubernetes/quantity.ts';
import type { WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';

/** The resources that clusters report; headroom is the rest after the arrivals. */
export const REPORTED_RESOURCES = ['cpu', 'memory', 'pods'] as const;

/** All resources with a headroom in audits: including the capacity of resource models. */
export const HEADROOM_RESOURCES = [...REPORTED_RESOURCES, 'models'] as const;

export type HeadroomResource = (typeof HEADROOM_RESOURCES)[number];

/** Amounts of resources: cpu in thousandths, memory in bytes, pods, and the share of the capacity of resource models. */
export type Amounts = Readonly<Record<HeadroomResource, number>>;

/** The headroom of a cluster for one resource. */
export interface Headroom {
  resource: HeadroomResource;
  /** for resource models: the workload whose replicas are counted */
  workload?: ObjectIdentity & { apiVersion: string };
  /** in the unit of `Amounts`; for resource models the replicas that fit on an empty cluster */
  allocatable: number;
  free: number;
  /** after the contingency with the most arrivals; absent if none has any */
  worst?: { contingency: string; free: number };
}

/** The largest arrivals of a resource on a cluster, and their contingency. */
export interface WorstArrivals {
  contingency: string;
  amount: number;
}

const NOTHING: Amounts = { cpu: 0, memory: 0, pods: 0, models: 0 };

/** Amounts of one contingency that arrive on each cluster. */
export type Arrivals = ReadonlyMap<string, Amounts>;

/**
 * The requests of the replicas that each cluster gains by these outcomes.
 *
 * @param takenOfModels the share of the capacity of a cluster that this number of replicas takes
 */
export function arrivalsOf(
  outcomes: readonly WorkloadOutcome[],
  bindingOf: (outcome: WorkloadOutcome) => ResourceBinding | undefined,
  takenOfModels: (cluster: string, binding: ResourceBinding, replicas: number) => number,
): Arrivals {
  const arrivals = new Map<string, Amounts>();
  for (const outcome of outcomes) {
    const binding = bindingOf(outcome);
    const request = requestOf(binding);
    if (!binding || !request) continue;
    const had = new Map(outcome.before.map(({ name, replicas = 0 }) => [name, replicas]));
    for (const { name, replicas = 0 } of outcome.after) {
      const more = replicas - (had.get(name) ?? 0);
      if (more <= 0) continue;
      const before = arrivals.get(name) ?? NOTHING;
      arrivals.set(name, {
        cpu: before.cpu + more * request.cpu,
        memory: before.memory + more * request.memory,
        pods: before.pods + more,
        models: before.models + takenOfModels(name, binding, more),
      });
    }
  }
  return arrivals;
}

/** The request of one replica of a binding; undefined if it has no pods. */
function requestOf(binding: ResourceBinding | undefined): Pick<Amounts, 'cpu' | 'memory'> | undefined {
  const { replicas = 0, replicaRequirements } = binding?.spec ?? {};
  if (replicas === 0) return undefined;
  const request = replicaRequirements?.resourceRequest;
  return { cpu: amount('cpu', request?.cpu) ?? 0, memory: amount('memory', request?.memory) ?? 0 };
}

/**
 * A cluster's headroom by status.resourceSummary, without unreported resources.
 *
 * @param mostArriving the amount from the contingency that sends the most there
 */
export function headroomOf(
  cluster: Cluster,
  mostArriving: (resource: HeadroomResource) => WorstArrivals | undefined = () => undefined,
): Headroom[] {
  const { allocatable, allocated, allocating } = cluster.status?.resourceSummary ?? {};
  return REPORTED_RESOURCES.flatMap((resource) => {
    const all = amount(resource, allocatable?.[resource]);
    if (all === undefined) return [];
    const used = [allocated?.[resource], allocating?.[resource]].reduce<number>(
      (sum, quantity) => sum + (amount(resource, quantity) ?? 0),
      0,
    );
    const free = all - used;
    const most = mostArriving(resource);
    const worst = most && { contingency: most.contingency, free: free - most.amount };
    return [{ resource, allocatable: all, free, ...(worst && { worst }) }];
  });
}

/** Undefined if it is no valid quantity: the rules that need it report the field. */
function amount(resource: HeadroomResource, quantity: unknown): number | undefined {
  if (typeof quantity !== 'string' && typeof quantity !== 'number') return undefined;
  try {
    const parsed = parseQuantity(quantity);
    return Number(resource === 'cpu' ? quantityMilliValue(parsed) : quantityValue(parsed));
  } catch (error) {
    if (error instanceof InvalidQuantity) return undefined;
    throw error;
  }
}
