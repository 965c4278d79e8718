import { describe, expect, test } from '@jest/globals';
import type { Step } from '../../../src/karmada/controllers/controller.ts';
import type { View } from '../../../src/karmada/controllers/view.ts';
import { createQueueMetrics } from '../../../src/operations/controllers/controllerMetrics.ts';
import { createDesignMetrics } from '../../../src/operations/controllers/designMetrics.ts';
import { createMetrics } from '../../../src/state/observation/promMetrics.ts';
import { cluster, deployment } from '../../simulator/simulation/controlPlane.ts';

const pair = (name: string) => `east-1|shop/${name}-deployment`;
const web = deployment('web', { placement: {}, clusters: [{ name: 'east-1' }] });
const view = {
  get: () => web,
  all: () => [cluster('east-1', [{ key: 'fault', effect: 'PreferNoExecute' }]), cluster('west-1')],
} as unknown as View;

/** The lines of a metric, as they are scraped. */
async function lines(metrics: ReturnType<typeof createMetrics>, name: string): Promise<string[]> {
  return (await metrics.text())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

describe('metrics of queues', () => {
  test('count each waiting eviction once', async () => {
    const metrics = createMetrics();
    let now = 0;
    const observer = createQueueMetrics(metrics, () => now);
    observer.added!('binding-eviction', pair('web'), 0, 1);
    observer.added!('binding-eviction', pair('web'), 0, 1);
    observer.added!('binding-eviction', pair('api'), 0, 2);
    expect(await lines(metrics, 'eviction_queue_depth')).toEqual([
      'eviction_queue_depth{name="binding-eviction"} 2',
    ]);
    expect(await lines(metrics, 'eviction_kind_total')).toEqual([
      'eviction_kind_total{member_cluster="east-1",resource_kind="ResourceBinding"} 2',
    ]);
    now = 4000;
    observer.taken!('binding-eviction', pair('web'), 1);
    observer.done!('binding-eviction', pair('web'), 'success', 20);
    observer.dropped!('binding-eviction', pair('api'), 0);
    expect(await lines(metrics, 'eviction_kind_total')).toEqual([
      'eviction_kind_total{member_cluster="east-1",resource_kind="ResourceBinding"} 0',
    ]);
    expect(await lines(metrics, 'eviction_processing_total')).toEqual([
      'eviction_processing_total{name="binding-eviction",result="success"} 1',
    ]);
    expect(await lines(metrics, 'workqueue_queue_duration_seconds_sum')).toEqual([
      'workqueue_queue_duration_seconds_sum{name="binding-eviction"} 4',
    ]);
  });

  test('report the processing time of keys as time passes', async () => {
    const metrics = createMetrics();
    let now = 0;
    const observer = createQueueMetrics(metrics, () => now);
    observer.taken!('eviction-queue', pair('web'), 0);
    now = 2000;
    observer.taken!('eviction-queue', pair('api'), 0);
    now = 5000;
    observer.refresh();
    const reported = async () => [
      ...(await lines(metrics, 'workqueue_unfinished_work_seconds')),
      ...(await lines(metrics, 'workqueue_longest_running_processor_seconds')),
    ];
    expect(await reported()).toEqual([
      'workqueue_unfinished_work_seconds{name="eviction-queue"} 8',
      'workqueue_longest_running_processor_seconds{name="eviction-queue"} 5',
    ]);
    observer.done!('eviction-queue', pair('web'), 'success', 5000);
    observer.done!('eviction-queue', pair('api'), 'error', 3000);
    observer.refresh();
    expect(await reported()).toEqual([
      'workqueue_unfinished_work_seconds{name="eviction-queue"} 0',
      'workqueue_longest_running_processor_seconds{name="eviction-queue"} 0',
    ]);
  });

  test('001 metrics: have the names of document 001, count abandoned evictions as failed, and ignore unused turns', async () => {
    const metrics = createMetrics();
    let now = 0;
    const observer = createDesignMetrics(metrics, view, () => now);
    const turn = (name: string, step: Step<unknown>) => {
      observer.taken!('eviction-queue', pair(name), 0);
      observer.reconciled!({
        controller: 'eviction-queue',
        key: pair(name),
        now,
        step,
        failure: undefined,
        evidence: [],
      });
      observer.done!('eviction-queue', pair(name), 'success', 1);
    };
    for (const name of ['a', 'b', 'c', 'd']) observer.added!('eviction-queue', pair(name), 0, 4);
    expect(await lines(metrics, 'evict_total')).toEqual(['evict_total{cluster_name="east-1"} 4']);
    now = 30_000;
    turn('a', {});
    const note = { binding: 'b', cluster: 'east-1', reason: 'nowhere to go' };
    turn('b', { notes: [{ type: 'EvictionAbandoned', ...note }] });
    turn('c', { turn: 'unused' });
    observer.dropped!('eviction-queue', pair('d'), 0);
    observer.refresh();
    const reported = async (...names: string[]) =>
      (await Promise.all(names.map((name) => lines(metrics, name)))).flat();
    expect(await reported('evict_total', 'evict_kind_total', 'evict_success_rate', 'evict_rate')).toEqual([
      'evict_total{cluster_name="east-1"} 0',
      'evict_kind_total{cluster_name="east-1",resource_kind="apps/v1/Deployment"} 0',
      'evict_success_rate{cluster_name="east-1"} 0.5',
      `evict_rate{cluster_name="east-1"} ${2 / 60}`,
    ]);
    expect(
      await reported('cluster_fault_num', 'cluster_fault_rate', 'evict_processing_latency_seconds_sum'),
    ).toEqual([
      'cluster_fault_num 1',
      'cluster_fault_rate 0.5',
      'evict_processing_latency_seconds_sum{cluster_name="east-1"} 60',
    ]);
    now = 200_000;
    observer.refresh();
    expect(await reported('evict_rate')).toEqual(['evict_rate{cluster_name="east-1"} 0']);
  });
});
