import type { Condition, ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, ResourceHealth } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import type { Certainty, Evidence } from '../evidence.ts';
import { isScheduled } from '../eviction/evictionRule.ts';
import { createClusterSnapshot } from '../scheduling/scheduler.ts';
import type { ClusterSnapshot } from '../scheduling/clusterSnapshot.ts';
import type { ScenarioEvent } from '../simulation/scenario.ts';
import type { Simulation, TimelineEvent, WorkloadOutcome } from '../simulation/timeline.ts';
import type { World } from '../world.ts';
import { applicationFailoverLinks } from './applicationFailoverLinks.ts';
import { ownerOfPlacement, type ObjectPatch } from './changes/patches.ts';
import { dependenciesOf, type Dependencies } from './dependents.ts';
import { explainEvictionTasks, type EvictionTaskExplanation } from './evictionTask.ts';
import { failoverChain } from './failoverChain.ts';
import { clusterFailoverLinks, type FailoverLink } from './failoverLinks.ts';
import { failoverVerdict, type FailoverVerdict } from './failoverVerdict.ts';
import { bindingIdentity, workloadIdentity } from './identities.ts';
import { isStale } from './readiness.ts';
import {
  decidingAttempt,
  decisionOf,
  hypotheticalDecision,
  type SchedulingDecision,
  type Situation,
} from './schedulingDecision.ts';
import { smallestChanges, type ChangeSearch } from './smallestChange.ts';
import { verifiedChanges } from './verifiedChanges.ts';
import { whyCluster, type WhyCluster } from './whyCluster.ts';

/** Where a workload is, why, and what becomes of it. Times are epoch milliseconds. */
export interface WorkloadExplanation {
  workload: ObjectIdentity & { apiVersion: string };
  binding: ObjectIdentity;
  /** the policy that places it; null where nothing tells */
  policy: ObjectIdentity | null;
  present: PresentState;
  /** the clusters that fail in what follows, and when */
  failures: { cluster: string; time: number }[];
  /** what happens from then on; of the present alone, where no cluster fails */
  chain: TimelineEvent[];
  verdict: FailoverVerdict;
  links: FailoverLink[];
  decision: SchedulingDecision;
  /** for each cluster that was asked about */
  why: WhyCluster[];
  /** how to let it move; absent where it needs no help */
  changes?: ChangeSearch;
  /** other bindings that the same policy places, which a change of it concerns too */
  sharedPolicy: number;
  dependencies: Dependencies;
  /** what the answer rests on without being sure of it */
  doubts: Doubt[];
}

/** Where a workload is at the instant of the state. */
export interface PresentState {
  /** that it asks for; null for what has none */
  replicas: number | null;
  clusters: PresentCluster[];
  /** the affinity group it is in, where it has groups */
  affinityGroup?: string;
  evictions: EvictionTaskExplanation[];
  /** the Scheduled condition; null where the scheduler has not written one */
  scheduled: Pick<Condition, 'status' | 'reason' | 'message' | 'lastTransitionTime'> | null;
  /** the scheduler has seen the present spec */
  upToDate: boolean;
  lastScheduledTime: string | null;
}

export interface PresentCluster {
  name: string;
  replicas: number;
  health: ResourceHealth | null;
  /** the cluster is not Ready: its health is the last one known */
  stale: boolean;
}

export interface Doubt {
  certainty: Exclude<Certainty, 'certain'>;
  what: string;
  /** what would settle it, and how to give it */
  missing?: string;
}

export interface ExplanationQuestion {
  binding: ResourceBinding;
  /** of the world from `now` on, with the binding traced */
  simulation: Simulation;
  failures: { cluster: string; time: number }[];
  /** clusters for which "why not there?" is asked */
  clusters: string[];
  configuration: Configuration;
  /** gates and flags that are defaults which nobody has confirmed */
  unconfirmed: ReadonlySet<string>;
  /** epoch milliseconds */
  now: number;
  /** milliseconds that new replicas are taken to need until they are ready */
  workloadReadyAfter: number;
  /** repeats the simulation with these events before its own, where there is time for that */
  replay?: (events: ScenarioEvent[]) => Simulation;
}

/**
 * Puts together why a workload is where it is, what becomes of it in a simulation, and what would help. All of it
 * comes from the decisions of the engine; nothing is decided here.
 */
