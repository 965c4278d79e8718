import { describe, expect, test } from '@jest/globals';
import { WorldBuilder } from '../../../src/state/world/worldBuilder.ts';
import { binding, object } from '../temporaryFiles.ts';

const newest = (...objects: object[]) => {
  const builder = new WorldBuilder();
  for (const each of objects) builder.add(structuredClone(each), { file: 'f', line: 1 });
  return builder.newest && { ...builder.newest, time: new Date(builder.newest.time).toISOString() };
};
const early = '2026-09-01T09:00:00Z';
const late = '2026-09-01T09:30:00Z';

describe('the newest time in a state', () => {
  test('is the latest recorded time, with its object', () => {
    const old = { ...binding('old'), status: { lastScheduledTime: early } };
    expect(newest(old)).toEqual({
      time: '2026-09-01T09:00:00.000Z',
      object: { kind: 'ResourceBinding', namespace: 'shop', name: 'old' },
    });
    for (const newer of [
      object('Pod', 'n', { metadata: { name: 'n', creationTimestamp: late } }),
      object('Pod', 'n', { metadata: { name: 'n', managedFields: [{ time: late }] } }),
      object('Pod', 'n', { metadata: { name: 'n' }, status: { conditions: [{ lastUpdateTime: late }] } }),
      object('Lease', 'n', { metadata: { name: 'n' }, spec: { renewTime: '2026-09-01T09:30:00.000000Z' } }),
      object('Event', 'n', { metadata: { name: 'n' }, lastTimestamp: late }),
      object('Event', 'n', { metadata: { name: 'n' }, series: { lastObservedTime: late } }),
      object('Cluster', 'n', {
        metadata: { name: 'n' },
        spec: { taints: [{ key: 'a', effect: 'NoExecute', timeAdded: late }] },
      }),
    ])
      expect(newest(old, newer, { ...old, metadata: { name: 'another' } })).toMatchObject({
        time: '2026-09-01T09:30:00.000Z',
        object: { name: 'n' },
      });
  });

  test('excludes planned times', () => {
    const old = { ...binding('old'), status: { lastScheduledTime: early } };
    const cron = (nextExecutionTime: string) => ({
      ...object('CronFederatedHPA', 'web', {
        status: { executionHistories: [{ ruleName: 'night', nextExecutionTime }] },
      }),
      apiVersion: 'autoscaling.karmada.io/v1alpha1',
    });
    expect(newest(old, cron(late))?.time).toBe('2026-09-01T09:00:00.000Z');
    expect(() => newest(cron('soon'))).toThrow('nextExecutionTime');
  });

  test('is undefined without a valid time', () => {
    expect(newest(binding('web'), object('Event', 'e', { lastTimestamp: 'soon' }))).toBeUndefined();
  });
});

test('managedFields and the last-applied annotation are dropped', () => {
  const builder = new WorldBuilder();
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', keep: 'me' };
  builder.add(
    object('Pod', 'p', { metadata: { name: 'p', annotations, managedFields: [] }, spec: { a: 1 } }),
    {
      file: 'f',
      line: 1,
    },
  );
  expect(builder.world.others).toEqual([
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', annotations: { keep: 'me' } }, spec: { a: 1 } },
  ]);
});
