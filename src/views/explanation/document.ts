import { evictionTaskDocument } from '../eviction/evictionTaskList.ts';
import { outcomeDocument } from '../words/outcomeWords.ts';
import type { SchedulingDecision } from '../../analysis/explanation/schedulingDecision.ts';
import { isUnlimited } from '../../analysis/explanation/whyCluster.ts';
import type { FailoverVerdict } from '../../analysis/explanation/failoverVerdict.ts';
import type { WorkloadExplanation } from '../../analysis/explanation/workloadExplanation.ts';
import type { AttemptTrace, ClusterTrace } from '../../karmada/scheduling/trace.ts';
import { rfc3339, rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { AnsweredAssumption } from '../assumptions.ts';
import { eventDocument } from '../words/timelineEvent.ts';

/** An explanation for json and yaml: times are RFC 3339, with offsets from the instant of the state. */
export function explanationDocument(
  explanation: WorkloadExplanation,
  now: number,
  karmadaVersion: string,
  assumptions: AnsweredAssumption[],
) {
  const { failures, chain, verdict, decision, changes, ...rest } = explanation;
  return {
    kind: 'Explanation',
    schemaVersion: 'v1',
    karmadaVersion,
    now: rfc3339(now),
    assumptions,
    workload: rest.workload,
    binding: rest.binding,
    policy: rest.policy,
    sharedPolicy: rest.sharedPolicy,
    present: { ...rest.present, evictions: rest.present.evictions.map(evictionTaskDocument) },
    ...(rest.ifItFails
      ? { ifItFails: rest.ifItFails.map((loss) => ({ ...loss, dependsOn: loss.dependsOn ?? [] })) }
      : {}),
    failures: failures.map(({ cluster, time }) => ({ cluster, ...moment(time, now) })),
    chain: chain.map((event) => eventDocument(event, now)),
    verdict: verdictDocument(verdict, now),
    changes: changes ?? null,
    why: rest.why,
    decision: decisionDocument(decision, now),
    links: rest.links,
    dependencies: rest.dependencies,
    doubts: rest.doubts,
  };
}

function moment(time: number, now: number) {
  return { time: rfc3339Milliseconds(time), offsetSeconds: (time - now) / 1000 };
}

function verdictDocument(
  { oldCopyEnds, settledAt, deletedReady, flapping, ...verdict }: FailoverVerdict,
  now: number,
) {
  return {
    ...verdict,
    ...outcomeDocument({ deletedReady, flapping }),
    ...(settledAt === undefined ? {} : { settled: moment(settledAt, now) }),
    ...(oldCopyEnds
      ? { oldCopyEnds: { ...moment(oldCopyEnds.time, now), clusters: oldCopyEnds.clusters } }
      : {}),
  };
}

function decisionDocument({ time, groups, ...decision }: SchedulingDecision, now: number) {
  return { ...moment(time, now), ...decision, groups: groups.map(groupDocument) };
}

function groupDocument({ clusters, ...group }: AttemptTrace) {
  return { ...group, clusters: clusters.map(clusterDocument) };
}

/** The estimator's "no limit" becomes null. */
function clusterDocument({ filters, allocatableReplicas, availableReplicas, ...cluster }: ClusterTrace) {
  const unlimited = allocatableReplicas === undefined || isUnlimited(allocatableReplicas);
  return {
    ...cluster,
    filters: filters.map(({ plugin, reason, evidence }) => ({
      plugin,
      passes: reason === undefined,
      ...(reason === undefined ? {} : { reason, evidence: evidence ?? [] }),
    })),
    ...(cluster.deleting
      ? {}
      : {
          allocatableReplicas: unlimited ? null : allocatableReplicas,
          availableReplicas: unlimited ? null : availableReplicas,
        }),
  };
}
