// Follows a generated control plane as controller run does, in its own process: memory per binding, events handled per
// second of CPU time, and the cost of deciding about everything on 100 clusters that fail at once. --bindings N
// --clusters N --events N
import { setImmediate as breathe } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { reconcileNews } from '../../src/karmada/running/controllerNews.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { createDryRunWrites } from '../../src/operations/controllers/dryRunWrites.ts';
import { followedBy, openLiveView, type LiveView } from '../../src/operations/controllers/liveView.ts';
import { runOnLive } from '../../src/operations/controllers/runOnLive.ts';
import { isUncontested } from '../../src/operations/leadership.ts';
import { mirror } from '../../src/state/live/mirrors/reflector.ts';
import { jobs } from '../../src/karmada/controllers/registry.ts';
import { controllersFor } from '../../src/karmada/running/karmadaControllers.ts';
import { generateState } from '../generate.ts';
import { cpuSeconds } from '../measure.ts';
import { pushingServer } from './pushingServer.ts';

export interface Followed {
  bindings: number;
  /** of heap, per binding */
  bytes: number;
  /** per second of CPU time */
  events: number;
  /** how many events were handled, and how many reconciles they caused */
  taken: number;
  /** pairs of a failed cluster and a binding on it, and how many of them were decided */
  pairs: number;
  decided: number;
  /** seconds of CPU time for all of them */
  failure: number;
}

const { values } = parseArgs({
  options: {
    bindings: { type: 'string', default: '10000' },
    clusters: { type: 'string', default: '500' },
    events: { type: 'string', default: '20000' },
  },
});
const [bindings, clusters, events] = [values.bindings, values.clusters, values.events].map(Number) as [
  number,
  number,
  number,
];
/** Events are sent for this many bindings, whatever the size. */
const CONCERNED = 500;
const FAILING = 100;
/** Evictions per second: high, so that only the cost of deciding is measured. */
const NO_LIMIT = 1e9;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
function heap(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const { defaults } = dialectOf('proposal').dialect;
const configuration: Configuration = {
  ...defaults,
  featureGates: { ...defaults.featureGates, Failover: true },
  controllerManager: { ...defaults.controllerManager, 'resource-eviction-rate': NO_LIMIT },
};

const server = pushingServer();
const concerned: ResourceBinding[] = [];
const members: Cluster[] = [];
const onFailing = new Set<string>();
let pairs = 0;
const generated = () => generateState({ bindings, clusters, seed: 1, works: false }).objects;
for (const object of generated()) {
  const { kind, metadata } = object as KubernetesObject;
  if (kind === 'Cluster') {
    members.push(object as Cluster);
    if (onFailing.size < FAILING) onFailing.add(metadata.name);
  }
  if (kind === 'ResourceBinding') {
    const binding = object as ResourceBinding;
    pairs += binding.spec.clusters!.filter(({ name }) => onFailing.has(name)).length;
    if (concerned.length < CONCERNED) concerned.push(binding);
  }
}

const before = heap();
// the design does not cover policies of the released form
for (const object of generated() as Iterable<KubernetesObject>)
  if (object.kind === 'Cluster' || object.kind === 'ResourceBinding') server.add(object);
const stop = new AbortController();
const imagined = createDryRunWrites((kind, key, object) => live.show(kind, key, object));
const live: LiveView = openLiveView(server, {
  configuration,
  followed: followedBy(jobs),
  openMirror: mirror,
  signal: stop.signal,
  now: server.now(),
  seen: imagined.seen,
});
await live.synced;
server.forget();
const bytes = (heap() - before) / bindings;

let decided = 0;
const running = runOnLive(server, {
  controllers: controllersFor(jobs),
  configuration,
  live,
  leadership: isUncontested(stop.signal),
  instead: imagined.api,
  localNow: () => performance.now(),
  observer: {
    reconciled(look) {
      for (const { type } of reconcileNews(look)) if (type === 'evicted' || type === 'abandoned') decided++;
    },
  },
});
const quiet = async (rounds: number) => {
  for (let round = 0; round < rounds; round++) await breathe();
};
await quiet(50);

let taken = 0;
const unsubscribe = live.subscribe(() => void taken++);
const push = async (count: number) => {
  const wanted = taken + count;
  for (let at = 0; at < count; at++) {
    const binding = concerned[at % concerned.length]!;
    const lastScheduledTime = new Date(server.now() + at * 1000).toISOString();
    server.push({ ...binding, status: { ...binding.status, lastScheduledTime } } as KubernetesObject);
    if (at % 100 === 99) await breathe();
  }
  while (taken < wanted) await breathe();
};
await push(events / 4);
const began = cpuSeconds();
await push(events);
const perSecond = events / (cpuSeconds() - began);
unsubscribe();

const failing = cpuSeconds();
const timeAdded = new Date(server.now()).toISOString().replace(/\.\d+Z$/, 'Z');
for (const cluster of members.filter(({ metadata }) => onFailing.has(metadata.name)))
  server.push({
    ...cluster,
    spec: { ...cluster.spec, taints: [{ key: 'region', effect: 'NoExecute', timeAdded }] },
  } as unknown as KubernetesObject);
let seen = -1;
for (let still = 0; still < 200;) {
  await breathe();
  if (decided === seen) still++;
  else still = 0;
  seen = decided;
}
const failure = cpuSeconds() - failing;
stop.abort();
live.stop();
await running;
const followed: Followed = { bindings, bytes, events: perSecond, taken, pairs, decided, failure };
console.log(JSON.stringify(followed));
process.exit(0);
