import type { Cures } from '../../analysis/audit/cures.ts';
import type { DrainPlan } from '../../analysis/drain/plan/drainPlan.ts';
import type { PlanBasis } from '../../analysis/drain/plan/planBasis.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { assumptionBlocks, type AnsweredAssumption } from '../assumptions.ts';
import { drainHeadline, planDocument } from '../drain/planAnswer.ts';
import { planClusterTable } from '../drain/planTables.ts';
import { DRAIN_OUTCOMES, outcomeRows, drainOutcomeWords, toneOfDrainOutcome } from '../drain/planFates.ts';
import { refusalMessage } from '../drain/beforeDrain.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { duration } from '../words/duration.ts';
import { listed, plural } from '../words/amounts.ts';
import { gapText } from '../words/outcomeWords.ts';
import type { ViewNames } from '../answer.ts';
import { gapWords } from './outcomeSummary.ts';
import type { ReportedOutcome } from './packedReport.ts';
import { reportPage } from './reportPage.ts';
import { podCapacity } from './podCapacity.ts';

/**
 * A planned drain as a page for a browser; the plan must include its timeline.
 * @param cures changes that would help workloads that cannot leave
 */
export function drainReport(
  { plan, basis, assumptions }: { plan: DrainPlan; basis: PlanBasis; assumptions: AnsweredAssumption[] },
  clusters: readonly Cluster[],
  names: ViewNames,
  cures: readonly Cures[] = [],
): Generator<string> {
  const { now, options, karmadaVersion, course } = plan;
  const { spans = [], end = now } = course ?? {};
  const shown = { wide: true, noHeaders: false, names };
  return reportPage({
    kind: 'Drain plan',
    shown: { title: `drain of ${options.clusters.join(', ')}`, start: now, end, spans },
    outcomes: plan.workloads.map(reportedOutcome),
    fates: FATES,
    placed: new Map(
      plan.clusters.map(({ name, before, after }) => [
        name,
        { before: before.replicas, after: after.replicas },
      ]),
    ),
    capacity: podCapacity(clusters, plan.clusters),
    verdict: verdict(plan),
    basis: `Planned at ${rfc3339(now)} and simulated over ${duration(end - now)}, as Karmada ${karmadaVersion} would act.`,
    summary: [
      ...(plan.workloads.length === 0 ? [] : [paragraph([drainHeadline(plan, ''), '.'])]),
      ...plan.refusals.map((refusal) =>
        paragraph(`${refusal.accepted ? 'Accepted' : 'Refused'}: ${refusalMessage(refusal, names)}`),
      ),
      { type: 'rows', rows: outcomeRows(plan) },
    ],
    placement: [planClusterTable(plan.clusters, shown)],
    cures,
    assumptions: assumptionBlocks(assumptions, shown),
    document: planDocument(plan, basis, assumptions, names),
    file: 'drain-plan.json',
  });
}

const paragraph = (words: Words): Block => ({ type: 'paragraph', words });

/**
 * "Draining frankfurt is refused: of 12 workloads 3 are blocked, 4 leave, 5 move; no ready replica is missing at any
 * time."
 */
function verdict(plan: DrainPlan): Words {
  const { workloads, options, refusals } = plan;
  if (workloads.length === 0) return [drainHeadline(plan, ''), '.'];
  const counts = FATES.flatMap(({ name }) => {
    const count = workloads.filter(({ fate }) => fate === name).length;
    return count > 0
      ? `${count} ${name === 'blocked' ? (count === 1 ? 'is ' : 'are ') : ''}${drainOutcomeWords(name, count)}`
      : [];
  });
  const refused = refusals.some(({ accepted }) => !accepted) ? ' is refused' : '';
  return `Draining ${listed(options.clusters)}${refused}: of ${plural(workloads.length, 'workload')} ${counts.join(', ')}; ${gapWords(workloads)}.`;
}

const FATES = DRAIN_OUTCOMES.map((name) => ({
  name,
  text: drainOutcomeWords(name, 1),
  tone: toneOfDrainOutcome(name),
}));

function reportedOutcome(one: DrainPlan['workloads'][number]): ReportedOutcome {
  const { kind, namespace, name, before, after, certainty, dependsOn, gap, reason, fate, outcome } = one;
  return {
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    before,
    after,
    certainty,
    ...(dependsOn && { dependsOn }),
    ...(reason !== undefined && { reason }),
    fate,
    fewer: gapText({ ...(gap && { gap }), ...(outcome && { outcome }) }),
  };
}
