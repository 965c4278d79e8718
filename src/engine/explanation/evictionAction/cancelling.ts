import type { TargetCluster, Work } from '../../../karmada/api/work.ts';
import { drainMarkOf } from '../../drain/cordon.ts';
import { reportedReady } from '../../drain/replacementReady.ts';
import { restoreClusters, type Restoration } from '../../drain/restoreClusters.ts';
import { clusterAffinityFilter } from '../../scheduling/filters/clusterAffinity.ts';
import { appliedPlacement } from '../../taints/appliedPlacement.ts';
import { noExecuteDecision, noExecuteTaints } from '../../taints/noExecuteDecision.ts';
import { formatTaint } from '../../../kubernetes/tolerations.ts';
import { samePlacement } from '../schedulingDecision.ts';
import { isStale, readyCondition } from '../readiness.ts';
import type { ActionOutcome, TaskInQuestion } from './actionOutcome.ts';
import { present } from './judgement.ts';
import { afterNextLook, type NextLook } from './nextLook.ts';
import { placed } from './placed.ts';
import { oldCopyIsKept } from './oldCopy.ts';

/** The way back: the task goes and the cluster returns to the scheduling result, in one write. */
export function cancelling(question: TaskInQuestion): ActionOutcome {
  const { binding, task, context } = question;
  const from = task.fromCluster;
  const restoration = restoreClusters(binding, [from], context.works ?? new Map<string, Work>());
  const obstacle = noWayBack(question, restoration);
  if (obstacle !== undefined || 'refused' in restoration) return impossible(question, obstacle ?? '');
  const { spec: after, restored, given, note } = restoration;
  const look = afterNextLook(binding, after, context);
  const clusters = look.binding.spec.clusters ?? [];
  if (!clusters.some(({ name }) => name === from))
    return impossible(
      question,
      `the scheduler would take it off ${from} again: ${whyTakenOff(question, look)}`,
    );
  const risk = lostByGivingBack(question, given);
  return {
    verdict: 'change',
    after,
    next: [
      backText(from, restored, given),
      ...(note === undefined ? [] : [note]),
      schedulerText(look, after.clusters ?? []),
    ].join('; '),
    taskEnds: 'no-task',
    deadline: null,
    oldCopy: 'stays',
    clusters,
    ...(risk === undefined ? {} : { risk }),
    warnings: obstacles(question),
    evidence: [],
  };
}

function impossible(question: TaskInQuestion, why: string): ActionOutcome {
  const { spec } = question.binding;
  return {
    verdict: 'impossible',
    after: spec,
    next: `it cannot go back: ${why}`,
    taskEnds: question.task.suppressDeletion === true ? 'never' : 'later',
    deadline: present(question).deadline,
    oldCopy: oldCopyIsKept(question) ? 'stays' : 'gone',
    clusters: spec.clusters ?? [],
    warnings: [],
    evidence: [],
  };
}

/** Why the scheduler does not leave a workload on a cluster that is in its result. */
function whyTakenOff({ binding, task, context }: TaskInQuestion, { outcome }: NextLook): string {
  const { spec, status } = binding;
  const from = task.fromCluster;
  const cluster = context.clusters.get(from);
  if (cluster && clusterAffinityFilter(spec, status, cluster) !== undefined) {
    const group = spec.placement?.clusterAffinities && status?.schedulerObservingAffinityName;
    return group
      ? `it has come to affinity group ${group}, which ${from} is not in, and the scheduler never goes back to an earlier group`
      : `its placement does not select ${from}`;
  }
  return outcome?.failure?.message ?? outcome?.trigger ?? 'it decides otherwise';
}

function noWayBack({ task, context }: TaskInQuestion, restoration: Restoration): string | undefined {
  const from = task.fromCluster;
  const cluster = context.clusters.get(from);
  if (!cluster) return `there is no cluster ${from} any more`;
  if (cluster.metadata.deletionTimestamp) return `${from} is being deleted`;
  if (!context.works)
    return `whether the copy on ${from} is still there cannot be told: its Works cannot be read`;
  return 'refused' in restoration ? restoration.refused : undefined;
}

