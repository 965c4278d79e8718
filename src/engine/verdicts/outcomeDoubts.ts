import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import { DEFAULT_SCHEDULER_NAME } from '../../karmada/names.ts';
import type { FreeChoice } from '../controllers/controller.ts';
import { appliedRefusal, isUnheard } from '../controllers/workConditions.ts';
import type { Certainty } from '../evidence.ts';
import { cameBack, isReady } from '../objects/clusterReadiness.ts';
import { bindingKey, workKey } from '../objects/identities.ts';
import { appliedEarlier } from '../store/derivedCopy.ts';
import { once } from '../store/indexes.ts';
import { targetClusters } from '../eviction/works.ts';
import { placementOf } from '../objects/placement.ts';
import { clusterOfWork } from '../objects/worksOfBinding.ts';
import { strategyOf } from '../scheduling/strategy.ts';
import { hasHealthInterpreter, INTERPRETERS } from '../status/healthInterpreter.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { taintEvictionSwitches } from '../taints/taintEviction.ts';
import { missingKind } from '../world.ts';
import type { Unready } from './judge.ts';

/** How sure an outcome is, and what an estimate or unknown depends on. */
export interface Sureness {
  certainty: Certainty;
  dependsOn?: string[];
}

/** What is known of a workload when its outcome is judged. */
export interface JudgedWorkload {
  initial: ResourceBinding;
  evicted: boolean;
  /** its clusters that failed or got a NoExecute taint, and those of them that nothing tainted */
  troubled: ReadonlySet<string>;
  untainted: readonly string[];
  unready: Unready | undefined;
  /** of what was evicted: clusters on which what it had at the start is not ready yet, and late */
  late: readonly string[];
}

/** Collects what outcomes depend on without being sure of it, by key of the binding. */
export interface OutcomeDoubts {
  /** Karmada leaves open what it does with it */
  choice(binding: string, choice: FreeChoice): void;
  /** the scheduler has placed it */
  placed(binding: string, placed: ResourceBinding): void;
  /** the scheduler has found no place for it, and tries again */
  refused(binding: string, refused: ResourceBinding): void;
  /** At the end: with what the state leaves open. */
  of(binding: string, judged: JudgedWorkload): Sureness;
}

const choices: Readonly<Record<FreeChoice, string>> = {
  'turn in a paced queue': 'whose turn it is in the eviction queue, which Karmada fills in no fixed order',
  'stale health':
    'whether Karmada judges the eviction task on health from before the scale-up: then the old copy goes at once',
  'random tie':
    'how Karmada breaks a tie: at random before v1.16, since then by the uid of the object, which only its creation gives',
};

/** What is never placed ends the same whenever it is tried again. */
const RETRY =
  'when the scheduler tries again what it could not place: its back-off doubles with every failure, and only its queue knows how often it failed';

interface Doubt {
  certainty: Exclude<Certainty, 'certain'>;
  what: string;
}

/** @param unconfirmed names of gates and flags whose values nobody has confirmed */
export function collectDoubts(start: StartingWorld, unconfirmed: ReadonlySet<string>): OutcomeDoubts {
  const noted = new Map<string, Set<string>>();
  const note = (key: string, what: string): void => {
    const known = noted.get(key);
    if (known) known.add(what);
    else noted.set(key, new Set([what]));
  };
  const room = estimates(start);
  const stateDoubts = doubtsOfState(start, unconfirmed);
  /** bindings that were placed after the scheduler had found no place for them */
  const placedAtLast = new Set<string>();
  const refused = new Set<string>();
  const back = recentlyBack(start);
  const noteRemains = (key: string, { spec }: ResourceBinding): void => {
    if (back.size === 0 || !spec.replicas) return;
    const had = new Set(start.bindings.get(key)?.spec.clusters?.map(({ name }) => name));
    for (const { name } of spec.clusters ?? [])
      if (back.has(name) && !had.has(name))
        note(
          key,
          `what ${name} still runs of it: of a cluster that came back a while ago, Karmada may not know what was left there`,
        );
  };
  const noteRoom = (key: string, { spec }: ResourceBinding): void => {
    const strategy = strategyOf(spec.placement);
    if (strategy === 'Aggregated' || strategy === 'DynamicWeight') for (const what of room) note(key, what);
  };
  return {
    choice: (key, choice) => note(key, choices[choice]),
    placed(key, binding) {
      noteRoom(key, binding);
      noteRemains(key, binding);
      if (refused.has(key)) placedAtLast.add(key);
    },
    refused(key, binding) {
      noteRoom(key, binding);
      refused.add(key);
    },
    of(key, judged) {
      const retry = placedAtLast.has(key) ? [estimate(RETRY)] : [];
      const doubts = [...[...(noted.get(key) ?? [])].map(estimate), ...retry, ...stateDoubts(judged)];
      if (doubts.length === 0) return { certainty: 'certain' };
      const unknown = doubts.some(({ certainty }) => certainty === 'unknown');
      return {
        certainty: unknown ? 'unknown' : 'estimate',
        dependsOn: [...new Set(doubts.map(({ what }) => what))],
      };
    },
  };
}

