// node scripts/run-ts.mjs test/e2e/recordDrain.ts [NAME…]: records drains on real Karmada, for test/operations/recordedPlane.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { cancelDrain } from '../../src/operations/drain/cancelDrain.ts';
import { executeDrain } from '../../src/operations/drain/executeDrain.ts';
import { slimServer, type SlimServer } from '../../src/operations/slimServer.ts';
import type { ApiServer, WriteOptions } from '../../src/state/live/apiServer.ts';
import { connect } from '../../src/state/live/connect.ts';
import {
  configurationOfRecording,
  endOfCancel,
  endOfDrain,
  type RecordedDrain,
  type RecordedFlags,
  type RecordedTurn,
} from '../operations/recordedPlane.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { buildMissing } from './controlPlane/binaries.ts';
import { drainsToRecord, type DrainToRecord, type TurnToRecord } from './drainsToRecord.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import { createAll, namespace } from './workloads.ts';

const PATHS = [
  '/apis/cluster.karmada.io/v1alpha1/clusters',
  '/apis/work.karmada.io/v1alpha2/resourcebindings',
  '/apis/work.karmada.io/v1alpha2/clusterresourcebindings',
  '/apis/work.karmada.io/v1alpha1/works',
];
const TARGET = 'test/operations/drain/data';
const RUNNER = 'recorder@bed';

buildMissing(console.log);
mkdirSync(TARGET, { recursive: true });
const named = process.argv.slice(2);
for (const [name, drain] of Object.entries(drainsToRecord))
  if (named.length === 0 || named.includes(name)) await record(name, drain);

async function record(name: string, { flags, objects, turns }: DrainToRecord): Promise<void> {
  const bed = await up({ ...defaultOptions, ...bedFlags(flags), readyAfter: 2 }, (line) =>
    console.log(`${name}: ${line}`),
  );
  try {
    await createAll(bed.api(), [namespace('shop'), ...objects]);
    await steadyBindings(bed, objects.filter(({ kind }) => !kind.endsWith('Policy')).length);
    await sleep(15_000);
    const server = slimServer(await connect({ kubeconfig: bed.kubeconfig }));
    const recording = await recorded(bed, server, flags, turns);
    server.close();
    writeFileSync(`${TARGET}/${name}.json.gz`, gzipSync(JSON.stringify(recording), { level: 9 }));
    const { writes, events } = recording;
    const ends = recording.turns.map((turn) => ('ended' in turn ? JSON.stringify(turn.ended) : ''));
    console.log(`${name}: ${writes.length} writes, ${events.length} events`, ...ends);
  } finally {
    await bed.down();
  }
}

function bedFlags({ featureGates, controllerManager }: RecordedFlags) {
  const text = (value: unknown) => (typeof value === 'number' ? `${value / 1000}s` : String(value));
  const flags = Object.entries(controllerManager).map(([flag, value]) => [flag, text(value)] as const);
  return {
    featureGates,
    controllerManager: { 'cluster-status-update-frequency': '5s', ...Object.fromEntries(flags) },
  };
}

/** Carries out the turns one after another, and records all writes and all changes. */
async function recorded(
  bed: Bed,
  server: SlimServer,
  flags: RecordedFlags,
  toDo: TurnToRecord[],
): Promise<RecordedDrain> {
  const objects: KubernetesObject[] = [];
  for (const path of PATHS)
    await server.list(path, { onPage: (page) => void objects.push(...page.filter(isOurs)) });
  const start = Date.now();
  const at = () => Date.now() - start;
  const events: RecordedDrain['events'] = [];
  const writes: RecordedDrain['writes'] = [];
  const abort = new AbortController();
  const known = new Set(objects.map(({ metadata }) => metadata.resourceVersion));
  const watches = PATHS.map((path) =>
    bed.api().follow(
      path,
      ({ type, object }) => {
        const seen = server.slimmed(object);
        if (!known.has(seen.metadata.resourceVersion) && isOurs(seen))
          events.push({ at: at(), type, object: seen });
      },
      abort.signal,
    ),
  );
  await sleep(1000);
  const writing: ApiServer = {
    ...server,
    async patch<T>(path: string, patch: unknown, options: WriteOptions = {}) {
      const sent = at();
      const answer = await server.patch<T>(path, patch, options);
      const { subresource } = options;
      writes.push({
        at: sent,
        path,
        ...(subresource ? { subresource } : {}),
        patch,
        answer: server.slimmed(answer) as unknown as KubernetesObject,
      });
      return answer;
    },
  };
  const turns: RecordedTurn[] = [];
  for (const turn of toDo) turns.push(await taken(turn, at(), bed, writing, flags));
  await sleep(5000);
  abort.abort();
  await Promise.all(watches);
  return { karmada: bed.file.karmada, start, flags, objects, turns, writes, events };
}

async function taken(
  turn: TurnToRecord,
  at: number,
  bed: Bed,
  server: ApiServer,
  flags: RecordedFlags,
): Promise<RecordedTurn> {
  const configuration = configurationOfRecording({ flags });
  if ('drain' in turn) {
    const { drain, timeout } = turn;
    const result = await executeDrain(server, drain, { configuration, timeout, runner: RUNNER });
    return { at, ...turn, ended: endOfDrain(result) };
  }
  if ('cancel' in turn)
    return { at, ...turn, ended: endOfCancel(await cancelDrain(server, turn.cancel, { configuration })) };
  if ('kill' in turn) await bed.kill(turn.kill);
  else bed.restart(turn.restart);
  return { at, ...turn };
}

/** The objects of the drain: Karmada also has objects of its own in every member. */
function isOurs({ kind, metadata, spec }: KubernetesObject & { spec?: unknown }): boolean {
  if (kind !== 'Work') return true;
  const manifests = (spec as { workload?: { manifests?: { metadata?: { namespace?: string } }[] } }).workload
    ?.manifests;
  return metadata.namespace !== undefined && manifests?.[0]?.metadata?.namespace === 'shop';
}
