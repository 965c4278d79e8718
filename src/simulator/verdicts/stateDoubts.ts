import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Work } from '../../karmada/api/work.ts';
import { DEFAULT_SCHEDULER_NAME } from '../../karmada/api/names.ts';
import {
  appliedRefusal,
  failingSinceStart,
  isDeletionUndelivered,
  mayBeStale,
  mayBeUnreportedAfterRecovery,
} from '../../karmada/works/workConditions.ts';
import { informerOf, staleUntil } from '../../karmada/detection/memberAccess.ts';
import { countedTasks, creationOf, evictionClock } from '../../karmada/eviction/evictionRule.ts';
import { isOverdue, wakesEvictionController } from '../../karmada/eviction/evictionAssessment.ts';
import { orphanedWorks } from '../../karmada/eviction/works.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { isAttached } from '../../karmada/objects/dependents.ts';
import { bindingKey, objectKey, workKey } from '../../karmada/objects/identities.ts';
import { placedOn, targetClusters } from '../../karmada/objects/placement.ts';
import { clusterOfWork } from '../../karmada/objects/worksOfBinding.ts';
import { isUnreported } from '../../karmada/works/bindingController.ts';
import { isRemovalOverdue } from '../../karmada/works/executionController.ts';
import {
  declaresHooks,
  hasHealthInterpreter,
  INTERPRETERS,
  kindKey,
} from '../../karmada/status/healthInterpreter.ts';
import { readsReplicas } from '../../karmada/propagation/interpretReplicas.ts';
import type { InterpretedKind } from '../../karmada/controllers/view.ts';
import {
  clustersByHealth,
  hasApplicationFailover,
  tolerationSecondsOf,
} from '../../karmada/application/applicationPass.ts';
import { instant } from '../../kubernetes/time.ts';
import { appliedEarlier } from '../store/derivedCopy.ts';
import { isDividedByCapacity } from '../../karmada/scheduling/strategy.ts';
import { autoscalersOf, runsDescheduler } from './autoscalers.ts';
import { stoppedComponents } from './stoppedComponents.ts';
import { lazily } from '../../kubernetes/lazily.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { taintEvictionSwitches } from '../../karmada/configuration/taintEviction.ts';
import { missingKind, unknownPolicies } from '../../karmada/world.ts';
import {
  type Doubt,
  doubtsOfControllersOff,
  estimate,
  type JudgedWorkload,
  NEXT_REPORT,
  relisted,
  UNKNOWN_RETRY_TIME,
  unknown,
  windowDoubts,
} from './doubt.ts';

/**
 * Doubts because the state does not show something, or only Karmada knows it: shared by all simulations of one start.
 */
export function stateDoubts(
  start: StartingWorld,
  unverified: ReadonlySet<string>,
): (judged: JudgedWorkload) => Doubt[] {
  const unreadWorks = missingKind(start.world, 'Work');
  const asked = [
    ofTaints(start, unverified),
    ofControllersOff(start),
    ofStopped(start),
    ofKnownBugs(start),
    windowDoubts(start),
    ofUnread(start),
    ofInterpreters(start),
    ofOthers(start),
    ofAutoscalers(start),
    ofReadiness,
    ofStarting(start),
    ofUnhealthy(start),
    ofImplied(start),
    ...(unreadWorks === undefined && !start.impliesWorks ? [ofUnwritten(start), ofLaterWorks(start)] : []),
    ofRefusals(start),
    ofReleases(start),
    ofRestart(start),
    ofOthersObjects(start),
    ofPreConditions(start),
    ofTimers(start),
    ofSilence(start),
    ofRemovals(start),
    ofRetry,
    ofRemains,
  ];
  return (judged) => asked.flatMap((doubts) => doubts(judged));
}

type Doubts = (judged: JudgedWorkload) => Doubt[];

