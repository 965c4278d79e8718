import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { planDrain } from '../../../src/analysis/drain/plan/planDrain.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { defaults } from './aDrain.ts';
import { drainOf } from './drainOf.ts';
import { worldOf } from '../../state/recording/recorded.ts';

const folder = join(import.meta.dirname, '..', '..', 'recordings', 'data');

/** A real control plane, as it was before its incident. */
function recorded(name: string): World {
  const text = gunzipSync(readFileSync(join(folder, name, 'state.json.gz'))).toString();
  const { items } = JSON.parse(text) as { items: KubernetesObject[] };
  return worldOf(items);
}

const recordings = ['member-fails', 'manual-taint-and-cordon', 'application-failover'];

/** The newest time that a status reports. */
function timeOf({ bindings }: World): number {
  const times = bindings.flatMap(({ status }) => [
    ...(status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime),
    status?.lastScheduledTime,
  ]);
  return Math.max(...times.map((time) => (time ? Date.parse(time) : 0)));
}

/** Sooner than application failover evicts it again in these control planes. */
const members = { workloadReadyAfter: 2_000, neverReady: [] };

describe.each(recordings)('the control plane of the recording %s', (name) => {
  const world = recorded(name);
  const clusters = world.clusters.map(({ metadata }) => metadata.name);

  test.each(clusters)('allows a plan to drain %s without downtime of the moved workloads', (cluster) => {
    const given = { karmadaVersion: 'v1.18', members };
    const plan = planDrain(world, drainOf([cluster]), defaults, timeOf(world), given);
    expect(plan.atRest).toBe(true);
    for (const { name: workload, fate, after, gap, evictedAt } of plan.workloads) {
      expect({ workload, gap }).toEqual({ workload, gap: undefined });
      const gone = !after.some((target) => target.name === cluster);
      expect({ workload, fate, gone }).toEqual({
        workload,
        fate,
        gone: ['moves', 'leaves', 'partly-moves', 'follows'].includes(fate),
      });
      if (fate === 'blocked' || fate === 'stays') expect(evictedAt).toBeUndefined();
    }
  });
});
