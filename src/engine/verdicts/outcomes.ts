import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import type { Note } from '../controllers/controller.ts';
import type { View } from '../controllers/view.ts';
import type { ChangeOf } from '../controllers/write.ts';
import { keptByTasks } from '../eviction/works.ts';
import { isReady } from '../objects/clusterReadiness.ts';
import { isAttached } from '../objects/dependents.ts';
import { getOrAdd } from '../objects/getOrAdd.ts';
import { bindingIdentity, bindingKey, snapshotKey } from '../objects/identities.ts';
import { evictingFrom, leavingClusters, placedOn } from '../objects/placement.ts';
import { clusterOfWork } from '../objects/worksOfBinding.ts';
import { byAge, compareText, oncePer } from '../store/indexes.ts';
import { selectsAmong } from '../selection/selects.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { evictingTaints } from '../taints/evictingTaints.ts';
import { taintEvictionSwitches } from '../taints/taintEviction.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';
import type { FlappingWorkloads } from './flapping.ts';
import { judge, type FollowedWorkload, type OutcomeFacts } from './judge.ts';
import type { OutcomeWithEnd, WorkloadOutcome } from './outcome.ts';
import type { JudgedWorkload } from './doubt.ts';
import { collectDoubts, withDoubtsOf, type OutcomeDoubts } from './outcomeDoubts.ts';
import { followReadiness, type MissingTold } from './readinessCourse.ts';
import { followKeptThere } from './keptThere.ts';
import { followQueuedEvictions } from './queuedEvictions.ts';
import type { ReadyReplicas } from './readyReplicas.ts';
import { touchedBindings } from './touchedBindings.ts';
import { followTurns } from './turns.ts';

/** When a simulation ended. */
export interface SimulationEnd {
  /** epoch milliseconds */
  end: number;
  /** nothing more would happen */
  atRest: boolean;
  /** nothing more will happen: what is not ready never will be */
  settled: boolean;
}

/**
 * The outcomes of all workloads, at the end of a simulation. Those that it leaves alone (`touchedBindings`) have the
 * same in all that begin with one start; they are judged once for all of these.
 */
export interface Outcomes {
  all(ended: SimulationEnd): WorkloadOutcome[];
  /** only of these bindings, by key, if they still exist */
  of(bindings: readonly string[], ended: SimulationEnd): WorkloadOutcome[];
  /** of all, or only of these bindings, by key, in the order of `all` */
  listed(bindings: Iterable<string> | 'all', ended: SimulationEnd): ReadonlyMap<string, ListedOutcome>;
  /** the same of those that the simulation has touched; undefined: the binding is gone */
  touched(ended: SimulationEnd): ReadonlyMap<string, ListedOutcome | undefined>;
  /** Before anything happens: the same of all that a simulation may leave alone. */
  untouched(ended: SimulationEnd): ReadonlyMap<string, ListedOutcome>;
}

/** An outcome with what decides its place among others (`asListed`). */
export interface ListedOutcome {
  outcome: WorkloadOutcome;
  /** when the binding was created (RFC 3339) */
  created: string;
}

const none: ReadonlySet<string> = new Set();

/**
 * Follows a simulation from its start.
 *
 * @param unconfirmed names of gates and flags whose values nobody has confirmed
 * @param missing called when ready replicas are missing
 */
