import { describe, expect, test } from '@jest/globals';
import { workloadRebalancer } from '../../../src/karmada/propagation/workloadRebalancer.ts';
import type { Changed } from '../../../src/karmada/controllers/write.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { cluster, deployment, START, world } from '../../simulator/simulation/controlPlane.ts';
import { keyOf, onStage } from '../controllers/onStage.ts';

const KEY = 'WorkloadRebalancer//again';
const CREATED = rfc3339(START - 1000);

function rebalancer(workloads: string[], rest: { spec?: object; status?: object } = {}): KubernetesObject {
  return {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name: 'again', generation: 1, creationTimestamp: CREATED },
    spec: {
      workloads: workloads.map((name) => ({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: 'shop',
        name,
      })),
      ...rest.spec,
    },
    ...(rest.status && { status: rest.status }),
  } as KubernetesObject;
}

const web = deployment('web', { placement: {}, clusters: [{ name: 'east-1' }] });
const stageOf = (object: KubernetesObject, binding = web) =>
  onStage({ ...world([cluster('east-1')], [binding]), others: [object] });

describe('a WorkloadRebalancer', () => {
  test('triggers one reschedule, with its creation time', () => {
    const stage = stageOf(rebalancer(['web']));
    expect(stage.resumes(workloadRebalancer)).toEqual([{ key: KEY }]);
    stage.write(...stage.reconcile(workloadRebalancer, KEY).writes!);
    expect(stage.binding(keyOf('web')).spec.rescheduleTriggeredAt).toBe(CREATED);
    expect(stage.store.get('Object', KEY)).toMatchObject({
      status: {
        observedGeneration: 1,
        finishTime: rfc3339(START),
        observedWorkloads: [{ workload: { name: 'web' }, result: 'Successful' }],
      },
    });
    expect(stage.reconcile(workloadRebalancer, KEY)).toEqual({ writes: [] });
    expect(stage.resumes(workloadRebalancer)).toEqual([]);
  });

  test('does not replace a later trigger, and fails for a workload without a binding', () => {
    const asked = { ...web, spec: { ...web.spec, rescheduleTriggeredAt: rfc3339(START) } };
    const stage = stageOf(rebalancer(['web', 'nothing']), asked);
    const [status, ...rest] = stage.reconcile(workloadRebalancer, KEY).writes!;
    expect(rest).toEqual([]);
    expect(status).toMatchObject({
      part: 'status',
      object: {
        status: {
          observedWorkloads: [
            { workload: { name: 'nothing' }, result: 'Failed', reason: 'ReferencedBindingNotFound' },
            { workload: { name: 'web' }, result: 'Successful' },
          ],
        },
      },
    });
  });

  test('is deleted after ttlSecondsAfterFinished', () => {
    const stage = stageOf(rebalancer(['web'], { spec: { ttlSecondsAfterFinished: 60 } }));
    const step = stage.reconcile(workloadRebalancer, KEY);
    expect(step.requeue).toEqual({ after: 60_000 });
    stage.write(...step.writes!);
    expect(stage.resumes(workloadRebalancer)).toEqual([{ key: KEY, after: 60_000 }]);
    expect(stage.reconcile(workloadRebalancer, KEY, { now: START + 60_000 }).writes).toMatchObject([
      { verb: 'delete', key: KEY },
    ]);
  });

  test('wakes its controller when it is created or its workloads change', () => {
    const stage = stageOf(rebalancer([]));
    const [before, after] = [rebalancer(['web']), rebalancer(['web', 'other'])];
    const wakes = (change: Changed<KubernetesObject>) =>
      stage.wakes(workloadRebalancer, { kind: 'Object', key: KEY, ...change });
    expect(wakes({ after })).toEqual([{ key: KEY }]);
    expect(wakes({ before, after })).toEqual([{ key: KEY }]);
    expect(wakes({ before, after: rebalancer(['web'], { status: {} }) })).toEqual([]);
    expect(wakes({ before })).toEqual([]);
  });
});
