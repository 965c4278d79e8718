import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { isReady } from '../../../../karmada/objects/clusterReadiness.ts';
import { bindingKey } from '../../../../karmada/objects/identities.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { targetClusters } from '../../../../karmada/objects/placement.ts';
import { numberIn } from '../../../../kubernetes/json.ts';
import { instant } from '../../../../kubernetes/time.ts';
import type { WorkloadSummary } from '../../../explanation/workloadNow.ts';
import type { Severity } from '../../finding.ts';
import { count, finding, inBinding, firstNames, firstObjectNames, jointFinding } from '../about.ts';
import type { Examined } from '../examined.ts';
import type { Diagnosed, StateCheck } from '../stateCheck.ts';

export const workloadDown: StateCheck = {
  id: 'workload-down',
  severity: 'error',
  theme: 'stuck',
  title: 'a workload has no ready replica',
  help: 'The workload has no ready replica on any cluster. failover explain shows what happens to it.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['readyReplicas 0 in aggregatedStatus'],
  find: (seen) => {
    const bindings = new Map(seen.bindings.map((one) => [bindingKey(one), one]));
    const down = seen.doubtful().filter((one) => one.down);
    const [silent, known] = [true, false].map((is) =>
      down.filter(({ key }) => isSilent(bindings.get(key), seen) === is),
    );
    return [
      ...withoutReady(
        known!,
        (amount) => count(amount, 'workload has', 'workloads have') + ' no ready replica',
      ),
      ...withoutReady(
        silent!,
        (amount) => `no cluster reports how many replicas of ${count(amount, 'workload')} are ready`,
        'warning',
      ),
    ];
  },
};

/** Whether all clusters of a workload report, and none includes its health. */
function isSilent(binding: ResourceBinding | undefined, seen: Examined): boolean {
  const copies = binding?.status?.aggregatedStatus ?? [];
  return (
    copies.length > 0 &&
    copies.every(
      ({ clusterName, health, applied, status }) =>
        isReady(seen.clusters().get(clusterName)) && applied && health === 'Unknown' && status == null,
    )
  );
}

function withoutReady(
  workloads: readonly WorkloadSummary[],
  what: (amount: number) => string,
  severity?: Severity,
): Diagnosed[] {
  const objects = workloads.map(({ workload }) => workload);
  const [first] = objects;
  if (!first) return [];
  return [
    finding(
      objects,
      `${what(objects.length)}: ${firstObjectNames(objects)}`,
      workloads.slice(0, 5).map(({ binding, state }) => ({
        rule: `its state is ${state}`,
        object: binding,
        field: 'status.aggregatedStatus',
        value: 0,
      })),
      { text: 'see why', next: { action: 'explain', workload: first, failing: [] } },
      severity,
    ),
  ];
}

/** Milliseconds in which a member creates the Pods of a new copy. */
const CREATED_BY_NOW = 600_000;

export const podsNotCreated: StateCheck = {
  id: 'pods-not-created',
  severity: 'error',
  theme: 'stuck',
  title: 'a cluster creates no Pod of a copy',
  help: 'The copy is applied, and its Deployment reports unavailable replicas without any Pod: a ResourceQuota or an admission webhook of the cluster refuses the Pods. The reason is in the Events of its ReplicaSet there. Karmada neither sees it nor moves such replicas.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['exceeded quota', 'ReplicaFailure: FailedCreate', 'unavailableReplicas without replicas'],
  issues: [5011],
  find: (seen) => {
    const without = new Map<string, ResourceBinding[]>();
    for (const binding of seen.bindings) {
      const { spec, status, metadata } = binding;
      const since = status?.lastScheduledTime;
      if (metadata.deletionTimestamp || !since || seen.now - instant(since) < CREATED_BY_NOW) continue;
      for (const { clusterName, applied, status: copy } of status?.aggregatedStatus ?? []) {
        const isHere = targetClusters(spec).some(
          ({ name, replicas = 0 }) => name === clusterName && replicas > 0,
        );
        const hasNone = !numberIn(copy, 'replicas') && (numberIn(copy, 'unavailableReplicas') ?? 0) > 0;
        if (isHere && applied && hasNone && isReady(seen.clusters().get(clusterName)))
          getOrAdd(without, clusterName, () => []).push(binding);
      }
    }
    return [...without].flatMap(([cluster, bindings]) =>
      jointFinding(
        bindings,
        (workloads) =>
          `${workloads}: ${cluster} creates no Pod: a ResourceQuota or an admission webhook there may refuse them`,
        (first) =>
          inBinding(
            first,
            'replicas are unavailable, and there is no Pod',
            'status.aggregatedStatus',
            cluster,
          ),
        ({ namespace = '', name }) => ({
          text: 'look at the Events of its ReplicaSet in the cluster',
          commands: [
            [
              'karmadactl',
              'get',
              'events',
              '-n',
              namespace,
              '--operation-scope=members',
              `--clusters=${cluster}`,
            ],
            ['karmadactl', 'describe', 'deployment', name, '-n', namespace, `--cluster=${cluster}`],
          ],
        }),
      ),
    );
  },
};

export const workloadUnhealthy: StateCheck = {
  id: 'copy-unhealthy',
  severity: 'warning',
  theme: 'stuck',
  title: 'a copy of a workload is Unhealthy',
  help: 'A cluster reports a copy Unhealthy. Without application failover it stays there.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['health: Unhealthy in aggregatedStatus'],
  find: (seen) => {
    const unhealthy = seen.doubtful().filter(({ state, down }) => state === 'unhealthy' && !down);
    if (unhealthy.length === 0) return [];
    const objects = unhealthy.map(({ workload }) => workload);
    return finding(
      objects,
      `${firstObjectNames(objects)}: Unhealthy on ${firstNames([...new Set(unhealthy.flatMap(({ where }) => where))])}`,
      { rule: 'the cluster reports it', field: 'status.aggregatedStatus[].health', value: 'Unhealthy' },
      'check its Pods there; replicas that stay pending are moved only by karmada-descheduler, and only if they are divided by capacity',
    );
  },
};
