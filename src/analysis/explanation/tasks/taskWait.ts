import type { GracefulEvictionTask, ResourceBinding } from '../../../karmada/api/work.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { isDrainTask } from '../../../karmada/eviction/drainTask.ts';
import type { EvictionClock, EvictionRule } from '../../../karmada/eviction/evictionRule.ts';
import { isScheduled } from '../../../karmada/eviction/replacement.ts';
import { suspendsDispatching } from '../../../karmada/eviction/works.ts';
import { isStale, readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import { bindingIdentity } from '../../../karmada/objects/identities.ts';
import { type EvictionTarget, type TaskFacts, waitsForOldWork } from './taskFacts.ts';

/**
 * The state of a task:
 * - `new`: not yet seen by the graceful eviction controller, so its time has not begun
 * - `waiting`: ends when the new copy is healthy
 * - `stuck`: at present only the deadline, if any, will end it; or the controller is not started
 * - `held`: suppressDeletion is true, so a user has to end it
 * - `ends-now`: the controller's next reconcile ends it
 * - `overdue`: the same, but a running controller would have ended it long ago
 */
export type EvictionVerdict = 'new' | 'waiting' | 'stuck' | 'held' | 'ends-now' | 'overdue';

/** Whether the controller's next reconcile ends it. */
export function isEnding(verdict: EvictionVerdict): boolean {
  return verdict === 'ends-now' || verdict === 'overdue';
}

/** A condition that must be met before the controller ends the task by itself. */
interface Obstacle {
  what: string;
  /** nothing expected will meet the condition */
  stuck: boolean;
  evidence?: Evidence;
}

/** The conditions under which a waiting task ends by itself. */
export function waitReason(
  task: GracefulEvictionTask,
  targets: EvictionTarget[],
  facts: TaskFacts,
): Obstacle[] {
  const scheduling = schedulingObstacle(facts.binding);
  const purge = purgeObstacle(task, facts);
  if (!facts.clock.plugins.includes('ResourceHealth')) return [unchecked(task)];
  if (scheduling) return purge ? [scheduling, purge] : [scheduling];
  // While the old Work exists, the new copy has no reported health.
  const unhealthy = targets
    .filter(({ health }) => health !== 'Healthy' && !(purge && health === null))
    .map((target) => healthObstacle(target, facts));
  const waits = purge ? [purge, ...unhealthy] : unhealthy;
  return waits.length > 0
    ? waits
    : [{ what: 'a cluster to move to: the scheduling result has none', stuck: true }];
}

/** If health never ends tasks, only the return of the cluster does. */
function unchecked({ fromCluster }: GracefulEvictionTask): Obstacle {
  return {
    what: `the scheduling result to contain ${fromCluster} again (evict-plugins lacks ResourceHealth)`,
    stuck: true,
  };
}

/** Why the binding has no scheduling result for its current spec; none if it has one. */
function schedulingObstacle(binding: ResourceBinding): Obstacle | undefined {
  if (isScheduled(binding)) return undefined;
  if (binding.spec.suspension?.scheduling)
    return { what: 'the scheduler, which spec.suspension.scheduling stops', stuck: true };
  const conditions = binding.status?.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === 'Scheduled');
  const condition = conditions[index];
  if (condition?.status !== 'False')
    return { what: `the scheduler to see generation ${binding.metadata.generation ?? 0}`, stuck: false };
  return {
    what: `a cluster to move to: ${condition.reason}`,
    stuck: true,
    evidence: {
      rule: `the scheduler refuses: ${condition.message ?? condition.reason}`,
      object: bindingIdentity(binding),
      field: `status.conditions[${index}].reason`,
      value: condition.reason,
    },
  };
}

/**
 * With purgeMode Directly no new Work is written until the old cluster has deleted its object and the old Work is gone.
 */
function purgeObstacle(task: GracefulEvictionTask, facts: TaskFacts): Obstacle | undefined {
  const { works, clusters } = facts;
  const old = works.get(task.fromCluster);
  if (!old || !waitsForOldWork(task, facts)) return undefined;
  const unreachable = isStale(clusters.get(task.fromCluster));
  return {
    what: `the old Work on ${task.fromCluster} to be deleted${unreachable ? ' (not Ready)' : ''}`,
    stuck: unreachable,
    evidence: {
      rule: 'purge mode Directly: no Work is written while the evicting cluster has one',
      object: { kind: 'Work', namespace: old.metadata.namespace ?? '', name: old.metadata.name },
      field: 'metadata.deletionTimestamp',
      value: old.metadata.deletionTimestamp ?? null,
    },
  };
}

function healthObstacle(target: EvictionTarget, { binding, clusters }: TaskFacts): Obstacle {
  const { name, health, stale } = target;
  const seen = health === null ? 'nothing reported yet' : health;
  if (suspendsDispatching(binding.spec, name))
    return { what: `${name} to be Healthy, but dispatching there is suspended`, stuck: true };
  if (stale) {
    const ready = readyCondition(clusters.get(name));
    const why = ready ? `Ready=${ready.status}` : 'no Ready condition';
    return { what: `${name} to be Healthy (${seen}; ${why}, no reports)`, stuck: true };
  }
  return { what: `${name} to be Healthy (${seen})`, stuck: false };
}

/** The obstacle of a task in words; null if there is none. */
export function waitingText(
  rule: EvictionRule,
  task: GracefulEvictionTask,
  obstacles: Obstacle[],
  { plugins }: Pick<EvictionClock, 'plugins'>,
): string | null {
  const mayReturn = plugins.includes('InBoth') && plugins.includes('ResourceHealth');
  switch (rule) {
    case 'unattended':
      return 'the graceful eviction controller, which is not started';
    case 'new':
      return 'the graceful eviction controller to see it';
    case 'suppressed':
      return isDrainTask(task)
        ? `the drain of ${task.fromCluster}; start it again if it does not run`
        : 'an operator to release or complete it';
    case 'unscheduled':
    case 'waiting':
      return [
        obstacles.map(({ what }) => what).join(' and '),
        ...(mayReturn && obstacles.some(({ stuck }) => stuck)
          ? [`for the scheduling result to contain ${task.fromCluster} again`]
          : []),
      ].join(', or ');
    default:
      return null;
  }
}

/** The state of a task, by the rule that applies to it and what it waits for. */
export function verdictOf(rule: EvictionRule, obstacles: Obstacle[]): EvictionVerdict {
  switch (rule) {
    case 'unattended':
    case 'unscheduled':
      return 'stuck';
    case 'new':
      return 'new';
    case 'suppressed':
      return 'held';
    case 'waiting':
      return obstacles.some(({ stuck }) => stuck) ? 'stuck' : 'waiting';
    default:
      return 'ends-now';
  }
}
