import { executionCluster, EXECUTION_FINALIZER } from '../../../karmada/api/names.ts';
import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { evictionClock, countedTasks, evictionDeadline } from '../../../karmada/eviction/evictionRule.ts';
import { isOverdue, presentEvictionRule } from '../../../karmada/eviction/evictionAssessment.ts';
import { replacementOf, isScheduled } from '../../../karmada/eviction/replacement.ts';
import { isDrainTask } from '../../../karmada/eviction/drainTask.ts';
import { conditionOf } from '../../../karmada/objects/conditions.ts';
import { bindingIdentity, bindingKey, workKey, workloadOf } from '../../../karmada/objects/identities.ts';
import { isAttached } from '../../../karmada/objects/dependents.ts';
import { placedOn, evictingFrom } from '../../../karmada/objects/placement.ts';
import { clusterOfWork, namedBinding } from '../../../karmada/objects/worksOfBinding.ts';
import { clusterDeletion } from '../../explanation/clusterDeletion.ts';
import { formatDuration, instant, rfc3339 } from '../../../kubernetes/time.ts';
import type { Examined } from './examined.ts';
import { count, restart, some, someObjects, startController } from './remedies.ts';
import type { Diagnosed, NextStep, StateCheck } from './stateCheck.ts';

/** Milliseconds after which an unfinished deletion is stuck. */
const DELETED_BY_NOW = 300_000;

const web = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };

const task = (fields: object) => ({
  fromCluster: 'member1',
  producer: 'TaintManager',
  reason: 'TaintUntolerated',
  ...fields,
});

/** The tasks of all bindings with the rule that counts for them now. */
function tasksNow(seen: Examined) {
  const clock = evictionClock(seen.now, seen.configuration);
  return seen.bindings.flatMap((binding) => {
    const tasks = binding.spec.gracefulEvictionTasks ?? [];
    if (tasks.length === 0 || binding.metadata.deletionTimestamp) return [];
    const replaced = replacementOf(binding, clock.rules);
    return countedTasks(tasks, clock.rules).map((counted) => ({
      binding,
      task: counted,
      rule: presentEvictionRule(binding, counted, replaced, clock),
      deadline: evictionDeadline(counted, clock),
      overdue: isOverdue(counted, clock),
    }));
  });
}

type TaskNow = ReturnType<typeof tasksNow>[number];

/** A finding for each binding that has such tasks. */
function taskFindings(
  seen: Examined,
  is: (one: TaskNow) => boolean,
  message: (workload: string, clusters: string, one: TaskNow) => string,
  field: string,
  remedy: (one: TaskNow) => Diagnosed['remedy'],
): Diagnosed[] {
  const groups = new Map<ResourceBinding, TaskNow[]>();
  for (const one of tasksNow(seen))
    if (is(one)) groups.set(one.binding, [...(groups.get(one.binding) ?? []), one]);
  return [...groups].map(([binding, tasks]) => {
    const first = tasks[0]!;
    const workload = workloadOf(binding);
    const fix = remedy(first);
    return {
      message: message(someObjects([workload]), some(tasks.map((one) => one.task.fromCluster)), first),
      objects: [workload],
      evidence: tasks.map((one) => ({
        rule: `the rule of the graceful eviction controller: ${one.rule}`,
        object: bindingIdentity(binding),
        field,
        value: one.task,
      })),
      ...(fix && { remedy: fix }),
    };
  });
}

const cancel = ({ binding, task: { fromCluster } }: TaskNow): NextStep => ({
  action: 'cancel-eviction',
  workload: workloadOf(binding),
  cluster: fromCluster,
});

const taskUnscheduled: StateCheck = {
  id: 'task-of-unscheduled-binding',
  severity: 'error',
  theme: 'stuck',
  title: 'eviction tasks of a binding that is not scheduled are never looked at',
  help: 'This version skips bindings whose present spec has no scheduling result: their tasks neither end nor time out. Mended in v1.11.8, v1.12.5, v1.13.1 and v1.14.0. Let scheduling succeed, cancel the eviction, or upgrade; an upgrade ends the tasks, and deletes the old copies.',
  needs: ['ResourceBinding', 'Configuration'],
  versions: 'before v1.11.8, v1.12.5, v1.13.1 and v1.14.0',
  symptoms: ['gracefulEvictionTasks stay for days', 'Scheduled=False with NoClusterFit'],
  issues: [5803, 5782, 6227],
  example: {
    version: 'v1.12.1',
    patches: [
      {
        target: web,
        merge: {
          metadata: { generation: 5 },
          spec: {
            clusters: [],
            gracefulEvictionTasks: [task({ creationTimestamp: '2026-05-04T08:00:00Z' })],
          },
        },
      },
    ],
  },
  find: (seen) =>
    taskFindings(
      seen,
      ({ rule }) => rule === 'unscheduled',
      (workload, clusters, { binding: { metadata, status } }) =>
        `${workload}: the eviction from ${clusters} is stuck: ${seen.karmadaVersion} looks at no task of a binding whose spec is not scheduled (generation ${metadata.generation ?? 0}, scheduled ${status?.schedulerObservedGeneration ?? 0})`,
      'spec.gracefulEvictionTasks',
      (one) => ({
        text: 'let scheduling succeed, cancel the eviction, or upgrade (which then deletes the old copy)',
        next: cancel(one),
      }),
    ),
};

