import type { MemberAssumptions } from '../../src/karmada/members/memberAssumptions.ts';
import type { ScenarioAction } from '../../src/simulator/scenario.ts';
import type { ControllerName } from '../../src/karmada/controllers/karmada.ts';
import type { View } from '../../src/karmada/controllers/view.ts';
import type { Change as StoreChange, Write } from '../../src/karmada/controllers/write.ts';
import { bindingKey } from '../../src/karmada/objects/identities.ts';
import { karmadaControllers } from '../../src/karmada/running/karmadaControllers.ts';
import { followReadyReplicas } from '../../src/simulator/verdicts/readyReplicas.ts';
import { scenarioWrites } from '../../src/simulator/simulation/scenarioWrites.ts';
import { createStartingWorld } from '../../src/simulator/store/startingWorld.ts';
import { canonicalOrdering } from '../../src/simulator/virtualTime/ordering.ts';
import { createVirtualTime } from '../../src/simulator/virtualTime/virtualTime.ts';
import type { World } from '../../src/karmada/world.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../src/karmada/api/policy.ts';
import type { ResourceBinding, ResourceHealth, Work } from '../../src/karmada/api/work.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import { v1_18 } from '../dialects.ts';
import {
  createClient,
  existingIn,
  listedIn,
  type Change,
  type Client,
  type ClientOptions,
  type Served,
  type Stored,
} from './fakeClient.ts';
import { waitableTime, type VirtualTime } from './virtualTime.ts';

export interface FakeOptions {
  start: number;
  configuration?: Configuration;
  members?: Partial<MemberAssumptions>;
  /** controllers of Karmada's that do not run */
  without?: readonly ControllerName[];
}

export interface FakeControlPlane {
  time: VirtualTime;
  readonly view: View;
  /** Causes an external event. */
  play(action: ScenarioAction): void;
  client(options?: ClientOptions): Client;
  clusters(): Cluster[];
  bindings(): ResourceBinding[];
  binding(name: string): ResourceBinding;
  works(): Work[];
  /** Writes an object as another client, unconditionally. */
  edit<T extends KubernetesObject>(path: string, change: (object: T) => T): void;
  /** A member reports another health for a workload; unhealthy ones have no ready replicas. */
  setHealth(binding: string, cluster: string, health: ResourceHealth): void;
  /** A member becomes unreachable, and Karmada has noticed. */
  loseTouch(cluster: string): void;
  readonly history: History;
}

/** What has happened, for assertions. */
export interface History {
  /** "binding from cluster" for each eviction task of a drain */
  evictions: string[];
  /** the same for each task, whoever created it */
  tasks: string[];
  /** the fewest ready replicas that a binding ever had, by name */
  leastReady: Map<string, number>;
  /** ready replicas at the start, by name */
  readyAtStart: Map<string, number>;
}

const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters';
const WORK_GROUP = '/apis/work.karmada.io';

/**
 * A control plane in memory and in virtual time, with the engine's controllers of Karmada. It agrees with the engine even if that is wrong,
 * so it is for what recordings cannot cover: properties over generated worlds and faults, where any write may come at any time, and changes
 * by others that Karmada must react to. `recordedPlane.ts` tests drains against Karmada itself.
 */
