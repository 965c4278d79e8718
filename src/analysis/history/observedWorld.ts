import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Change, Changed } from '../../karmada/controllers/write.ts';
import { bindingKey, workKey } from '../../karmada/objects/identities.ts';
import { bindingPermanentId, placeOfWork } from '../../karmada/objects/worksOfBinding.ts';
import type { EventView } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { World } from '../../karmada/world.ts';
import { isObserved, isObservedBinding, type ObservedChange } from './history.ts';

/** A world that follows observed changes, with indexes for its readers. */
export interface ObservedWorld extends EventView {
  readonly clusters: ReadonlyMap<string, Cluster>;
  /** by `bindingKey` */
  readonly bindings: ReadonlyMap<string, ResourceBinding>;
  /** Applies a change; undefined for kinds without any effect on the history. */
  take(change: ObservedChange): Change | undefined;
}

/** The world at the start, before any change. */
export function observedWorld(first: Pick<World, 'clusters' | 'bindings' | 'works'>): ObservedWorld {
  const clusters = new Map<string, Cluster>();
  const bindings = new Map<string, ResourceBinding>();
  const byId = new Map<string, ResourceBinding>();
  const works = new Map<string, Map<string, Work>>();
  const none = new Map<string, Work>();

  function putBinding({ before, after }: Changed<ResourceBinding>): void {
    const one = after ?? before;
    const id = bindingPermanentId(one.metadata);
    if (after) bindings.set(bindingKey(after), after);
    else bindings.delete(bindingKey(one));
    // Works may still name a deleted binding.
    if (id !== undefined) byId.set(id, one);
  }

  function putWork({ before, after }: Changed<Work>): void {
    const place = placeOfWork(after ?? before);
    if (!place) return;
    const own = works.get(place.id) ?? new Map<string, Work>();
    works.set(place.id, own);
    if (after) own.set(place.cluster, after);
    else if (own.get(place.cluster)?.metadata.name === before.metadata.name) own.delete(place.cluster);
  }

  for (const one of first.clusters) clusters.set(one.metadata.name, one);
  for (const one of first.bindings) putBinding({ after: one });
  for (const one of first.works) putWork({ after: one });

  return {
    clusters,
    bindings,
    worksOf: ({ metadata }) => works.get(bindingPermanentId(metadata) ?? '') ?? none,
    bindingOf(work) {
      const place = placeOfWork(work);
      return place && byId.get(place.id);
    },
    take(change) {
      const ofCluster = statesIf(change, isCluster);
      if (ofCluster) {
        const { before, after } = ofCluster;
        const key = (after ?? before).metadata.name;
        if (after) clusters.set(key, after);
        else clusters.delete(key);
        return { kind: 'Cluster', key, ...ofCluster };
      }
      const ofBinding = statesIf(change, isObservedBinding);
      if (ofBinding) {
        putBinding(ofBinding);
        return { kind: 'Binding', key: bindingKey(ofBinding.after ?? ofBinding.before), ...ofBinding };
      }
      const ofWork = statesIf(change, isWork);
      if (!ofWork) return undefined;
      putWork(ofWork);
      return { kind: 'Work', key: workKey(ofWork.after ?? ofWork.before), ...ofWork };
    },
  };
}

const isCluster = (object: KubernetesObject | undefined) => isObserved(object, 'Cluster');
const isWork = (object: KubernetesObject | undefined) => isObserved(object, 'Work');

/** The object before and after a change, if it has this kind. */
function statesIf<T>(
  { before, after }: ObservedChange,
  is: (object: KubernetesObject | undefined) => object is KubernetesObject & T,
): Changed<T> | undefined {
  if (is(after)) return { ...(is(before) && { before }), after };
  return is(before) ? { before } : undefined;
}
