import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Note } from '../../karmada/controllers/controller.ts';
import type { View } from '../../karmada/controllers/view.ts';
import type { ChangeOf, Change } from '../../karmada/controllers/write.ts';
import type { ParkedKey } from '../../karmada/queues/savedQueues.ts';
import { keptByTasks } from '../../karmada/eviction/works.ts';
import { isAttached } from '../../karmada/objects/dependents.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { bindingIdentity, bindingKey, snapshotKey, workKey } from '../../karmada/objects/identities.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { leavingClusters, placedOn, wantedReplicas } from '../../karmada/objects/placement.ts';
import { clusterOfWork } from '../../karmada/objects/worksOfBinding.ts';
import { lazilyFor } from '../../kubernetes/lazily.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { factsOfClusters } from '../../karmada/selection/clusterAffinity.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { evictingTaints } from '../../karmada/taints/evictingTaints.ts';
import { taintEvictionSwitches } from '../../karmada/configuration/taintEviction.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';
import { scaledBindings } from './autoscalers.ts';
import type { FlappingWorkloads } from './flapping.ts';
import { judge, type FollowedWorkload, type OutcomeFacts } from './judge.ts';
import {
  asKubectlLists,
  asListed,
  type ListedOutcome,
  oldestFirst,
  type OutcomeWithEnd,
  type SimulationEnd,
  type WorkloadOutcome,
} from './outcome.ts';
import type { JudgedWorkload } from './doubt.ts';
import { collectDoubts, withDoubtsOf, type OutcomeDoubts } from './outcomeDoubts.ts';
import { followReadiness, type OnMissingReplicas } from './readinessCourse.ts';
import { followStaying, followQueuedEvictions } from './queuedEvictions.ts';
import type { ReadyReplicas } from './readyReplicas.ts';
import { followWorkload, touchedBindings } from './workloadCourse.ts';
import { followTurns } from './turns.ts';
import { isGuessed } from '../../karmada/members/readyTime.ts';
import { mayBeStale } from '../../karmada/works/workConditions.ts';
import { processOf } from '../../karmada/controllers/registry.ts';

/**
 * The outcomes of all workloads, at the end of a simulation. Workloads that it does not touch (`touchedBindings`) have
 * the same outcome in all simulations from one start; they are judged once for all of these.
 */
export interface Outcomes {
  all(ended: SimulationEnd): WorkloadOutcome[];
  /** of these bindings only, by key, if they still exist */
  of(bindings: readonly string[], ended: SimulationEnd): WorkloadOutcome[];
  /** of all, or only of these bindings, by key, in the order of `all` */
  listed(bindings: Iterable<string> | 'all', ended: SimulationEnd): ReadonlyMap<string, ListedOutcome>;
  /** only of bindings that the simulation touched; undefined: the binding was deleted */
  touched(ended: SimulationEnd): ReadonlyMap<string, ListedOutcome | undefined>;
  /** Before the first step: the outcomes of all workloads that a simulation may leave untouched. */
  untouched(ended: SimulationEnd): ReadonlyMap<string, ListedOutcome>;
}

/**
 * Follows a simulation from its start.
 *
 * @param unverified names of gates and flags whose values are unverified
 * @param missing called when ready replicas are missing
 */
