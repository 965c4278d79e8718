import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dump } from 'js-yaml';
import { latencies } from '../../src/engine/simulation/latencies.ts';
import type { KubernetesObject, Taint } from '../../src/karmada/api/meta.ts';
import { compareSteps, recordedSteps, simulatedSteps, type ReplayResult } from '../recordings/replay.ts';
import { simulateFiles } from '../recordings/simulateFiles.ts';
import { captureState, record } from './capture.ts';
import type { Api } from './controlPlane/api.ts';
import type { Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { bindings } from './heldAgainstSimulation.ts';
import { timesOff, type TimesOff } from './timesOff.ts';
import { createAll } from './workloads.ts';

interface Target {
  kind: string;
  namespace?: string;
  name: string;
}

/** An event as scenario files have it; `health` is what members say by themselves, brought about elsewhere. */
export type Happening =
  | { taint: { cluster: string; key: string; effect: Taint['effect'] } }
  | { untaint: { cluster: string; key: string; effect: Taint['effect'] } }
  | { patch: Target & { merge: object } }
  | { apply: KubernetesObject[] }
  | { delete: Target }
  | { health: Target & { cluster: string; status: 'Healthy' | 'Unhealthy' } };

export interface Story {
  /** names the recording */
  name: string;
  /** what happens, each after so many seconds */
  happenings: [after: number, ...happenings: Happening[]][];
  /** how long Karmada is watched */
  seconds: number;
  neverReady?: (Target & { cluster: string })[];
}

/**
 * Captures the state, lets a story happen to the control plane while its bindings are recorded, and simulates the
 * same: each event at the instant at which the API server had taken it.
 */
export async function heldAgainstStory(bed: Bed, story: Story): Promise<ReplayResult & TimesOff> {
  const { name, happenings, seconds, neverReady = [] } = story;
  const files = join(process.env.E2E_RECORDINGS ?? bed.file.directory, name);
  mkdirSync(files, { recursive: true });
  const [state, scenario] = [join(files, '01-before.json'), join(files, 'scenario.yaml')];
  const api = bed.api();

  await captureState(api, state);
  const start = Date.now();
  const recording = record(api);
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
  // the members here report at once that replicas are ready
  const workloadReadyAfter = `${readyAfter * 1000 - latencies.readinessReport}ms`;
  const assume = { featureGates, controllerManager, workloadReadyAfter, neverReady };
  writeFileSync(scenario, dump({ start: new Date(start).toISOString(), until, assume, events }));
  const watch = recording.changes.map((change) => JSON.stringify(change)).join('\n');
  writeFileSync(join(files, 'watch.jsonl'), `${watch}\n`);

  const recorded = recordedSteps(watch);
  const simulated = simulatedSteps(await simulateFiles(state, scenario), recorded);
  const result = compareSteps(recorded, simulated);
  return { ...result, ...timesOff(result.same, recorded, simulated) };
}

const groups: Record<string, string> = {
  Cluster: 'cluster.karmada.io/v1alpha1',
  Deployment: 'apps/v1',
  PropagationPolicy: 'policy.karmada.io/v1alpha1',
  ResourceBinding: 'work.karmada.io/v1alpha2',
};

function pathOf({ kind, namespace, name }: Target): string {
  const group = groups[kind];
  if (!group) throw new Error(`where the API keeps a ${kind} is not known here`);
  const plural = `${kind.toLowerCase()}s`.replace(/ys$/, 'ies');
  return `/apis/${group}${namespace ? `/namespaces/${namespace}` : ''}/${plural}/${name}`;
}

/** Lets something really happen. */
async function enact(api: Api, happening: Happening): Promise<void> {
  if ('patch' in happening) await api.merge(pathOf(happening.patch), happening.patch.merge);
  else if ('apply' in happening) await createAll(api, happening.apply);
  else if ('delete' in happening) await api.remove(pathOf(happening.delete));
  else if ('taint' in happening) await writeTaint(api, happening.taint, true);
  else if ('untaint' in happening) await writeTaint(api, happening.untaint, false);
}

async function writeTaint(
  api: Api,
  { cluster, key, effect }: { cluster: string } & Pick<Taint, 'key' | 'effect'>,
  wanted: boolean,
): Promise<void> {
  const path = pathOf({ kind: 'Cluster', name: cluster });
  const { spec } = await api.get<{ spec?: { taints?: Taint[] } }>(path);
  const others = (spec?.taints ?? []).filter((taint) => taint.key !== key || taint.effect !== effect);
  const taints = wanted ? [{ key, effect }, ...others] : others;
  await api.merge(path, { spec: { taints } });
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