/** What replaces the old copy is given up for it, so the old copy has to be good. */
function lostByGivingBack(
  { binding, task, context }: TaskInQuestion,
  given: TargetCluster[],
): string | undefined {
  if (given.length === 0) return undefined;
  const from = task.fromCluster;
  const gives = `what replaces it on ${given.map(({ name }) => name).join(', ')} would be given up`;
  if (isStale(context.clusters.get(from)))
    return `${from} is not Ready, so whether the copy there runs cannot be seen, and ${gives}`;
  const work = context.works?.get(from);
  const ready = reportedReady(binding.spec.resource, work);
  if (ready !== undefined && task.replicas !== undefined)
    return ready >= task.replicas
      ? undefined
      : `${ready} of ${counted(task.replicas)} are ready on ${from}, and ${gives}`;
  const health = work?.status?.manifestStatuses?.[0]?.health;
  if (health === 'Healthy') return undefined;
  return `the copy on ${from} is ${health ?? 'not reported healthy'}, and ${gives}`;
}

function backText(from: string, restored: TargetCluster[], given: TargetCluster[]): string {
  const replicas = restored.find(({ name }) => name === from)?.replicas;
  const back = replicas ? `back on ${from} with ${counted(replicas)}` : `back on ${from}`;
  const gives = given.filter((target) => target.replicas);
  if (gives.length === 0) return back;
  return `${back}, for which ${gives.map((one) => `${one.name} gives up ${one.replicas}`).join(', ')}`;
}

function schedulerText({ outcome, binding }: NextLook, written: TargetCluster[]): string {
  const clusters = binding.spec.clusters ?? [];
  if (!outcome) return 'the scheduler does not look at it';
  if (samePlacement(written, clusters)) return 'the scheduler leaves it so';
  const why = outcome.failure?.message ?? outcome.trigger ?? 'another result';
  return `the scheduler then puts it on ${placed(clusters)} (${why})`;
}

/** What may send it away again, or keep it from running there. */
function obstacles({ binding, task, context }: TaskInQuestion): string[] {
  const from = task.fromCluster;
  const cluster = context.clusters.get(from)!;
  const warnings: string[] = [];
  if (isStale(cluster)) {
    const ready = readyCondition(cluster);
    warnings.push(
      `${from} is not Ready (${ready ? `Ready=${ready.status}, ${ready.reason ?? 'no reason given'}` : 'it reports nothing'}): nothing tells whether the copy there runs`,
    );
  }
  const taints = noExecuteTaints(cluster.spec?.taints);
  const applied = appliedPlacement(binding.metadata);
  const tolerations = ('placement' in applied && applied.placement?.clusterTolerations) || [];
  const decision = noExecuteDecision(taints, tolerations, context.now);
  if (decision.kind !== 'stay') {
    const names = taints.map(formatTaint).join(', ');
    const when = decision.kind === 'evict' ? 'again' : `again in ${Math.ceil(decision.milliseconds / 1000)}s`;
    warnings.push(
      evictsByTaints(context)
        ? `${from} has the taint ${names}: Karmada evicts it ${when}`
        : `${from} has the taint ${names}: Karmada evicts it ${when} where NoExecute eviction is on, which is not so by what is known here`,
    );
  }
  if (drainMarkOf(cluster))
    warnings.push(
      `${from} is being drained: a drain that runs on evicts it again; drain --cancel calls all of it back`,
    );
  return warnings;
}

function evictsByTaints({
  configuration: { featureGates, controllerManager },
}: TaskInQuestion['context']): boolean {
  return (
    featureGates.Failover &&
    controllerManager['enable-taint-manager'] &&
    controllerManager['enable-no-execute-taint-eviction']
  );
}

function counted(replicas: number): string {
  return replicas === 1 ? '1 replica' : `${replicas} replicas`;
}