const taskOverdue: StateCheck = {
  id: 'eviction-overdue',
  severity: 'error',
  theme: 'stuck',
  title: 'an eviction task is over its deadline',
  help: 'The graceful eviction controller ends a task at its deadline. One that is minutes over means that karmada-controller-manager does not run, or cannot write.',
  needs: ['ResourceBinding', 'Configuration'],
  flags: ['graceful-eviction-timeout'],
  symptoms: ['gracefulEvictionTasks older than graceful-eviction-timeout'],
  issues: [3747, 4951, 3467],
  example: {
    patches: [
      {
        target: web,
        merge: { spec: { gracefulEvictionTasks: [task({ creationTimestamp: '2026-05-04T08:00:00Z' })] } },
      },
    ],
  },
  find: (seen) =>
    taskFindings(
      seen,
      ({ rule, overdue }) => rule === 'timeout' && overdue,
      (workload, clusters, { deadline }) =>
        `${workload}: the eviction from ${clusters} was due at ${deadline === undefined ? 'an unknown time' : rfc3339(deadline)} and is not over: is karmada-controller-manager running?`,
      'spec.gracefulEvictionTasks',
      () => restart('controllerManager', seen),
    ),
};

const taskUnattended: StateCheck = {
  id: 'eviction-unattended',
  severity: 'error',
  theme: 'stuck',
  title: 'no controller ends eviction tasks',
  help: 'The controller gracefulEviction is not started, or the gate GracefulEviction is off: tasks stay forever, and with them the old copies.',
  needs: ['ResourceBinding', 'Configuration'],
  flags: ['controllers'],
  symptoms: ['gracefulEvictionTasks without creationTimestamp'],
  issues: [],
  example: {
    flags: { controllerManager: ['--controllers=*,-gracefulEviction'] },
    patches: [{ target: web, merge: { spec: { gracefulEvictionTasks: [task({})] } } }],
  },
  find: (seen) =>
    taskFindings(
      seen,
      ({ rule }) => rule === 'unattended',
      (workload, clusters) =>
        `${workload}: nothing ends the eviction from ${clusters}: the controller gracefulEviction is not started`,
      'spec.gracefulEvictionTasks',
      () => startController('gracefulEviction', seen),
    ),
};

const taskStuck: StateCheck = {
  id: 'eviction-without-target',
  severity: 'error',
  theme: 'stuck',
  title: 'an eviction has no cluster to move to',
  help: 'The scheduler finds no place: at its deadline the task ends, and the old copy is deleted without a replacement. Make room or widen the placement before that, or hold the eviction.',
  needs: ['ResourceBinding', 'Configuration'],
  symptoms: ['Scheduled=False, NoClusterFit', 'FailedScheduling'],
  issues: [7455, 5150],
  example: {
    patches: [
      {
        target: web,
        merge: {
          metadata: { generation: 3 },
          spec: {
            clusters: [],
            gracefulEvictionTasks: [task({ creationTimestamp: '2026-05-04T09:58:00Z' })],
          },
          status: {
            conditions: [
              {
                type: 'Scheduled',
                status: 'False',
                reason: 'NoClusterFit',
                message:
                  '0/3 clusters are available: 3 cluster(s) did not match the placement cluster affinity constraint.',
                lastTransitionTime: '2026-05-04T09:58:00Z',
              },
            ],
          },
        },
      },
    ],
  },
  find: (seen) =>
    taskFindings(
      seen,
      ({ rule, binding }) =>
        rule === 'waiting' &&
        !isAttached(binding.spec) &&
        (binding.spec.clusters?.length ?? 0) === 0 &&
        conditionOf(binding.status?.conditions, 'Scheduled')?.status === 'False',
      (workload, clusters, { deadline, binding }) =>
        `${workload} has no cluster to move to: ${deadline === undefined ? 'the old copy stays' : `at ${rfc3339(deadline)} its copy on ${clusters} is deleted without a replacement`} (${conditionOf(binding.status?.conditions, 'Scheduled')?.reason ?? 'unscheduled'})`,
      'spec.gracefulEvictionTasks',
      ({ binding, task: { fromCluster } }) => ({
        text: 'widen its placement, free room, or hold the eviction',
        next: { action: 'hold-eviction', workload: workloadOf(binding), cluster: fromCluster },
        simulate: { workload: workloadOf(binding), failing: [] },
      }),
    ),
};