/** What the state does not tell, or Karmada alone can: the same for all simulations that start with it. */
function doubtsOfState(
  start: StartingWorld,
  unconfirmed: ReadonlySet<string>,
): (judged: JudgedWorkload) => Doubt[] {
  const {
    configuration,
    hooks,
    world: { unread },
    taintPolicies,
  } = start;
  const switches = taintEvictionSwitches(configuration);
  const evictionOff = switches.some(({ on }) => !on);
  const guessed = switches.map(({ name }) => name).filter((name) => unconfirmed.has(name));
  const unreadPolicies = missingKind({ unread }, 'ClusterTaintPolicy');
  const unreadWorks = missingKind({ unread }, 'Work');
  const unreadInterpreters = missingKind({ unread }, ...INTERPRETERS);

  function ofTaints({ troubled, untainted }: JudgedWorkload): Doubt[] {
    if (evictionOff) return guessed.length > 0 && troubled.size > 0 ? [takenAsDefault(guessed)] : [];
    if (untainted.length === 0) return [];
    if (!configuration.rules.taints.clusterTaintPolicies)
      return unconfirmed.has('Failover') ? [takenAsDefault(['Failover'])] : [];
    if (unreadPolicies !== undefined)
      return [unknown(`ClusterTaintPolicies, which could not be read: ${unreadPolicies}`)];
    if (taintPolicies.size > 0 || unread !== undefined) return [];
    return [unknown('ClusterTaintPolicies, of which the state has none: add them to it if there are any')];
  }

  function ofUnread({ initial: { spec }, evicted, troubled }: JudgedWorkload): Doubt[] {
    if (troubled.size === 0 && !evicted) return [];
    const doubts: Doubt[] = [];
    if (unreadWorks !== undefined)
      doubts.push(
        estimate(
          `Works, which could not be read (${unreadWorks}): copies and their replicas are inferred from what the binding reports`,
        ),
      );
    else if (start.impliesWorks && unread === undefined && placementOf(spec).clusters.length > 0)
      doubts.push(
        estimate(
          'Works, of which the state has none: copies and their replicas are inferred from what bindings report, add them to it',
        ),
      );
    if (unreadInterpreters !== undefined && !hasHealthInterpreter(spec.resource, hooks))
      doubts.push(
        estimate(
          `whether Karmada can tell the health of a ${spec.resource.kind}: its interpreters could not be read (${unreadInterpreters})`,
        ),
      );
    return doubts;
  }

  function ofOthers({ initial: { spec }, evicted }: JudgedWorkload): Doubt[] {
    const { resource, schedulerName = DEFAULT_SCHEDULER_NAME } = spec;
    const doubts: Doubt[] = [];
    if (hooks.enabled(resource, 'InterpretHealth') || hooks.enabled(resource, 'ReviseReplica'))
      doubts.push(
        estimate(`what the interpreter of ${resource.kind} makes of it, which runs in Karmada alone`),
      );
    if (evicted && schedulerName !== configuration.scheduler['scheduler-name'])
      doubts.push(unknown(`the scheduler "${schedulerName}", which decides by rules of its own`));
    return doubts;
  }

  const refusing = once(() => openAtStart(start, isRefused));
  function ofRefusals({ initial }: JudgedWorkload): Doubt[] {
    return (refusing().get(bindingKey(initial)) ?? []).map((cluster) =>
      estimate(
        `whether ${cluster} still refuses what it refused when the state was captured: its Work could not be applied`,
      ),
    );
  }

  const silent = once(() => openAtStart(start, (work, cluster) => isUnheard(work, cluster, start.start)));
  /** Until informers list a cluster anew that has come back, Karmada does not know what runs there. */
  function ofSilence({ initial }: JudgedWorkload): Doubt[] {
    return (silent().get(bindingKey(initial)) ?? []).map((cluster) =>
      estimate(
        `when Karmada lists anew what runs on ${cluster}, which came back a while ago: up to a minute later, and until then nothing is reported of it`,
      ),
    );
  }

  const unwritten = once(() => perhapsUnwritten(start));
  function ofImplied({ initial }: JudgedWorkload): Doubt[] {
    return (unwritten().get(bindingKey(initial)) ?? []).map((cluster) =>
      estimate(
        `whether the Work on ${cluster} has been written: the binding is not fully applied, and the state has no Works; add them to it`,
      ),
    );
  }
  return (judged) => [
    ...ofTaints(judged),
    ...ofUnread(judged),
    ...ofOthers(judged),
    ...ofReadiness(judged),
    ...ofStarting(start, judged),
    ...ofImplied(judged),
    ...(unreadWorks === undefined && !start.impliesWorks ? ofUnwritten(start, judged) : []),
    ...ofRefusals(judged),
    ...ofSilence(judged),
    ...ofRetry(judged),
    ...ofRemains(judged),
  ];
}

