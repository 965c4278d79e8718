import { objectKey } from '../../karmada/objects/identities.ts';
import { gapOfSpans } from '../../simulator/verdicts/readinessCourse.ts';
import type { Certainty, Evidence } from '../../karmada/evidence.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import { presentable } from '../../presentation/presentable.ts';
import { plain } from '../../presentation/words.ts';
import { evidenceWords } from '../words/evidence.ts';
import { gapText } from '../words/outcomeWords.ts';
import { placementText } from '../words/names.ts';
import { PHASES } from '../timeline/phases.ts';
import { readyByCluster, byWorkload, type SpansShown, type WorkloadSpans } from '../timeline/spansShown.ts';
import { CERTAINTIES, type ReportData, type ReportedCluster, type ReportedWorkload } from './reportData.ts';
import { keysOf } from '../../kubernetes/json.ts';

/** The possible outcomes of workloads, in a report's words. */
export interface OutcomeWithReason {
  /** the key that workloads refer to */
  name: string;
  /** for one workload: "moves in part" */
  text: string;
  tone: 'bad' | 'warn' | 'plain';
}

/** A report's data about a workload besides its spans. */
export interface ReportedOutcome extends ObjectIdentity {
  fate: string;
  certainty: Certainty;
  dependsOn?: readonly string[];
  reason?: string;
  before: TargetCluster[];
  after: TargetCluster[];
  /** "3 for 1m9s" */
  fewer: string;
}

export interface PackedInput {
  shown: SpansShown;
  /** the outcome of the workloads; those without spans are left out */
  outcomes: readonly ReportedOutcome[];
  /** their possible outcomes, worst first; empty if a report judges none */
  fates: readonly OutcomeWithReason[];
  /** show times of the clock instead of those since the start */
  byClock?: boolean;
  /** false: the number of ready replicas before the end is unknown */
  readyKnown?: boolean;
  /** pod capacity of clusters for our workloads, by cluster name */
  capacity: ReadonlyMap<string, number>;
  /** the replicas placed on clusters at the start and at the end, by cluster name */
  placed: ReadonlyMap<string, { before: number; after: number }>;
  /** the name of the file with the whole answer */
  file: string;
}

/** The data that a report's page draws. All foreign text is made presentable here: the page shows it unchanged. */
export function packedReport(input: PackedInput): ReportData {
  const { shown, outcomes, fates, capacity, placed, file, byClock = false, readyKnown = true } = input;
  const { start, end, spans } = shown;
  const phases = keysOf(PHASES);
  const texts = numbered<string>();
  const reasons: number[][] = [];
  const reasonOf = createReasons(reasons, texts);
  const courses = readyByCluster(spans, start);
  const clusters = numbered<string>();
  for (const { cluster } of courses) clusters.place(cluster);
  for (const [cluster, { before, after }] of placed) if (before > 0 || after > 0) clusters.place(cluster);
  const judged = new Map(outcomes.map((one) => [objectKey(one), one]));
  const workloads = byWorkload(spans);
  const data: ReportData = {
    start,
    length: end - start,
    phases: phases.map((name) => ({ name, text: PHASES[name].text })),
    byClock,
    readyKnown,
    outcomes: fates.map(({ text, tone }) => ({ text, tone })),
    clusters: [],
    workloads: workloads.map((one) =>
      reportedWorkload(one, judged.get(objectKey(one.workload)), fates, { start, end }),
    ),
    spans: { cluster: [], phase: [], from: [], to: [], replicas: [], ready: [], certainty: [], reason: [] },
    texts: [],
    reasons,
    file,
  };
  for (const { workload, spans: own } of workloads)
    for (const { cluster, phase, from, to, replicas = -1, ready = -1, certainty, evidence } of own) {
      data.spans.cluster.push(cluster === undefined ? -1 : clusters.place(cluster));
      data.spans.phase.push(phases.indexOf(phase));
      data.spans.from.push(from - start);
      data.spans.to.push(to === undefined ? -1 : to - start);
      data.spans.replicas.push(replicas);
      data.spans.ready.push(ready);
      data.spans.certainty.push(CERTAINTIES.indexOf(certainty));
      data.spans.reason.push(reasonOf(evidence, workload));
    }
  const courseOf = new Map(courses.map((one) => [one.cluster, one.steps]));
  data.clusters = clusters.all().map((name): ReportedCluster => {
    const steps = courseOf.get(name) ?? [{ time: start, ready: 0 }];
    const [own, replicas] = [capacity.get(name), placed.get(name)];
    return {
      name: presentable(name),
      times: steps.map(({ time }) => time - start),
      ready: steps.map(({ ready }) => ready),
      ...(replicas && { placed: replicas }),
      ...(own !== undefined && { capacity: own }),
    };
  });
  data.texts = texts.all();
  return data;
}

function reportedWorkload(
  { workload, spans }: WorkloadSpans,
  outcome: ReportedOutcome | undefined,
  fates: readonly OutcomeWithReason[],
  { start, end }: { start: number; end: number },
): ReportedWorkload {
  const { kind, namespace = '', name } = workload;
  const weight = spans.reduce((sum, { phase, from, to = end, replicas = 1 }) => {
    return phase === 'gap' || phase === 'scheduling'
      ? sum + (Math.max(to - from, 1000) / 1000) * replicas
      : sum;
  }, 0);
  return {
    kind: presentable(kind),
    namespace: presentable(namespace),
    name: presentable(name),
    ...(outcome && { outcome: fates.findIndex(({ name: fate }) => fate === outcome.fate) }),
    certainty: outcome?.certainty ?? 'certain',
    dependsOn: (outcome?.dependsOn ?? []).map(presentable),
    reason: presentable(outcome?.reason ?? ''),
    before: presentable(placementText(outcome?.before ?? [])),
    after: presentable(placementText(outcome?.after ?? [])),
    fewer: outcome ? outcome.fewer : missingText(gapOfSpans(spans, end), start === end),
    weight: Math.round(weight),
    spans: spans.length,
  };
}

/** At a single instant, durations are unknown. */
function missingText(gap: ReturnType<typeof gapOfSpans>, isInstant: boolean): string {
  return gap && isInstant ? String(gap.replicas) : gapText({ gap });
}

interface Numbered<T> {
  place(one: T): number;
  all(): T[];
}

function numbered<T>(): Numbered<T> {
  const places = new Map<T, number>();
  return {
    place(one) {
      const known = places.get(one);
      if (known !== undefined) return known;
      places.set(one, places.size);
      return places.size - 1;
    },
    all: () => [...places.keys()],
  };
}

/** Many spans share their evidence, so each list of texts is stored once. */
function createReasons(reasons: number[][], texts: Numbered<string>) {
  const known = new Map<string, number>();
  const seen = new Map<readonly Evidence[], number>();
  return (evidence: readonly Evidence[], about: ObjectIdentity): number => {
    const at = seen.get(evidence);
    if (at !== undefined) return at;
    const list = evidence.map((one) => texts.place(presentable(plain(evidenceWords(one, about)))));
    const key = list.join();
    const place = known.get(key) ?? reasons.push(list) - 1;
    known.set(key, place);
    seen.set(evidence, place);
    return place;
  };
}
