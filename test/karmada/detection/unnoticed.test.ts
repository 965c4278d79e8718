import { describe, expect, test } from '@jest/globals';
import { unnoticed } from '../../../src/karmada/detection/unnoticed.ts';
import { v1_18 } from '../../dialects.ts';

const configuration = v1_18.defaults;
const secondsOf = (status: 'True' | 'False' | 'Unknown', isPull: boolean, place: number) =>
  unnoticed(status, isPull, place, configuration) / 1000;

// probes every 10 s; thresholds of 30 s; a grace period of 40 s, looked at every 5 s; a Lease of 40 s, renewed every 10 s
describe('how long Karmada has not noticed that a member has turned', () => {
  test('an API server that failed: from the threshold to one probe more', () => {
    expect([0, 1].map((place) => secondsOf('False', false, place))).toEqual([30, 40]);
  });

  test('a threshold ends with the next probe', () => {
    const flags = { ...configuration.controllerManager, 'cluster-failure-threshold': 12_000 };
    const found = (place: number) =>
      unnoticed('False', false, place, { ...configuration, controllerManager: flags }) / 1000;
    expect([0, 1].map(found)).toEqual([20, 30]);
  });

  test('an agent that was ended: the grace period begins with the last renewal of its Lease', () => {
    expect([0, 1].map((place) => secondsOf('Unknown', true, place))).toEqual([30, 45]);
  });

  test('a restarted agent does not wait, but publishes what it finds; one that has reported before waits for the threshold', () => {
    expect(secondsOf('True', true, 1)).toBe(0);
    expect(unnoticed('True', true, 0, configuration, 'False') / 1000).toBe(30);
  });
});
