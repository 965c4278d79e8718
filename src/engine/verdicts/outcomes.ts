import { taintEvictionSwitches } from '../taints/taintEviction.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { DEFAULT_SCHEDULER_NAME } from '../../karmada/names.ts';
import type { FreeChoice, Note } from '../controllers/controller.ts';
import type { ChangeOf } from '../controllers/write.ts';
import type { Certainty } from '../evidence.ts';
import { strategyOf } from '../scheduling/strategy.ts';
import { hasHealthInterpreter, INTERPRETERS } from '../status/healthInterpreter.ts';
import { isReady } from '../objects/clusterReadiness.ts';
import { bindingIdentity, bindingKey } from '../objects/identities.ts';
import { placementOf, wantedReplicas } from '../objects/placement.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { noExecuteTaints } from '../taints/noExecuteDecision.ts';
import { missingKind } from '../world.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';
import type { FlappingWorkloads } from './flapping.ts';
import { judge } from './judge.ts';
import { trackGap, type GapTracker } from './readinessGap.ts';
import type { ReadyReplicas } from './readyReplicas.ts';
import type { Outcome, WorkloadOutcome } from './outcome.ts';

/** Says at the end of a simulation what became of each workload. */
export interface Outcomes {
  /** @param end epoch milliseconds */
  all(end: number): WorkloadOutcome[];
  /** the outcome alone, of a binding by its key */
  outcomeOf(binding: string): Outcome;
}

interface Notes {
  evictedFrom?: Set<string>;
  tolerated?: string;
  certainty?: Certainty;
  dependsOn?: Set<string>;
  gap?: GapTracker;
  deletedReady?: NonNullable<WorkloadOutcome['deletedReady']>;
}

const none: ReadonlySet<string> = new Set();

const choices: Readonly<Record<FreeChoice, string>> = {
  'turn in a paced queue': 'whose turn it is in the eviction queue, which Karmada fills in no fixed order',
  'stale health':
    'whether Karmada judges the eviction task on health from before the scale-up: then the old copy goes at once',
  'random tie':
    'how Karmada breaks a tie: at random before v1.16, since then by the uid of the object, which only its creation gives',
  race: 'which of two controllers is faster',
};

/**
 * Follows a simulation from its start.
 *
 * @param unconfirmed names of gates and flags whose values nobody has confirmed
 */