const taskHeld: StateCheck = {
  id: 'eviction-held',
  severity: 'note',
  theme: 'stuck',
  title: 'an eviction is held',
  help: 'suppressDeletion is true: the old copy stays until a person releases the task. Release or cancel it when the reason is gone.',
  needs: ['ResourceBinding', 'Configuration'],
  symptoms: ['a copy runs on two clusters'],
  issues: [],
  example: {
    patches: [
      {
        target: web,
        merge: {
          spec: {
            gracefulEvictionTasks: [
              task({ creationTimestamp: '2026-05-04T09:58:00Z', suppressDeletion: true }),
            ],
          },
        },
      },
    ],
  },
  find: (seen) =>
    taskFindings(
      seen,
      ({ rule, task: held }) => rule === 'suppressed' && !isDrainTask(held),
      (workload, clusters) => `${workload}: the eviction from ${clusters} is held until a person releases it`,
      'spec.gracefulEvictionTasks[].suppressDeletion',
      () => ({ text: 'release or cancel it' }),
    ),
};

const clusterDeletionStuck: StateCheck = {
  id: 'cluster-deletion-stuck',
  severity: 'error',
  theme: 'stuck',
  title: 'the deletion of a cluster does not finish',
  help: 'A Cluster that is deleted waits for its Works, its execution space and, in most versions, for bindings that name it. The finding names what is left, and who has to act.',
  needs: ['Cluster', 'Work'],
  uses: ['Namespace', 'ResourceBinding'],
  symptoms: ['karmadactl unjoin hangs', 'the Cluster has a deletionTimestamp for minutes'],
  issues: [3740, 1847, 1969, 4431, 6886],
  example: {
    patches: [
      {
        target: { kind: 'Cluster', name: 'member3' },
        merge: {
          metadata: {
            deletionTimestamp: '2026-05-04T08:00:00Z',
            finalizers: ['karmada.io/cluster-controller'],
          },
        },
      },
    ],
    adds: [
      {
        apiVersion: 'work.karmada.io/v1alpha1',
        kind: 'Work',
        metadata: {
          namespace: 'karmada-es-member3',
          name: 'web-5d4f',
          finalizers: ['karmada.io/execution-controller'],
          deletionTimestamp: '2026-05-04T08:00:00Z',
        },
        spec: {},
      },
    ],
  },
  find: (seen) =>
    seen.world.clusters.flatMap((cluster) => {
      const deletion = clusterDeletion(cluster, seen.world, seen.world.bindings, seen.configuration);
      if (!deletion || deletion.waitsFor.length === 0) return [];
      const { name } = cluster.metadata;
      const [first, ...others] = deletion.waitsFor;
      return [
        {
          message: `${name} is being deleted since ${deletion.since}, and waits for ${first}${others.length > 0 ? `, and ${count(others.length, 'more thing')}` : ''}`,
          objects: [{ kind: 'Cluster', name }],
          evidence: deletion.waitsFor.map((rule) => ({
            rule,
            object: { kind: 'Cluster', name },
            field: 'metadata.deletionTimestamp',
            value: deletion.since,
          })),
          remedy: {
            text: 'remove what it waits for, in this order',
            commands: [['kubectl', 'get', 'work', '-n', `karmada-es-${name}`]],
          },
        },
      ];
    }),
};

function isStuckInDeletion(
  { metadata: { deletionTimestamp } }: Pick<KubernetesObject, 'metadata'>,
  now: number,
): boolean {
  return deletionTimestamp != null && now - instant(deletionTimestamp) > DELETED_BY_NOW;
}