export function createFakeControlPlane(world: World, options: FakeOptions): FakeControlPlane {
  const configuration = options.configuration ?? v1_18.defaults;
  const assumptions: MemberAssumptions = { workloadReadyAfter: 20_000, neverReady: [], ...options.members };
  const starting = createStartingWorld(world, configuration, { start: options.start, members: assumptions });
  const karmada = createVirtualTime(starting, {
    controllers: karmadaControllers(assumptions).filter(({ name }) => !options.without?.includes(name)),
    ordering: canonicalOrdering,
    explained: false,
  });
  const { view } = karmada;
  const time = waitableTime(karmada);
  const ready = followReadyReplicas(karmada);
  const history: History = { evictions: [], tasks: [], leastReady: new Map(), readyAtStart: new Map() };

  let version = 1000;
  let uids = 0;
  const store = new Map<string, Stored>();
  const subscribers = new Set<(path: string, change: Change) => void>();

  function put(path: string, object: KubernetesObject, uid?: string): Stored {
    const before = store.get(path);
    const stored: Stored = {
      ...object,
      metadata: {
        ...object.metadata,
        uid: uid ?? before?.metadata.uid ?? object.metadata.uid ?? `uid-${++uids}`,
        resourceVersion: String(++version),
      },
    };
    store.set(path, stored);
    for (const notify of subscribers) notify(path, { type: before ? 'MODIFIED' : 'ADDED', object: stored });
    return stored;
  }
  function drop(path: string): void {
    const before = store.get(path);
    if (!before) return;
    store.delete(path);
    const object = { ...before, metadata: { ...before.metadata, resourceVersion: String(++version) } };
    for (const notify of subscribers) notify(path, { type: 'DELETED', object });
  }

  const bindingPath = ({ metadata }: ResourceBinding) =>
    metadata.namespace
      ? `${WORK_GROUP}/v1alpha2/namespaces/${metadata.namespace}/resourcebindings/${metadata.name}`
      : `${WORK_GROUP}/v1alpha2/clusterresourcebindings/${metadata.name}`;
  const workPath = ({ metadata }: Work) =>
    `${WORK_GROUP}/v1alpha1/namespaces/${metadata.namespace}/works/${metadata.name}`;
  const clusterPath = ({ metadata }: Cluster) => `${CLUSTERS}/${metadata.name}`;
  const policyPath = ({ metadata }: ClusterTaintPolicy) =>
    `/apis/policy.karmada.io/v1alpha1/clustertaintpolicies/${metadata.name}`;
  const serve = <T>(path: (object: T) => string, before: T | undefined, after: T | undefined) => {
    if (after) put(path(after), after as unknown as KubernetesObject);
    else drop(path(before!));
  };

  /** The API serves the controllers' writes. */
  function follow(change: StoreChange): void {
    const { before, after } = change;
    if (change.kind === 'Cluster') serve(clusterPath, change.before, change.after);
    else if (change.kind === 'ClusterTaintPolicy') serve(policyPath, change.before, change.after);
    else if (change.kind === 'Work') serve(workPath, change.before, change.after);
    else if (change.kind === 'Binding') {
      noteEvictions(before as ResourceBinding | undefined, after as ResourceBinding | undefined);
      serve(bindingPath, change.before, change.after);
    }
  }
  karmada.follow(({ changes }) => changes.forEach(follow));
  for (const cluster of view.all('Cluster')) serve(clusterPath, undefined, cluster);
  for (const policy of view.all('ClusterTaintPolicy')) serve(policyPath, undefined, policy);
  for (const binding of view.all('Binding')) {
    serve(bindingPath, undefined, binding);
    for (const work of view.worksOf(binding).values()) serve(workPath, undefined, work);
    const { name } = binding.metadata;
    history.readyAtStart.set(name, ready.of(bindingKey(binding)));
    history.leastReady.set(name, ready.of(bindingKey(binding)));
  }
  ready.onChange((key) => {
    const name = key.slice(key.indexOf('/') + 1);
    history.leastReady.set(name, Math.min(ready.of(key), history.leastReady.get(name) ?? Infinity));
  });

  function noteEvictions(before: ResourceBinding | undefined, after: ResourceBinding | undefined): void {
    const known = new Set(before?.spec.gracefulEvictionTasks?.map(({ fromCluster }) => fromCluster));
    for (const { fromCluster, producer } of after?.spec.gracefulEvictionTasks ?? []) {
      if (known.has(fromCluster)) continue;
      history.tasks.push(`${after!.metadata.name} from ${fromCluster}`);
      if (producer === 'karmada-failover')
        history.evictions.push(`${after!.metadata.name} from ${fromCluster}`);
    }
  }

  /** Accepts a write of any client; the controllers are notified. */
  function write(
    path: string,
    before: Stored,
    after: KubernetesObject,
    part: 'object' | 'status' = 'object',
  ): Stored {
    if (before.kind === 'Work') throw new Error('nobody writes Works here');
    const kind = before.kind === 'Cluster' ? 'Cluster' : 'Binding';
    const key = kind === 'Cluster' ? before.metadata.name : bindingKey(before as unknown as ResourceBinding);
    const base = view.get(kind, key);
    if (!base) throw new Error(`${before.kind} ${key} is not there`);
    const object = { ...after, metadata: withoutVersion(after.metadata) };
    karmada.write('somebody', [
      { verb: 'update', kind, key, part, lock: false, base, object } as unknown as Write,
    ]);
    return store.get(path)!;
  }

  let edits = 0;
  function touch(path: string): void {
    const before = store.get(path);
    if (!before || before.kind === 'Work') return;
    const annotations = { ...before.metadata.annotations, [`somebody/edit-${++edits}`]: 'yes' };
    write(path, before, { ...before, metadata: { ...before.metadata, annotations } });
  }

  const existing = (path: string) => existingIn(store, path);
  const listed = (path: string) => listedIn(store, path);
  const served: Served = {
    time,
    existing,
    listed,
    subscribers,
    touch,
    version: () => String(version),
    write: ({ path, before, after, part }) => write(path, before, after, part),
  };

  const play = (action: ScenarioAction): void => {
    for (const one of scenarioWrites(action, view, configuration, time.now()))
      karmada.write('somebody', [one]);
  };

  return {
    time,
    view,
    play,
    client: (given) => createClient(served, given),
    clusters: () => listed(CLUSTERS) as unknown as Cluster[],
    bindings: () => [...view.all('Binding')],
    binding: (name) => [...view.all('Binding')].find(({ metadata }) => metadata.name === name)!,
    works: () => listed(`${WORK_GROUP}/v1alpha1/works`) as unknown as Work[],
    edit(path, change) {
      const before = existing(path);
      const after = change(before as never);
      write(path, before, after);
      write(path, before, after, 'status');
    },
    setHealth(name, cluster, health) {
      const binding = [...view.all('Binding')].find(({ metadata }) => metadata.name === name);
      if (!binding) return;
      play({ type: 'health', workload: binding.spec.resource, cluster, health });
    },
    loseTouch(cluster) {
      const condition = { type: 'Ready', status: 'False', reason: 'ClusterNotReachable' } as const;
      play({ type: 'condition', cluster, condition });
    },
    history,
  };
}

function withoutVersion<T extends { resourceVersion?: string }>(metadata: T): T {
  const { resourceVersion: _version, ...rest } = metadata;
  return rest as T;
}