/** Doubts about whether a NoExecute taint is added at all. */
function ofTaints({ configuration, world }: StartingWorld, unverified: ReadonlySet<string>): Doubts {
  const switches = taintEvictionSwitches(configuration);
  const evictionOff = switches.some(({ on }) => !on);
  const guessed = switches.map(({ name }) => name).filter((name) => unverified.has(name));
  const unknownOnes = unknownPolicies(world, configuration.rules);
  return ({ troubled, untainted }) => {
    if (evictionOff) return guessed.length > 0 && troubled.size > 0 ? [takenAsDefault(guessed)] : [];
    if (untainted.length === 0) return [];
    if (!configuration.rules.taints.clusterTaintPolicies)
      return unverified.has('Failover') ? [takenAsDefault(['Failover'])] : [];
    return unknownOnes === undefined ? [] : [unknown(`ClusterTaintPolicies, which ${unknownOnes}`)];
  };
}

/** The doubt about gates and flags of karmada-controller-manager that decide and are not in the state. */
const takenAsDefault = (names: string[]): Doubt =>
  unknown(
    `${names.join(', ')}, an unverified default: set it, or add the Deployment of karmada-controller-manager to the state`,
  );

/** Doubts about controllers that --controllers of karmada-controller-manager omits: another program may run them. */
function ofControllersOff({ configuration }: StartingWorld): Doubts {
  return ifAffected(doubtsOfControllersOff(configuration));
}

/** Doubts about each workload that is in trouble, evicted or not ready. */
function ifAffected(doubts: Doubt[]): Doubts {
  if (doubts.length === 0) return () => [];
  return ({ troubled, evicted, unready }) =>
    troubled.size > 0 || evicted || unready !== undefined ? doubts : [];
}

/**
 * Doubts because the components that evict and place workloads do not run in this state: simulations assume that they
 * do.
 */
function ofStopped({ world, start }: StartingWorld): Doubts {
  // A saved simulation is older than its end: no leader renews its Lease in it.
  const now = world.simulation ? undefined : start;
  return ifAffected(stoppedComponents(world, now).map((text) => unknown(`whether this ends: ${text}`)));
}

/** Doubts because of bugs of this release that are not simulated, where the workload gives them an occasion. */
function ofKnownBugs({ configuration: { rules } }: StartingWorld): Doubts {
  const dropsTasks = rules.eviction.concurrentWrites === 'mayDropTasks';
  const forgetsComponents = rules.scheduling.evictedComponents === 'notScheduled';
  const losesAttached = rules.propagation.attachedChanges === 'mayBeLost';
  return ({ initial: { spec }, evicted, troubled }) => {
    if (!evicted && troubled.size === 0) return [];
    const { components = [], failover, requiredBy = [] } = spec;
    const manyEvict = failover?.application !== undefined;
    return [
      ...(dropsTasks && manyEvict ? [bug('a concurrent write may drop an eviction task')] : []),
      ...(forgetsComponents && components.length > 1
        ? [bug('a workload of several components may not be rescheduled')]
        : []),
      ...(losesAttached && requiredBy.length > 0
        ? [bug('changes of its dependencies may not reach the clusters')]
        : []),
    ];
  };
}

const bug = (effect: string): Doubt => estimate(`a bug of this Karmada release: ${effect}`);

/** Doubts because Works or interpreters could not be read. */
function ofUnread({ hooks, impliesWorks, world: { unread } }: StartingWorld): Doubts {
  const unreadWorks = missingKind({ unread }, 'Work');
  const unreadInterpreters = missingKind({ unread }, ...INTERPRETERS);
  return ({ initial: { spec }, evicted, troubled }) => {
    if (troubled.size === 0 && !evicted) return [];
    const doubts: Doubt[] = [];
    if (unreadWorks !== undefined)
      doubts.push(
        estimate(
          `Works, which could not be read (${unreadWorks}): copies and their replicas are inferred from what the binding reports`,
        ),
      );
    else if (impliesWorks && unread === undefined && placedOn(spec).length > 0)
      doubts.push(
        estimate(
          'Works, which are not in the state: copies and replicas are inferred from what bindings report; add them',
        ),
      );
    if (unreadInterpreters !== undefined && !hasHealthInterpreter(spec.resource, hooks))
      doubts.push(
        estimate(
          `whether Karmada can judge the health of a ${spec.resource.kind}: its interpreters could not be read (${unreadInterpreters})`,
        ),
      );
    return doubts;
  };
}