const workDeletionStuck: StateCheck = {
  id: 'work-deletion-stuck',
  severity: 'warning',
  theme: 'stuck',
  title: 'Works are being deleted and do not go',
  help: 'A Work keeps its finalizer until its copy in the member is deleted, which needs a cluster that is Ready. The copy is deleted as soon as the cluster is back.',
  needs: ['Work'],
  symptoms: ['Works with a deletionTimestamp'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
        merge: { metadata: { deletionTimestamp: '2026-05-04T08:00:00Z' } },
      },
    ],
  },
  find: (seen) => {
    const byCluster = new Map<string, string[]>();
    const deleting = new Set(
      seen.world.clusters
        .filter(({ metadata }) => metadata.deletionTimestamp)
        .map(({ metadata }) => metadata.name),
    );
    for (const work of seen.world.works) {
      const cluster = clusterOfWork(work);
      if (cluster === undefined || deleting.has(cluster) || !isStuckInDeletion(work, seen.now)) continue;
      byCluster.set(cluster, [...(byCluster.get(cluster) ?? []), workKey(work)]);
    }
    return [...byCluster].map(([cluster, works]) => ({
      message: `${count(works.length, 'Work')} for ${cluster} ${works.length === 1 ? 'is' : 'are'} being deleted and cannot go: ${some(works)}`,
      objects: [{ kind: 'Cluster', name: cluster }],
      evidence: [
        { rule: 'the finalizer goes when the copy is deleted', field: 'metadata.deletionTimestamp' },
      ],
      remedy: {
        text: `let ${cluster} be Ready; its agent or the execution controller then deletes the copies`,
        commands: [['kubectl', 'get', 'work', '-n', `karmada-es-${cluster}`]],
      },
    }));
  },
};

const executionSpaceStuck: StateCheck = {
  id: 'execution-space-orphaned',
  severity: 'warning',
  theme: 'stuck',
  title: 'an execution space has no cluster any more',
  help: 'A namespace karmada-es-CLUSTER is left over, or does not terminate: a cluster of the same name cannot join with a clean slate. Remove the Works in it.',
  needs: ['Namespace', 'Cluster'],
  symptoms: ['namespace karmada-es-… in phase Terminating'],
  issues: [4326, 5380],
  example: { adds: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'karmada-es-gone' } }] },
  find: (seen) =>
    seen.ofKind('Namespace').flatMap((space) => {
      const { name } = space.metadata;
      const cluster = executionCluster(name);
      if (cluster === undefined || seen.clusters().has(cluster)) return [];
      const works = seen.world.works.filter(({ metadata }) => metadata.namespace === name);
      return [
        {
          message: `the execution space ${name} is there without a cluster ${cluster}${works.length > 0 ? `, with ${count(works.length, 'Work')}` : ''}`,
          objects: [{ kind: 'Namespace', name }],
          evidence: [{ rule: 'no Cluster has this execution space', field: 'metadata.name', value: name }],
          remedy: {
            text: 'remove the finalizers of its Works, then delete it',
            commands: [['kubectl', 'get', 'work', '-n', name]],
          },
        },
      ];
    }),
};

/** The finalizers that Karmada and Kubernetes take away themselves. */
const OWN_FINALIZERS =
  /^(?:karmada\.io\/|kubernetes$|foregroundDeletion$|orphan$|.*\.karmada\.io\/|kubernetes\.io\/)/;

const foreignFinalizer: StateCheck = {
  id: 'foreign-finalizer',
  severity: 'warning',
  theme: 'stuck',
  title: 'a deletion waits for a finalizer of somebody else',
  help: 'Karmada does not know the finalizer: whoever set it has to take it away. If that program is gone, remove the finalizer by hand.',
  needs: ['ResourceBinding'],
  uses: ['Work', 'Cluster'],
  symptoms: ['an object with a deletionTimestamp stays for hours'],
  issues: [3740],
  example: {
    patches: [
      {
        target: web,
        merge: {
          metadata: { deletionTimestamp: '2026-05-04T08:00:00Z', finalizers: ['example.com/backup'] },
        },
      },
    ],
  },
  find: (seen) => {
    const kinds: readonly [string, readonly { metadata: KubernetesObject['metadata'] }[]][] = [
      ['Cluster', seen.world.clusters],
      ['ResourceBinding', seen.bindings],
      ['Work', seen.world.works],
    ];
    return kinds.flatMap(([kind, objects]) =>
      objects.flatMap(({ metadata }) => {
        const { namespace, name, finalizers = [] } = metadata;
        const foreign = finalizers.filter((one) => one !== EXECUTION_FINALIZER && !OWN_FINALIZERS.test(one));
        if (foreign.length === 0 || !isStuckInDeletion({ metadata }, seen.now)) return [];
        const object = { kind, ...(namespace && { namespace }), name };
        return [
          {
            message: `${someObjects([object])} is being deleted and waits for the finalizer ${foreign.join(', ')}, which is not Karmada's`,
            objects: [object],
            evidence: [
              {
                rule: "the finalizer is not Karmada's",
                object,
                field: 'metadata.finalizers',
                value: finalizers,
              },
            ],
            remedy: { text: 'let its owner take it away, or remove it if that program is gone' },
          },
        ];
      }),
    );
  },
};

