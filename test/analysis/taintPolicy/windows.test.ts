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

describe('a window as answers report it', () => {
  const reported = (cluster: Cluster, seconds: number, policy = netDown) => {
    const [first] = taintWindows(cluster, [policy], undefined, at(seconds), rules.scheduling).windows;
    return explainedWindow(first!, cluster, at(seconds));
  };

  test('is certain if the condition can have come about only then', () => {
    const only = windowPolicy(['Net In False'], ['net:NoExecute +300 -180']);
    expect(reported(east(['Net=False@100']), 150, only)).toEqual({
      ...{ verb: 'adds', since: at(100), seconds: 300, ends: at(400), runs: true, certainty: 'certain' },
    });
  });

  test('is an estimate if another status would have matched before the last transition', () => {
    const { certainty, missing } = reported(east(['Net=False@100']), 150);
    expect(certainty).toBe('estimate');
    expect(missing).toBe(
      'what karmada-controller-manager has in memory about east: the match may have begun before the last transition of Net',
    );
  });

  test('names the missing timestamp', () => {
    const { certainty, missing } = reported(east(['Net=False']), 150);
    expect(certainty).toBe('estimate');
    expect(missing).toBe('lastTransitionTime of the condition Net of east: add it to the state');
  });

  test('that is over is certain, whenever it began', () => {
    expect(reported(east(['Net=False@100']), 500)).toMatchObject({ runs: false, certainty: 'certain' });
  });
});

describe('what a change of policies does to a cluster with windows', () => {
  const sooner = windowPolicy(['Net In False Unknown'], ['net:NoExecute +120 -180'], { name: 'net' });
  const look = (before: (typeof netDown)[], after: (typeof netDown)[], looks: boolean, seconds = 150) =>
    reconcileChange(east(['Net=False@100']), { before, after }, looks, failoverByDesign, at(seconds));
  const gains = ({ atOnce }: ReturnType<typeof look>) =>
    atOnce.gains.map(({ taint, after }) => `${taint.key} ${after === undefined ? 'now' : after / 1000}`);

  test('a new policy brings its taint when its window ends, at once if that is over', () => {
    expect(gains(look([], [netDown], true))).toEqual(['net 250']);
    expect(gains(look([], [netDown], true, 500))).toEqual(['net now']);
  });

  test('what comes without the change as well is not of the change', () => {
    expect(gains(look([netDown], [netDown], true))).toEqual([]);
  });

  test('an edited time counts for the window that runs', () => {
    expect(gains(look([netDown], [sooner], true))).toEqual(['net 70']);
  });

  test('a policy that is deleted calls off what its window would have brought', () => {
    const { calledOff } = look([netDown], [], true);
    expect(calledOff.gains).toMatchObject([{ taint: { key: 'net' }, after: 250_000 }]);
    expect(calledOff.loses).toEqual([]);
  });
});

describe('how soon a condition can turn back', () => {
  const push = east([]);
  const pull: Cluster = { ...push, spec: { syncMode: 'Pull' } };

  test.each([
    // Ready of a Push cluster is debounced, with a separate threshold each way
    ['Ready', push, 'adds', 30_000, 'cluster-success-threshold'],
    ['Ready', push, 'removes', 30_000, 'cluster-failure-threshold'],
    ['Net', push, 'adds', 10_000, 'cluster-status-update-frequency'],
    ['Ready', pull, 'adds', 10_000, 'cluster-status-update-frequency'],
  ] as const)('%s of %j, for a window that %s: %i ms', (type, cluster, verb, after, flag) => {
    expect(shortestTurn(type, cluster, verb, failoverByDesign)).toEqual({ after, flag });
  });

  test('the next probe, if the threshold is no longer than that', () => {
    const quick = {
      ...failoverByDesign,
      controllerManager: { ...failoverByDesign.controllerManager, 'cluster-success-threshold': 5000 },
    };
    expect(shortestTurn('Ready', push, 'adds', quick)).toEqual({
      ...{ after: 10_000, flag: 'cluster-status-update-frequency' },
    });
  });
});