const ADD_INTERPRETERS = `add ${INTERPRETERS.join(' and ')} to the state`;

/**
 * Doubts about kinds without a health interpreter in the state, although reports show that one exists, or a file may
 * have omitted it.
 */
function ofInterpreters(start: StartingWorld): Doubts {
  const { hooks, world } = start;
  if (world.unread !== undefined || world.simulation) return () => [];
  const shown = lazily(() => interpretedKinds(start));
  const someDeclared = lazily(() => world.others.some(declaresHooks));
  return ({ initial: { spec }, evicted, troubled }) => {
    const { resource } = spec;
    if (troubled.size === 0 && !evicted && !spec.failover?.application) return [];
    if (hasHealthInterpreter(resource, hooks)) return [];
    const why = shown().get(kindKey(resource));
    if (why !== undefined)
      return [
        unknown(
          `the health interpreter of ${resource.kind}, which the state lacks although ${why}: ${ADD_INTERPRETERS}`,
        ),
      ];
    if (isBuiltIn(resource) || someDeclared()) return [];
    return [
      unknown(
        `whether Karmada can judge the health of a ${resource.kind}: the state has no interpreters, ${ADD_INTERPRETERS}`,
      ),
    ];
  };
}

/** What shows that a kind is interpreted, although the state has no interpreter for it, by kind. */
function interpretedKinds({ world, hooks, configuration }: StartingWorld): ReadonlyMap<string, string> {
  const { healthWithoutHook } = configuration.rules.status;
  const declared = world.others.filter(declaresHooks);
  const found = new Map<string, string>();
  for (const { spec, status } of world.bindings) {
    const { resource, replicas } = spec;
    if (hasHealthInterpreter(resource, hooks)) continue;
    const judged = status?.aggregatedStatus?.find(
      ({ health }) => health !== undefined && health !== healthWithoutHook && health !== 'Unknown',
    );
    if (judged) found.set(kindKey(resource), `one is reported ${judged.health}`);
    else if (replicas && !readsReplicas(resource, declared) && !found.has(kindKey(resource)))
      found.set(kindKey(resource), 'its replicas are known');
  }
  return found;
}

/** Whether a kind is built into Kubernetes: no customization is to be expected. */
function isBuiltIn({ apiVersion }: InterpretedKind): boolean {
  const group = apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
  return !group.includes('.') || group.endsWith('.k8s.io');
}

/** Doubts about scripts, webhooks and other schedulers, which have their own rules. */
function ofOthers({ hooks, configuration }: StartingWorld): Doubts {
  return ({ initial: { spec }, evicted }) => {
    const { resource, schedulerName = DEFAULT_SCHEDULER_NAME } = spec;
    const doubts: Doubt[] = [];
    if (hooks.enabled(resource, 'InterpretHealth') || hooks.enabled(resource, 'ReviseReplica'))
      doubts.push(estimate(`what the interpreter of ${resource.kind} returns: it runs only in Karmada`));
    if (evicted && !isAttached(spec) && schedulerName !== configuration.scheduler['scheduler-name'])
      doubts.push(unknown(`the scheduler "${schedulerName}", whose rules are unknown`));
    return doubts;
  };
}

/** Doubts about what else changes replicas: autoscalers, and the descheduler, which removes pending ones. */
function ofAutoscalers(start: StartingWorld): Doubts {
  const { world } = start;
  const unread = missingKind(world, 'FederatedHPA', 'CronFederatedHPA');
  const descheduler = lazily(() => runsDescheduler(world.others));
  return ({ initial: { spec }, evicted, troubled, unready, ended: { end, asked } }) => {
    if (!asked && troubled.size === 0 && !evicted && unready === undefined) return [];
    const doubts = (autoscalersOf(start).get(objectKey(spec.resource)) ?? [])
      .filter(({ from }) => from <= end)
      .map(({ what }) => estimate(what));
    if (unread !== undefined && spec.replicas)
      doubts.push(estimate(`whether an autoscaler writes its replicas, which could not be read: ${unread}`));
    if (unready && isDividedByCapacity(spec.placement) && descheduler())
      doubts.push(estimate('karmada-descheduler, which removes pending replicas from their cluster'));
    return doubts;
  };
}

