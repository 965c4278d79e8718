import { count, finding, some, someObjects } from '../about.ts';
import { patched, web } from '../examples.ts';
import type { StateCheck } from '../stateCheck.ts';

export const workloadDown: StateCheck = {
  id: 'workload-down',
  severity: 'error',
  theme: 'stuck',
  title: 'a workload has no ready replica',
  help: 'Nothing of the workload is ready on any cluster. failover explain says what happens to it.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['readyReplicas 0 in aggregatedStatus'],
  issues: [],
  example: patched(web, {
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
  }),
  find: (seen) => {
    const down = seen.workloads().filter((one) => one.down);
    if (down.length === 0) return [];
    const objects = down.map(({ workload }) => workload);
    return [
      finding(
        objects,
        `${count(down.length, 'workload has', 'workloads have')} no ready replica: ${someObjects(objects)}`,
        down.slice(0, 5).map(({ binding, state }) => ({
          rule: `its state is ${state}`,
          object: binding,
          field: 'status.aggregatedStatus',
          value: 0,
        })),
        {
          text: 'see why',
          next: { action: 'explain', workload: objects[0]!, failing: [] },
        },
      ),
    ];
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
  issues: [],
  example: patched(web, {
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
  }),
  find: (seen) => {
    const unhealthy = seen.workloads().filter(({ state, down }) => state === 'unhealthy' && !down);
    if (unhealthy.length === 0) return [];
    const objects = unhealthy.map(({ workload }) => workload);
    return [
      finding(
        objects,
        `${someObjects(objects)}: Unhealthy on ${some([...new Set(unhealthy.flatMap(({ where }) => where))])}`,
        { rule: 'the cluster reports it', field: 'status.aggregatedStatus[].health', value: 'Unhealthy' },
        'look at its Pods there',
      ),
    ];
  },
};
