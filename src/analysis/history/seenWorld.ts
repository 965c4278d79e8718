import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Change } from '../../karmada/controllers/write.ts';
import { bindingKey, workKey } from '../../karmada/objects/identities.ts';
import { bindingPermanentId, placeOfWork } from '../../karmada/objects/worksOfBinding.ts';
import type { EventView } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { World } from '../../karmada/world.ts';
import type { SeenChange } from './history.ts';

/** A world that changes as it was seen to change, with the indexes that its readers need. */
export interface SeenWorld extends EventView {
  readonly clusters: ReadonlyMap<string, Cluster>;
  /** by `bindingKey` */
  readonly bindings: ReadonlyMap<string, ResourceBinding>;
  /** Applies a change; undefined for kinds that show nothing of what happens. */
  take(change: SeenChange): Change | undefined;
}

/** The world at the start, before any change. */
export function seenWorld(first: Pick<World, 'clusters' | 'bindings' | 'works'>): SeenWorld {
  const clusters = new Map<string, Cluster>();
  const bindings = new Map<string, ResourceBinding>();
  const byId = new Map<string, ResourceBinding>();
  const works = new Map<string, Map<string, Work>>();
  const none = new Map<string, Work>();

  function putBinding(before: ResourceBinding | undefined, after: ResourceBinding | undefined): void {
    const one = (after ?? before)!;
    const id = bindingPermanentId(one.metadata);
    if (after) bindings.set(bindingKey(after), after);
    else bindings.delete(bindingKey(one));
    // Works may still name a binding that is gone
    if (id !== undefined) byId.set(id, one);
  }

  function putWork(before: Work | undefined, after: Work | undefined): void {
    const place = placeOfWork((after ?? before)!);
    if (!place) return;
    const own = works.get(place.id) ?? new Map<string, Work>();
    works.set(place.id, own);
    if (after) own.set(place.cluster, after);
    else if (own.get(place.cluster)?.metadata.name === before!.metadata.name) own.delete(place.cluster);
  }

  for (const one of first.clusters) clusters.set(one.metadata.name, one);
  for (const one of first.bindings) putBinding(undefined, one);
  for (const one of first.works) putWork(undefined, one);

  return {
    clusters,
    bindings,
    worksOf: ({ metadata }) => works.get(bindingPermanentId(metadata) ?? '') ?? none,
    bindingOf(work) {
      const place = placeOfWork(work);
      return place && byId.get(place.id);
    },
    take({ before, after }) {
      const one = (after ?? before)!;
      const changed = { ...(before ? { before } : {}), ...(after ? { after } : {}) };
      switch (one.kind) {
        case 'Cluster': {
          const key = one.metadata.name;
          if (after) clusters.set(key, after as unknown as Cluster);
          else clusters.delete(key);
          return { kind: 'Cluster', key, ...changed } as unknown as Change;
        }
        case 'ResourceBinding':
        case 'ClusterResourceBinding': {
          const [old, now] = [before, after] as unknown as (ResourceBinding | undefined)[];
          putBinding(old, now);
          return { kind: 'Binding', key: bindingKey((now ?? old)!), ...changed } as unknown as Change;
        }
        case 'Work': {
          const [old, now] = [before, after] as unknown as (Work | undefined)[];
          putWork(old, now);
          return { kind: 'Work', key: workKey((now ?? old)!), ...changed } as unknown as Change;
        }
        default:
          return undefined;
      }
    },
  };
}