export function followOutcomes(
  start: StartingWorld,
  time: VirtualTime,
  ready: ReadyReplicas,
  flapping: FlappingWorkloads,
  unverified: ReadonlySet<string>,
  missing?: OnMissingReplicas,
): Outcomes {
  const course = followWorkload(start, time);
  const doubts = collectDoubts(start, unverified);
  const relabelled = new Set<string>();
  const facts = {
    relabelled,
    ...factsOfClusters(
      (name) => time.view.get('Cluster', name) ?? start.clusters.get(name),
      start.configuration.rules.scheduling,
      start.clusters.values(),
    ),
  };
  const readiness = followReadiness(start, time, ready, { initialOf: course.initialOf, facts }, missing);
  followRetriesAfterStart(time, doubts.retriedAfterStart);
  const turns = followTurns(start, time, (key, choice) => doubts.choice(key, choice));
  const keptThere = followStaying(start, time);
  const queued = followQueuedEvictions(start, time);
  const evictionOff = evictionSwitchedOff(start.configuration);
  const left = outcomesOfUntouched(start)(unverified);
  time.follow(({ by, key, changes, step, closeRetries = [] }) => {
    if (closeRetries.length > 0 && changes.some(hasBecomeReady))
      doubtRetries(closeRetries, doubts, time.view);
    const refused = by === 'scheduler' && step?.failure && key && time.view.get('Binding', key);
    if (refused) doubts.refused(key, refused);
    if (by === 'application-failover' && step?.failure && key) doubts.evictionFailed(key);
    for (const change of changes) {
      if (change.kind === 'Cluster' && isRelabelled(change)) relabelled.add(change.key);
      if (change.kind === 'Binding' && by === 'scheduler' && isRescheduled(change))
        doubts.placed(change.key, change.after!);
      if (change.kind === 'Binding' && by === 'application-failover' && startsByGuess(change, start, time))
        doubts.evictedWhileStarting(change.key, change.after!);
      const written = change.kind === 'Work' && !change.before ? change.after : undefined;
      const owner = written && time.view.bindingOf(written);
      if (owner) doubtWritten(owner, clusterOfWork(written) ?? '', doubts, time);
    }
    for (const note of step?.notes ?? [])
      if (note.type === 'FreeChoice') doubtChoice(note, doubts, time.view, start.configuration);
  });

  function factsOf(key: string, current: ResourceBinding, { settled }: SimulationEnd): SimulatedFacts {
    const before = course.initialOf(key) ?? current;
    const { troubled, untainted } = course.trouble(before);
    const deletedReady = readiness.deletedReady(key)?.map(({ cluster }) => cluster);
    return {
      before,
      after: current,
      rules: start.configuration.rules,
      facts,
      evictedFrom: course.evictedFrom(key),
      deletedFrom: course.deletedFrom(key),
      troubled,
      untainted,
      ...(troubled.size > 0 && keptThere.of(key, before)),
      evictionQueue: queued.of(key),
      evictionOff,
      cut: !settled,
      flapping: flapping.of(key),
      deletedReady,
      unwritten: deletedReady?.filter(
        (name) => isPlacedOn(current, name) && !time.view.worksOf(current).has(name),
      ),
      unready: settled ? readiness.unready(key, before, current) : undefined,
    };
  }

  function one(
    key: string,
    current: ResourceBinding,
    ended: SimulationEnd,
    resultOf: ResultOf,
  ): WorkloadOutcome {
    const facts = factsOf(key, current, ended);
    const { before: initial, evictedFrom, troubled, untainted, unready } = facts;
    const followed = followedBy(initial, current, resultOf);
    const { reason, ...verdict } = judge({ ...facts, followed });
    const leaving = leavingClusters(initial.spec);
    const evicted = leaving.length > 0 || evictedFrom.size > 0;
    const late = ended.settled ? readiness.late(key, initial, current) : [];
    const { kind, namespace, name } = initial.spec.resource;
    return {
      kind,
      namespace: namespace || undefined,
      name,
      binding: bindingIdentity(initial),
      before: placedOn(initial.spec),
      leaving: leaving.length > 0 ? leaving : undefined,
      evicting: keptByTasks(current.spec, start.configuration.rules),
      reason: reason || undefined,
      ...withDoubtsOf(
        followed,
        doubts.of({ key, initial, evicted, troubled, untainted, unready, late, ended }),
      ),
      gap: readiness.gapOf(key, ended.end, flapping.of(key) ? ended.atRest : ended.quiet),
      down: wantedReplicas(current, facts.facts) > 0 && readiness.isDown(key) ? true : undefined,
      flapping: flapping.of(key),
      ...(facts.evictionQueue && { evictionQueue: [...facts.evictionQueue] }),
      deletedReady: readiness.deletedReady(key),
      ...(verdict satisfies OutcomeWithEnd),
    };
  }

  /** @param others counted as touched as well */
  function touchedSoFar({ asked }: SimulationEnd, others: Iterable<string> = []): ReadonlySet<string> {
    const seen = [course.changed, readiness.concerned, keptThere.changed, queued.bindings, flapping.found];
    return touchedBindings(start, {
      bindings: [
        others,
        asked ? scaledBindings(start) : [],
        ...[...seen, doubts.noted].map((keys) => keys()),
      ],
      clusters: course.troubledSince(),
    });
  }

  function touchedIn(ended: SimulationEnd): ReadonlySet<string> {
    turns.end(!ended.settled);
    return touchedSoFar(ended);
  }

  function judged(
    bindings: Iterable<[key: string, binding: ResourceBinding]>,
    ended: SimulationEnd,
    touched: ReadonlySet<string>,
  ): WorkloadOutcome[] {
    const known = new Map<string, WorkloadOutcome | undefined>();
    const shared = left(ended);
    const resultOf: ResultOf = (key) => {
      const outcomes: Map<string, WorkloadOutcome | undefined> = touched.has(key) ? known : shared;
      if (outcomes.has(key)) return outcomes.get(key);
      const binding = time.view.get('Binding', key);
      if (!binding) return undefined;
      // Ends the recursion if bindings follow each other in a cycle; these are never shared.
      if (outcomes === known) known.set(key, undefined);
      const outcome = one(key, binding, ended, resultOf);
      outcomes.set(key, outcome);
      return outcome;
    };
    return Array.from(bindings, ([key, current]) => {
      if (!touched.has(key)) return resultOf(key)!;
      // A dependent may have needed it already.
      const outcome = known.get(key) ?? one(key, current, ended, resultOf);
      known.set(key, outcome);
      return outcome;
    });
  }

  /** By key, in the order of lists. */
  function listed(
    bindings: readonly [key: string, binding: ResourceBinding][],
    ended: SimulationEnd,
    touched: ReadonlySet<string>,
  ): Map<string, ListedOutcome> {
    const outcomes = judged(bindings, ended, touched).map((outcome, at): [string, ListedOutcome] => {
      const [key, { metadata }] = bindings[at]!;
      return [key, { outcome, created: metadata.creationTimestamp ?? '' }];
    });
    return new Map(outcomes.sort(([, a], [, b]) => asListed(a, b)));
  }

  /** The bindings deleted since the start: the outcome of their workloads is intended. */
  function deletedAmong(keys: Iterable<string>, { end }: SimulationEnd): WorkloadOutcome[] {
    return [...keys].flatMap((key): WorkloadOutcome | [] => {
      const initial = start.bindings.get(key);
      if (!initial || time.view.get('Binding', key)) return [];
      const { kind, namespace, name } = initial.spec.resource;
      const before = placedOn(initial.spec);
      return {
        kind,
        namespace: namespace || undefined,
        name,
        binding: bindingIdentity(initial),
        before,
        evicting: [],
        gap: readiness.gapOf(key, end, false),
        outcome: 'deleted',
        after: [],
        certainty: 'certain',
      };
    });
  }

  const present = (keys: Iterable<string>) =>
    [...keys].flatMap((key): [string, ResourceBinding][] => {
      const binding = time.view.get('Binding', key);
      return binding ? [[key, binding]] : [];
    });

  return {
    all(ended) {
      const touched = touchedIn(ended);
      const present = judged(time.view.entries('Binding'), ended, touched);
      return [...present, ...deletedAmong(touched, ended)].sort(asKubectlLists);
    },
    of: (keys, ended) => judged(present(keys), ended, touchedIn(ended)),
    listed: (bindings, ended) => {
      const asked =
        bindings === 'all' ? [...time.view.entries('Binding')] : present(bindings).sort(oldestFirst);
      return listed(asked, ended, touchedIn(ended));
    },
    touched(ended) {
      const touched = touchedIn(ended);
      const seen = touchedSoFar(ended, course.refreshed());
      const outcomes: Map<string, ListedOutcome | undefined> = listed(
        present(seen).sort(oldestFirst),
        ended,
        touched,
      );
      for (const key of seen) if (!outcomes.has(key)) outcomes.set(key, undefined);
      return outcomes;
    },
    untouched(ended) {
      // No controller has run yet.
      const touched = touchedSoFar(ended);
      const others = present([...start.bindings.keys()].filter((key) => !touched.has(key)));
      return listed(others, ended, touched);
    },
  };
}

