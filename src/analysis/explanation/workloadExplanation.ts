import { plainNames } from '../../karmada/configuration/inputNames.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { factsOfClusters } from '../../karmada/selection/clusterAffinity.ts';
import { schedulerSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import type { Simulation } from '../../simulator/simulation/simulation.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { Outcome, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import { INTERPRETERS } from '../../karmada/status/healthInterpreter.ts';
import { missingKind, type World } from '../../karmada/world.ts';
import { ownerOfPlacement, type ProposedChange } from './changes/change.ts';
import {
  permanentToleration,
  failoverOff,
  longerToleration,
  failsWithoutReadiness,
} from './changes/staying.ts';
import { type Replay, startTrials, type Trials } from './changes/trial.ts';
import { type Dependencies, dependenciesOf, isAttached } from '../../karmada/objects/dependents.ts';
import type { Doubt } from '../../simulator/verdicts/doubt.ts';
import { doubtsOf, presentState, type PresentState } from './presentState.ts';
import { forecastOf, type ForecastOfBinding, type LossForecast } from '../forecast/losses.ts';
import { failoverVerdict, type FailoverVerdict } from './failoverVerdict.ts';
import {
  bindingIdentity,
  objectKey,
  workloadIdentity,
  plainIdentity,
} from '../../karmada/objects/identities.ts';
import { placedOn } from '../../karmada/objects/placement.ts';
import { applicationFailoverLinks } from './links/applicationFailoverLinks.ts';
import { clusterFailoverLinks } from './links/clusterFailoverLinks.ts';
import type { FailoverLink } from './links/link.ts';
import {
  decidingAttempt,
  decisionOf,
  hypotheticalDecision,
  type SchedulingDecision,
  type Situation,
} from './schedulingDecision.ts';
import { rebalanceOf, type Rebalance } from './rebalance.ts';
import { changeSearch, type ChangeSearch, smallestChanges } from './smallestChange.ts';
import { type WithoutEffect, withoutEffect } from './withoutEffect.ts';
import { whyCluster, type WhyCluster } from './whyCluster.ts';
import type { KnownConfiguration } from '../../karmada/configuration/assumptions.ts';

/** Where a workload is, why, and its outcome. Times are epoch milliseconds. */
export interface WorkloadExplanation {
  workload: ObjectIdentity & { apiVersion: string };
  binding: ObjectIdentity;
  /** the policy that places it; null if unknown */
  policy: ObjectIdentity | null;
  present: PresentState;
  /** the clusters that fail in the scenario, and when */
  failures: { cluster: string; time: number }[];
  /** those that recover in it, if any */
  recoveries?: { cluster: string; time: number }[];
  /** its outcome if each of its clusters fails alone; absent if the question names failures */
  ifItFails?: ClusterLoss[];
  /** the simulation of the failure; if no cluster fails, without further events */
  chain: TimelineEvent[];
  verdict: FailoverVerdict;
  links: FailoverLink[];
  /** objects meant to move it, without effect */
  withoutEffect: WithoutEffect[];
  /** the result of triggering the scheduler; absent: no trigger is needed */
  rebalance?: Rebalance;
  decision: SchedulingDecision;
  /** for each requested cluster */
  why: WhyCluster[];
  /** how to make it move; absent if it needs no help */
  changes?: ChangeSearch;
  /** other bindings with the same policy, which a change of the policy affects as well */
  sharedPolicy: number;
  /** what the same policy places, and what stays on a cluster that the workload leaves */
  leftBehind: LeftBehind[];
  dependencies: Dependencies;
  /** it is a dependent: it follows its parents, and no scheduler places it */
  attached: boolean;
  /** what the answer depends on */
  doubts: Doubt[];
}

/** The worst first. */
const IN_TROUBLE: readonly Outcome[] = ['flaps', 'lost', 'blocked'];

/** The failure of one cluster that would be worst for the workload; undefined if it survives each. */
export function worstLoss({ ifItFails = [] }: WorkloadExplanation): ClusterLoss | undefined {
  return IN_TROUBLE.flatMap((outcome) => ifItFails.filter((loss) => loss.outcome === outcome))[0];
}

/** An object with the same policy that stays where a workload leaves. */
export interface LeftBehind {
  workload: ObjectIdentity;
  clusters: string[];
}

/** The outcome of a workload if one of its clusters fails now, without other failures. */
export type ClusterLoss = ForecastOfBinding &
  Pick<WorkloadOutcome, 'gap'> & {
    cluster: string;
    /** what the same policy places, and what then stays there; absent: nothing */
    leftBehind?: LeftBehind[];
    /** how to make it move then; absent if it needs no help, or was not tried */
    changes?: ChangeSearch;
  };

export interface ExplanationQuestion extends KnownConfiguration {
  binding: ResourceBinding;
  /** the outcome of the workloads on a cluster if it fails now; absent: not requested */
  forecast?: LossForecast | undefined;
  /** of the world from `now` on, with the binding traced */
  simulation: Simulation;
  failures: { cluster: string; time: number }[];
  recoveries?: { cluster: string; time: number }[];
  /** the same without the failures, if the binding has eviction tasks; absent: not simulated */
  calm?: Simulation | undefined;
  /** clusters for "why not there?" */
  clusters: string[];
  /** epoch milliseconds */
  now: number;
  /** the assumed milliseconds until new replicas are ready */
  workloadReadyAfter: number;
  /** repeats the simulation to try changes; absent: none are tried */
  replay?: Replay;
}

/**
 * Explains why a workload is where it is, its outcome in a simulation, and what would help. The engine's rules decide
 * all of it; this only combines their answers.
 */
export function explainWorkload(world: World, question: ExplanationQuestion): WorkloadExplanation {
  const { binding, simulation, failures, configuration, now } = question;
  const identity = bindingIdentity(binding);
  const today: Situation = {
    binding,
    snapshot: schedulerSnapshot(world.clusters, world.bindings, configuration),
  };
  const attempt = decidingAttempt(simulation);
  const decision = attempt ? decisionOf(attempt) : hypotheticalDecision(today, now);
  const dependencies = dependenciesOf(binding, world.bindings);
  const concerned = new Set([
    ...placedOn(binding.spec).map(({ name }) => name),
    ...failures.map(({ cluster }) => cluster),
  ]);
  const followers = dependencies.follow.map((dependent) => dependent.binding);
  const chain = failoverChain(simulation, binding, concerned, followers);
  const outcome = outcomeOf(identity, simulation);
  if (!outcome) throw new Error(`the simulation has no outcome for ${identity.kind} ${identity.name}`);
  const links = linksOf(world, question);
  const clusters = new Map(world.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const facts = factsOfClusters((name) => clusters.get(name), configuration.rules.scheduling, world.clusters);
  const verdict = failoverVerdict(outcome, binding, chain, simulation, facts);
  const needsHelp =
    // The placement of a dependent is that of its parents, so it cannot be changed itself.
    !isAttached(binding.spec) &&
    // The first decision may fail and a later one place the workload.
    ((decision.failure !== undefined && verdict.outcome !== 'moves' && verdict.outcome !== 'starts') ||
      ['blocked', 'lost', 'partly-moves', 'flaps'].includes(verdict.outcome));
  const { replay } = question;
  const hasEvents = failures.length > 0;
  const trials =
    replay && startTrials({ world, binding: identity, before: simulation, now, replay, hasEvents });
  // Few changes let it stay, so most trials remain for changes that place it.
  const staying = trials && needsHelp ? waysToStay(chain, trials, question) : [];
  const placing = needsHelp
    ? smallestChanges(attempt ?? today, copiesWanted(verdict), today, {
        rules: configuration.rules,
        singleOnly: decision.failure === undefined,
        trials,
      })
    : undefined;
  const changes =
    staying.length > 0
      ? changeSearch([...staying, ...(placing?.items ?? [])], placing?.tried ?? 0, trials?.refused)
      : placing;
  const present = presentState(world, question);
  const owner = ownerOfPlacement(binding);
  const policy = owner.kind === identity.kind ? null : plainIdentity(owner);
  const siblings = siblingsOf(binding, world.bindings);
  const isAsked = failures.length > 0 || question.recoveries?.length;
  const rebalance = replay && !isAsked ? rebalanceOf(binding, decision, replay, now) : undefined;
  return {
    workload: workloadIdentity(binding),
    binding: identity,
    policy,
    present,
    failures,
    ...(question.recoveries && { recoveries: question.recoveries }),
    ...(question.forecast ? { ifItFails: lossesOf(binding, siblings, dependencies, question.forecast) } : {}),
    chain,
    verdict,
    links,
    withoutEffect: withoutEffect(world, binding, configuration),
    ...(rebalance && { rebalance }),
    decision,
    why: question.clusters.map((cluster) => whyCluster(decision, cluster)),
    ...(changes ? { changes } : {}),
    sharedPolicy: siblings.length,
    leftBehind: leftBehind(verdict, siblings, dependencies, simulation),
    dependencies,
    attached: isAttached(binding.spec),
    doubts: doubtsOf(outcome, chain, decision, present, question),
  };
}

/** Changes after which it stays where it is, or on its first replacement, by trials. */
function waysToStay(
  chain: TimelineEvent[],
  trials: Trials,
  { binding, configuration }: ExplanationQuestion,
): ProposedChange[] {
  const ways = [
    longerToleration(binding, trials),
    ...(failsWithoutReadiness(binding, chain)
      ? []
      : [permanentToleration(binding, chain, trials), failoverOff(binding, configuration, trials)]),
  ];
  return ways.filter((way) => way !== undefined);
}

function lossesOf(
  binding: ResourceBinding,
  siblings: readonly ResourceBinding[],
  dependencies: Dependencies,
  forecast: LossForecast,
): ClusterLoss[] {
  const identity = bindingIdentity(binding);
  return placedOn(binding.spec).flatMap(({ name: cluster }) => {
    const losses = forecast(cluster);
    const found = outcomeOf(identity, losses);
    if (!found) return [];
    const { gap } = found;
    const behind = leftBehind(found, siblings, dependencies, losses);
    return {
      cluster,
      ...forecastOf(found),
      ...(gap && { gap }),
      ...(behind.length > 0 && { leftBehind: behind }),
    };
  });
}

function outcomeOf(
  identity: ObjectIdentity,
  { workloads }: Pick<Simulation, 'workloads'>,
): WorkloadOutcome | undefined {
  return workloads.find(
    ({ binding: { kind, namespace, name } }) =>
      kind === identity.kind && name === identity.name && (namespace ?? '') === (identity.namespace ?? ''),
  );
}

/** A workload that ran on several clusters and lacks one should have the same number of copies again. */
function copiesWanted({ outcome, before }: FailoverVerdict): number {
  return outcome === 'partly-moves' ? before.length : 1;
}

/** The other bindings with the same policy. */
export function siblingsOf(
  binding: ResourceBinding,
  bindings: readonly ResourceBinding[],
): ResourceBinding[] {
  const owner = ownerOfPlacement(binding);
  if (owner.kind === binding.kind) return [];
  return bindings.filter((other) => {
    if (other === binding) return false;
    const { kind, namespace, name } = ownerOfPlacement(other);
    return kind === owner.kind && name === owner.name && namespace === owner.namespace;
  });
}

/** The siblings that stay on clusters that a workload leaves; its dependents are listed elsewhere. */
function leftBehind(
  { outcome, before, after }: Pick<WorkloadOutcome, 'outcome' | 'before' | 'after'>,
  siblings: readonly ResourceBinding[],
  { follow }: Dependencies,
  { workloads }: Pick<Simulation, 'workloads'>,
): LeftBehind[] {
  const left = new Set(before.map(({ name }) => name));
  for (const { name } of after) left.delete(name);
  if (left.size === 0 || (after.length === 0 && outcome !== 'flaps')) return [];
  const following = new Set(follow.map((one) => objectKey(one.binding)));
  const others = new Set(siblings.map((one) => objectKey(bindingIdentity(one))));
  return workloads.flatMap((one) => {
    const key = objectKey(one.binding);
    const clusters = one.after.map(({ name }) => name).filter((name) => left.has(name));
    if (!others.has(key) || following.has(key) || clusters.length === 0) return [];
    const { kind, namespace, name } = one;
    return [{ workload: { kind, ...(namespace ? { namespace } : {}), name }, clusters }];
  });
}

function linksOf(world: World, question: ExplanationQuestion): FailoverLink[] {
  const {
    binding,
    failures,
    configuration,
    unverified: unverified,
    proven,
    names = plainNames,
    now,
  } = question;
  if (isAttached(binding.spec)) return [];
  const present = (binding.spec.clusters ?? []).map(({ name }) => name);
  const failing = failures.map(({ cluster }) => cluster).filter((name) => present.includes(name));
  const left = new Set(failing.length > 0 ? failing : present);
  const { taintPolicies } = world;
  const clusters = world.clusters.filter(({ metadata }) => left.has(metadata.name));
  return [
    ...clusterFailoverLinks({
      binding,
      clusters,
      fleet: world.clusters,
      taintPolicies,
      unreadTaintPolicies: missingKind(world, 'ClusterTaintPolicy'),
      configuration,
      unverified: unverified,
      proven,
      names,
      now,
    }),
    ...applicationFailoverLinks(binding, world.others, {
      ...question,
      names,
      unreadInterpreters: missingKind(world, ...INTERPRETERS),
    }),
  ];
}

/**
 * The steps of a simulation from a trigger to a workload's outcome: the events of its clusters, its own, and those of
 * its dependents.
 *
 * @param clusters the clusters that it is on, or that fail
 * @param followers the bindings of its dependents
 */
function failoverChain(
  { events }: Simulation,
  binding: ResourceBinding,
  clusters: ReadonlySet<string>,
  followers: ObjectIdentity[],
): TimelineEvent[] {
  const own = objectKey(bindingIdentity(binding));
  const followed = new Set(followers.map(objectKey));
  return events.filter(({ type, object }) => {
    // The pace decides when a workload is evicted.
    if (type === 'EvictionPaceChanged') return true;
    if (object.kind === 'Cluster') return clusters.has(object.name);
    const key = objectKey(object);
    return key === own || (type === 'DependenciesFollowed' && followed.has(key));
  });
}