export function followOutcomes(
  start: StartingWorld,
  time: VirtualTime,
  ready: ReadyReplicas,
  flapping: FlappingWorkloads,
  unconfirmed: ReadonlySet<string>,
  missing?: MissingTold,
): Outcomes {
  const course = followCourse(start, time);
  const doubts = collectDoubts(start, unconfirmed);
  const selects = selectsAmong((name) => start.clusters.get(name), start.configuration.rules.scheduling);
  const readiness = followReadiness(start, time, ready, { initialOf: course.initialOf, selects }, missing);
  const turns = followTurns(start, time, (key, choice) => doubts.choice(key, choice));
  const keptThere = followKeptThere(start, time);
  const queued = followQueuedEvictions(start, time);
  const evictionOff = evictionSwitchedOff(start.configuration);
  const left = outcomesOfUntouched(start)(unconfirmed);
  time.follow(({ by, key, changes, step }) => {
    const refused = by === 'scheduler' && step?.failure && key && time.view.get('Binding', key);
    if (refused) doubts.refused(key, refused);
    for (const change of changes)
      if (change.kind === 'Binding' && by === 'scheduler' && isPlacedAnew(change))
        doubts.placed(change.key, change.after!);
    for (const note of step?.notes ?? [])
      if (note.type === 'FreeChoice') doubtChoice(note, doubts, time.view, start.configuration);
  });

  function factsOf(key: string, current: ResourceBinding, { settled }: SimulationEnd): SimulatedFacts {
    const before = course.initialOf(key) ?? current;
    const { troubled, untainted } = course.trouble(before);
    return {
      before,
      after: current,
      rules: start.configuration.rules,
      selects,
      evictedFrom: course.evictedFrom(key),
      deletedFrom: course.deletedFrom(key),
      troubled,
      untainted,
      ...(troubled.size > 0 && keptThere.of(key, before)),
      evictionQueue: queued.of(key),
      evictionOff,
      cut: !settled,
      flapping: flapping.of(key),
      deletedReady: readiness.deletedReady(key)?.map(({ cluster }) => cluster),
      unready: settled ? readiness.unready(key, before, current) : undefined,
    };
  }

  function one(key: string, current: ResourceBinding, ended: SimulationEnd, toldOf: ToldOf): WorkloadOutcome {
    const facts = factsOf(key, current, ended);
    const { before: initial, evictedFrom, troubled, untainted, unready } = facts;
    const followed = followedBy(initial, current, toldOf);
    const { reason, ...verdict } = judge({ ...facts, followed });
    const leaving = leavingClusters(initial.spec);
    const evicted = leaving.length > 0 || evictedFrom.size > 0;
    const late = evicted && ended.settled ? readiness.late(key, initial, current) : [];
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
      ...withDoubtsOf(followed, doubts.of({ key, initial, evicted, troubled, untainted, unready, late })),
      gap: readiness.gapOf(key, ended.end),
      flapping: flapping.of(key),
      ...(facts.evictionQueue && { evictionQueue: [...facts.evictionQueue] }),
      deletedReady: readiness.deletedReady(key),
      ...(verdict satisfies OutcomeWithEnd),
    };
  }

  function touchedSoFar(): ReadonlySet<string> {
    const seen = [course.changed, readiness.concerned, keptThere.told, queued.bindings, flapping.found];
    return touchedBindings(start, {
      bindings: [...seen, doubts.noted].map((keys) => keys()),
      clusters: course.troubledSince(),
    });
  }

  function touchedIn(ended: SimulationEnd): ReadonlySet<string> {
    turns.end(!ended.settled);
    return touchedSoFar();
  }

  function told(
    bindings: Iterable<[key: string, binding: ResourceBinding]>,
    ended: SimulationEnd,
    touched: ReadonlySet<string>,
  ): WorkloadOutcome[] {
    const known = new Map<string, WorkloadOutcome | undefined>();
    const shared = left(ended.settled);
    const toldOf: ToldOf = (key) => {
      const outcomes: Map<string, WorkloadOutcome | undefined> = touched.has(key) ? known : shared;
      if (outcomes.has(key)) return outcomes.get(key);
      const binding = time.view.get('Binding', key);
      if (!binding) return undefined;
      // Ends the recursion if bindings follow each other in a circle; these are never shared.
      if (outcomes === known) known.set(key, undefined);
      const outcome = one(key, binding, ended, toldOf);
      outcomes.set(key, outcome);
      return outcome;
    };
    return Array.from(bindings, ([key, current]) => {
      if (!touched.has(key)) return toldOf(key)!;
      // It may be known already because of a dependent.
      const outcome = known.get(key) ?? one(key, current, ended, toldOf);
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
    const outcomes = told(bindings, ended, touched).map((outcome, at): [string, ListedOutcome] => {
      const [key, { metadata }] = bindings[at]!;
      return [key, { outcome, created: metadata.creationTimestamp ?? '' }];
    });
    return new Map(outcomes.sort(([, a], [, b]) => asListed(a, b)));
  }

  const present = (keys: Iterable<string>) =>
    [...keys].flatMap((key): [string, ResourceBinding][] => {
      const binding = time.view.get('Binding', key);
      return binding ? [[key, binding]] : [];
    });

  return {
    all: (ended) => told(time.view.entries('Binding'), ended, touchedIn(ended)).sort(asKubectlLists),
    of: (keys, ended) => told(present(keys), ended, touchedIn(ended)),
    listed: (bindings, ended) => {
      const asked = bindings === 'all' ? [...time.view.entries('Binding')] : present(bindings).sort(ofAge);
      return listed(asked, ended, touchedIn(ended));
    },
    touched(ended) {
      const touched = touchedIn(ended);
      const outcomes: Map<string, ListedOutcome | undefined> = listed(
        present(touched).sort(ofAge),
        ended,
        touched,
      );
      for (const key of touched) if (!outcomes.has(key)) outcomes.set(key, undefined);
      return outcomes;
    },
    untouched(ended) {
      // nobody has had a turn yet
      const touched = touchedSoFar();
      const others = present([...start.bindings.keys()].filter((key) => !touched.has(key)));
      return listed(others, ended, touched);
    },
  };
}

/** By the unconfirmed gates and flags, and by whether nothing more will happen: what is judged so far, by binding. */
const outcomesOfUntouched = oncePer((_: StartingWorld) =>
  oncePer((_unconfirmed: ReadonlySet<string>) => {
    const outcomes = {
      settled: new Map<string, WorkloadOutcome>(),
      open: new Map<string, WorkloadOutcome>(),
    };
    return (settled: boolean) => (settled ? outcomes.settled : outcomes.open);
  }),
);

/** What becomes of a workload, by key of its binding; undefined if that is deleted. */
type ToldOf = (binding: string) => WorkloadOutcome | undefined;

/** What becomes of the workloads that a binding follows, or followed at the start; undefined if a policy places it. */
function followedBy(
  initial: ResourceBinding,
  current: ResourceBinding,
  toldOf: ToldOf,
): FollowedWorkload[] | undefined {
  if (current.spec.placement || ![initial, current].some(({ spec }) => isAttached(spec))) return undefined;
  const snapshots = [initial, current].flatMap(({ spec }) => spec.requiredBy ?? []);
  const names = new Map(snapshots.map((one) => [snapshotKey(one), one.name]));
  return Array.from(names, ([parent, name]) => ({ name, told: toldOf(parent) }));
}

type SimulatedFacts = OutcomeFacts & Pick<JudgedWorkload, 'troubled' | 'untainted' | 'unready'>;

/** What happened to workloads during a simulation, by key of the binding. */
interface Course {
  /** the bindings that somebody has written, or whose copies have been deleted */
  changed(): Iterable<string>;
  /** the clusters that failed or got a taint that evicts, for the first time since the start */
  troubledSince(): Iterable<string>;
  /** the binding as it was at the start */
  initialOf(binding: string): ResourceBinding | undefined;
  evictedFrom(binding: string): ReadonlySet<string>;
  /** clusters whose copies its controller has deleted meanwhile */
  deletedFrom(binding: string): ReadonlySet<string>;
  /** the clusters of a binding that failed or got a taint that evicts, and those of them that nothing tainted */
  trouble(initial: ResourceBinding): { troubled: ReadonlySet<string>; untainted: string[] };
}

function followCourse(start: StartingWorld, time: VirtualTime): Course {
  const made = new Map<string, ResourceBinding>();
  const evictedFrom = new Map<string, Set<string>>();
  const deletedFrom = new Map<string, Set<string>>();
  const changed = new Set<string>();
  const atStart = troubleAtStart(start);
  const since: Trouble = { troubled: new Set(), tainted: new Set() };
  const isTroubled = (name: string) => atStart.troubled.has(name) || since.troubled.has(name);
  const wasTainted = (name: string) => atStart.tainted.has(name) || since.tainted.has(name);

  function bindingChanged({ key, before, after }: ChangeOf<'Binding'>): void {
    changed.add(key);
    if (!before && after) made.set(key, isAttached(after.spec) ? notYetPlaced(after) : after);
    if (!before || !after) return;
    for (const cluster of takenFrom(before, after)) getOrAdd(evictedFrom, key, () => new Set()).add(cluster);
  }

  function workChanged(binding: string, { before, after }: ChangeOf<'Work'>): void {
    const isDeleted =
      before && !before.metadata.deletionTimestamp && (!after || after.metadata.deletionTimestamp);
    const cluster = isDeleted ? clusterOfWork(before) : undefined;
    if (cluster === undefined) return;
    changed.add(binding);
    getOrAdd(deletedFrom, binding, () => new Set()).add(cluster);
  }

  time.follow(({ by, key, changes }) => {
    for (const change of changes) {
      if (change.kind === 'Cluster' && change.after) watch(change.after, start, since);
      if (change.kind === 'Binding') bindingChanged(change);
      if (change.kind === 'Work' && by === 'binding-controller' && key !== undefined)
        workChanged(key, change);
    }
  });

  return {
    changed: () => changed,
    troubledSince: () =>
      [...since.troubled].filter((name) => !atStart.troubled.has(name) || !atStart.tainted.has(name)),
    initialOf: (key) => start.bindings.get(key) ?? made.get(key),
    evictedFrom: (key) => evictedFrom.get(key) ?? none,
    deletedFrom: (key) => deletedFrom.get(key) ?? none,
    trouble({ spec }) {
      const names = placedOn(spec)
        .map(({ name }) => name)
        .filter(isTroubled);
      return names.length === 0
        ? { troubled: none, untainted: [] }
        : { troubled: new Set(names), untainted: names.filter((name) => !wasTainted(name)) };
    },
  };
}

/** Names of clusters. */
interface Trouble {
  /** failed or tainted */
  troubled: Set<string>;
  /** with a taint that evicts */
  tainted: Set<string>;
}

function watch(cluster: Cluster, { configuration }: StartingWorld, { troubled, tainted }: Trouble): void {
  const { name } = cluster.metadata;
  const evicts = evictingTaints(cluster.spec?.taints, configuration.rules).length > 0;
  if (evicts) tainted.add(name);
  if (evicts || !isReady(cluster)) troubled.add(name);
}

const troubleAtStart = oncePer((start: StartingWorld): Readonly<Trouble> => {
  const found: Trouble = { troubled: new Set(), tainted: new Set() };
  for (const cluster of start.clusters.values()) watch(cluster, start, found);
  return found;
});

/** The clusters that a change evicts it from; a dependent has no tasks and leaves them at once. */
function takenFrom(before: ResourceBinding, after: ResourceBinding): string[] {
  if (isAttached(before.spec)) {
    if (before.spec.requiredBy === after.spec.requiredBy) return [];
    const has = new Set(placedOn(after.spec).map(({ name }) => name));
    return placedOn(before.spec).flatMap(({ name }) => (has.has(name) ? [] : [name]));
  }
  if (before.spec.gracefulEvictionTasks === after.spec.gracefulEvictionTasks) return [];
  const known = new Set(evictingFrom(before.spec));
  return evictingFrom(after.spec).filter((cluster) => !known.has(cluster));
}

/** A new dependent was nowhere before. */
function notYetPlaced(binding: ResourceBinding): ResourceBinding {
  const requiredBy = binding.spec.requiredBy!.map(({ clusters: _, ...snapshot }) => snapshot);
  return { ...binding, spec: { ...binding.spec, requiredBy } };
}

function isPlacedAnew({ before, after }: ChangeOf<'Binding'>): boolean {
  return before !== undefined && after !== undefined && before.spec.clusters !== after.spec.clusters;
}

/** By namespace and name, as kubectl lists them. */
function asKubectlLists(a: NamespacedName, b: NamespacedName): number {
  const [x, y] = [a.namespace ?? '', b.namespace ?? ''];
  if (x !== y) return x < y ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** The same; those of one name by age, as bindings come. */
export function asListed(a: ListedOutcome, b: ListedOutcome): number {
  return (
    asKubectlLists(a.outcome, b.outcome) ||
    compareText(a.created, b.created) ||
    asKubectlLists(a.outcome.binding, b.outcome.binding)
  );
}

const ofAge = ([, a]: [string, ResourceBinding], [, b]: [string, ResourceBinding]) => byAge(a, b);

type NamespacedName = Pick<ObjectIdentity, 'namespace' | 'name'>;

/** Why no taint evicts anything, if a gate or flag switches that off. */
function evictionSwitchedOff(configuration: Configuration): string | undefined {
  const off = taintEvictionSwitches(configuration).find(({ on }) => !on);
  if (!off) return undefined;
  if (off.name === 'the controller cluster')
    return `nothing is evicted: ${off.name} is not started, and with it the taint manager`;
  return `nothing is evicted: ${off.name === 'Failover' ? 'feature gate Failover' : `--${off.name}`}=false`;
}

/** Notes what an open order decides: a binding, or all on a cluster if it is about a taint that evicts. */
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