/** By binding the clusters for which it has a Work that controllers may be in the middle of, and that is so. */
function openAtStart(
  start: StartingWorld,
  isSo: (work: Work, cluster: Cluster | undefined) => boolean,
): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const key of start.openWorks()) {
    const work = start.get('Work', key)!;
    const owner = start.ownerOf(key);
    const cluster = clusterOfWork(work)!;
    if (owner !== undefined && isSo(work, start.clusters.get(cluster)))
      found.set(owner, [...(found.get(owner) ?? []), cluster]);
  }
  return found;
}

/**
 * Whether a cluster is Ready and refused a Work for another reason than that there is somebody else's object: what the next try
 * comes to, only the member knows.
 */
function isRefused(work: Work, cluster: Cluster | undefined): boolean {
  const refusal = appliedRefusal(work);
  if (refusal === undefined || refusal === 'already exists') return false;
  return !work.metadata.deletionTimestamp && isReady(cluster);
}

/** A captured failure of the scheduler that its queue repeats. */
function ofRetry({ initial: { status } }: JudgedWorkload): Doubt[] {
  const scheduled = status?.conditions?.find(({ type }) => type === 'Scheduled');
  const retried = scheduled?.status === 'False' && scheduled.reason !== 'NoClusterFit';
  return retried ? [estimate(RETRY)] : [];
}

/** What was left in members that it has been on before, no Work tells of. */
function ofRemains({ initial: { spec }, evicted }: JudgedWorkload): Doubt[] {
  const comesAnew = evicted || !spec.clusters?.length || spec.gracefulEvictionTasks?.length;
  if (!spec.preserveResourcesOnDeletion || !comesAnew) return [];
  return [
    estimate(
      'what members still run of it that was left there before (preserveResourcesOnDeletion): no Work tells',
    ),
  ];
}

/** That what is late never comes is a guess. */
function ofReadiness({ unready, late }: JudgedWorkload): Doubt[] {
  const clusters = new Set([...(unready?.overdue ? unready.clusters : []), ...late]);
  if (clusters.size === 0) return [];
  return [
    estimate(
      `whether the replicas on ${[...clusters].join(', ')} still get ready: the time is over that replicas are taken to need`,
    ),
  ];
}

/** Milliseconds by which times that are cut off to seconds differ at most. */
const SECOND = 1000;

