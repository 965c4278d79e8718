import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { bindingKey, snapshotKey } from '../../karmada/objects/identities.ts';
import { entitledClusters } from '../../karmada/eviction/works.ts';
import { schedulerSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import type { WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import { lossesOf } from '../forecast/costOfLoss.ts';
import { arrivalsOf } from '../forecast/headroom.ts';
import { bindingsOn, forecastEvents, type ForecastOptions } from '../forecast/losses.ts';
import { createModelHeadroom } from '../forecast/modelHeadroom.ts';
import { type AuditedCause, causesOf } from './auditedCauses.ts';
import { type AuditedCluster, auditedClusters } from './auditedCluster.ts';
import { auditedWorkload, type AuditedWorkload, worstFirst } from './auditedWorkload.ts';
import {
  actionOn,
  type AuditedContingency,
  type Contingency,
  type ContingencyTaint,
} from './contingencies.ts';
import { countTrouble, createWorkloadSummaries } from '../explanation/workloadNow.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { createPairScreen, type SingleFailure } from './pairs.ts';
import { type KeptAudit, reusedResults } from './earlierAudit.ts';
import { causeOf } from './causes.ts';
import { createTally, type ContingencyEffect, type Tally } from './tally.ts';
import type { SettledWorld } from './touched.ts';
import { compareTroubles, type Trouble, troubleOf } from './trouble.ts';
import { withoutClusters, worstCases } from './worstCases.ts';

/** What would be lost if clusters failed: by contingency, by workload and by cluster, with causes. */
export interface Audit {
  /** how many contingencies were requested; more than listed below if the audit was interrupted */
  asked: number;
  contingencies: AuditedContingency[];
  /** every workload with a placement, or with a copy under eviction, the worst first */
  workloads: AuditedWorkload[];
  clusters: AuditedCluster[];
  /** why workloads are in trouble: the cause that concerns the most workloads first */
  causes: AuditedCause[];
  coverage: Coverage;
}

export interface AuditOptions extends Omit<ForecastOptions, 'forecasts'> {
  contingencies: readonly Contingency[];
  /** what happens to each cluster of a contingency; absent: it fails */
  taint?: ContingencyTaint;
  /** a workload's target: seconds with fewer ready replicas than desired; undefined: none set */
  targetOf?: (binding: ResourceBinding) => number | undefined;
  /** keeps the results of each contingency for an audit after a change; not of pairs, which are too many */
  keeps?: boolean;
  /** an earlier audit of the same bindings and options: results unaffected by later changes are reused */
  earlier?: KeptAudit | undefined;
}

/** An audit in progress: one contingency per step. */
export interface RunningAudit {
  /** how many steps there are */
  readonly total: number;
  /** the results so far; results of other threads can be merged into it */
  readonly tally: Tally;
  /** how many contingencies are reused from the earlier audit */
  readonly taken: number;
  /** Simulates the contingency at this position, counted from 0. */
  simulate(at: number): void;
  /** when pairs are screened: the single-cluster failures to simulate first */
  readonly screened?: ScreenedSingles;
  /** Simulates the next contingency, or the next in the given shard; false: there is none. */
  step(shard?: { index: number; of: number }): boolean;
  /** The results so far. */
  result(): Audit;
  /** what the audit after the next change can reuse; undefined if incomplete, or if the results depend on the time */
  kept(): KeptAudit | undefined;
}

/** The failures of single clusters, from which pairs are combined. */
interface ScreenedSingles {
  readonly clusters: readonly string[];
  /** simulated failures by cluster; results of other threads can be added */
  readonly known: Map<string, SingleFailure>;
  /** the position of its contingency, if it was requested */
  at(cluster: string): number | undefined;
  /** Whether the contingency at a position is one of the simulated ones. */
  isDone(at: number): boolean;
  /** Simulates the failure of a cluster that is not a contingency of this audit. */
  simulate(cluster: string): void;
}

/**
 * Begins an audit of a world at an instant: the effect of every contingency on these bindings, on top of evictions
 * in progress and failed clusters. Throws InvalidQuantity for a cluster's invalid quantities.
 */
export function startAudit(
  world: ResumableWorld,
  bindings: readonly ResourceBinding[],
  when: Pick<Scenario, 'start' | 'members'>,
  configuration: Configuration,
  { contingencies, taint, targetOf, keeps, earlier, ...given }: AuditOptions,
): RunningAudit {
  const forecast = forecastEvents(world, when, configuration, {
    ...given,
    forecasts: contingencies.length + 1,
  });
  const down = new Set(world.clusters.flatMap((one) => (isReady(one) ? [] : one.metadata.name)));
  const copiesOf = ({ spec }: ResourceBinding) => entitledClusters(spec, configuration.rules);
  const placed = new Map(
    bindings.filter((one) => copiesOf(one).size > 0).map((one) => [bindingKey(one), one]),
  );
  const keys = new Set(placed.keys());
  const arePaired = contingencies.some(({ kind }) => kind === 'pair');
  const keepsEach = keeps === true && !arePaired;
  const tally = createTally(keepsEach);
  const calm = forecast.calm();
  const { atRest, reconciled } = calm;
  const calmWorld: SettledWorld = { start: forecast.start, atRest, reconciled };
  const happensTo = (cluster: string) => actionOn(cluster, taint);
  const screen = arePaired ? createPairScreen(forecast, keys, happensTo, when.members) : undefined;
  const paired = new Set(contingencies.flatMap(({ kind, clusters }) => (kind === 'pair' ? clusters : [])));
  const singleAt = new Map(
    contingencies.flatMap(({ kind, clusters }, at) => (kind === 'cluster' ? [[clusters[0]!, at]] : [])),
  );
  const modelHeadroom = createModelHeadroom(world.clusters, configuration);
  const reused =
    keepsEach && earlier ? reusedResults(earlier, calmWorld, contingencies, when.start) : undefined;
  let causes: KeptAudit['causes'] = new Map();
  const now = troublesNow();
  let next = 0;
  for (const [at, found] of reused?.found ?? []) tally.merge({ ...found, kept: [[at, found]] });

  /** The troubles without further failures, by key of the binding. */
  function troublesNow(): Map<string, Trouble> {
    const troubles = new Map(reused?.troubles);
    const asked = [...(reused?.touched ?? keys)];
    for (const key of asked) troubles.delete(key);
    for (const outcome of calm.outcomes(asked.filter((key) => keys.has(key)))) {
      const key = snapshotKey(outcome.binding);
      const trouble = troubleOf(outcome, placed.get(key)!);
      if (trouble) troubles.set(key, trouble);
    }
    return troubles;
  }

  function simulate(at: number): void {
    const contingency = contingencies[at]!;
    const { clusters: failing } = contingency;
    const own = bindingsOn(forecast, failing, keys);
    const [one, other] = failing;
    const single = contingency.kind === 'cluster' ? screen?.simulate(one!) : undefined;
    if (own.length === 0) return note(at, own, []);
    if (single) return note(at, own, single);
    const combined =
      contingency.kind === 'pair' && other !== undefined ? screen?.pair(one!, other) : undefined;
    if (combined) return note(at, own, combined, { combined });
    const { outcomes, orders } = forecast.outcomes(failing.map(happensTo), own, keys);
    // Other processing orders may involve bindings that otherwise do not move.
    note(at, own, outcomes, { isKept: orders === 0 });
  }

  /** Adds up the results of a contingency. */
  function note(
    at: number,
    own: readonly string[],
    outcomes: readonly WorkloadOutcome[],
    { combined, isKept }: { combined?: unknown; isKept?: boolean } = {},
  ): void {
    const contingency = contingencies[at]!;
    const { clusters: failing } = contingency;
    const onThem = new Set(own);
    const { ifItFails, uncertainIfItFails, costIfItFails } = lossesOf(
      outcomes.filter(({ binding }) => onThem.has(snapshotKey(binding))),
    );
    const changed = outcomes.filter((outcome) => !isLeftAlone(outcome, failing));
    const workloads = changed.map((outcome) => {
      const key = snapshotKey(outcome.binding);
      const binding = placed.get(key)!;
      const copies = copiesOf(binding);
      const homes = failing.some((name) => copies.has(name)) ? homesOf(outcome, failing) : [];
      return noted(key, outcome, binding, homes, now.get(key));
    });
    const troubles: AuditedContingency['troubles'] = {};
    for (const { trouble } of workloads) if (trouble) troubles[trouble] = (troubles[trouble] ?? 0) + 1;
    tally.add(
      at,
      {
        ...contingency,
        ...(failing.every((name) => down.has(name)) && { down: true }),
        ...(combined !== undefined && { combined: true }),
        workloads: own.length,
        outcomes: ifItFails,
        troubles,
        uncertain: uncertainIfItFails,
        cost: costIfItFails,
      },
      workloads,
      arrivalsOf(changed, ({ binding }) => placed.get(snapshotKey(binding)), modelHeadroom.taken),
      isKept,
    );
  }

  return {
    total: contingencies.length,
    tally,
    taken: reused?.found.length ?? 0,
    simulate,
    kept() {
      const isWhole = tally.contingencies().length === contingencies.length;
      if (!keepsEach || !isWhole || !atRest) return undefined;
      const since = reused?.since ?? when.start;
      return { world: calmWorld, troubles: now, causes, since, contingencies, found: tally.kept };
    },
    ...(screen && {
      screened: {
        clusters: [...paired].sort(),
        known: screen.singles,
        at: (cluster) => singleAt.get(cluster),
        isDone(at) {
          const { kind, clusters } = contingencies[at]!;
          return kind === 'cluster' && screen.singles.has(clusters[0]!);
        },
        simulate: (cluster) => void screen.simulate(cluster),
      },
    }),
    step({ index, of } = { index: 0, of: 1 }) {
      while (tally.has(next) || next % of !== index) {
        if (next >= contingencies.length) return false;
        next++;
      }
      if (next >= contingencies.length) return false;
      simulate(next);
      return true;
    },
    result() {
      const snapshot = schedulerSnapshot(world.clusters, world.bindings, configuration);
      const nameOf = (at: number) => contingencies[at]!.name;
      const at = { world, configuration, now: when.start };
      const worst = worstCases(placed, { tally, contingencies }, at, reused?.causes);
      ({ causes } = worst);
      for (const [key, binding] of placed)
        for (const name of new Set([...copiesOf(binding), ...(tally.of(key)?.homes ?? [])]))
          modelHeadroom.note(name, binding);
      const calmOutcomes = new Map(
        calm
          .outcomes([...now.keys()].filter((key) => placed.has(key) && !worst.cases.has(key)))
          .map((outcome) => [snapshotKey(outcome.binding), outcome]),
      );
      const remaining = withoutClusters(world, down, configuration);
      const workloads = [...placed].map(([key, binding]) => {
        const trouble = now.get(key);
        const outcome = calmOutcomes.get(key);
        return auditedWorkload(binding, tally.of(key), {
          snapshot,
          nameOf,
          target: targetOf?.(binding),
          now: trouble,
          nowCause: trouble && outcome && causeOf(trouble, outcome, binding, remaining, when.start),
          worst: worst.cases.get(key),
        });
      });
      return {
        asked: contingencies.length,
        contingencies: tally.contingencies(),
        workloads: workloads.sort(worstFirst),
        clusters: auditedClusters(world.clusters, tally, modelHeadroom, nameOf),
        causes: causesOf(workloads),
        coverage: coverageOf(workloads, {
          inTroubleNow: countTrouble(
            createWorkloadSummaries()({ ...world, bindings: [...bindings] }, configuration),
          ).all,
          notPlaced: bindings.length - placed.size,
        }),
      };
    },
  };
}

/**
 * Whether the workload certainly keeps its placement and replicas in this contingency: true for most that the scheduler
 * reconsiders. They add nothing to the tally.
 */
function isLeftAlone(
  { outcome, certainty, gap, down, leaving, before, after }: WorkloadOutcome,
  failing: readonly string[],
): boolean {
  if (outcome !== 'stays' || certainty !== 'certain' || gap || down || leaving) return false;
  if (before.some(({ name }) => failing.includes(name)) || after.length !== before.length) return false;
  return after.every(
    ({ name, replicas }, at) => before[at]!.name === name && before[at]!.replicas === replicas,
  );
}

/** The effect of a contingency on a workload, and the trouble that it causes, unless the workload already has it. */
function noted(
  key: string,
  outcome: WorkloadOutcome,
  binding: ResourceBinding,
  homes: readonly string[],
  now: Trouble | undefined,
): ContingencyEffect {
  const trouble = troubleOf(outcome, binding);
  return { key, outcome, homes, trouble: compareTroubles(trouble, now) < 0 ? trouble : undefined };
}

/** Its final placement without the failed clusters. */
function homesOf({ after }: WorkloadOutcome, failing: readonly string[]): string[] {
  return after.map(({ name }) => name).filter((name) => !failing.includes(name));
}
