import { lazily } from '../../../kubernetes/lazily.ts';
import type { FeatureGates } from '../../../karmada/dialects/featureGates.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { World } from '../../../karmada/world.ts';
import { bindingKey, objectKey, plainIdentity } from '../../../karmada/objects/identities.ts';
import type { ScenarioEvent } from '../../../simulator/scenario.ts';
import { ScenarioError } from '../../../simulator/simulation/scenarioWrites.ts';
import type { Simulation } from '../../../simulator/simulation/simulation.ts';
import type { Outcome, WorkloadOutcome } from '../../../simulator/verdicts/outcome.ts';
import type { ChangeKind, ObjectPatch, Proposal, ProposedChange } from './change.ts';

/**
 * Simulates the question again on a changed control plane, with the workload traced: with additional events first,
 * another world, other feature gates, or its own events later.
 * Throws a ScenarioError if Karmada refuses one of the events.
 */
export type Replay = (events: ScenarioEvent[], otherwise?: Otherwise) => Simulation;

/** What differs in a repeated simulation. */
interface Otherwise {
  world?: World | undefined;
  gates?: Partial<FeatureGates> | undefined;
  /** milliseconds by which the events of the question are later */
  later?: number | undefined;
}

/** How much later a failure is tried as well: by default Karmada keeps an evicted copy for up to 10 minutes. */
export const LATER_FAILURE_MS = 11 * 60_000;

interface TrialQuestion {
  world: World;
  /** of the workload that needs help */
  binding: ObjectIdentity;
  /** the outcome of all workloads before the change */
  before: Simulation;
  /** epoch milliseconds of the changes */
  now: number;
  replay: Replay;
  /** the question has events, which could also happen later */
  hasEvents?: boolean;
}

/** Tries changes until its budget is spent. */
export interface Trials {
  /** the change with its outcome; undefined if it does not help, or was not tried */
  try(change: ProposedChange, proposal?: Proposal): ProposedChange | undefined;
  /** Karmada's error for the first change that it refuses */
  readonly refused: string | undefined;
  readonly tried: number;
}

/** How many bindings all trials of one question may simulate together, and the limits on the number of trials. */
export const MAX_SIMULATED = 30_000;
const [FEWEST_TRIALS, MAX_TRIALS] = [4, 24];

/**
 * Trials of changes: each is simulated with the whole world and all events of the question. A change helps if the
 * workload settles with more ready replicas or a better outcome, and no other workload is worse off. If the events of
 * the question happen later, no workload at all may be worse off.
 */
export function startTrials(question: TrialQuestion): Trials {
  const { world, before, binding } = question;
  const budget = Math.max(
    FEWEST_TRIALS,
    Math.min(MAX_TRIALS, Math.floor(MAX_SIMULATED / Math.max(1, world.bindings.length))),
  );
  const own = objectKey(binding);
  const wouldHelp = (simulation: Simulation, without: Simulation): WorkloadOutcome | undefined => {
    if (without.atRest && !simulation.atRest) return undefined;
    const of = ({ workloads }: Simulation) => workloads.find((one) => objectKey(one.binding) === own);
    const [outcome, old] = [of(simulation), of(without)];
    if (!outcome || !old || !isBetter(outcome, readyAtEnd(simulation), old, readyAtEnd(without)))
      return undefined;
    if (movesToFailed(outcome, simulation)) return undefined;
    return harmedWorkloads(simulation, without).every((one) => objectKey(one.binding) === own)
      ? outcome
      : undefined;
  };
  const beforeLater = lazily(() => question.replay([], { later: LATER_FAILURE_MS }));
  let refused: string | undefined;
  let tried = 0;
  return {
    get refused() {
      return refused;
    },
    get tried() {
      return tried;
    },
    try(change, proposal) {
      if (tried >= budget) return undefined;
      tried++;
      const simulation = played(question, change, proposal);
      if ('refused' in simulation) {
        refused ??= simulation.refused;
        return undefined;
      }
      const outcome = wouldHelp(simulation, before);
      if (!outcome) return undefined;
      if (question.hasEvents) {
        const later = played(question, change, proposal, LATER_FAILURE_MS);
        if ('refused' in later || harmedWorkloads(later, beforeLater()).length > 0) return undefined;
      }
      const { after: gives, outcome: leadsTo, gap } = outcome;
      return { ...change, gives, leadsTo, ...(gap && { gap }) };
    },
  };
}

/**
 * Whether a workload moves to or starts on only clusters that are not Ready: its Works are not applied there. Staying on
 * such a cluster is intended.
 */