export function followOutcomes(
  start: StartingWorld,
  time: VirtualTime,
  ready: ReadyReplicas,
  flapping: FlappingWorkloads,
  unconfirmed: ReadonlySet<string>,
): Outcomes {
  const { configuration, hooks, world } = start;
  const { view } = time;
  const { unread } = world;
  const notes = new Map<string, Notes>();
  const notesOf = (key: string): Notes => {
    let found = notes.get(key);
    if (!found) notes.set(key, (found = {}));
    return found;
  };
  /** as bindings were at first */
  const initialOf = (key: string) => start.bindings.get(key) ?? made.get(key);
  const made = new Map<string, ResourceBinding>();
  const troubledClusters = new Set<string>();
  const everTainted = new Set<string>();

  function watch(cluster: Cluster): void {
    const { name } = cluster.metadata;
    const tainted = noExecuteTaints(cluster.spec?.taints).length > 0;
    if (tainted) everTainted.add(name);
    if (tainted || !isReady(cluster)) troubledClusters.add(name);
  }
  for (const cluster of start.clusters.values()) watch(cluster);

  const dependsOn = (key: string, certainty: Certainty, what: string): void => {
    const own = notesOf(key);
    if (own.certainty !== 'unknown') own.certainty = certainty;
    (own.dependsOn ??= new Set()).add(what);
  };

  function bindingChanged({ key, before, after }: ChangeOf<'Binding'>, by: string): void {
    if (!before && after) made.set(key, after);
    if (!before || !after) return;
    const known = new Set(before.spec.gracefulEvictionTasks?.map((task) => task.fromCluster));
    for (const { fromCluster } of after.spec.gracefulEvictionTasks ?? [])
      if (!known.has(fromCluster)) (notesOf(key).evictedFrom ??= new Set()).add(fromCluster);
    if (by !== 'scheduler' || before.spec.clusters === after.spec.clusters) return;
    const strategy = strategyOf(after.spec.placement);
    if ((after.spec.clusters?.length ?? 0) > 0 && (strategy === 'Aggregated' || strategy === 'DynamicWeight'))
      for (const what of estimates(configuration)) dependsOn(key, 'estimate', what);
  }

  function noted(note: Note): void {
    if (note.type === 'Tolerated')
      notesOf(note.binding).tolerated =
        `tolerates ${note.taints.join(', ')} on ${note.cluster} ${note.until === undefined ? 'for ever' : 'for a time'}`;
    if (note.type === 'FreeChoice' && note.binding !== undefined)
      dependsOn(note.binding, 'estimate', choices[note.choice]);
  }

  time.follow(({ by, changes, step }) => {
    for (const change of changes) {
      if (change.kind === 'Cluster' && change.after) watch(change.after);
      if (change.kind === 'Binding') bindingChanged(change, by);
      if (change.kind === 'Copy' && isDeleted(change)) copyGone(change);
    }
    step?.notes?.forEach(noted);
  });
  function observeReady(key: string, initial: ResourceBinding): void {
    const own = notesOf(key);
    own.gap ??= trackGap(wantedReplicas(initial));
    own.gap.observe(time.now(), ready.of(key));
  }
  ready.onChange((key) => {
    const initial = initialOf(key);
    if (initial && (initial.spec.replicas ?? 0) > 0) observeReady(key, initial);
  });
  // What is missing at the start counts as missing from the start on.
  for (const [key, binding] of start.bindings)
    if ((binding.spec.replicas ?? 0) > 0 && mayLackReplicas(binding, start)) observeReady(key, binding);

  /** A ready copy that goes while fewer are left than the workload is to have. */
  function copyGone({ before }: ChangeOf<'Copy'>): void {
    if (!before || before.ready === 0 || !view.get('Member', before.cluster)?.up) return;
    const binding = view.bindingFor(before.workload);
    const owner = binding && bindingKey(binding);
    const initial = owner === undefined ? undefined : initialOf(owner);
    if (owner === undefined || !initial || ready.of(owner) >= wantedReplicas(initial)) return;
    (notesOf(owner).deletedReady ??= []).push({
      cluster: before.cluster,
      time: time.now(),
      replicas: before.ready,
    });
  }

  const evictionOff = evictionSwitchedOff(configuration);
  const unreadPolicies = missingKind({ unread }, 'ClusterTaintPolicy');
  const unreadWorks = missingKind({ unread }, 'Work');
  const unreadInterpreters = missingKind({ unread }, ...INTERPRETERS);

  function dependOnUnread(key: string, { spec: { resource } }: ResourceBinding): void {
    if (unreadWorks !== undefined)
      dependsOn(
        key,
        'estimate',
        `Works, which could not be read (${unreadWorks}): copies and their replicas are inferred from what the binding reports`,
      );
    if (unreadInterpreters !== undefined && !hasHealthInterpreter(resource, hooks))
      dependsOn(
        key,
        'estimate',
        `whether Karmada can tell the health of a ${resource.kind}: its interpreters could not be read (${unreadInterpreters})`,
      );
  }
  const guessed = taintEvictionSwitches(configuration)
    .map(({ name }) => name)
    .filter((name) => unconfirmed.has(name));

  const troubledOf = (initial: ResourceBinding): ReadonlySet<string> => {
    const troubled = initial.spec.clusters?.filter(({ name }) => troubledClusters.has(name));
    return troubled?.length ? new Set(troubled.map(({ name }) => name)) : none;
  };

  function judgeOne(
    key: string,
    initial: ResourceBinding,
    current: ResourceBinding,
    troubled: ReadonlySet<string>,
  ): ReturnType<typeof judge> {
    const own = notes.get(key);
    return judge({
      before: initial.spec,
      after: current.spec,
      evictedFrom: own?.evictedFrom ?? none,
      scheduleFailure: scheduleFailure(current),
      troubled,
      untainted: [...troubled].filter((name) => !everTainted.has(name)),
      tolerated: own?.tolerated,
      evictionOff,
      flapping: flapping.of(key),
    });
  }

  function one(
    key: string,
    initial: ResourceBinding,
    current: ResourceBinding,
    end: number,
  ): WorkloadOutcome {
    const own = notes.get(key);
    const { resource, schedulerName = DEFAULT_SCHEDULER_NAME } = initial.spec;
    const before = placementOf(initial.spec).clusters;
    const troubled = troubledOf(initial);
    const verdict = judgeOne(key, initial, current, troubled);
    if (evictionOff && guessed.length > 0 && troubled.size > 0)
      dependsOn(
        key,
        'unknown',
        `${guessed.join(', ')}, taken as the default: give what karmada-controller-manager was started with, by its Deployment (--host-context, or in the state) or by --assume`,
      );
    const noTaint = !evictionOff && [...troubled].some((name) => !everTainted.has(name));
    if (noTaint && unreadPolicies !== undefined)
      dependsOn(key, 'unknown', `ClusterTaintPolicies, which could not be read: ${unreadPolicies}`);
    else if (noTaint && start.taintPolicies.size === 0 && unread === undefined)
      dependsOn(
        key,
        'unknown',
        'ClusterTaintPolicies, of which the state has none: add them to it if there are any',
      );
    if (troubled.size > 0 || own?.evictedFrom) dependOnUnread(key, initial);
    if (hooks.enabled(resource, 'InterpretHealth') || hooks.enabled(resource, 'ReviseReplica'))
      dependsOn(
        key,
        'estimate',
        `what the interpreter of ${resource.kind} makes of it, which runs in Karmada alone`,
      );
    const foreign = schedulerName !== configuration.scheduler['scheduler-name'];
    if (foreign && own?.evictedFrom)
      dependsOn(key, 'unknown', `the scheduler "${schedulerName}", which decides by rules of its own`);
    const marked = notes.get(key);
    const gap = own?.gap?.result(end);
    const flaps = flapping.of(key);
    const workload: ObjectIdentity = {
      kind: resource.kind,
      ...(resource.namespace ? { namespace: resource.namespace } : {}),
      name: resource.name,
    };
    const facts = {
      ...workload,
      binding: bindingIdentity(initial),
      before,
      evicting: placementOf(current.spec).evicting,
      ...(verdict.reason ? { reason: verdict.reason } : {}),
      certainty: marked?.certainty ?? 'certain',
      ...(marked?.dependsOn ? { dependsOn: [...marked.dependsOn] } : {}),
      ...(gap ? { gap } : {}),
      ...(flaps ? { flapping: flaps } : {}),
      ...(own?.deletedReady ? { deletedReady: own.deletedReady } : {}),
    };
    // Two branches, so that each keeps its own type of `after`.
    return verdict.outcome === 'moves' || verdict.outcome === 'partly-moves'
      ? { ...facts, outcome: verdict.outcome, after: verdict.after }
      : { ...facts, outcome: verdict.outcome, after: verdict.after };
  }

  return {
    all(end) {
      const outcomes: WorkloadOutcome[] = [];
      for (const current of view.all('Binding')) {
        const key = bindingKey(current);
        outcomes.push(one(key, initialOf(key) ?? current, current, end));
      }
      return outcomes.sort(asKubectlLists);
    },
    outcomeOf(key) {
      const current = view.get('Binding', key)!;
      const initial = initialOf(key) ?? current;
      return judgeOne(key, initial, current, troubledOf(initial)).outcome;
    },
  };
}

