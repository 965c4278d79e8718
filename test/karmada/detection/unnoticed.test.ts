import { describe, expect, test } from '@jest/globals';
import { unnoticed } from '../../../src/karmada/detection/unnoticed.ts';
import { v1_18 } from '../../dialects.ts';

const configuration = v1_18.defaults;
const secondsOf = (status: 'True' | 'False' | 'Unknown', isPull: boolean, place: number) =>
  unnoticed(status, isPull, place, configuration) / 1000;

// probes every 10 s; thresholds of 30 s; a grace period of 40 s, looked at every 5 s; a Lease of 40 s, renewed every 10 s
describe('the detection delay of Karmada', () => {
  test('is the threshold plus at most one probe period for a failed API server', () => {
    expect([0, 1].map((place) => secondsOf('False', false, place))).toEqual([30, 40]);
  });

  test('ends at the first probe after the threshold', () => {
    const flags = { ...configuration.controllerManager, 'cluster-failure-threshold': 12_000 };
    const found = (place: number) =>
      unnoticed('False', false, place, { ...configuration, controllerManager: flags }) / 1000;
    expect([0, 1].map(found)).toEqual([20, 30]);
  });

  test('starts at the last Lease renewal of a stopped agent and lasts for the grace period', () => {
    expect([0, 1].map((place) => secondsOf('Unknown', true, place))).toEqual([30, 45]);
  });

  test('is zero for a restarted agent, unless it has reported before and waits for the threshold', () => {
    expect(secondsOf('True', true, 1)).toBe(0);
    expect(unnoticed('True', true, 0, configuration, 'False') / 1000).toBe(30);
  });
});
