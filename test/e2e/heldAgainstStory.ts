import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dump } from 'js-yaml';
import { latencies } from '../../src/karmada/latencies.ts';
import { compareSteps, recordedSteps, simulatedSteps, type ReplayResult } from '../recordings/replay.ts';
import { simulateFiles } from '../recordings/simulateFiles.ts';
import { captureState, record } from './capture.ts';
import type { Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { enact, type Happening, type Target } from './happening.ts';
import { bindings } from './heldAgainstSimulation.ts';
import { timesOff, type TimesOff } from './timesOff.ts';

export interface Story {
  /** names the recording */
  name: string;
  /** the events, each after this many seconds */
  happenings: [after: number, ...happenings: Happening[]][];
  /** how long Karmada is watched */
  seconds: number;
  neverReady?: (Target & { cluster: string })[];
}

/**
 * Captures the state, plays a story on the control plane while recording its bindings, and simulates the same: each event at the instant at
 * which the API server accepted it.
 */
export async function heldAgainstStory(bed: Bed, story: Story): Promise<ReplayResult & TimesOff> {
  const { name, happenings, seconds, neverReady = [] } = story;
  const files = join(process.env.E2E_RECORDINGS ?? bed.file.directory, name);
  mkdirSync(files, { recursive: true });
  const [state, scenario] = [join(files, '01-before.json'), join(files, 'scenario.yaml')];
  const api = bed.api();

  await captureState(api, state);
  const start = Date.now();
  const recording = await record(api);
  await sleep(1000);
  const events: object[] = [];
  for (const [after, ...together] of happenings) {
    await sleep(Math.max(0, start + 1000 + after * 1000 - Date.now()));
    for (const happening of together) {
      const at = new Date().toISOString();
      await enact(api, happening);
      events.push({ at, ...happening });
    }
  }
  await sleep(Math.max(0, start + 1000 + seconds * 1000 - Date.now()));
  await recording.stop();
  const until = new Date().toISOString();

  const { featureGates, controllerManager, readyAfter } = bed.file.options;
  // the members here report replicas as ready at once
  const workloadReadyAfter = `${readyAfter * 1000 - latencies.readinessReport}ms`;
  const assume = { featureGates, controllerManager, workloadReadyAfter, neverReady };
  writeFileSync(scenario, dump({ start: new Date(start).toISOString(), until, assume, events }));
  const watch = recording.changes.map((change) => JSON.stringify(change)).join('\n');
  writeFileSync(join(files, 'watch.jsonl'), `${watch}\n`);

  const recorded = recordedSteps(watch);
  const simulated = simulatedSteps(await simulateFiles(state, scenario, bed.file.karmada), recorded);
  const result = compareSteps(recorded, simulated);
  return { ...result, ...timesOff(result.same, recorded, simulated) };
}

/** Waits until everything is scheduled, applied and healthy. */
export async function steadyBindings(bed: Bed, count: number): Promise<void> {
  await eventually(
    'steady bindings',
    async () => {
      const found = await bindings(bed);
      return (
        found.length === count &&
        found.every(({ spec, status }) => {
          const clusters = spec.clusters ?? spec.requiredBy?.flatMap((parent) => parent.clusters ?? []) ?? [];
          return (
            clusters.length > 0 &&
            status?.aggregatedStatus?.length === clusters.length &&
            status.aggregatedStatus.every(({ applied, health }) => applied && health === 'Healthy')
          );
        })
      );
    },
    { within: 90_000 },
  );
}