/** Its object goes, and its replicas with it. */
function isDeleted({ before, after }: ChangeOf<'Copy'>): boolean {
  return !after || (after.terminating === true && before?.terminating !== true);
}

/** Whether not all replicas may be ready at the start: settled workloads on ready clusters need no closer look. */
function mayLackReplicas({ spec, status }: ResourceBinding, { clusters }: StartingWorld): boolean {
  if (spec.gracefulEvictionTasks?.length || !spec.clusters?.length) return true;
  return spec.clusters.some(
    ({ name }) =>
      !isReady(clusters.get(name)) ||
      status?.aggregatedStatus?.find(({ clusterName }) => clusterName === name)?.health !== 'Healthy',
  );
}

/** The scheduler's last word, if it failed. */
function scheduleFailure({ status }: ResourceBinding): { reason: string; message: string } | undefined {
  const condition = status?.conditions?.find(({ type }) => type === 'Scheduled');
  if (!condition || condition.status === 'True') return undefined;
  return { reason: condition.reason ?? '', message: condition.message ?? '' };
}

/** By namespace and name, as kubectl lists them. */
export function asKubectlLists(a: NamespacedName, b: NamespacedName): number {
  const [x, y] = [a.namespace ?? '', b.namespace ?? ''];
  if (x !== y) return x < y ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

type NamespacedName = Pick<ObjectIdentity, 'namespace' | 'name'>;

/** What the room for replicas is an estimate by. */
function estimates({ scheduler, featureGates }: Configuration): string[] {
  return [
    scheduler['enable-scheduler-estimator']
      ? 'the answers of the scheduler estimators, which are not in the state'
      : 'the room that clusters report, taken as captured and followed from there',
    ...(featureGates.SchedulingOvercommitProtection
      ? [
          'what the scheduler keeps free for workloads that are not healthy yet (SchedulingOvercommitProtection)',
        ]
      : []),
  ];
}

/** Why no taint evicts anything, if a gate or flag sees to that. */
function evictionSwitchedOff(configuration: Configuration): string | undefined {
  const off = taintEvictionSwitches(configuration).find(({ on }) => !on);
  if (!off) return undefined;
  return `nothing is evicted: ${off.name === 'Failover' ? 'feature gate Failover' : `--${off.name}`}=false`;
}