/** Doubts about objects that members refused at the start. */
function ofRefusals(start: StartingWorld): Doubts {
  const refusing = lazily(() => openAtStart(start, isRefused));
  return ({ key }) =>
    (refusing().get(key) ?? []).map((cluster) =>
      estimate(
        `whether ${cluster} still refuses the Work, which could not be applied when the state was captured`,
      ),
    );
}

/** Doubts about preserved objects that Karmada could not release before their member recovered. */
function ofReleases(start: StartingWorld): Doubts {
  const releasing = lazily(() =>
    openAtStart(start, (work, cluster) => {
      if (!work.spec?.preserveResourcesOnDeletion || !cluster) return false;
      return mayBeStale(cluster, start.start) && isDeletionUndelivered(work, cluster);
    }),
  );
  return ({ key }) =>
    (releasing().get(key) ?? []).map((cluster) =>
      estimate(
        `when the Work on ${cluster} is removed: Karmada’s copy of its object may be stale, and then the retry time is unknown`,
      ),
    );
}

/** Doubts about Works that have failed since the controller manager restarted. */
function ofRestart(start: StartingWorld): Doubts {
  const failing = lazily(() =>
    openAtStart(start, (work, cluster) => {
      const member = cluster && start.get('Member', cluster.metadata.name);
      return failingSinceStart(cluster, member) !== undefined || appliedRefusal(work) === 'no informers';
    }),
  );
  return ({ key }) =>
    (failing().get(key) ?? []).map((cluster) =>
      estimate(
        `when the Work on ${cluster} is written or removed: it has failed since karmada-controller-manager restarted, retry time unknown`,
      ),
    );
}

/** Doubts about unmanaged objects with a workload's name in a member: nothing reports their replicas. */
function ofOthersObjects(start: StartingWorld): Doubts {
  const anothers = lazily(() => openAtStart(start, (work) => appliedRefusal(work) === 'already exists'));
  return ({ key, initial }) => {
    const clusters = initial.spec.replicas ? (anothers().get(key) ?? []) : [];
    if (clusters.length === 0) return [];
    return [
      estimate(
        `the object of the same name on ${clusters.join(', ')}: Karmada did not create it and reports no status; it counts as ready`,
      ),
    ];
  };
}

/**
 * Doubts about what delays application failover and only aggregatedStatus shows: whether the workload was ever Healthy,
 * and how long it has existed. Shipped releases write neither.
 */
function ofPreConditions({ world, configuration }: StartingWorld): Doubts {
  if (!configuration.rules.application.preConditions) return () => [];
  const open = lazily(() => {
    const found = new Set<string>();
    for (const binding of world.bindings) {
      const { delaySeconds, healthyState } = binding.spec.failover?.application?.preConditions ?? {};
      const items = binding.status?.aggregatedStatus ?? [];
      const known = targetClusters(binding.spec).every(({ name }) => {
        const item = items.find(({ clusterName }) => clusterName === name);
        const settled = item?.settled !== undefined || item?.health === 'Healthy';
        return (!delaySeconds || item?.creationTimestamp) && (!healthyState || settled);
      });
      if (!known) found.add(bindingKey(binding));
    }
    return found;
  });
  return ({ key, evicted, unready }) =>
    (evicted || unready !== undefined) && open().has(key)
      ? [
          unknown(
            'settled and creationTimestamp in its aggregatedStatus, which preConditions of application failover need, and which the state lacks',
          ),
        ]
      : [];
}

const OVERDUE = estimate('whether karmada-controller-manager runs: an eviction task is long overdue');

/**
 * Doubts about overdue tasks that their controller no longer checks, and about tasks with a creationTimestamp in
 * versions that do not check unscheduled bindings: only a timer in the controller's memory ends these.
 */
