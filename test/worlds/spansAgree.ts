import { bindingKey, objectKey, snapshotKey } from '../../src/karmada/objects/identities.ts';
import { wantedReplicas } from '../../src/karmada/objects/placement.ts';
import { factsOfClusters } from '../../src/karmada/selection/clusterAffinity.ts';
import type { ScenarioAction } from '../../src/simulator/scenario.ts';
import { simulate } from '../../src/simulator/simulation/simulate.ts';
import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import { PLACED_PHASES, type Span } from '../../src/simulator/timeline/span.ts';
import type { WorkloadOutcome } from '../../src/simulator/verdicts/outcome.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import type { GeneratedWorld } from './worldOfSeed.ts';

/** Whether the spans of a simulation match its outcomes; if not, which one does not. */
export function spansAgree(generated: GeneratedWorld): string | undefined {
  const { world, configuration, scenario } = generated;
  const simulation = simulate(world, scenario, configuration, { spans: true });
  const spans = simulation.spans!;
  for (const lane of lanesOf(spans).values()) {
    const broken = brokenLane(lane, simulation);
    if (broken) return broken;
  }
  // outcomes of deliberately deleted workloads have no gap; spans show what existed
  for (const outcome of simulation.workloads.filter((one) => one.outcome !== 'deleted')) {
    const own = spans.filter(({ workload }) => objectKey(workload) === objectKey(outcome));
    const broken =
      otherEnd(outcome, own) ??
      otherGap(outcome, own, simulation) ??
      otherReady(outcome, own, simulation, generated);
    if (broken) return `${outcome.name}: ${broken}`;
  }
  return undefined;
}

function lanesOf(spans: readonly Span[]): Map<string, Span[]> {
  const lanes = new Map<string, Span[]>();
  for (const span of spans) {
    const { workload, cluster, phase } = span;
    const lane = `${objectKey(workload)} ${cluster ?? phase}`;
    lanes.set(lane, [...(lanes.get(lane) ?? []), span]);
  }
  return lanes;
}

/** Spans of one lane are in chronological order, do not overlap, have a duration, and only the last one is open. */
function brokenLane(lane: readonly Span[], { start, end }: Simulation): string | undefined {
  for (const [i, span] of lane.entries()) {
    const what = `${span.workload.name} ${span.cluster ?? ''} ${span.phase} from ${span.from - start}`;
    const { from, to = end } = span;
    if (from < start || to > end) return `${what}: lies outside of the simulation`;
    if (span.to !== undefined && from >= to) return `${what}: lasts no time`;
    const next = lane[i + 1];
    if (next && (span.to === undefined || next.from < span.to)) return `${what}: overlaps the next`;
    if (next && next.from === span.to && sameWords(span, next)) return `${what}: goes on in another span`;
  }
  return undefined;
}

function sameWords(a: Span, b: Span): boolean {
  return a.phase === b.phase && a.replicas === b.replicas && a.ready === b.ready;
}

/** It is placed, and kept by tasks, where the outcome says. */
function otherEnd({ after, evicting }: WorkloadOutcome, spans: readonly Span[]): string | undefined {
  const last = spans.filter(({ to }) => to === undefined);
  const placed = last.filter(({ phase }) => PLACED_PHASES.has(phase)).map(({ cluster }) => cluster!);
  const there = after.map(({ name }) => name);
  if (!sameNames(placed, there)) return `ends on ${placed.join()} instead of ${there.join()}`;
  const leaving = last.filter(({ phase }) => phase === 'evicting').map(({ cluster }) => cluster!);
  const kept = evicting.filter((name) => !there.includes(name));
  return sameNames(leaving, kept) ? undefined : `is leaving ${leaving.join()} instead of ${kept.join()}`;
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return [...a].sort().join() === [...b].sort().join();
}

const atEndOf = (span: Span | undefined) => (span ? { atEnd: span.replicas! } : {});

function otherGap(
  { gap }: WorkloadOutcome,
  spans: readonly Span[],
  { end, atRest }: Simulation,
): string | undefined {
  const gaps = spans.filter(({ phase }) => phase === 'gap');
  const found =
    gaps.length === 0
      ? undefined
      : {
          replicas: Math.max(...gaps.map(({ replicas }) => replicas!)),
          seconds: gaps.reduce((sum, { from, to = end }) => sum + to - from, 0) / 1000,
          open: gaps.some(({ to }) => to === undefined),
          // last, as in the outcome
          ...atEndOf(gaps.find(({ to }) => to === undefined)),
          // also for one that stays while others flap
          ...((atRest || gap?.permanent) && gaps.some(({ to }) => to === undefined) && { permanent: true }),
        };
  const [expected, actual] = [gap, found].map(
    (one) => one && (one.seconds === 0 ? undefined : JSON.stringify(one)),
  );
  return expected === actual ? undefined : `lacks ${actual} instead of ${expected}`;
}

/** At any time, the missing replicas equal the desired replicas of its copies minus the ready ones. */
function otherReady(
  { binding }: WorkloadOutcome,
  spans: readonly Span[],
  { start, end }: Simulation,
  { world: { bindings, clusters }, configuration, scenario }: GeneratedWorld,
): string | undefined {
  const initial = bindings.find((one) => bindingKey(one) === snapshotKey(binding));
  // A Job with fewer completions than replicas may run only the former, which is not a gap without events.
  if (!initial?.spec.replicas || initial.spec.resource.kind === 'Job') return undefined;
  const facts = factsOfClusters(
    (name) => clusters.find(({ metadata }) => metadata.name === name),
    configuration.rules.scheduling,
    clusters,
  );
  // At the start a status may report a copy whose Work is gone: it counts as ready until a controller looks.
  const times = [...new Set(spans.map(({ from }) => from))].filter((time) => time > start);
  for (const time of times) {
    const now = spans.filter(({ from, to = end + 1 }) => from <= time && time < to);
    const ready = now.reduce((sum, one) => sum + (one.ready ?? 0), 0);
    const missing = now.find(({ phase }) => phase === 'gap')?.replicas ?? 0;
    // the binding follows its template a moment later, and added replicas may still be starting
    const lacks = asked(initial, scenario, time).map((one) =>
      Math.max(0, wantedReplicas(one, facts) - ready),
    );
    // another placement may require fewer copies
    const least = scenario.events.some(({ at, action }) => at <= time && changesPolicy(action))
      ? 0
      : Math.min(...lacks);
    if (missing < least || missing > Math.max(...lacks))
      return `at ${time} it lacks ${lacks[0]}, and the gap says ${missing}`;
  }
  return undefined;
}

function changesPolicy(action: ScenarioAction): boolean {
  return action.type === 'patch' && action.target.kind.endsWith('PropagationPolicy');
}

/** A binding with its spec at the start, and with the replicas requested by a scenario so far. */
function asked(
  initial: ResourceBinding,
  { events }: GeneratedWorld['scenario'],
  time: number,
): ResourceBinding[] {
  const { resource, replicas: before = 0 } = initial.spec;
  const others = events.flatMap(({ at, action }) => {
    if (at > time || action.type !== 'patch' || objectKey(action.target) !== objectKey(resource)) return [];
    const { spec } = action.merge as { spec?: { replicas?: number } };
    const { replicas = before } = spec ?? {};
    return [replicas];
  });
  return [initial, ...others.map((replicas) => ({ ...initial, spec: { ...initial.spec, replicas } }))];
}