/** That replicas get ready in time, or not, rests on when they were applied. */
function ofStarting(start: StartingWorld, { initial, evicted }: JudgedWorkload): Doubt[] {
  if (!evicted) return [];
  const unsure = [...start.works(bindingKey(initial))].filter(
    ([cluster, work]) =>
      start.get('Copy', workKey(work))?.readyAt !== undefined &&
      appliedEarlier(work, initial, cluster) > SECOND,
  );
  return unsure.map(([cluster]) =>
    estimate(
      `since when the replicas on ${cluster} have been starting, of which the state tells only the latest moment`,
    ),
  );
}

/**
 * Works that its placement asks for and the state lacks, or that are still being deleted: when the binding controller tries
 * again only its queue knows, and one that was lost it does not write before the spec changes.
 */
function ofUnwritten(start: StartingWorld, { initial }: JudgedWorkload): Doubt[] {
  const key = bindingKey(initial);
  if (!start.bindings.has(key)) return []; // made later, as were its Works
  const works = start.works(key);
  const open = targetClusters(initial.spec).filter(({ name }) => {
    const work = works.get(name);
    return !work || work.metadata.deletionTimestamp;
  });
  return open.map(({ name }) =>
    estimate(
      works.has(name)
        ? `when the Work on ${name} is written anew: the old one is being deleted, and only queues know when that is tried again`
        : `whether the Work on ${name} is still written: the state lacks it, and only its queue knows whether the binding controller tries again`,
    ),
  );
}

/**
 * The same if the state has no Works, by binding the clusters: one that is not fully applied may lack a Work that its placement
 * implies.
 */
function perhapsUnwritten({ world, impliesWorks }: StartingWorld): ReadonlyMap<string, string[]> {
  const open = new Map<string, string[]>();
  if (!impliesWorks) return open;
  for (const binding of world.bindings) {
    const { conditions, aggregatedStatus = [] } = binding.status ?? {};
    if (conditions?.find(({ type }) => type === 'FullyApplied')?.status !== 'False') continue;
    const applied = new Set(aggregatedStatus.flatMap((one) => (one.applied ? [one.clusterName] : [])));
    const clusters = targetClusters(binding.spec).map(({ name }) => name);
    open.set(
      bindingKey(binding),
      clusters.filter((name) => !applied.has(name)),
    );
  }
  return open;
}

/** The Push clusters that were not Ready a while before the start: members that informers may still have to list anew. */
function recentlyBack({ clusters, start }: StartingWorld): ReadonlySet<string> {
  const back = [...clusters.values()].filter(
    (cluster) => cluster.spec?.syncMode !== 'Pull' && cameBack(cluster, start),
  );
  return new Set(back.map(({ metadata }) => metadata.name));
}

const estimate = (what: string): Doubt => ({ certainty: 'estimate', what });
const unknown = (what: string): Doubt => ({ certainty: 'unknown', what });

/** Gates and flags of karmada-controller-manager that decide, and of which the state tells nothing. */
const takenAsDefault = (names: string[]): Doubt =>
  unknown(
    `${names.join(', ')}, taken as the default: give what karmada-controller-manager was started with, by its Deployment (--host-context, or in the state) or by --assume`,
  );

/** What the room for replicas is an estimate by. */
function estimates({ configuration: { scheduler, featureGates }, clusters }: StartingWorld): string[] {
  const modelled = [...clusters.values()].some(
    ({ status }) =>
      status?.resourceSummary?.allocatableModelings?.length && status.nodeSummary?.totalNum !== 1,
  );
  return [
    scheduler['enable-scheduler-estimator']
      ? 'the answers of the scheduler estimators, which are not in the state'
      : featureGates.CustomizedClusterResourceModeling && modelled
        ? 'the room that clusters report, taken as captured and followed from there but for the nodes of resource models: no state tells which node a pod is on'
        : 'the room that clusters report, taken as captured and followed from there',
    ...(featureGates.SchedulingOvercommitProtection
      ? [
          'what the scheduler keeps free for workloads that are not healthy yet (SchedulingOvercommitProtection)',
        ]
      : []),
  ];
}
