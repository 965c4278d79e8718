import type { PlanBasis } from '../../analysis/drain/plan/planBasis.ts';
import type { DrainPlan, PlannedWorkload } from '../../analysis/drain/plan/drainPlan.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { AnsweredAssumption } from '../assumptions.ts';
import { outcomeDocument } from '../words/outcomeWords.ts';
import { refusalMessage, type OverrideNames } from './refusals.ts';
import { workloadIn } from '../words/workloadName.ts';
import { eventDocument } from '../words/timelineEvent.ts';

/** A plan as it is printed in JSON and saved. Times are RFC 3339, durations seconds. */
export function planDocument(
  plan: DrainPlan,
  basis: PlanBasis,
  assumptions: AnsweredAssumption[],
  names: OverrideNames,
) {
  const { now, options, karmadaVersion, cordons, workloads, clusters, refusals, duration } = plan;
  return {
    kind: 'DrainPlan',
    schemaVersion: 'v1',
    karmadaVersion,
    now: rfc3339Milliseconds(now),
    options,
    assumptions,
    durationSeconds: duration,
    atRest: plan.atRest,
    refusals: refusals.map((refusal) => ({
      ...refusal,
      flag: names.accept[refusal.risk],
      message: refusalMessage({ ...refusal, accepted: false }, names),
    })),
    cordons,
    workloads: workloads.map(workloadDocument),
    clusters,
    events: plan.events.map((event) => eventDocument(event, now)),
    standsOn: basis,
  };
}

function workloadDocument({
  evictedAt,
  readyAt,
  goneAt,
  until,
  deletedReady,
  flapping,
  ...rest
}: PlannedWorkload) {
  const time = (name: string, value: number | undefined) =>
    value === undefined ? {} : { [name]: rfc3339Milliseconds(value) };
  return {
    workload: workloadIn(rest),
    ...rest,
    dependsOn: rest.dependsOn ?? [],
    ...outcomeDocument({ deletedReady, flapping }),
    ...time('evictedAt', evictedAt),
    ...time('readyAt', readyAt),
    ...time('goneAt', goneAt),
    ...time('until', until),
  };
}