function movesToFailed({ after, outcome }: WorkloadOutcome, { clusters }: Simulation): boolean {
  const ready = new Set(clusters.filter((one) => one.after.ready === 'True').map(({ name }) => name));
  return (
    outcome !== 'stays' &&
    outcome !== 'tolerates' &&
    after.length > 0 &&
    !after.some(({ name }) => ready.has(name))
  );
}

function played(
  { world, now, replay }: TrialQuestion,
  { kinds, patches, gates }: ProposedChange,
  proposal: Proposal | undefined,
  later?: number,
): Simulation | { refused: string } {
  const unpatched = kinds.some((kind) => UNPATCHED.has(kind));
  return simulateUnlessRefused(() =>
    replay(patchEvents(patches, now), {
      gates,
      later,
      world: unpatched && proposal ? changedWorld(world, proposal) : undefined,
    }),
  );
}

/** The events of applying patches. */
export function patchEvents(patches: readonly ObjectPatch[], at: number): ScenarioEvent[] {
  return patches.map(({ target, merge }) => ({
    at,
    action: { type: 'patch', target: plainIdentity(target), merge },
  }));
}

/** A simulation, or why Karmada refuses one of its events. */
export function simulateUnlessRefused(simulation: () => Simulation): Simulation | { refused: string } {
  try {
    return simulation();
  } catch (error) {
    if (error instanceof ScenarioError) return { refused: error.message };
    throw error;
  }
}

/** Changes without a patch. */
const UNPATCHED: ReadonlySet<ChangeKind> = new Set(['free-room', 'smaller-requests', 'install-api']);

/** The world with a proposal applied; of the clusters, only their reports and the models of their nodes. */
function changedWorld(world: World, { binding, clusters }: Proposal): World {
  const key = bindingKey(binding);
  return {
    ...world,
    clusters: world.clusters.map((cluster) => {
      const changed = clusters.get(cluster.metadata.name);
      if (!changed) return cluster;
      const { resourceSummary, apiEnablements } = changed.status ?? {};
      return {
        ...cluster,
        spec: { ...cluster.spec, resourceModels: changed.spec?.resourceModels },
        status: {
          ...cluster.status,
          ...(resourceSummary && { resourceSummary }),
          ...(apiEnablements && { apiEnablements }),
        },
      };
    }),
    bindings: world.bindings.map((one) => (bindingKey(one) === key ? binding : one)),
  };
}

/** The severity of an outcome: 0 is none. Equal severities are not ranked. */
const TROUBLE: Record<Outcome, number> = {
  stays: 0,
  tolerates: 0,
  starts: 0,
  moves: 0,
  restarted: 0,
  'partly-moves': 1,
  blocked: 2,
  flaps: 2,
  lost: 3,
  deleted: 4,
};

function isBetter(
  outcome: WorkloadOutcome,
  ready: number,
  old: WorkloadOutcome,
  readyBefore: number,
): boolean {
  const [trouble, before] = [TROUBLE[outcome.outcome], TROUBLE[old.outcome]];
  if (outcome.after.length === 0 || ready < readyBefore) return false;
  // A workload with fewer replicas than before is fine if fewer were requested.
  if (trouble > 1 || (trouble === 1 && outcome.gap?.open)) return false;
  const runs = ready > 0 || !outcome.gap;
  return runs && (trouble < before || ready > readyBefore || old.after.length === 0);
}

/** The workloads that are worse off than without a change. */
export function harmedWorkloads({ workloads }: Simulation, without: Simulation): WorkloadOutcome[] {
  const before = new Map(without.workloads.map((one) => [objectKey(one.binding), one]));
  return workloads.filter((one) => {
    const old = before.get(objectKey(one.binding));
    return (
      old !== undefined &&
      (isWorseOutcome(one, old) || (one.deletedReady?.length ?? 0) > (old.deletedReady?.length ?? 0))
    );
  });
}

/** Whether an outcome is worse than another, or another trouble, or more replicas are missing at its end. */
export function isWorseOutcome(one: WorkloadOutcome, old?: WorkloadOutcome): boolean {
  const [trouble, before] = [severityOf(one), old ? severityOf(old) : 0];
  return (
    trouble > before ||
    (trouble > 1 && trouble === before && one.outcome !== old?.outcome) ||
    missingAtEnd(one) > (old ? missingAtEnd(old) : 0) ||
    (one.down === true && !old?.down)
  );
}

/** `blocked` is less severe while no replica is missing: the old copy is kept. */
function severityOf({ outcome, gap }: WorkloadOutcome): number {
  return outcome === 'blocked' && !gap ? 1.5 : TROUBLE[outcome];
}

function missingAtEnd({ gap }: WorkloadOutcome): number {
  return gap?.open ? (gap.atEnd ?? gap.replicas) : 0;
}

function readyAtEnd({ readiness = [] }: Simulation): number {
  return readiness.at(-1)?.ready ?? 0;
}