/** The fields of an end that decide the outcomes of untouched workloads. */
export function endOfUnchanged({ settled, asked, quiet }: SimulationEnd): string {
  return `${settled} ${asked} ${quiet}`;
}

/** Cached outcomes, by the unverified gates and flags, then by end, then by binding. */
const outcomesOfUntouched = lazilyFor((_: StartingWorld) =>
  lazilyFor((_unconfirmed: ReadonlySet<string>) => {
    const outcomes = new Map<string, Map<string, WorkloadOutcome>>();
    return (ended: SimulationEnd) =>
      getOrAdd(outcomes, endOfUnchanged(ended), () => new Map<string, WorkloadOutcome>());
  }),
);

/** The outcome of a workload, by key of its binding; undefined if the workload is deleted. */
type ResultOf = (binding: string) => WorkloadOutcome | undefined;

/** The outcome of the workloads that a binding follows, or followed at the start; undefined if a policy places it. */
function followedBy(
  initial: ResourceBinding,
  current: ResourceBinding,
  resultOf: ResultOf,
): FollowedWorkload[] | undefined {
  if (current.spec.placement || ![initial, current].some(({ spec }) => isAttached(spec))) return undefined;
  const snapshots = [initial, current].flatMap(({ spec }) => spec.requiredBy ?? []);
  const names = new Map(snapshots.map((one) => [snapshotKey(one), one.name]));
  return Array.from(names, ([parent, name]) => ({ name, result: resultOf(parent) }));
}

