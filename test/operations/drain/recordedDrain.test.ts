import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { executeDrain } from '../../../src/operations/drain/executeDrain.ts';
import type { DrainEvent } from '../../../src/engine/drain/drainEvent.ts';
import { v1_18 } from '../../dialects.ts';
import { createRecordedPlane, type RecordedDrain } from '../recordedPlane.ts';

const recording = JSON.parse(
  readFileSync(new URL('data/recordedDrain.json', import.meta.url), 'utf8'),
) as RecordedDrain;
const configuration = {
  ...v1_18.defaults,
  controllerManager: { ...v1_18.defaults.controllerManager, 'graceful-eviction-timeout': 30_000 },
};

function drain(options = recording.options) {
  const plane = createRecordedPlane(recording);
  const { server, openMirror, pause, time } = plane;
  const events: DrainEvent[] = [];
  const ending = executeDrain(server, options, {
    ...{ configuration, openMirror, pause, runner: 'recorder@bed' },
    onEvent: (event) => events.push(event),
  });
  return { plane, events, result: time.until(ending) };
}

describe(`a drain of which Karmada ${recording.karmada} was recorded`, () => {
  test('makes the same writes, and comes to the same end', async () => {
    const { plane, result } = drain();
    const { outcome, workloads } = await result;
    expect(outcome).toBe(recording.ended.outcome);
    const phases = Object.fromEntries(
      workloads.map(({ workload, phase }) => [`${workload.kind}/${workload.name}`, phase]),
    );
    expect(phases).toEqual(recording.ended.phases);
    expect(plane.missing()).toEqual([]);
  });

  test('evicts in the same order, and lets go of nothing before Karmada has reported what replaces it', async () => {
    const { events, result } = drain();
    await result;
    const names = (type: DrainEvent['type']) =>
      events.flatMap((event) => (event.type === type && 'workload' in event ? [event.workload.name] : []));
    expect(names('evicted')).toEqual(['copied', 'halves', 'needing', 'web', 'settings']);
    for (const name of names('released')) {
      const at = (type: DrainEvent['type']) =>
        events.findIndex(
          (event) => event.type === type && 'workload' in event && event.workload.name === name,
        );
      expect(at('evicted')).toBeLessThan(at('released'));
      expect(at('released')).toBeLessThan(at('gone'));
    }
  });

  test('fails at a write that Karmada was not asked for', async () => {
    const { result } = drain({ ...recording.options, hold: false });
    await expect(result).rejects.toThrow('the recording knows no such write of /apis/cluster.karmada.io');
  });
});
