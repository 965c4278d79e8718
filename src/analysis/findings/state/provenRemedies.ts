import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { bindingIdentity, objectKey, objectText, workloadOf } from '../../../karmada/objects/identities.ts';
import { placedOn } from '../../../karmada/objects/placement.ts';
import type { World } from '../../../karmada/world.ts';
import { lazily } from '../../../simulator/store/indexes.ts';
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
import type { Cure, StateFinding } from './diagnose.ts';
import type { Remedy } from './stateCheck.ts';

interface RemedyQuestion {
  world: World;
  /** epoch milliseconds */
  now: number;
  /** the events of the question; none: how things are without further events */
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
 * Tries the remedies of findings, each when it is needed. A finding keeps those patches that simulations support: a
 * patch of policies, bindings or workloads has to help the workloads of its finding if they are in trouble in the
 * question, or else if they lose a cluster or are Unhealthy, and must leave none worse off. What is refuted remains
 * without patches, and with the reason; what would take more simulations than are left is `unsimulated`.
 *
 * Changes of components, their flags and ClusterTaintPolicies switch failover as a whole, and are not tried.
 */
export function createRemedyTrials({
  world,
  now,
  asked,
  answered,
  play,
  isUnlimited = false,
}: RemedyQuestion): Cure {
  let left = isUnlimited
    ? Infinity
    : Math.min(MAX_PLAYED, Math.floor(MAX_SIMULATED / Math.max(1, world.bindings.length)));
  // findings share the cases without their patches, and some propose the same patch
  const known = new Map<string, Simulation>();
  const keyOf = (events: readonly ScenarioEvent[]) => JSON.stringify(events);
  if (answered) known.set(keyOf(asked), answered);
  const simulated = (events: readonly ScenarioEvent[]) =>
    getOrAdd(known, keyOf(events), () => {
      left--;
      return play(events);
    });

  /** Why patches of a finding are not printed; undefined: simulations support them. */
  function refuted(
    patches: readonly ObjectPatch[],
    own: readonly ResourceBinding[],
    [question, ...others]: Cases,
  ): string | undefined {
    const keys = new Set(own.map((one) => objectKey(bindingIdentity(one))));
    /** the effect of the patches in a case */
    const effect = (events: readonly ScenarioEvent[]) => {
      const after = simulateUnlessRefused(() => simulated([...patchEvents(patches, now), ...events]));
      if ('refused' in after) return { why: `it is refused: ${after.refused}` };
      const before = simulated(events);
      if (before.atRest && !after.atRest) return { why: 'it never settles' };
      // That a Service of the same policy leaves a cluster without a replacement is no downtime.
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
          return old && isWorseOutcome(old, one);
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
    return troubled && !helps ? 'alone, it does not help' : undefined;
  }

  /** What a remedy of these bindings is tried in: the question, and the same later or the loss of a cluster. */
  function casesOf(theme: StateFinding['theme'], own: readonly ResourceBinding[]): Cases {
    if (asked.length > 0) return [asked, asked.map((one) => ({ ...one, at: one.at + LATER_FAILURE_MS }))];
    return [asked, ...losses(theme, own)];
  }

  /** The first binding losing its first cluster, at once or later, or being Unhealthy there. */
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
    const isTried = remedy && !remedy.commands && patches.length > 0 && patches.every(isOwn().changes);
    if (!isTried) return { ...finding, unsimulated: false };
    const own = isOwn().bindingsOf(finding, patches);
    const cases = casesOf(finding.theme, own);
    const needed = cases.flatMap((events) => [events, [...patchEvents(patches, now), ...events]]);
    if (new Set(needed.map(keyOf).filter((key) => !known.has(key))).size > left) {
      const { remedy: _, ...others } = finding;
      return { ...others, unsimulated: true };
    }
    const why = refuted(patches, own, cases);
    return {
      ...finding,
      ...(why !== undefined && { remedy: withoutPatches(remedy, why) }),
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

/** Kinds whose patches change workloads. */
const OF_WORKLOADS = new Set([
  ...['PropagationPolicy', 'ClusterPropagationPolicy'],
  ...['ResourceBinding', 'ClusterResourceBinding'],
]);

/** Which patches change workloads, and the bindings that they and a finding are about. */
function ownership(bindings: readonly ResourceBinding[]) {
  const keysOf = (binding: ResourceBinding): ObjectIdentity[] => [
    bindingIdentity(binding),
    workloadOf(binding),
    ownerOfPlacement(binding),
  ];
  const workloads = lazily(() => new Set(bindings.map((one) => objectKey(workloadOf(one)))));
  return {
    changes: ({ target }: ObjectPatch) => OF_WORKLOADS.has(target.kind) || workloads().has(objectKey(target)),
    bindingsOf({ objects }: StateFinding, patches: readonly ObjectPatch[]): ResourceBinding[] {
      const named = new Set([...objects, ...patches.map(({ target }) => target)].map(objectKey));
      return bindings.filter((one) => keysOf(one).some((key) => named.has(objectKey(key))));
    },
  };
}
