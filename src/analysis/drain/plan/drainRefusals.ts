import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { paceOf } from '../decide/currentPace.ts';
import type { DrainPlan, PlannedWorkload, DrainRefusal, Risk } from './drainPlan.ts';
import { isOvercommitted } from './plannedCapacity.ts';
import { taintEvictionSwitches } from '../../../karmada/configuration/taintEviction.ts';
import type { DrainOptions } from '../drainOptions.ts';
import { plainIdentity } from '../../../karmada/objects/identities.ts';

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
    workloads: concerned.map(plainIdentity),
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
      refuse('overcommit', `${[...names].join(', ')} would exceed their allocatable capacity`, coming),
    );
  }
  const unaccepted = { ...options, accept: { ...options.accept, unhealthy: false } };
  const pace = paceOf(clusters, unaccepted, configuration);
  if (pace.mode !== 'normal')
    refusals.push(refuse('unhealthy', `${pace.reason}: ${pace.faulty.join(', ')}`, []));
  return refusals;
}

/** Whether a workload was evicted before: it waits for a replacement in any case, so it is no reason to refuse. */
function isEvicted({ from, before }: PlannedWorkload): boolean {
  return !from.some(({ name }) => before.some((target) => target.name === name));
}

function counted({ length }: readonly unknown[]): string {
  return length === 1 ? '1 workload' : `${length} workloads`;
}

/**
 * Why a drain by taint would not work as requested. selection: the taint evicts everything that does not tolerate it,
 * so workloads cannot be selected; off: these gates and flags are off, so no taint evicts; unverified: they are on by
 * unverified defaults.
 */
export type MethodProblem =
  | { kind: 'selection' }
  | { kind: 'off'; switches: string[]; confirmed: boolean }
  | { kind: 'unverified'; switches: string[] };

/**
 * The problem of a drain's method; undefined if it works as requested.
 *
 * @param unverified names of gates and flags whose values are unverified
 */
export function methodProblem(
  { method, selection }: DrainOptions,
  configuration: Configuration,
  unverified: ReadonlySet<string> = new Set(),
): MethodProblem | undefined {
  if (method === 'evict') return undefined;
  if (Object.values(selection).some(isGiven)) return { kind: 'selection' };
  const switches = taintEvictionSwitches(configuration);
  const off = switches.filter(({ on }) => !on).map(({ name }) => name);
  if (off.length > 0)
    return { kind: 'off', switches: off, confirmed: !off.some((name) => unverified.has(name)) };
  const guessed = switches.map(({ name }) => name).filter((name) => unverified.has(name));
  return guessed.length > 0 ? { kind: 'unverified', switches: guessed } : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}
