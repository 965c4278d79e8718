import type { Cures } from '../../analysis/audit/cures.ts';
import type { Outcome, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { joined, plain } from '../../presentation/words.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { duration } from '../words/duration.ts';
import { SEVERITY, gapText, outcomeCount, outcomeTone } from '../words/outcomeWords.ts';
import { plural } from '../words/amounts.ts';
import { workloadName } from '../words/names.ts';
import { clusterTable, simulationDocument, spansOf, type SimulationInput } from '../simulation/simulation.ts';
import type { ViewNames } from '../answer.ts';
import { gapWords, outcomeSummary } from './outcomeSummary.ts';
import type { OutcomeWithReason } from './packedReport.ts';
import { reportPage } from './reportPage.ts';
import { podCapacity } from './podCapacity.ts';

/**
 * A simulation with spans as a page for a browser.
 * @param cures changes that would help workloads that do not survive it
 */
export function simulationReport(
  input: SimulationInput,
  clusters: readonly Cluster[],
  names: ViewNames,
  cures: readonly Cures[] = [],
): Generator<string> {
  const { simulation, title, karmadaVersion, assumptions } = input;
  const { start, end, atRest } = simulation;
  return reportPage({
    kind: 'Simulation',
    shown: spansOf(input),
    outcomes: simulation.workloads.map((one) => ({ ...one, fate: one.outcome, fewer: gapText(one) })),
    fates: FATES,
    placed: placedReplicas(simulation.workloads),
    capacity: podCapacity(clusters, simulation.clusters),
    verdict: verdict(title, simulation.workloads),
    basis: `Simulated from ${rfc3339(start)} over ${duration(end - start)}${atRest ? '' : ', still changing at the end'}, as Karmada ${karmadaVersion} would act.${doubtsText(simulation.workloads)}`,
    summary: outcomeSummary(simulation.workloads),
    placement: [...partText(simulation), ...clusterTable(simulation.clusters, { wide: true })],
    cures,
    assumptions: assumptionBlocks(assumptions, { wide: true, names }),
    document: simulationDocument(input),
    file: 'simulation.json',
  });
}

/**
 * "frankfurt fails: of 22 workloads 2 are lost, 12 move; 31 workloads have fewer ready replicas for a time, the longest
 * for 58s."
 */
function verdict(title: string, workloads: readonly WorkloadOutcome[]): Words {
  const gaps = gapWords(workloads);
  const counts = SEVERITY.filter((outcome) => outcome !== 'stays').flatMap((outcome) => {
    const count = workloads.filter((one) => one.outcome === outcome).length;
    return count > 0 ? [outcomeCount(outcome, count)] : [];
  });
  const [first] = workloads;
  if (first && workloads.length === 1) {
    const words = plain(outcomeCount(first.outcome, 1)).replace(/^1 /, '');
    return `${title}: ${workloadName(first)} ${words}; ${gaps}.`;
  }
  const all = plural(workloads.length, 'workload');
  const what = counts.length === 0 ? `nothing happens to ${all}` : `of ${all} ${joined(counts, ', ')}`;
  return `${title}: ${what}; ${gaps}.`;
}

/** The workloads' replicas on clusters at the start and at the end, by cluster name. */
function placedReplicas(
  workloads: readonly WorkloadOutcome[],
): Map<string, { before: number; after: number }> {
  const placed = new Map<string, { before: number; after: number }>();
  for (const when of ['before', 'after'] as const)
    for (const workload of workloads)
      for (const { name, replicas = 0 } of workload[when])
        getOrAdd(placed, name, () => ({ before: 0, after: 0 }))[when] += replicas;
  return placed;
}

/** If the report covers only some workloads, the table of clusters covers more than the curves above it. */
function partText({ workloads, clusters }: SimulationInput['simulation']): Block[] {
  const placed = placedReplicas(workloads);
  const isAll = clusters.every(({ name, before, after }) => {
    const { before: had, after: has } = placed.get(name) ?? { before: 0, after: 0 };
    return before.replicas === had && after.replicas === has;
  });
  if (isAll) return [];
  const words = `Above, the replicas of ${plural(workloads.length, 'workload')}; below, those of all.`;
  return [{ type: 'paragraph', words }];
}

/** "9 outcomes are uncertain; …", if there are any. */
function doubtsText(workloads: readonly WorkloadOutcome[]): string {
  const count = workloads.filter(({ certainty }) => certainty !== 'certain').length;
  if (count === 0) return '';
  return ` ${plural(count, 'outcome')} ${count === 1 ? 'is' : 'are'} uncertain; the table says why.`;
}

const FATES: readonly OutcomeWithReason[] = SEVERITY.map((name) => ({
  name,
  text: outcomeCount(name, 1).replace(/^1 (is )?/, ''),
  tone: toneOf(name),
}));

function toneOf(outcome: Outcome): OutcomeWithReason['tone'] {
  const words = outcomeTone(outcome, '');
  if (typeof words !== 'object' || !('tone' in words)) return 'plain';
  return words.tone === 'bad' || words.tone === 'warn' ? words.tone : 'plain';
}
