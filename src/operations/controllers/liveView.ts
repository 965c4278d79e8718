import { jobFacts, type Job } from '../../karmada/controllers/registry.ts';
import type { Kinds } from '../../karmada/controllers/kinds.ts';
import type { View } from '../../karmada/controllers/view.ts';
import type { Change } from '../../karmada/controllers/write.ts';
import { bindingKey, identityOf, objectKey, workKey } from '../../karmada/objects/identities.ts';
import { createStartingWorld } from '../../simulator/store/startingWorld.ts';
import { createStore } from '../../simulator/store/store.ts';
import { emptyWorld } from '../../karmada/world.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import type { Mirror, OpenMirror } from '../../state/live/mirrors/mirror.ts';
import {
  apiPath,
  CLUSTER_RESOURCE_BINDINGS,
  CLUSTER_TAINT_POLICIES,
  CLUSTERS,
  RESOURCE_BINDINGS,
  WORKS,
  type ApiResource,
} from '../../state/live/resources.ts';
import { STATE_KINDS } from '../../state/live/stateKinds.ts';
import { slimServer } from '../slimServer.ts';
import { slimBinding } from './slimBinding.ts';

/** The kinds to follow besides Clusters, which every controller needs. */
interface Followed {
  bindings: boolean;
  taintPolicies: boolean;
  /** the objects that declare resource interpreters */
  interpreters: boolean;
}

/** The kinds that the controllers for these jobs follow. */
export function followedBy(chosen: readonly Job[]): Followed {
  const anyReads = (what: keyof Followed) => chosen.some((job) => jobFacts(job).reads[what]);
  return {
    bindings: anyReads('bindings'),
    taintPolicies: anyReads('taintPolicies'),
    interpreters: anyReads('interpreters'),
  };
}

/** A control plane as controllers see it: an indexed view that follows the API server. */
export interface LiveView {
  readonly view: View;
  /** resolves once everything is read; rejects with ApiError if a kind is forbidden or not served */
  readonly synced: Promise<void>;
  /** epoch milliseconds at which part of the view may have become stale */
  staleSince(): number | undefined;
  /** when the server last sent anything about Clusters, epoch milliseconds of the local clock */
  clustersHeardAt(): number;
  /** records the object that our own request returned, unless it is older than the view's */
  observe(object: Cluster | ResourceBinding | Work): void;
  /** puts an object into the view in another state than the API's */
  show(kind: 'Cluster' | 'Binding', key: string, object: object): void;
  subscribe(listener: (change: Change) => void): () => void;
  stop(): void;
}

interface LiveViewOptions {
  configuration: Configuration;
  followed: Followed;
  /** also follow Works */
  works?: boolean;
  /** follow only the bindings of this namespace, so that permissions for it suffice */
  namespace?: string | undefined;
  openMirror: OpenMirror;
  signal: AbortSignal;
  /** epoch milliseconds at which it begins */
  now: number;
  /** reduces objects to save memory; absent: to what Karmada's controllers need (`slimBinding`) */
  slim?: ((object: KubernetesObject) => KubernetesObject) | undefined;
  /** filters objects from the API: controllers see what it returns */
  seen?:
    | ((kind: 'Cluster' | 'Binding', key: string, object: object | undefined) => object | undefined)
    | undefined;
}

const INTERPRETERS = ['ResourceInterpreterCustomization', 'ResourceInterpreterWebhookConfiguration'];

/** Follows the kinds that controllers need, from now until the signal aborts. */
export function openLiveView(server: ApiServer, options: LiveViewOptions): LiveView {
  const { configuration, followed, openMirror, signal, now } = options;
  const members = { workloadReadyAfter: 0, neverReady: [] };
  const store = createStore(createStartingWorld(emptyWorld(), configuration, { start: now, members }));
  const keepsStatus = configuration.featureGates.StatefulFailoverInjection;
  const slim = slimServer(server, options.slim ?? ((object) => slimBinding(object, keepsStatus)));
  const listeners = new Set<(change: Change) => void>();

  function feed<K extends keyof Kinds>(kind: K, key: string, object: Kinds[K] | undefined): void {
    const change = store.observe(kind, key, object) as Change | undefined;
    if (!change) return;
    for (const listener of listeners) listener(change);
  }

  function follow<T>(
    resource: ApiResource,
    kind: 'Cluster' | 'Binding' | 'Work' | 'ClusterTaintPolicy' | 'Object',
    keyOf: (object: T) => string,
    namespace?: string,
  ): Mirror<T> {
    return openMirror<KubernetesObject>(slim, apiPath(resource, namespace), {
      signal,
      listener({ before, after }) {
        const key = keyOf((after ?? before) as T);
        const seen =
          options.seen && (kind === 'Cluster' || kind === 'Binding') ? options.seen(kind, key, after) : after;
        feed(kind, key, seen as Kinds[typeof kind] | undefined);
      },
    }) as unknown as Mirror<T>;
  }

  const byName = ({ metadata }: Cluster | ClusterTaintPolicy) => metadata.name;
  const clusters = follow<Cluster>(CLUSTERS, 'Cluster', byName);
  const { namespace } = options;
  const bindingKinds =
    namespace === undefined ? [RESOURCE_BINDINGS, CLUSTER_RESOURCE_BINDINGS] : [RESOURCE_BINDINGS];
  const bindings = followed.bindings
    ? bindingKinds.map((kind) => follow<ResourceBinding>(kind, 'Binding', bindingKey, namespace))
    : [];
  const works = options.works ? [follow<Work>(WORKS, 'Work', workKey)] : [];
  const policies = followed.taintPolicies
    ? [follow<ClusterTaintPolicy>(CLUSTER_TAINT_POLICIES, 'ClusterTaintPolicy', byName)]
    : [];
  const interpreters = followed.interpreters
    ? STATE_KINDS.filter(({ kind }) => INTERPRETERS.includes(kind)).map((kind) =>
        follow<KubernetesObject>(kind, 'Object', (object) => objectKey(identityOf(object))),
      )
    : [];
  const mirrors: readonly Mirror<unknown>[] = [clusters, ...bindings, ...works, ...policies, ...interpreters];

  return {
    view: store,
    synced: Promise.all(mirrors.map(({ synced }) => synced)).then(() => undefined),
    staleSince() {
      let since: number | undefined;
      for (const mirror of mirrors) {
        const one = mirror.staleSince();
        if (one !== undefined && (since === undefined || one < since)) since = one;
      }
      return since;
    },
    clustersHeardAt: () => clusters.heardAt(),
    observe(object) {
      if (isKind(object, 'Cluster')) clusters.observe(slim.slimmed(object));
      else if (isKind(object, 'Work')) works[0]?.observe(slim.slimmed(object));
      else bindings[object.metadata.namespace ? 0 : 1]?.observe(slim.slimmed(object));
    },
    show: (kind, key, object) => feed(kind, key, object as Kinds[typeof kind]),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => mirrors.forEach((mirror) => mirror.stop()),
  };
}

function isKind<K extends 'Cluster' | 'Work'>(
  object: Cluster | ResourceBinding | Work,
  kind: K,
): object is Kinds[K] {
  return object.kind === kind;
}
