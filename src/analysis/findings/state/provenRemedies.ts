import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
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
import type { StateFinding } from './diagnose.ts';
import type { Remedy } from './stateCheck.ts';

interface RemedyQuestion {
  world: World;
  /** epoch milliseconds */
  now: number;
  /** the events of the question; none: how things are without further events */
  asked: readonly ScenarioEvent[];
  /** simulates the control plane with these events. Throws a ScenarioError if Karmada refuses one of them */
  play(events: ScenarioEvent[]): Simulation;
}

/** Events with the simulation of them alone. */
interface Case {
  events: ScenarioEvent[];
  without: () => Simulation;
}

/** The most simulations for all findings. */
const MAX_PLAYED = 60;

/** Why a patch is not printed that no simulation was left for. */
const NOT_SIMULATED = 'not simulated';

/**
 * The findings, without the patches that simulations do not support: a patch of policies, bindings or workloads has to
 * help the workloads of its finding if they are in trouble in the question, or else if they lose a cluster or are
 * Unhealthy, and must leave none worse off. What is refuted remains without patches, and with the reason;
 * what was not tried for lack of time remains as advice.
 *
 * Changes of components, their flags and ClusterTaintPolicies switch failover as a whole, and are not tried.
 */
export function provenRemedies<F extends StateFinding>(
  findings: readonly F[],
  { world, now, asked, play }: RemedyQuestion,
): F[] {
  let left = Math.min(MAX_PLAYED, Math.floor(MAX_SIMULATED / Math.max(1, world.bindings.length)));
  const cases = new Map<string, Case>();
  const simulated = (events: ScenarioEvent[]) => {
    left--;
    return play(events);
  };
  const caseOf = (events: ScenarioEvent[]): Case => {
    const key = JSON.stringify(events);
    const known = cases.get(key) ?? { events, without: lazily(() => simulated(events)) };
    cases.set(key, known);
    return known;
  };
  const question = caseOf([...asked]);

  /** Why patches of a finding are not printed; undefined: simulations support them. */
  function refuted({ theme }: F, patches: readonly ObjectPatch[], own: readonly ResourceBinding[]) {
    const keys = new Set(own.map((one) => objectKey(bindingIdentity(one))));
    /** the effect of the patches in a case */
    const effect = ({ events, without }: Case) => {
      if (left < 2) return { why: NOT_SIMULATED };
      const after = simulateUnlessRefused(() => simulated([...patchEvents(patches, now), ...events]));
      if ('refused' in after) return { why: `it is refused: ${after.refused}` };
      const before = without();
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
    const others =
      asked.length > 0
        ? [caseOf(asked.map((one) => ({ ...one, at: one.at + LATER_FAILURE_MS })))]
        : losses(theme, own);
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

  /** The first binding losing its first cluster, at once or later, or being Unhealthy there. */
  function losses(theme: StateFinding['theme'], [first]: readonly ResourceBinding[]): Case[] {
    const clusters = first ? placedOn(first.spec).slice(0, 1) : [];
    return clusters.flatMap(({ name: cluster }): Case[] =>
      (theme === 'application'
        ? [{ at: now, action: unhealthy(workloadOf(first!), cluster) }]
        : [now, now + LATER_FAILURE_MS].map((at): ScenarioEvent => ({
            at,
            action: { type: 'fail', cluster },
          }))
      ).map((event) => caseOf([event])),
    );
  }

  const isOwn = ownership(world.bindings);
  return findings.map((finding): F => {
    const { remedy } = finding;
    const patches = remedy?.patches ?? [];
    if (!remedy || remedy.commands || !patches.every(isOwn.changes)) return finding;
    if (patches.length === 0) return finding;
    const why = refuted(finding, patches, isOwn.bindingsOf(finding, patches));
    return why === undefined ? finding : { ...finding, remedy: withoutPatches(remedy, why) };
  });
}

function unhealthy(workload: ObjectIdentity, cluster: string): ScenarioAction {
  return { type: 'health', workload, cluster, health: 'Unhealthy' };
}

function withoutPatches({ patches: _, certain: _certain, ...remedy }: Remedy, why: string): Remedy {
  return why === NOT_SIMULATED ? { ...remedy, text: `${remedy.text} (${why})` } : { ...remedy, refuted: why };
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
