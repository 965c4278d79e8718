import type { DrainSelection } from '../../analysis/drain/drainOptions.ts';
import type { DrainView } from '../../analysis/drain/decide/drainView.ts';
import { bindingPermanentId, placeOfWork } from '../../karmada/objects/worksOfBinding.ts';
import { workloadGroups, type WorkloadGroups } from '../../karmada/scheduling/workloadGroups.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { ApiServer, Query } from '../../state/live/apiServer.ts';
import type { Mirror, MirrorListener } from '../../state/live/mirrors/mirror.ts';
import {
  apiPath,
  CLUSTER_RESOURCE_BINDINGS,
  CLUSTERS,
  RESOURCE_BINDINGS,
  WORKS,
  type ApiResource,
} from '../../state/live/resources.ts';
import { linkedSignal } from '../../state/live/requests/linkedSignal.ts';
import type { Pause } from '../pause.ts';
import { slimServer } from '../slimServer.ts';

export type OpenMirror = <T extends KubernetesObject>(
  server: ApiServer,
  path: string,
  options?: {
    signal?: AbortSignal;
    listener?: MirrorListener<T>;
    query?: Query;
    withoutBookmarks?: boolean;
    managedFields?: boolean;
  },
) => Mirror<T>;

/** Copies of everything that a drain decides on; they follow the API server's watches. */
export interface DrainMirrors {
  /** resolves when everything is read; rejects if the user may not read a kind */
  readonly synced: Promise<void>;
  clusters(): readonly Cluster[];
  bindings(): Iterable<ResourceBinding>;
  worksOf: DrainView['worksOf'];
  workloads(): WorkloadGroups;
  /** epoch milliseconds since when nothing was heard of what may be out of date; undefined if nothing may be */
  staleSince(): number | undefined;
  /** takes a newer state that our own read or write returned */
  observeCluster(cluster: Cluster): void;
  observeBinding(binding: ResourceBinding): void;
  observeWork(work: Work): void;
  /**
   * Waits for a change, at most so many milliseconds, or until the signal aborts; does not wait if there was a change
   * since the last call. Resolves to whether there was one.
   */
  change(milliseconds: number, signal: AbortSignal): Promise<boolean>;
  stop(): void;
}

/** A drain of one namespace reads only the bindings there, so that rights for that namespace suffice. */
export function openDrainMirrors(
  server: ApiServer,
  { namespace }: DrainSelection,
  { openMirror, pause, hasGroups }: { openMirror: OpenMirror; pause: Pause; hasGroups: boolean },
): DrainMirrors {
  const slim = slimServer(server);
  let clusterList: readonly Cluster[] | undefined;
  let groups: WorkloadGroups | undefined;
  const works = new Map<string, Map<string, Work>>();
  let changed = false;
  let wake: (() => void) | undefined;
  const tell = () => {
    changed = true;
    wake?.();
  };

  function open<T>(resource: ApiResource, listener: MirrorListener<T>, within?: string): Mirror<T> {
    const mirror = openMirror<KubernetesObject>(slim, apiPath(resource, within), {
      listener(change) {
        listener(change as Parameters<MirrorListener<T>>[0]);
        tell();
      },
    });
    return mirror as unknown as Mirror<T>;
  }
  const clusterMirror = open<Cluster>(CLUSTERS, () => void (clusterList = undefined));
  const forget = () => void (groups = undefined);
  const bindingMirrors = [
    open<ResourceBinding>(RESOURCE_BINDINGS, forget, namespace),
    ...(namespace === undefined ? [open<ResourceBinding>(CLUSTER_RESOURCE_BINDINGS, forget)] : []),
  ];
  const workMirror = open<Work>(WORKS, ({ before, after }) => {
    if (before) remove(before);
    if (after) add(after);
  });
  const mirrors: readonly Mirror<unknown>[] = [clusterMirror, ...bindingMirrors, workMirror];

  function add(work: Work): void {
    const at = placeOfWork(work);
    if (!at) return;
    const known = works.get(at.id);
    if (known) known.set(at.cluster, work);
    else works.set(at.id, new Map([[at.cluster, work]]));
  }
  function remove(work: Work): void {
    const at = placeOfWork(work);
    const known = at && works.get(at.id);
    if (!known || known.get(at.cluster)?.metadata.name !== work.metadata.name) return;
    known.delete(at.cluster);
    if (known.size === 0) works.delete(at.id);
  }

  return {
    synced: Promise.all(mirrors.map((mirror) => mirror.synced)).then(() => undefined),
    clusters: () => (clusterList ??= [...clusterMirror.objects.values()]),
    *bindings() {
      for (const mirror of bindingMirrors) yield* mirror.objects.values();
    },
    worksOf: ({ metadata }) => works.get(bindingPermanentId(metadata) ?? '') ?? none,
    workloads: () =>
      (groups ??= hasGroups
        ? workloadGroups([...bindingMirrors[0]!.objects.values()])
        : { members: () => [] }),
    staleSince() {
      let since: number | undefined;
      for (const mirror of mirrors) {
        const one = mirror.staleSince();
        if (one !== undefined && (since === undefined || one > since)) since = one;
      }
      return since;
    },
    observeCluster: (cluster) => clusterMirror.observe(slim.slimmed(cluster)),
    observeBinding: (binding) =>
      (binding.metadata.namespace ? bindingMirrors[0] : bindingMirrors[1])?.observe(slim.slimmed(binding)),
    observeWork: (work) => workMirror.observe(slim.slimmed(work)),
    async change(milliseconds, signal) {
      if (!changed) {
        const woken = linkedSignal(signal);
        wake = () => woken.abort();
        await pause(milliseconds, woken.signal);
        woken.release();
        wake = undefined;
      }
      const found = changed;
      changed = false;
      return found;
    },
    stop: () => mirrors.forEach((mirror) => mirror.stop()),
  };
}

const none: ReadonlyMap<string, Work> = new Map();
