import { evictionActionEvents } from '../../evictionAction/actionEvents.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { bindingIdentity, objectKey, objectText, workloadOf } from '../../../karmada/objects/identities.ts';
import { placedOn } from '../../../karmada/objects/placement.ts';
import type { World } from '../../../karmada/world.ts';
import { lazily } from '../../../kubernetes/lazily.ts';
import type { ScenarioAction, ScenarioEvent } from '../../../simulator/scenario.ts';
import type { Simulation } from '../../../simulator/simulation/simulation.ts';
import { ownerOfPlacement, type ObjectPatch } from '../../explanation/changes/change.ts';
import {
  harmedWorkloads,
  isWorseOutcome,
  LATER_FAILURE_MS,
  MAX_SIMULATED,
  patchEvents,
  simulateUnlessRefused,
} from '../../explanation/changes/trial.ts';
import type { Cure } from './diagnose.ts';
import type { StateFinding } from './stateCheck.ts';
import { evictionStep, type EvictionStep, type Remedy } from './stateCheck.ts';

interface RemedyQuestion {
  world: World;
  configuration: Configuration;
  /** epoch milliseconds */
  now: number;
  /** the events of the question; none: the control plane without further events */
  asked: readonly ScenarioEvent[];
  /** the outcome of the question, if it is known */
  answered?: Simulation | undefined;
  /** simulates the control plane with these events. Throws a ScenarioError if Karmada refuses one of them */
  play(events: readonly ScenarioEvent[]): Simulation;
  /** whether to simulate every remedy, however many bindings there are */
  isUnlimited?: boolean;
}

/** The most simulations for all findings. */
const MAX_PLAYED = 60;

/**
 * Tries the remedies of findings, each when it is needed. A finding keeps the patches that simulations support. Patches
 * of policies, bindings or workloads must help the finding's workloads and leave none worse off. They are tried in the
 * question if the workloads are in trouble there, otherwise with the loss of a cluster or an Unhealthy copy. Refuted
 * patches are removed and the reason is given; beyond the limit of simulations a remedy is `unsimulated`. A command
 * that holds or cancels an eviction must help in the question itself, or is left out.
 *
 * Changes of components, their flags and ClusterTaintPolicies switch failover as a whole, and are not tried.
 */