export function explainWorkload(world: World, question: ExplanationQuestion): WorkloadExplanation {
  const { binding, simulation, failures, configuration, now } = question;
  const identity = bindingIdentity(binding);
  const today: Situation = { binding, snapshot: snapshotOf(world, configuration) };
  const attempt = decidingAttempt(simulation);
  const decision = attempt ? decisionOf(attempt) : hypotheticalDecision(today, now);
  const dependencies = dependenciesOf(binding, world.bindings);
  const concerned = new Set([
    ...(binding.spec.clusters ?? []).map(({ name }) => name),
    ...failures.map(({ cluster }) => cluster),
  ]);
  const followers = dependencies.follow.map((dependent) => dependent.binding);
  const chain = failoverChain(simulation, binding, concerned, followers);
  const outcome = outcomeOf(identity, simulation);
  if (!outcome) throw new Error(`the simulation has no outcome for ${identity.kind} ${identity.name}`);
  const links = linksOf(world, question);
  const verdict = failoverVerdict(outcome, binding, chain, simulation);
  const needsHelp =
    decision.failure !== undefined || ['blocked', 'lost', 'partly-moves'].includes(verdict.outcome);
  const changes =
    needsHelp && attempt
      ? smallestChanges(attempt, copiesWanted(verdict), failures.length > 0 ? today : undefined, {
          singleOnly: decision.failure === undefined,
        })
      : undefined;
  const present = presentState(world, question);
  const owner = ownerOfPlacement(binding);
  const policy = owner.kind === identity.kind ? null : withoutApi(owner);
  return {
    workload: workloadIdentity(binding),
    binding: identity,
    policy,
    present,
    failures,
    chain,
    verdict,
    links,
    decision,
    why: question.clusters.map((cluster) => whyCluster(decision, cluster)),
    ...(changes ? { changes: verifiedChanges(changes, replayOf(identity, question)) } : {}),
    sharedPolicy: policy ? sharedWith(binding, owner, world.bindings) : 0,
    dependencies,
    doubts: doubtsOf(outcome, chain, decision, present, question),
  };
}

function outcomeOf(identity: ObjectIdentity, { workloads }: Simulation): WorkloadOutcome | undefined {
  return workloads.find(
    ({ binding: { kind, namespace, name } }) =>
      kind === identity.kind && name === identity.name && (namespace ?? '') === (identity.namespace ?? ''),
  );
}

function replayOf(identity: ObjectIdentity, { replay, now }: ExplanationQuestion) {
  if (!replay) return undefined;
  return (patches: ObjectPatch[]) => {
    const events = patches.map(({ target: { kind, namespace, name }, merge }): ScenarioEvent => ({
      at: now,
      action: { type: 'patch', target: { kind, ...(namespace ? { namespace } : {}), name }, merge },
    }));
    return outcomeOf(identity, replay(events))?.outcome;
  };
}

function snapshotOf({ clusters }: World, { featureGates, scheduler }: Configuration): ClusterSnapshot {
  return createClusterSnapshot(clusters, {
    featureGates,
    enableEmptyWorkloadPropagation: scheduler['enable-empty-workload-propagation'],
  });
}

/** A workload that ran on several clusters and is missing on one is wanted on as many. */
function copiesWanted({ outcome, before }: FailoverVerdict): number {
  return outcome === 'partly-moves' ? before.length : 1;
}

function withoutApi({ kind, namespace, name }: ObjectIdentity): ObjectIdentity {
  return { kind, ...(namespace ? { namespace } : {}), name };
}

function sharedWith(binding: ResourceBinding, owner: ObjectIdentity, bindings: ResourceBinding[]): number {
  return bindings.filter((other) => {
    if (other === binding) return false;
    const { kind, namespace, name } = ownerOfPlacement(other);
    return kind === owner.kind && name === owner.name && namespace === owner.namespace;
  }).length;
}

