import { conditionOf } from '../../karmada/objects/conditions.ts';
import { DEFAULT_SCHEDULER_NAME } from '../../karmada/api/names.ts';
import { countedTasks, creationOf, evictionClock } from '../../karmada/eviction/evictionRule.ts';
import { isOverdue, wakesEvictionController } from '../../karmada/eviction/evictionAssessment.ts';
import { isAttached } from '../../karmada/objects/dependents.ts';
import { bindingKey, objectKey, workKey } from '../../karmada/objects/identities.ts';
import { placedOn, targetClusters } from '../../karmada/objects/placement.ts';
import { hasHealthInterpreter, INTERPRETERS } from '../../karmada/status/healthInterpreter.ts';
import type { InterpretedKind } from '../../karmada/controllers/view.ts';
import {
  clustersByHealth,
  hasApplicationFailover,
  tolerationSecondsOf,
} from '../../karmada/application/applicationPass.ts';
import { instant, SECOND } from '../../kubernetes/time.ts';
import { isDividedByCapacity } from '../../karmada/scheduling/strategy.ts';
import { autoscalersOf, runsDescheduler } from './autoscalers.ts';
import { workDoubts } from './workDoubts.ts';
import { ofInterpreters } from './interpreterDoubts.ts';
import { lazily } from '../../kubernetes/lazily.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { taintEvictionSwitches } from '../../karmada/configuration/taintEviction.ts';
import { missingKind, unknownPolicies } from '../../karmada/world.ts';
import {
  type Doubt,
  type Doubts,
  doubtsOfNotRunning,
  estimate,
  type JudgedWorkload,
  NEXT_REPORT,
  UNKNOWN_RETRY_TIME,
  unknown,
  windowDoubts,
} from './doubt.ts';

/**
 * Doubts about facts that are missing from the state, or known only to Karmada: shared by all simulations of one start.
 */
export function stateDoubts(start: StartingWorld, unverified: ReadonlySet<string>): Doubts {
  const asked = [
    ofTaints(start, unverified),
    ofNotRunning(start),
    ofKnownBugs(start),
    windowDoubts(start),
    ofUnread(start),
    ofInterpreters(start),
    ofOthers(start),
    ofAutoscalers(start),
    ofReadiness,
    ofUnhealthy(start),
    ofPreConditions(start),
    ofTimers(start),
    ofRetry,
    ...workDoubts(start),
  ];
  return (judged) => asked.flatMap((doubts) => doubts(judged));
}

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

/** The doubt about deciding gates and flags of karmada-controller-manager that are not in the state. */
const takenAsDefault = (names: string[]): Doubt =>
  unknown(
    `${names.join(', ')}, an unverified default: set it, or add the Deployment of karmada-controller-manager to the state`,
  );

/** Doubts about controllers that do not run, although simulations assume that they, and only they, do. */
function ofNotRunning({ configuration, world, start }: StartingWorld): Doubts {
  return ifAffected(doubtsOfNotRunning(world, configuration, start));
}

/** Doubts about each workload that is in trouble, evicted or not ready. */
function ifAffected(doubts: Doubt[]): Doubts {
  if (doubts.length === 0) return () => [];
  return ({ troubled, evicted, unready }) =>
    troubled.size > 0 || evicted || unready !== undefined ? doubts : [];
}

/** Doubts because of unsimulated bugs of this release that the workload may trigger. */
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

/** Doubts about other writers of replicas: autoscalers, and the descheduler, which removes pending ones. */
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

/**
 * Doubts about delays of application failover that only aggregatedStatus shows: whether the workload was ever Healthy,
 * and its age. Shipped releases write neither.
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

/** The doubt about a captured failure of the scheduler that its queue retries. */
function ofRetry({ initial: { status } }: JudgedWorkload): Doubt[] {
  const scheduled = conditionOf(status?.conditions, 'Scheduled');
  const retried = scheduled?.status === 'False' && scheduled.reason !== 'NoClusterFit';
  return retried ? [UNKNOWN_RETRY_TIME] : [];
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