const bindingDeletionStuck: StateCheck = {
  id: 'binding-deletion-stuck',
  severity: 'warning',
  theme: 'stuck',
  title: 'a binding is being deleted and does not go',
  help: 'A binding waits until all of its Works are gone. While a cluster that has one is not Ready, it stays.',
  needs: ['ResourceBinding'],
  uses: ['Work'],
  symptoms: ['a deleted workload is listed in karmadactl get'],
  issues: [6886],
  example: {
    patches: [
      {
        target: web,
        merge: {
          metadata: {
            deletionTimestamp: '2026-05-04T08:00:00Z',
            finalizers: ['karmada.io/binding-controller'],
          },
        },
      },
    ],
  },
  find: (seen) =>
    seen.bindings.flatMap((binding) => {
      const { finalizers = [], deletionTimestamp } = binding.metadata;
      if (!isStuckInDeletion(binding, seen.now) || finalizers.some((one) => !OWN_FINALIZERS.test(one)))
        return [];
      const clusters = [...seen.worksOf(binding).keys()];
      const workload = workloadOf(binding);
      return [
        {
          message: `${someObjects([workload])} is deleted since ${deletionTimestamp}, and its binding stays${clusters.length > 0 ? `: it has Works for ${some(clusters)}` : ''}`,
          objects: [workload],
          evidence: [
            {
              rule: 'a binding waits for its Works',
              object: bindingIdentity(binding),
              field: 'metadata.deletionTimestamp',
              value: deletionTimestamp,
            },
          ],
          remedy: { text: 'let these clusters be Ready, or unjoin them' },
        },
      ];
    }),
};

const schedulingFailed: StateCheck = {
  id: 'scheduling-failed',
  severity: 'error',
  theme: 'stuck',
  title: 'the scheduler finds no place for a workload',
  help: 'Scheduled is False: the workload stays as it was placed before, or runs nowhere. Ask failover explain for every filter and every cluster.',
  needs: ['ResourceBinding'],
  symptoms: ['NoClusterFit', 'Unschedulable', 'SchedulerError', 'QuotaExceeded'],
  issues: [3586, 1857, 829, 1844],
  example: {
    patches: [
      {
        target: web,
        merge: {
          status: {
            conditions: [
              {
                type: 'Scheduled',
                status: 'False',
                reason: 'NoClusterFit',
                message:
                  '0/3 clusters are available: 3 cluster(s) did not match the placement cluster affinity constraint.',
                lastTransitionTime: '2026-05-04T09:00:00Z',
              },
            ],
          },
        },
      },
    ],
  },
  find: (seen) => {
    const groups = new Map<string, ResourceBinding[]>();
    for (const binding of seen.bindings) {
      const condition = conditionOf(binding.status?.conditions, 'Scheduled');
      if (condition?.status !== 'False') continue;
      const why = `${condition.reason}: ${condition.message ?? ''}`.replace(/[:. ]+$/, '');
      groups.set(why, [...(groups.get(why) ?? []), binding]);
    }
    return [...groups].map(([why, bindings]) => {
      const objects = bindings.map(workloadOf);
      const unplaced = bindings.filter(({ spec }) => placedOn(spec).length === 0).length;
      return {
        message: `the scheduler finds no place for ${someObjects(objects)}${unplaced > 0 ? ` (${unplaced} of ${bindings.length} on no cluster)` : ''}: ${why}`,
        objects,
        evidence: [
          {
            rule: why,
            object: bindingIdentity(bindings[0]!),
            field: 'status.conditions[Scheduled]',
            value: 'False',
          },
        ],
        remedy: {
          text: 'see which filter rejects which cluster, and the smallest change that helps',
          next: { action: 'explain', workload: objects[0]!, failing: [] },
          simulate: { workload: objects[0]!, failing: [] },
        },
      };
    });
  },
};

/** Milliseconds after which a scheduler that runs has looked at a change. */
const SCHEDULED_BY_NOW = 120_000;

