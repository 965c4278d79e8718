import type { ProposedChange } from './change.ts';
import type { FeatureGates } from '../../../karmada/dialects/featureGates.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { World } from '../../../karmada/world.ts';
import { bindingKey, objectKey } from '../../../karmada/objects/identities.ts';
import type { ScenarioEvent } from '../../../simulator/scenario.ts';
import { ScenarioError } from '../../../simulator/simulation/scenarioWrites.ts';
import type { Simulation } from '../../../simulator/simulation/simulation.ts';
import type { Outcome, WorkloadOutcome } from '../../../simulator/verdicts/outcome.ts';
import type { ChangeKind, Proposal } from './change.ts';

/**
 * Simulates the question again on a changed control plane, with the workload traced: with additional events first,
 * another world, another time (milliseconds) until replicas are ready, or other feature gates. Throws a ScenarioError
 * if Karmada refuses one of the events.
 */
export type Replay = (events: ScenarioEvent[], otherwise?: Otherwise) => Simulation;

/** What differs in a repeated simulation. */
interface Otherwise {
  world?: World | undefined;
  /** milliseconds */
  readyAfter?: number;
  gates?: Partial<FeatureGates> | undefined;
}

interface TrialQuestion {
  world: World;
  /** of the workload that needs help */
  binding: ObjectIdentity;
  /** the outcome of all workloads without a change */
  before: Simulation;
  /** epoch milliseconds of the changes */
  now: number;
  replay: Replay;
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
const MAX_BINDINGS = 30_000;
const [FEWEST_TRIALS, MAX_TRIALS] = [4, 24];

/**
 * Trials of changes: each is simulated with the whole world and all events of the question. A change helps if the
 * workload settles with more of it ready or in a better outcome than without, and if no other workload is worse off.
 */
export function startTrials(question: TrialQuestion): Trials {
  const { world, before, binding } = question;
  const budget = Math.max(
    FEWEST_TRIALS,
    Math.min(MAX_TRIALS, Math.floor(MAX_BINDINGS / Math.max(1, world.bindings.length))),
  );
  const own = objectKey(binding);
  const without = new Map(before.workloads.map((one) => [objectKey(one.binding), one]));
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
      if (before.atRest && !simulation.atRest) return undefined;
      const outcome = simulation.workloads.find((one) => objectKey(one.binding) === own);
      const old = without.get(own);
      if (!outcome || !old || !isBetter(outcome, readyAtEnd(simulation), old, readyAtEnd(before)))
        return undefined;
      if (movesToFailed(outcome, simulation)) return undefined;
      const harmed = simulation.workloads.some((one) => {
        const key = objectKey(one.binding);
        const other = without.get(key);
        return key !== own && other !== undefined && isWorse(one, other);
      });
      if (harmed) return undefined;
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
): Simulation | { refused: string } {
  const events = patches.map(({ target: { kind, namespace, name }, merge }): ScenarioEvent => ({
    at: now,
    action: { type: 'patch', target: { kind, ...(namespace ? { namespace } : {}), name }, merge },
  }));
  try {
    const unpatched = kinds.some((kind) => UNPATCHED.has(kind));
    return replay(events, {
      gates,
      world: unpatched && proposal ? changedWorld(world, proposal) : undefined,
    });
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

/** The severity of an outcome: 0 is none. */
const TROUBLE: Record<Outcome, number> = {
  stays: 0,
  tolerates: 0,
  starts: 0,
  moves: 0,
  restarted: 0,
  'partly-moves': 1,
  blocked: 2,
  lost: 3,
  flaps: 4,
  deleted: 5,
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

function isWorse(one: WorkloadOutcome, old: WorkloadOutcome): boolean {
  return (
    TROUBLE[one.outcome] > TROUBLE[old.outcome] ||
    missingAtEnd(one) > missingAtEnd(old) ||
    (one.deletedReady?.length ?? 0) > (old.deletedReady?.length ?? 0)
  );
}

function missingAtEnd({ gap }: WorkloadOutcome): number {
  return gap?.open ? (gap.atEnd ?? gap.replicas) : 0;
}

function readyAtEnd({ readiness = [] }: Simulation): number {
  return readiness.at(-1)?.ready ?? 0;
}