function ofTimers({ configuration, start }: StartingWorld): Doubts {
  const { rules } = configuration;
  const clock = evictionClock(start, configuration);
  return ({ initial }) => {
    if (wakesEvictionController(initial, rules))
      return countedTasks(initial.spec.gracefulEvictionTasks ?? [], rules).some((task) =>
        isOverdue(task, clock),
      )
        ? [OVERDUE]
        : [];
    const tasks = initial.spec.gracefulEvictionTasks ?? [];
    const timed = tasks.some(
      (task) => creationOf(task) !== undefined && typeof task.suppressDeletion !== 'boolean',
    );
    return timed
      ? [
          estimate(
            'whether the graceful eviction controller still has a timer for its tasks: while the current spec is not scheduled, this version checks them for no other reason',
          ),
        ]
      : [];
  };
}

/** Doubts about a recovered cluster: until informers relist it, Karmada does not know what runs there. */
function ofSilence(start: StartingWorld): Doubts {
  const silent = lazily(() =>
    openAtStart(start, (work, cluster) => mayBeUnreportedAfterRecovery(work, cluster, start.start)),
  );
  return ({ key }) => (silent().get(key) ?? []).map(relisted);
}

/** The doubt about Works whose removal has not followed the retry that should have brought it. */
function ofRemovals(start: StartingWorld): Doubts {
  const seen = { view: start, now: start.start, configuration: start.configuration };
  const overdue = lazily(() =>
    openAtStart(start, (work, cluster) => isRemovalOverdue(seen, work, cluster?.metadata.name ?? '')),
  );
  return ({ key }) =>
    (overdue().get(key) ?? []).map((cluster) =>
      estimate(
        `when the Work on ${cluster} is removed: Karmada should have removed it already, and its retry time is unknown`,
      ),
    );
}

/** By binding: the clusters with a matching Work that controllers may still have to act on. */
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
 * Whether a cluster is Ready and refused a Work for another reason than an unmanaged object: only the member knows how
 * the next attempt ends.
 */
function isRefused(work: Work, cluster: Cluster | undefined): boolean {
  const refusal = appliedRefusal(work);
  if (refusal === undefined || refusal === 'already exists' || refusal === 'no informers') return false;
  return !work.metadata.deletionTimestamp && isReady(cluster);
}

/** The doubt about a captured failure of the scheduler that its queue retries. */
function ofRetry({ initial: { status } }: JudgedWorkload): Doubt[] {
  const scheduled = conditionOf(status?.conditions, 'Scheduled');
  const retried = scheduled?.status === 'False' && scheduled.reason !== 'NoClusterFit';
  return retried ? [UNKNOWN_RETRY_TIME] : [];
}

/** The doubt about leftovers in earlier members, which no Work shows. */
function ofRemains({ initial: { spec }, evicted }: JudgedWorkload): Doubt[] {
  const comesAgain = evicted || placedOn(spec).length === 0 || spec.gracefulEvictionTasks?.length;
  if (!spec.preserveResourcesOnDeletion || !comesAgain) return [];
  return [
    estimate('earlier copies that members may still run (preserveResourcesOnDeletion): no Work shows them'),
  ];
}

/** The doubt about overdue replicas: that they never become ready is an assumption. */
function ofReadiness({ unready, late }: JudgedWorkload): Doubt[] {
  const clusters = new Set([...(unready?.overdue ? unready.clusters : []), ...late]);
  if (clusters.size === 0) return [];
  return [
    estimate(
      `whether the replicas on ${[...clusters].join(', ')} still become ready: the assumed start-up time has passed`,
    ),
  ];
}

/** Milliseconds: the largest error of a time in whole seconds. */
const SECOND = 1000;

/** Doubts about when starting replicas were applied, and when Karmada sees them ready. */
function ofStarting(start: StartingWorld): Doubts {
  return ({ key, initial, evicted }) => {
    if (!evicted) return [];
    const unseen = [...start.works(key)].filter(([cluster, work]) => {
      const copy = start.get('Copy', workKey(work));
      return copy?.readyAt !== undefined && staleUntil(start, cluster, informerOf(copy.object), start.start);
    });
    const unsure = [...start.works(key)].filter(
      ([cluster, work]) =>
        start.get('Copy', workKey(work))?.readyAt !== undefined &&
        appliedEarlier(work, initial, cluster) > SECOND,
    );
    return [
      ...unseen.map(([cluster]) => relisted(cluster)),
      ...unsure.map(([cluster]) =>
        estimate(`when the replicas on ${cluster} started: the state shows only the latest possible time`),
      ),
    ];
  };
}