const schedulingOverdue: StateCheck = {
  id: 'scheduling-overdue',
  severity: 'error',
  theme: 'stuck',
  title: 'a rebalance that was asked for has not happened',
  help: 'A WorkloadRebalancer reports Successful once it has asked for rescheduling; only lastScheduledTime says that it happened. If that is older, karmada-scheduler does not run, or scheduling is suspended.',
  needs: ['ResourceBinding'],
  symptoms: ['WorkloadRebalancer is Successful, and nothing moved'],
  issues: [7717, 5206],
  example: { patches: [{ target: web, merge: { spec: { rescheduleTriggeredAt: '2026-05-04T09:30:00Z' } } }] },
  find: (seen) => {
    const late = seen.bindings.filter(({ spec, status }) => {
      const asked = spec.rescheduleTriggeredAt ? instant(spec.rescheduleTriggeredAt) : undefined;
      if (asked === undefined || spec.suspension?.scheduling || seen.now - asked < SCHEDULED_BY_NOW)
        return false;
      if (conditionOf(status?.conditions, 'Scheduled')?.status === 'False') return false;
      return !status?.lastScheduledTime || instant(status.lastScheduledTime) < asked;
    });
    if (late.length === 0) return [];
    const objects = late.map(workloadOf);
    return [
      {
        message: `the rebalance of ${someObjects(objects)} was asked for at ${late[0]!.spec.rescheduleTriggeredAt} and has not happened: is karmada-scheduler running?`,
        objects,
        evidence: [
          {
            rule: 'lastScheduledTime is older',
            object: bindingIdentity(late[0]!),
            field: 'spec.rescheduleTriggeredAt',
            value: late[0]!.spec.rescheduleTriggeredAt,
          },
        ],
        remedy: restart('scheduler', seen),
      },
    ];
  },
};

const generationUnseen: StateCheck = {
  id: 'binding-not-observed',
  severity: 'warning',
  theme: 'stuck',
  title: 'the scheduler has not seen the present spec of a binding',
  help: 'schedulerObservedGeneration is behind the generation of the binding although its last change is minutes old. karmada-scheduler may not run, or its queue is long.',
  needs: ['ResourceBinding'],
  symptoms: ['schedulerObservedGeneration < metadata.generation'],
  issues: [],
  example: {
    patches: [
      {
        target: web,
        merge: { metadata: { generation: 9 }, spec: { clusters: [{ name: 'member1', replicas: 2 }] } },
      },
    ],
  },
  find: (seen) => {
    const behind = seen.bindings.filter(
      (one) =>
        one.spec.placement &&
        !one.metadata.deletionTimestamp &&
        !one.spec.suspension?.scheduling &&
        !isAttached(one.spec) &&
        one.status?.lastScheduledTime &&
        seen.now - instant(one.status.lastScheduledTime) > SCHEDULED_BY_NOW &&
        conditionOf(one.status.conditions, 'Scheduled')?.status === 'True' &&
        (one.spec.replicas ?? 0) !== sumOf(one) &&
        !isScheduled(one) &&
        one.spec.placement.replicaScheduling?.replicaSchedulingType === 'Divided',
    );
    if (behind.length === 0) return [];
    const objects = behind.map(workloadOf);
    const [first] = behind;
    return [
      {
        message: `karmada-scheduler has not seen the present spec of ${someObjects(objects)} (generation ${first!.metadata.generation ?? 0}, seen ${first!.status?.schedulerObservedGeneration ?? 0})`,
        objects,
        evidence: [
          {
            rule: 'the scheduler notes the generation that it has seen',
            object: bindingIdentity(first!),
            field: 'status.schedulerObservedGeneration',
            value: first!.status?.schedulerObservedGeneration ?? 0,
          },
        ],
        remedy: restart('scheduler', seen),
      },
    ];
  },
};

function sumOf({ spec }: ResourceBinding): number {
  return (spec.clusters ?? []).reduce((sum, { replicas = 0 }) => sum + replicas, 0);
}

