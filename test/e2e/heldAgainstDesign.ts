import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { latencies } from '../../src/karmada/latencies.ts';
import {
  compareSteps,
  recordedSteps,
  simulatedSteps,
  type ReplayResult,
  type Steps,
} from '../recordings/replay.ts';
import { simulateFiles } from '../recordings/simulateFiles.ts';
import { captureState, record, type Change, type Recording } from './capture.ts';
import type { Bed } from './controlPlane/bed.ts';

/** The incident of a control plane on which `controller run` plays a design. */
export interface DesignedIncident {
  /** names the recording */
  name: string;
  /** causes it; resolves when nothing is left to do */
  act(recording: Recording): Promise<void>;
  /** flags of the controllers, as `controller run` has them */
  flags?: Record<string, number>;
  neverReady?: { kind: string; namespace: string; name: string; cluster: string }[];
  readyAfter?: number;
}

export interface HeldAgainstDesign extends ReplayResult {
  /** bindings in the order of their first eviction */
  evicted: { recorded: string[]; simulated: string[] };
  recording: Recording;
}

/**
 * Captures the state, causes an incident, and simulates the same under the design from the captured state: each Ready condition at the
 * instant at which it changed.
 */
export async function heldAgainstDesign(bed: Bed, incident: DesignedIncident): Promise<HeldAgainstDesign> {
  const { name, act, flags = {}, neverReady = [] } = incident;
  const files = join(process.env.E2E_RECORDINGS ?? bed.file.directory, name);
  mkdirSync(files, { recursive: true });
  const [state, scenario] = [join(files, '01-before.json'), join(files, 'scenario.yaml')];
  await captureState(bed.api(), state);
  const start = new Date().toISOString();
  const recording = await record(bed.api());
  await act(recording);
  await recording.stop();
  const assume = {
    featureGates: { Failover: true },
    controllerManager: flags,
    // agents here report replicas as ready at once
    workloadReadyAfter: `${(incident.readyAfter ?? bed.file.options.readyAfter) * 1000 - latencies.readinessReport}ms`,
    neverReady,
  };
  // a moment later, because nothing is left to do: the last step may come later there
  const until = new Date(Date.now() + 10_000).toISOString();
  writeFileSync(scenario, dump({ start, until, assume, events: readyChanges(recording.changes) }));
  const watch = recording.changes.map((change) => JSON.stringify(change)).join('\n');
  writeFileSync(join(files, 'watch.jsonl'), `${watch}\n`);

  const recorded = recordedSteps(watch);
  const simulated = simulatedSteps(await simulateFiles(state, scenario, 'proposal'), recorded);
  return {
    ...compareSteps(recorded, simulated),
    evicted: { recorded: evicted(recorded), simulated: evicted(simulated) },
    recording,
  };
}

/** The events of a scenario: conditions that changed. */
function readyChanges(changes: readonly Change[]): object[] {
  const before = new Map<string, string>();
  const events: object[] = [];
  for (const { time, resource, object } of changes) {
    if (resource !== 'clusters') continue;
    const cluster = object.metadata.name;
    const ready = object.status?.conditions?.find(({ type }) => type === 'Ready');
    const known = before.get(cluster);
    if (known !== undefined && ready && known !== ready.status)
      events.push({
        at: time,
        condition: { cluster, type: 'Ready', status: ready.status, reason: ready.reason },
      });
    if (ready) before.set(cluster, ready.status);
  }
  return events;
}

/** The bindings that got a task for a cluster, in chronological order; one that gets two is listed twice. */
function evicted(steps: Steps): string[] {
  return [...steps]
    .flatMap(([key, rows]) =>
      rows.flatMap(({ time, placement }, i): [binding: string, time: number][] => {
        const count = (text: string) =>
          text
            .split('| evicting ')[1]!
            .split(' ')
            .filter((one) => one !== '-').length;
        return i > 0 && count(placement) > count(rows[i - 1]!.placement) ? [[key, time]] : [];
      }),
    )
    .sort(([, a], [, b]) => a - b)
    .map(([key]) => key);
}
