import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { stepsOf as stepsOfSeen, type Steps } from '../../src/analysis/history/replay/steps.ts';
import type { Change } from './recording.ts';

export {
  compareSteps,
  keyOf,
  median,
  placementText,
  simulatedSteps,
  type ComparedSteps as ReplayResult,
  type PlacementStep,
  type Steps,
} from '../../src/analysis/history/replay/steps.ts';

/** Reads the steps from the lines of a watch. */
export function recordedSteps(watch: string): Steps {
  const rows = watch.split('\n').filter((line) => line !== '');
  return stepsOf(
    rows
      .map((line) => JSON.parse(line) as Omit<Change, 'time'> & { time: string })
      .map((row) => ({ ...row, time: Date.parse(row.time) })),
  );
}

/** The steps of bindings in those changes, in chronological order. */
export function stepsOf(changes: readonly Change[]): Steps {
  return stepsOfSeen(
    changes
      .filter(({ resource, type }) => /^(cluster)?resourcebindings$/.test(resource) && type !== 'DELETED')
      .map(({ time, object }) => ({ time, object: object as KubernetesObject & ResourceBinding })),
  );
}