/** The doubt about starting replicas that are Unhealthy for longer than tolerated, and are still there. */
function ofUnhealthy({ works, get, start, configuration, hooks }: StartingWorld): Doubts {
  const context = { hasHealthInterpreter: (one: InterpretedKind) => hasHealthInterpreter(one, hooks) };
  return ({ key, initial }) => {
    if (!hasApplicationFailover(initial, context)) return [];
    const tolerated = tolerationSecondsOf(initial.spec, configuration.rules) * SECOND;
    const isOver = (cluster: string) => {
      const work = works(key).get(cluster);
      const applied = conditionOf(work?.status?.conditions, 'Applied');
      if (!work || !applied?.lastTransitionTime || work.metadata.generation !== 1) return false;
      const isStarting = get('Copy', workKey(work))?.readyAt !== undefined;
      return isStarting && start - instant(applied.lastTransitionTime) > tolerated + SECOND;
    };
    return clustersByHealth(initial).unhealthyClusters.some(isOver) ? [NEXT_REPORT] : [];
  };
}

/**
 * Works that the placement requires and the state lacks, or that are still being deleted: only the binding controller's
 * queue knows when it retries, and a lost Work is not written before the spec changes.
 */
function ofUnwritten(start: StartingWorld): Doubts {
  return ({ key, initial }) => {
    if (!start.bindings.has(key)) return []; // The binding was created later, and so were its Works.
    const works = start.works(key);
    // It is new: the binding controller has not reconciled it yet.
    if (works.size === 0 && isUnreported(initial.status)) return [];
    const open = targetClusters(initial.spec).filter(({ name }) => {
      const work = works.get(name);
      return !work || work.metadata.deletionTimestamp;
    });
    return open.map(({ name }) =>
      estimate(
        works.has(name)
          ? `when the Work on ${name} is recreated: the old one is being deleted, and its retry time is unknown`
          : `whether the Work on ${name} is still created: the state lacks it, and the retry time of the binding controller is unknown`,
      ),
    );
  };
}

/**
 * Works that their bindings do not require and that are younger than the bindings' records: the Works were read later.
 */
function ofLaterWorks(start: StartingWorld): Doubts {
  const { rules } = start.configuration;
  return ({ key }) => {
    const binding = start.bindings.get(key);
    if (!binding) return [];
    return orphanedWorks(binding, start.works(key), rules).later.map((cluster) =>
      estimate(
        `whether the Work on ${cluster} still exists: its binding does not ask for it and was last scheduled before; capture the state again`,
      ),
    );
  };
}

/** The same for a state without Works. */
function ofImplied(start: StartingWorld): Doubts {
  const unwritten = lazily(() => perhapsUnwritten(start));
  return ({ key }) =>
    (unwritten().get(key) ?? []).map((cluster) =>
      estimate(
        `whether the Work on ${cluster} has been written: the binding is not fully applied, and the state has no Works; add them to it`,
      ),
    );
}

/** The clusters by binding: a binding that is not fully applied may lack a Work that its placement requires. */
function perhapsUnwritten({ world, impliesWorks }: StartingWorld): ReadonlyMap<string, string[]> {
  const open = new Map<string, string[]>();
  if (!impliesWorks) return open;
  for (const binding of world.bindings) {
    const { conditions, aggregatedStatus = [] } = binding.status ?? {};
    if (conditionOf(conditions, 'FullyApplied')?.status !== 'False') continue;
    const applied = new Set(aggregatedStatus.flatMap((one) => (one.applied ? [one.clusterName] : [])));
    const clusters = targetClusters(binding.spec).map(({ name }) => name);
    open.set(
      bindingKey(binding),
      clusters.filter((name) => !applied.has(name)),
    );
  }
  return open;
}