type SimulatedFacts = OutcomeFacts & Pick<JudgedWorkload, 'troubled' | 'untainted' | 'unready'>;

function isPlacedOn({ spec }: ResourceBinding, cluster: string): boolean {
  return spec.clusters?.some(({ name }) => name === cluster) ?? false;
}

function isRescheduled({ before, after }: ChangeOf<'Binding'>): boolean {
  return before !== undefined && after !== undefined && before.spec.clusters !== after.spec.clusters;
}

/** Whether an eviction takes a copy that starts, or whose first readiness is not yet reported, after a guessed time. */
function startsByGuess(
  { before, after }: ChangeOf<'Binding'>,
  { members }: StartingWorld,
  { view }: VirtualTime,
): boolean {
  if (!before || !after) return false;
  const works = view.worksOf(before);
  return placedOn(before.spec).some(({ name }) => {
    const work = isPlacedOn(after, name) ? undefined : works.get(name);
    const copy = work && view.get('Copy', workKey(work));
    if (!copy || copy.health !== undefined || !isGuessed(members, name, before.spec.resource)) return false;
    return copy.readyAt !== undefined || copy.ready >= copy.replicas;
  });
}

/** Records a doubt about a Work that was just written for a cluster. */
function doubtWritten(
  owner: ResourceBinding,
  name: string,
  doubts: OutcomeDoubts,
  { view, now }: VirtualTime,
): void {
  const cluster = view.get('Cluster', name);
  doubts.written(bindingKey(owner), owner, name, cluster !== undefined && mayBeStale(cluster, now()));
}

/** Records a doubt about Works whose retries are close to the moment at which their cluster became Ready. */
function doubtRetries(retries: readonly ParkedKey[], doubts: OutcomeDoubts, view: View): void {
  for (const { key } of retries) {
    const work = view.get('Work', key);
    const owner = work && view.bindingOf(work);
    if (owner) doubts.closeRetry(bindingKey(owner), clusterOfWork(work) ?? '');
  }
}

function hasBecomeReady(change: Change): boolean {
  return change.kind === 'Cluster' && !isReady(change.before) && isReady(change.after);
}

function isRelabelled({ before, after }: ChangeOf<'Cluster'>): boolean {
  const [had, has] = [before?.metadata.labels, after?.metadata.labels];
  return before !== undefined && after !== undefined && had !== has && !deepEqual(had, has);
}

/** Why taints evict nothing, if a gate or flag disables that. */
function evictionSwitchedOff(configuration: Configuration): string | undefined {
  const off = taintEvictionSwitches(configuration).find(({ on }) => !on);
  if (!off) return undefined;
  if (off.name === 'the controller cluster')
    return `nothing is evicted: ${off.name} is not started, so the taint manager does not run`;
  return `nothing is evicted: ${off.name === 'Failover' ? 'feature gate Failover' : `--${off.name}`}=false`;
}

/**
 * Records a doubt where Karmada's choice decides: about a binding, or about all on a cluster for a taint that evicts.
 */
function doubtChoice(
  { binding, cluster, taint, choice }: Extract<Note, { type: 'FreeChoice' }>,
  doubts: OutcomeDoubts,
  view: View,
  { rules }: Configuration,
): void {
  if (binding !== undefined) doubts.choice(binding, choice);
  if (choice !== 'order of policies' || cluster === undefined) return;
  doubts.openTaint();
  if (!taint || evictingTaints([taint], rules).length === 0) return;
  for (const one of view.bindingsOn(cluster)) doubts.choice(bindingKey(one), choice);
}

/**
 * Finds actions of a process started by a scenario that need a retry: its back-off counts from a moment that scenarios
 * do not set to the second.
 *
 * @param retried called with the key of each binding that such a retry changes, directly or through a Work
 */
function followRetriesAfterStart(
  time: VirtualTime,
  retried: (binding: string, component: string) => void,
): void {
  const started = new Set<string>();
  const failing = new Set<string>();
  time.follow(({ by, key = '', changes, step, process }) => {
    if (process && process.change !== 'ended') started.add(process.component);
    if (!step || started.size === 0) return;
    const component = processOf(by, key, time.view);
    if (component === undefined || !started.has(component)) return;
    if (step.failure) failing.add(`${by} ${key}`);
    else if (failing.delete(`${by} ${key}`))
      for (const change of changes) {
        const binding = bindingChanged(change, time);
        if (binding !== undefined) retried(binding, component);
      }
  });
}

function bindingChanged(change: Change, { view }: VirtualTime): string | undefined {
  if (change.kind === 'Binding') return change.key;
  const work = change.kind === 'Work' ? (change.after ?? change.before) : undefined;
  const binding = work && view.bindingOf(work);
  return binding && bindingKey(binding);
}
