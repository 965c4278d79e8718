import { describe, expect, test } from '@jest/globals';
import { explainedWindow } from '../../../src/analysis/taintPolicy/policyOnTaint.ts';
import { reconcileChange } from '../../../src/analysis/taintPolicy/taintReconcile.ts';
import { shortestTurn } from '../../../src/analysis/taintPolicy/shortestTurn.ts';
import { taintWindows } from '../../../src/karmada/taints/windows/taintWindows.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import { failoverByDesign } from '../../proposal/documents.ts';
import { at, condition, window, windowPolicy } from '../../karmada/taints/windows/windows.ts';

const { rules } = failoverByDesign;
const east = (conditions: string[], taints: string[] = []): Cluster => ({
  metadata: { name: 'east' },
  spec: { taints: taints.map(window) },
  status: { conditions: conditions.map(condition) },
});
const netDown = windowPolicy(['Net In False Unknown'], ['net:NoExecute +300 -180'], { name: 'net' });

describe('a reported window', () => {
  const reported = (cluster: Cluster, seconds: number, policy = netDown) => {
    const [first] = taintWindows(cluster, [policy], undefined, at(seconds), rules.scheduling).windows;
    return explainedWindow(first!, cluster, at(seconds));
  };

  test('is certain if the condition cannot have matched earlier', () => {
    const only = windowPolicy(['Net In False'], ['net:NoExecute +300 -180']);
    expect(reported(east(['Net=False@100']), 150, only)).toEqual({
      verb: 'adds',
      since: at(100),
      seconds: 300,
      ends: at(400),
      runs: true,
      certainty: 'certain',
    });
  });

  test('is an estimate if an earlier status may have matched as well', () => {
    const { certainty, missing } = reported(east(['Net=False@100']), 150);
    expect(certainty).toBe('estimate');
    expect(missing).toBe(
      'what karmada-controller-manager has in memory about east: the match may have begun before the last transition of Net',
    );
  });

  test('lists a missing lastTransitionTime', () => {
    const { certainty, missing } = reported(east(['Net=False']), 150);
    expect(certainty).toBe('estimate');
    expect(missing).toBe('lastTransitionTime of the condition Net of east: add it to the state');
  });

  test('is certain after its end, whenever it started', () => {
    expect(reported(east(['Net=False@100']), 500)).toMatchObject({ runs: false, certainty: 'certain' });
  });
});

describe('a policy change on a cluster with windows', () => {
  const sooner = windowPolicy(['Net In False Unknown'], ['net:NoExecute +120 -180'], { name: 'net' });
  const look = (before: (typeof netDown)[], after: (typeof netDown)[], looks: boolean, seconds = 150) =>
    reconcileChange(east(['Net=False@100']), { before, after }, looks, failoverByDesign, at(seconds));
  const gains = ({ atOnce }: ReturnType<typeof look>) =>
    atOnce.gains.map(({ taint, after }) => `${taint.key} ${after === undefined ? 'now' : after / 1000}`);

  test('adds the taint of a new policy when its window ends, or at once after its end', () => {
    expect(gains(look([], [netDown], true))).toEqual(['net 250']);
    expect(gains(look([], [netDown], true, 500))).toEqual(['net now']);
  });

  test('excludes taints that are added without the change as well', () => {
    expect(gains(look([netDown], [netDown], true))).toEqual([]);
  });

  test('applies an edited duration to the running window', () => {
    expect(gains(look([netDown], [sooner], true))).toEqual(['net 70']);
  });

  test('cancels the pending taint of a deleted policy', () => {
    const { calledOff } = look([netDown], [], true);
    expect(calledOff.gains).toMatchObject([{ taint: { key: 'net' }, after: 250_000 }]);
    expect(calledOff.loses).toEqual([]);
  });
});

describe('the shortest time until a condition changes back', () => {
  const push = east([]);
  const pull: Cluster = { ...push, spec: { syncMode: 'Pull' } };

  test.each([
    // Ready of a Push cluster is debounced, with a separate threshold each way
    ['Ready', push, 'adds', 30_000, 'cluster-success-threshold'],
    ['Ready', push, 'removes', 30_000, 'cluster-failure-threshold'],
    ['Net', push, 'adds', 10_000, 'cluster-status-update-frequency'],
    ['Ready', pull, 'adds', 10_000, 'cluster-status-update-frequency'],
  ] as const)('for %s of %j and a window that %s is %i ms', (type, cluster, verb, after, flag) => {
    expect(shortestTurn(type, cluster, verb, failoverByDesign)).toEqual({ after, flag });
  });

  test('is the next probe if the threshold is not longer', () => {
    const quick = {
      ...failoverByDesign,
      controllerManager: { ...failoverByDesign.controllerManager, 'cluster-success-threshold': 5000 },
    };
    expect(shortestTurn('Ready', push, 'adds', quick)).toEqual({
      after: 10_000,
      flag: 'cluster-status-update-frequency',
    });
  });
});
