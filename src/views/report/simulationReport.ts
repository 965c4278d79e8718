import type { WorkloadOutcome } from '../../engine/verdicts/outcome.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Words } from '../../presentation/model.ts';
import { joined } from '../../presentation/words.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { duration } from '../words/duration.ts';
import { outcomeCount, SEVERITY } from '../words/outcomeWords.ts';
import { plural } from '../words/plural.ts';
import { clusterTable, simulationDocument, spansOf, type SimulationInput } from '../simulation/simulation.ts';
import type { ViewNames } from '../viewNames.ts';
import { reportPage } from './reportPage.ts';
import { roomForPods } from './roomForPods.ts';

/** A simulation with spans as a page for a browser. */
export function simulationReport(
  input: SimulationInput,
  clusters: readonly Cluster[],
  names: ViewNames,
): Generator<string> {
  const { simulation, title, karmadaVersion, assumptions } = input;
  const { start, end, atRest } = simulation;
  return reportPage({
    kind: 'Simulation',
    shown: spansOf(input),
    outcomes: simulation.workloads,
    placed: new Map(
      simulation.clusters.map(({ name, before, after }) => [
        name,
        { before: before.replicas, after: after.replicas },
      ]),
    ),
    room: roomForPods(clusters, simulation.clusters),
    verdict: verdict(title, simulation.workloads),
    basis: `Simulated from ${rfc3339(start)} over ${duration(end - start)}${atRest ? '' : ', not at rest then'}, as Karmada ${karmadaVersion} would act.`,
    placement: clusterTable(simulation.clusters, { wide: true }),
    assumptions: assumptionBlocks(assumptions, { wide: true, names }),
    document: simulationDocument(input),
    file: 'simulation.json',
  });
}

/** "frankfurt fails: of 22 workloads 2 are lost, 12 move; up to 31 ready replicas are missing, the longest for 58s." */
function verdict(title: string, workloads: readonly WorkloadOutcome[]): Words {
  const counts = SEVERITY.filter((outcome) => outcome !== 'stays').flatMap((outcome) => {
    const count = workloads.filter((one) => one.outcome === outcome).length;
    return count > 0 ? [outcomeCount(outcome, count)] : [];
  });
  const all = plural(workloads.length, 'workload');
  const what = counts.length === 0 ? `nothing happens to ${all}` : `of ${all} ${joined(counts, ', ')}`;
  return `${title}: ${what}${gapWords(workloads)}.`;
}

function gapWords(workloads: readonly WorkloadOutcome[]): string {
  const gaps = workloads.flatMap(({ gap, outcome }) => (gap && outcome !== 'flaps' ? [gap] : []));
  if (gaps.length === 0) return '; no ready replica is missing at any time';
  const open = gaps.filter((gap) => gap.open).length;
  if (open > 0)
    return `; ${plural(open, 'workload')} lack ready replicas to the end`.replace(
      /^; 1 workload lack/,
      '; 1 workload lacks',
    );
  const longest = Math.max(1000, ...gaps.map(({ seconds }) => seconds * 1000));
  const had = gaps.length === 1 ? '1 workload has' : `${gaps.length} workloads have`;
  return `; ${had} fewer ready replicas for a time, the longest for ${duration(longest)}`;
}