function linksOf(world: World, question: ExplanationQuestion): FailoverLink[] {
  const { binding, failures, configuration, unconfirmed, now } = question;
  const names = (binding.spec.clusters ?? []).map(({ name }) => name);
  const failing = failures.map(({ cluster }) => cluster).filter((name) => names.includes(name));
  const left = new Set(failing.length > 0 ? failing : names);
  const { taintPolicies } = world;
  const clusters = world.clusters.filter(({ metadata }) => left.has(metadata.name));
  return [
    ...clusterFailoverLinks({ binding, clusters, taintPolicies, configuration, unconfirmed, now }),
    ...applicationFailoverLinks(binding, world.others, question),
  ];
}

function presentState(world: World, question: ExplanationQuestion): PresentState {
  const { binding, configuration, unconfirmed, now } = question;
  const { spec, status } = binding;
  const clusters = new Map(world.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const reported = new Map(status?.aggregatedStatus?.map((item) => [item.clusterName, item.health ?? null]));
  const scheduled = status?.conditions?.find(({ type }) => type === 'Scheduled');
  const timeout = 'graceful-eviction-timeout';
  return {
    replicas: (spec.replicas ?? 0) > 0 ? spec.replicas! : null,
    clusters: (spec.clusters ?? []).map(({ name, replicas = 0 }) => ({
      name,
      replicas,
      health: reported.get(name) ?? null,
      stale: isStale(clusters.get(name)),
    })),
    ...(spec.placement?.clusterAffinities && status?.schedulerObservingAffinityName
      ? { affinityGroup: status.schedulerObservingAffinityName }
      : {}),
    evictions: explainEvictionTasks(world, [binding], {
      now,
      gracefulEvictionTimeout: configuration.controllerManager[timeout],
      ...(unconfirmed.has(timeout) ? { timeoutAssumed: `--assume ${timeout}=DURATION` } : {}),
    }),
    scheduled: scheduled
      ? {
          status: scheduled.status,
          ...(scheduled.reason ? { reason: scheduled.reason } : {}),
          ...(scheduled.message ? { message: scheduled.message } : {}),
          ...(scheduled.lastTransitionTime ? { lastTransitionTime: scheduled.lastTransitionTime } : {}),
        }
      : null,
    upToDate: isScheduled(binding),
    lastScheduledTime: status?.lastScheduledTime ?? null,
  };
}

function doubtsOf(
  outcome: WorkloadOutcome,
  chain: TimelineEvent[],
  decision: SchedulingDecision,
  { replicas, clusters }: PresentState,
  { configuration, unconfirmed }: ExplanationQuestion,
): Doubt[] {
  const doubts: Doubt[] = [];
  const add = (doubt: Doubt) => {
    if (!doubts.some(({ what, missing }) => what === doubt.what && missing === doubt.missing))
      doubts.push(doubt);
  };
  if (outcome.certainty !== 'certain')
    for (const what of outcome.dependsOn ?? []) add({ certainty: outcome.certainty, what });
  for (const { certainty, rule, missing } of chain.flatMap(({ evidence }) => evidence) as Evidence[])
    if (certainty && certainty !== 'certain') add({ certainty, what: rule, ...(missing ? { missing } : {}) });
  const starting = clusters.filter(({ health, stale }) => health !== 'Healthy' && !stale);
  if (replicas !== null && starting.length > 0)
    add({
      certainty: 'estimate',
      what: `whether the replicas on ${starting.map(({ name }) => name).join(', ')} become ready, and when: counted from the last scheduling here, and never once that time is over`,
      missing: '--ready-after DURATION',
    });
  if (decision.hypothetical && dividesByRoom(decision)) {
    const estimator = 'enable-scheduler-estimator';
    if (configuration.scheduler[estimator] || unconfirmed.has(estimator))
      add({
        certainty: configuration.scheduler[estimator] ? 'unknown' : 'estimate',
        what: configuration.scheduler[estimator]
          ? 'the room on clusters: scheduler estimators answer for it, and the state does not hold what they say'
          : 'the room on clusters, as reported in status.resourceSummary: scheduler estimators would know better',
        missing: `--assume ${estimator}=BOOLEAN, or the Deployment of karmada-scheduler in the state`,
      });
  }
  return doubts;
}

/** Whether the decision rests on how much room clusters have. */
function dividesByRoom({ strategy, groups }: SchedulingDecision): boolean {
  return (
    strategy === 'DynamicWeight' ||
    strategy === 'Aggregated' ||
    groups.some(({ spread }) => spread !== undefined && spread.rule !== 'all')
  );
}
