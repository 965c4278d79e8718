import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import { paceToRefuse } from '../decide/currentPace.ts';
import type { DrainPlan, PlannedWorkload, DrainRefusal, Risk } from './drainPlan.ts';
import { isOvercommitted } from './plannedCapacity.ts';

/** The reasons not to drain, each with its risk, accepted or not. */
export function refusalsOf(
  { workloads, clusters: planned, options }: Pick<DrainPlan, 'workloads' | 'clusters' | 'options'>,
  clusters: readonly Cluster[],
  configuration: Configuration,
): DrainRefusal[] {
  const refuse = (risk: Risk, problem: string, concerned: readonly PlannedWorkload[]): DrainRefusal => ({
    risk,
    accepted: options.accept[risk],
    problem,
    workloads: concerned.map(namedBy),
  });
  const refusals: DrainRefusal[] = [];
  const lost = workloads.filter(({ fate }) => fate === 'lost');
  if (lost.length > 0) refusals.push(refuse('loss', `${counted(lost)} would be lost`, lost));
  const partly = workloads.filter(({ fate }) => fate === 'partly-moves');
  if (partly.length > 0) refusals.push(refuse('loss', `${counted(partly)} would lose replicas`, partly));
  const flapping = workloads.filter(({ fate }) => fate === 'flaps');
  if (flapping.length > 0) refusals.push(refuse('loss', `${counted(flapping)} would flap`, flapping));
  const blocked = workloads.filter((workload) => workload.fate === 'blocked' && !isEvicted(workload));
  if (blocked.length > 0) refusals.push(refuse('blocked', `${counted(blocked)} cannot leave`, blocked));
  const full = planned.filter((cluster) => !cluster.drained && isOvercommitted(cluster));
  if (full.length > 0) {
    const names = new Set(full.map(({ name }) => name));
    const coming = workloads.filter(({ before, after }) =>
      after.some(
        ({ name, replicas = 0 }) =>
          names.has(name) && replicas > (before.find((target) => target.name === name)?.replicas ?? 0),
      ),
    );
    refusals.push(
      refuse('overcommit', `${[...names].join(', ')} would hold more than can be allocated there`, coming),
    );
  }
  const pace = paceToRefuse(clusters, options, configuration);
  if (pace.mode !== 'normal')
    refusals.push(refuse('unhealthy', `${pace.reason}: ${pace.faulty.join(', ')}`, []));
  return refusals;
}

/** Whether a workload was evicted before: it waits for a replacement anyway, so it is no reason to stop. */
function isEvicted({ from, before }: PlannedWorkload): boolean {
  return !from.some(({ name }) => before.some((target) => target.name === name));
}

function namedBy({ kind, namespace, name }: PlannedWorkload): ObjectIdentity {
  return { kind, ...(namespace ? { namespace } : {}), name };
}

function counted({ length }: readonly unknown[]): string {
  return length === 1 ? '1 workload' : `${length} workloads`;
}
