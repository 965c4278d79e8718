import type { DrainPlan } from '../../engine/drain/plan/drainPlan.ts';
import type { PlanBasis } from '../../engine/drain/plan/planBasis.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { assumptionBlocks, type AnsweredAssumption } from '../assumptions.ts';
import { headline } from '../drain/planAnswer.ts';
import { planClusterTable } from '../drain/planClusterTable.ts';
import { planDocument } from '../drain/planDocument.ts';
import { fateRows } from '../drain/planFates.ts';
import { refusalMessage } from '../drain/refusals.ts';
import { duration } from '../words/duration.ts';
import type { ViewNames } from '../viewNames.ts';
import type { ReportedOutcome } from './packedReport.ts';
import { reportPage } from './reportPage.ts';
import { roomForPods } from './roomForPods.ts';

/** A planned drain as a page for a browser; the plan must have its course. */
export function drainReport(
  { plan, basis, assumptions }: { plan: DrainPlan; basis: PlanBasis; assumptions: AnsweredAssumption[] },
  clusters: readonly Cluster[],
  names: ViewNames,
): Generator<string> {
  const { now, options, karmadaVersion, course } = plan;
  const { spans = [], end = now } = course ?? {};
  const shown = { wide: true, noHeaders: false, names };
  return reportPage({
    kind: 'Plan of a drain',
    shown: { title: `drain of ${options.clusters.join(', ')}`, start: now, end, spans },
    outcomes: plan.workloads.map(reportedOutcome),
    placed: new Map(
      plan.clusters.map(({ name, before, after }) => [
        name,
        { before: before.replicas, after: after.replicas },
      ]),
    ),
    room: roomForPods(clusters, plan.clusters),
    verdict: [headline(plan, ''), '.'],
    basis: `Planned at ${rfc3339(now)} and simulated over ${duration(end - now)}, as Karmada ${karmadaVersion} would act.`,
    placement: [
      ...plan.refusals.map((refusal) => ({
        type: 'paragraph' as const,
        words: `${refusal.accepted ? 'Accepted' : 'Refused'}: ${refusalMessage(refusal, names)}`,
      })),
      { type: 'rows', rows: fateRows(plan) },
      planClusterTable(plan.clusters, shown),
    ],
    assumptions: assumptionBlocks(assumptions, shown),
    document: planDocument(plan, basis, assumptions, names),
    file: 'drain-plan.json',
  });
}

function reportedOutcome(one: DrainPlan['workloads'][number]): ReportedOutcome {
  const { kind, namespace, name, before, after, certainty, dependsOn, gap, reason, outcome = 'stays' } = one;
  return {
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    before,
    after,
    certainty,
    ...(dependsOn && { dependsOn }),
    ...(gap && { gap }),
    ...(reason !== undefined && { reason }),
    outcome,
  };
}