export function createRemedyTrials({
  world,
  configuration,
  now,
  asked,
  answered,
  play,
  isUnlimited = false,
}: RemedyQuestion): Cure {
  let left = isUnlimited
    ? Infinity
    : Math.min(MAX_PLAYED, Math.floor(MAX_SIMULATED / Math.max(1, world.bindings.length)));
  // Cached: findings share the cases without patches, and some propose the same patch.
  const known = new Map<string, Simulation>();
  const keyOf = (events: readonly ScenarioEvent[]) => JSON.stringify(events);
  if (answered) known.set(keyOf(asked), answered);
  const simulated = (events: readonly ScenarioEvent[]) =>
    getOrAdd(known, keyOf(events), () => {
      left--;
      return play(events);
    });

  /** Why a remedy of a finding is not printed, from simulating it; undefined: simulations support it. */
  function refuted(
    done: readonly ScenarioEvent[],
    own: readonly ResourceBinding[],
    [question, ...others]: Cases,
    mustHelp: boolean,
  ): string | undefined {
    const keys = new Set(own.map((one) => objectKey(bindingIdentity(one))));
    /** the effect of the remedy in a case */
    const effect = (events: readonly ScenarioEvent[]) => {
      const after = simulateUnlessRefused(() => simulated([...done, ...events]));
      if ('refused' in after) return { why: `it is refused: ${after.refused}` };
      const before = simulated(events);
      if (before.atRest && !after.atRest) return { why: 'it never settles' };
      // A Service of the same policy that leaves a cluster without a replacement is no downtime.
      const worse = harmedWorkloads(after, before).find(
        ({ binding, outcome, gap }) => gap ?? !(outcome === 'partly-moves' && keys.has(objectKey(binding))),
      );
      if (worse) return { why: `${objectText(worse)} is worse off` };
      const outcomes = new Map(before.workloads.map((one) => [objectKey(one.binding), one]));
      const concerned = after.workloads.filter(({ binding }) => keys.has(objectKey(binding)));
      const beforeOf = (one: (typeof concerned)[number]) => outcomes.get(objectKey(one.binding));
      return {
        troubled: concerned.some((one) => isWorseOutcome(beforeOf(one) ?? one)),
        helps: concerned.some((one) => {
          const old = beforeOf(one);
          const isBetter = old && isWorseOutcome(old, one) && !isWorseOutcome(one, old);
          // holding a copy on a failed cluster keeps nothing running
          return isBetter && one.outcome !== 'lost' && !one.down;
        }),
      };
    };
    const first = effect(question);
    if ('why' in first) return first.why;
    let { troubled, helps } = first;
    for (const one of others) {
      const { why, ...further } = { why: undefined, troubled: false, helps: false, ...effect(one) };
      if (why !== undefined) return why;
      if (first.troubled) continue;
      troubled ||= further.troubled;
      helps ||= further.helps;
    }
    return (troubled || mustHelp) && !helps ? 'alone, it does not help' : undefined;
  }

  /** The events of an eviction command; or the reason that it would write nothing. */
  function commanded({ action, workload, cluster }: EvictionStep): ScenarioEvent[] | { refused: string } {
    const binding = isOwn().bindingsOf([workload])[0]!;
    const name = action === 'hold-eviction' ? 'hold' : 'cancel';
    return evictionActionEvents(name, binding, cluster, world, { configuration, now });
  }

  /** The cases to try a remedy in: the question now and later, or, without events, the loss of a cluster. */
  function casesOf(theme: StateFinding['theme'], own: readonly ResourceBinding[]): Cases {
    if (asked.length > 0) return [asked, asked.map((one) => ({ ...one, at: one.at + LATER_FAILURE_MS }))];
    return [asked, ...losses(theme, own)];
  }

  /** The first binding loses its first cluster, now or later, or is Unhealthy there. */
  function losses(theme: StateFinding['theme'], [first]: readonly ResourceBinding[]): ScenarioEvent[][] {
    const clusters = first ? placedOn(first.spec).slice(0, 1) : [];
    return clusters.flatMap(({ name: cluster }) =>
      (theme === 'application'
        ? [{ at: now, action: unhealthy(workloadOf(first!), cluster) }]
        : [now, now + LATER_FAILURE_MS].map((at): ScenarioEvent => ({
            at,
            action: { type: 'fail', cluster },
          }))
      ).map((event) => [event]),
    );
  }

  const isOwn = lazily(() => ownership(world.bindings));
  return (finding) => {
    const { remedy } = finding;
    const patches = remedy?.patches ?? [];
    const step = remedy && evictionStep(remedy);
    const isTried =
      remedy && !remedy.commands && (step ?? (patches.length > 0 && patches.every(isOwn().changes)));
    if (!isTried) return { ...finding, unsimulated: false };
    const done = step ? commanded(step) : patchEvents(patches, now);
    const own = isOwn().bindingsOf([...finding.objects, ...patches.map(({ target }) => target)]);
    const cases: Cases = step && asked.length === 0 ? [asked] : casesOf(finding.theme, own);
    const needed = 'refused' in done ? [] : cases.flatMap((events) => [events, [...done, ...events]]);
    if (new Set(needed.map(keyOf).filter((key) => !known.has(key))).size > left) {
      const { remedy: _, ...others } = finding;
      return { ...others, unsimulated: true };
    }
    const why = 'refused' in done ? done.refused : refuted(done, own, cases, step !== undefined);
    if (why === undefined) return { ...finding, unsimulated: false };
    return {
      ...finding,
      remedy: step ? withoutStep(remedy) : withoutPatches(remedy, why),
      unsimulated: false,
    };
  };
}

/** The events of each case; the first is the question. */
type Cases = readonly [readonly ScenarioEvent[], ...(readonly ScenarioEvent[])[]];

function unhealthy(workload: ObjectIdentity, cluster: string): ScenarioAction {
  return { type: 'health', workload, cluster, health: 'Unhealthy' };
}

function withoutPatches({ patches: _, certain: _certain, ...remedy }: Remedy, refuted: string): Remedy {
  return { ...remedy, refuted };
}

/** The remedy without its eviction command, if that does not help. */
function withoutStep({ next: _, withoutNext, ...remedy }: Remedy): Remedy {
  return { ...remedy, text: withoutNext ?? remedy.text };
}

/** Kinds whose patches change workloads. */
const OF_WORKLOADS = new Set([
  ...['PropagationPolicy', 'ClusterPropagationPolicy'],
  ...['ResourceBinding', 'ClusterResourceBinding'],
]);

/** Resolves the bindings that patches and findings concern, and which patches change workloads. */
function ownership(bindings: readonly ResourceBinding[]) {
  const keysOf = (binding: ResourceBinding): ObjectIdentity[] => [
    bindingIdentity(binding),
    workloadOf(binding),
    ownerOfPlacement(binding),
  ];
  const workloads = lazily(() => new Set(bindings.map((one) => objectKey(workloadOf(one)))));
  return {
    changes: ({ target }: ObjectPatch) => OF_WORKLOADS.has(target.kind) || workloads().has(objectKey(target)),
    bindingsOf(objects: readonly ObjectIdentity[]): ResourceBinding[] {
      const named = new Set(objects.map(objectKey));
      return bindings.filter((one) => keysOf(one).some((key) => named.has(objectKey(key))));
    },
  };
}
