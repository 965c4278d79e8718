import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dump } from 'js-yaml';
import { latencies } from '../../src/karmada/latencies.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { compareSteps, recordedSteps, simulatedSteps, type ReplayResult } from '../recordings/replay.ts';
import { simulateFiles } from '../recordings/simulateFiles.ts';
import { captureState, record, type Recording } from './capture.ts';
import type { Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { timesOff, type TimesOff } from './timesOff.ts';

/** An incident of a control plane, and the cluster condition by which Karmada shows that it noticed. */
export interface Incident {
  /** names the recording */
  name: string;
  act: () => unknown;
  cluster: string;
  ready: 'True' | 'False' | 'Unknown';
  /** flags of the controller manager that the simulation uses; default: those of the test bed */
  simulated?: Record<string, string>;
  neverReady?: { kind: string; namespace: string; name: string; cluster: string }[];
}

/**
 * Captures the state, causes an incident, records Karmada until it has nothing left to do, and simulates the same from the captured state,
 * from the moment at which Karmada noticed.
 *
 * With E2E_RECORDINGS=DIR the recording is kept there, in the form that `npm run replay -- DIR` replays.
 */
export async function heldAgainstSimulation(bed: Bed, incident: Incident): Promise<ReplayResult & TimesOff> {
  const { name, act, cluster, ready, neverReady = [] } = incident;
  const files = incidentFolder(bed, name);
  mkdirSync(files, { recursive: true });
  const [state, scenario] = [join(files, '01-before.json'), join(files, 'scenario.yaml')];

  await captureState(bed.api(), state);
  const start = new Date().toISOString();
  const recording = await record(bed.api());
  await sleep(1000);
  await act();
  const noticed = await eventually(
    `${cluster} with Ready=${ready}`,
    async () => readyChange(recording, cluster, ready),
    {
      within: 120_000,
    },
  );
  await eventually('the end of all evictions', () => isAtRest(bed, recording, Date.parse(noticed.time)), {
    within: 240_000,
  });
  await recording.stop();
  const until = new Date().toISOString();

  const { featureGates, readyAfter } = bed.file.options;
  const controllerManager = incident.simulated ?? bed.file.options.controllerManager;
  // the members here report replicas as ready at once
  const workloadReadyAfter = `${readyAfter * 1000 - latencies.readinessReport}ms`;
  const condition = { cluster, type: 'Ready', status: ready, reason: noticed.reason };
  writeFileSync(
    scenario,
    dump({
      start,
      until,
      assume: { featureGates, controllerManager, workloadReadyAfter, neverReady },
      events: [{ at: noticed.time, condition }],
    }),
  );
  const watch = recording.changes.map((change) => JSON.stringify(change)).join('\n');
  writeFileSync(join(files, 'watch.jsonl'), `${watch}\n`);

  const recorded = recordedSteps(watch);
  const simulated = simulatedSteps(await simulateFiles(state, scenario, bed.file.karmada), recorded);
  const result = compareSteps(recorded, simulated);
  return { ...result, ...timesOff(result.same, recorded, simulated) };
}

/** Where the state before an incident and the recording are kept. */
export function incidentFolder(bed: Bed, name: string): string {
  return join(process.env.E2E_RECORDINGS ?? bed.file.directory, name);
}

function readyChange({ changes }: Recording, cluster: string, wanted: string) {
  let before: string | undefined;
  for (const { time, resource, object } of changes) {
    if (resource !== 'clusters' || object.metadata.name !== cluster) continue;
    const ready = object.status?.conditions?.find(({ type }) => type === 'Ready');
    if (before !== undefined && before !== ready?.status && ready?.status === wanted)
      return { time, reason: ready.reason };
    before = ready?.status;
  }
  return undefined;
}

/** Whether no eviction is in progress, and no binding has moved for longer than the taint manager's interval. */
async function isAtRest(bed: Bed, { changes }: Recording, since: number): Promise<boolean> {
  if ((await bindings(bed)).some(({ spec }) => spec.gracefulEvictionTasks?.length)) return false;
  // the watch may lag behind the read state
  await sleep(1000);
  const last = changes.findLast(({ resource }) => resource.endsWith('bindings'))?.time ?? '';
  return Date.now() - Math.max(since, Date.parse(last)) > 12_000;
}

export async function bindings(bed: Bed): Promise<ResourceBinding[]> {
  const { items } = await bed.api().list('/apis/work.karmada.io/v1alpha2/resourcebindings');
  return items as unknown as ResourceBinding[];
}
