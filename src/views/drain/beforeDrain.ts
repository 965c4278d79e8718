import type { DrainPlan, PlannedWorkload, DrainRefusal } from '../../analysis/drain/plan/drainPlan.ts';
import type { PlanDrift } from '../../analysis/drain/plan/planDrift.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import type { ViewNames } from '../answer.ts';
import { objectText, placementText, workloadName } from '../words/names.ts';

/** The names that a refusal uses to say how to override it. */
export type OverrideNames = Pick<ViewNames, 'accept' | 'override'>;

/** How many workloads a message names; the others are counted. */
const MAX_NAMED = 3;

/**
 * One line in the style of kubectl drain: the problem, how to override it (unless that was given), and the workloads
 * (unless they are listed below).
 */
export function refusalMessage(
  { risk, problem, workloads, accepted }: DrainRefusal,
  { accept, override: overriding }: OverrideNames,
  namesFollow = false,
): string {
  const override = accepted ? '' : ` (${overriding(accept[risk])})`;
  if (namesFollow) return `${problem}${override}${workloads.length > 0 ? ':' : ''}`;
  const named = workloads.slice(0, MAX_NAMED).map(workloadName).join(', ');
  const more = workloads.length > MAX_NAMED ? ` and ${workloads.length - MAX_NAMED} more` : '';
  return `${problem}${override}${named && `: ${named}${more}`}`;
}

/** One line about what changed since a plan was made: "ResourceBinding shop/cart: spec.replicas was 3, is 5". */
export function planDriftText({ object, change, field, before, now }: PlanDrift): string {
  const what = objectText(object);
  switch (change) {
    case 'gone':
      return `${what} no longer exists`;
    case 'new':
      return object.kind === 'Cluster' ? `${what} is new` : `${what} is new on the drained clusters`;
    case 'replaced':
      return `${what} was deleted and recreated`;
    case 'changed':
      // of a long value, a plan keeps only a digest
      if (before === undefined && now === undefined) return `${what}: ${field} has changed`;
      if (before === undefined) return `${what}: ${field} has changed, is ${value(field, now!)}`;
      if (now === undefined) return `${what}: ${field} was ${value(field, before)}, has changed`;
      return `${what}: ${field} was ${value(field, before)}, is ${value(field, now)}`;
  }
}

function value(field: string | undefined, json: string): string {
  if (json === 'null') return 'none';
  if (field === 'spec.clusters') return placementText(JSON.parse(json) as TargetCluster[]);
  return json;
}

/** The question before a drain begins. */
export function drainQuestion({ options, workloads }: DrainPlan): string {
  const count = workloads.filter(({ order }) => order !== undefined).length;
  const evicted = count === 1 ? '1 workload is' : `${count} workloads are`;
  return `Drain ${options.clusters.join(', ')}? ${evicted} evicted.`;
}

/** The server's response to a dry-run write, in kubectl's form. */
export function rehearsedText({
  object,
  workload,
  refused,
}: {
  object: ObjectIdentity;
  workload?: PlannedWorkload;
  refused?: string;
}): string {
  const what = workload
    ? `${workloadName(workload)} evicted from ${workload.from.map(({ name }) => name).join(' and ')}`
    : `cluster/${object.name} cordoned`;
  return refused === undefined
    ? `${what} (server dry run)`
    : `${what.replace(/ (evicted|cordoned)/, ' not $1')}: ${refused} (server dry run)`;
}