const rebalancerFailed: StateCheck = {
  id: 'rebalancer-without-effect',
  severity: 'warning',
  theme: 'stuck',
  title: 'a finished WorkloadRebalancer has moved nothing',
  help: 'A rebalancer acts once: applying it again changes nothing, and a workload without a binding has failed for good. Create a new one, with another name.',
  needs: ['WorkloadRebalancer', 'ResourceBinding'],
  symptoms: ['reason ReferencedBindingNotFound', 'workloadrebalancer unchanged'],
  issues: [5206, 7717],
  example: {
    patches: [
      {
        target: { kind: 'WorkloadRebalancer', name: 'back' },
        merge: {
          status: {
            observedWorkloads: [
              {
                workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'webb' },
                result: 'Failed',
                reason: 'ReferencedBindingNotFound',
              },
            ],
          },
        },
      },
    ],
  },
  find: (seen) =>
    seen.ofKind('WorkloadRebalancer').flatMap((object) => {
      const { observedWorkloads = [] } =
        (
          object as {
            status?: {
              observedWorkloads?: {
                result?: string;
                reason?: string;
                workload?: { kind?: string; name?: string };
              }[];
            };
          }
        ).status ?? {};
      const failed = observedWorkloads.filter(({ result }) => result === 'Failed');
      if (failed.length === 0) return [];
      const { name } = object.metadata;
      return [
        {
          message: `WorkloadRebalancer ${name} has failed for ${some(failed.map(({ workload }) => `${workload?.kind ?? ''} ${workload?.name ?? ''}`))}: ${failed[0]!.reason ?? 'no reason given'}; it acts only once`,
          objects: [{ kind: 'WorkloadRebalancer', name }],
          evidence: [
            { rule: 'no binding of that workload', field: 'status.observedWorkloads', value: failed },
          ],
          remedy: { text: 'create a new WorkloadRebalancer with the right names' },
        },
      ];
    }),
};

const workNotApplied: StateCheck = {
  id: 'work-not-applied',
  severity: 'error',
  theme: 'stuck',
  title: 'a Work cannot be applied in its cluster',
  help: 'The cluster refuses the object, so that no copy starts there: see the message, which is the answer of its API server.',
  needs: ['Work'],
  symptoms: ['AppliedFailed', 'Failed to apply all manifests'],
  issues: [],
  example: {
    patches: [
      {
        target: { kind: 'Work', namespace: 'karmada-es-member1', name: 'web-5d4f' },
        merge: {
          status: {
            conditions: [
              {
                type: 'Applied',
                status: 'False',
                reason: 'AppliedFailed',
                message: 'Failed to apply all manifests (0/1): namespaces "shop" not found',
                lastTransitionTime: '2026-05-04T09:00:00Z',
              },
            ],
          },
        },
      },
    ],
  },
  find: (seen) => {
    const groups = new Map<string, string[]>();
    for (const work of seen.world.works) {
      const condition = work.status?.conditions?.find(({ type }) => type === 'Applied');
      if (condition?.status !== 'False' || work.metadata.deletionTimestamp) continue;
      const why = `${condition.message ?? condition.reason ?? ''}`.replace(/\.$/, '');
      groups.set(why, [...(groups.get(why) ?? []), workKey(work)]);
    }
    return [...groups].map(([why, works]) => ({
      message: `${count(works.length, 'Work')} cannot be applied (${some(works)}): ${why}`,
      objects: works.map((key) => ({
        kind: 'Work',
        namespace: key.split('/')[0]!,
        name: key.split('/')[1]!,
      })),
      evidence: [{ rule: why, field: 'status.conditions[Applied]', value: 'False' }],
      remedy: { text: 'mend what the API server of the cluster refuses' },
    }));
  },
};

const workOrphaned: StateCheck = {
  id: 'work-orphaned',
  severity: 'warning',
  theme: 'stuck',
  title: 'a Work has no binding any more, or is for a cluster that its binding does not name',
  help: 'The copy runs without anybody who manages it. The binding controller removes such Works; if one stays for minutes, that controller does not run.',
  needs: ['Work', 'ResourceBinding'],
  symptoms: ['a copy runs on a cluster that no binding names'],
  issues: [5188],
  example: {
    patches: [
      { target: web, merge: { spec: { clusters: [{ name: 'member2', replicas: 2 }], replicas: 2 } } },
    ],
  },
  find: (seen) => {
    if (seen.bindings.length < seen.world.bindings.length) return [];
    const orphans = seen.bindings.flatMap((binding) => {
      if (binding.metadata.deletionTimestamp) return [];
      const wanted = new Set([
        ...placedOn(binding.spec).map(({ name }) => name),
        ...evictingFrom(binding.spec),
      ]);
      return [...seen.worksOf(binding)].flatMap(([cluster, work]) =>
        wanted.has(cluster) || work.metadata.deletionTimestamp || !seen.clusters().has(cluster) ? [] : [work],
      );
    });
    const bindings = new Set(seen.world.bindings.map((one) => bindingKey(one)));
    const left = seen.world.works.filter((work) => {
      const owner = namedBinding(work);
      return (
        owner !== undefined &&
        !work.metadata.deletionTimestamp &&
        !bindings.has(`${owner.namespace ?? ''}/${owner.name}`)
      );
    });
    const works = [...new Set([...orphans, ...left])];
    if (works.length === 0) return [];
    return [
      {
        message: `${count(works.length, 'Work')} without a binding that wants ${works.length === 1 ? 'it' : 'them'}: ${some(works.map(workKey))}`,
        objects: works.map(({ metadata }) => ({
          kind: 'Work',
          namespace: metadata.namespace ?? '',
          name: metadata.name,
        })),
        evidence: [{ rule: 'no binding names this cluster', field: 'spec.clusters' }],
        remedy: restart('controllerManager', seen),
      },
    ];
  },
};

const workloadDown: StateCheck = {
  id: 'workload-down',
  severity: 'error',
  theme: 'stuck',
  title: 'a workload has no ready replica',
  help: 'Nothing of the workload is ready on any cluster. failover explain says what happens to it.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['readyReplicas 0 in aggregatedStatus'],
  issues: [],
  example: {
    patches: [
      {
        target: web,
        merge: {
          status: {
            aggregatedStatus: [
              {
                clusterName: 'member1',
                applied: true,
                health: 'Unhealthy',
                status: { replicas: 2, readyReplicas: 0 },
              },
              {
                clusterName: 'member2',
                applied: true,
                health: 'Unhealthy',
                status: { replicas: 2, readyReplicas: 0 },
              },
            ],
          },
        },
      },
    ],
  },
  find: (seen) => {
    const down = seen.workloads().filter((one) => one.down);
    if (down.length === 0) return [];
    const objects = down.map(({ workload }) => workload);
    return [
      {
        message: `${count(down.length, 'workload has', 'workloads have')} no ready replica: ${someObjects(objects)}`,
        objects,
        evidence: down.slice(0, 5).map(({ binding, state }) => ({
          rule: `its state is ${state}`,
          object: binding,
          field: 'status.aggregatedStatus',
          value: 0,
        })),
        remedy: {
          text: 'see why',
          next: { action: 'explain', workload: objects[0]!, failing: [] },
        },
      },
    ];
  },
};

const workloadUnhealthy: StateCheck = {
  id: 'copy-unhealthy',
  severity: 'warning',
  theme: 'stuck',
  title: 'a copy of a workload is Unhealthy',
  help: 'A cluster reports a copy Unhealthy. Without application failover it stays there.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['health: Unhealthy in aggregatedStatus'],
  issues: [],
  example: {
    patches: [
      {
        target: web,
        merge: {
          status: {
            aggregatedStatus: [
              {
                clusterName: 'member1',
                applied: true,
                health: 'Unhealthy',
                status: { replicas: 2, readyReplicas: 1, availableReplicas: 1 },
              },
              {
                clusterName: 'member2',
                applied: true,
                health: 'Healthy',
                status: { replicas: 2, readyReplicas: 2, availableReplicas: 2, updatedReplicas: 2 },
              },
            ],
          },
        },
      },
    ],
  },
  find: (seen) => {
    const unhealthy = seen.workloads().filter(({ state, down }) => state === 'unhealthy' && !down);
    if (unhealthy.length === 0) return [];
    const objects = unhealthy.map(({ workload }) => workload);
    return [
      {
        message: `${someObjects(objects)}: Unhealthy on ${some([...new Set(unhealthy.flatMap(({ where }) => where))])}`,
        objects,
        evidence: [
          { rule: 'the cluster reports it', field: 'status.aggregatedStatus[].health', value: 'Unhealthy' },
        ],
        remedy: { text: 'look at its Pods there' },
      },
    ];
  },
};

/** How long ago something was, in words. */
export function ago(since: string, now: number): string {
  return formatDuration(Math.round((now - instant(since)) / 1000) * 1000);
}

/** What is stuck: what loses service first. */
export const stuckChecks: readonly StateCheck[] = [
  taskUnscheduled,
  taskUnattended,
  taskOverdue,
  taskStuck,
  clusterDeletionStuck,
  workloadDown,
  schedulingFailed,
  schedulingOverdue,
  workNotApplied,
  generationUnseen,
  bindingDeletionStuck,
  foreignFinalizer,
  workDeletionStuck,
  executionSpaceStuck,
  rebalancerFailed,
  workOrphaned,
  workloadUnhealthy,
  taskHeld,
];
