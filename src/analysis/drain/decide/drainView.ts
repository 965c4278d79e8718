import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../../karmada/api/work.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { bindingKey, snapshotKey } from '../../../karmada/objects/identities.ts';
import { worksOfBinding } from '../../../karmada/objects/worksOfBinding.ts';
import { workloadGroups, type WorkloadGroups } from '../../../karmada/scheduling/workloadGroups.ts';
import type { DeclaredHooks } from '../../../karmada/status/healthInterpreter.ts';
import type { World } from '../../../karmada/world.ts';

/** What a drain sees of a control plane. Objects are never changed in place, only replaced. */
export interface DrainView {
  /** all clusters; the same list until one changes, so that results can be cached */
  readonly clusters: readonly Cluster[];
  /** all present bindings of both kinds, or at least those that the drain may select */
  readonly bindings: Iterable<ResourceBinding>;
  /** at least all bindings that are on the clusters of the drain or are leaving them, whatever its plan says of them */
  onItsClusters(): Iterable<ResourceBinding>;
  /** the Works of a binding by cluster, even if they are being deleted */
  worksOf(binding: ResourceBinding): ReadonlyMap<string, Work>;
  /** a binding of the view by its key (`bindingKey`) */
  find(key: string): ResourceBinding | undefined;
  /** bindings whose requiredBy names the binding */
  attachedTo(binding: ResourceBinding): readonly ResourceBinding[];
  /** bindings of a namespace with graceful eviction tasks */
  leaving(namespace: string): Iterable<ResourceBinding>;
  /** the resource template of a binding, for its labels; undefined if it was not read */
  templateOf(binding: ResourceBinding): Pick<KubernetesObject, 'metadata'> | undefined;
  /** interpreters that the control plane declares in addition to Karmada's own */
  readonly hooks: DeclaredHooks;
  /** only for the gate WorkloadAffinity */
  readonly workloads?: WorkloadGroups;
}

/** The view of a world that does not change. */
export function viewOfWorld({ clusters, bindings, works, others }: World): Omit<DrainView, 'hooks'> {
  const templates = new Map(others.map((object) => [templateKey(object, object.metadata), object]));
  let groups: WorkloadGroups | undefined;
  return {
    clusters,
    bindings,
    onItsClusters: () => bindings,
    ...relationsAmong(bindings),
    worksOf: worksOfBinding(works, bindings),
    templateOf: ({ spec: { resource } }) => templates.get(templateKey(resource, resource)),
    workloads: {
      members: (...group) => (groups ??= workloadGroups(bindings)).members(...group),
    },
  };
}

/** Finds bindings and their relatives among bindings that do not change; indexes them at the first question. */
export function relationsAmong(
  bindings: Iterable<ResourceBinding>,
): Pick<DrainView, 'find' | 'attachedTo' | 'leaving'> {
  interface Index {
    byKey: Map<string, ResourceBinding>;
    attached: Map<string, ResourceBinding[]>;
    leaving: Map<string, ResourceBinding[]>;
  }
  let index: Index | undefined;
  function indexed(): Index {
    if (index) return index;
    index = { byKey: new Map(), attached: new Map(), leaving: new Map() };
    const { byKey, attached, leaving } = index;
    for (const binding of bindings) {
      byKey.set(bindingKey(binding), binding);
      if (binding.spec.gracefulEvictionTasks?.length) add(leaving, binding.metadata.namespace ?? '', binding);
      for (const parent of binding.spec.requiredBy ?? []) add(attached, snapshotKey(parent), binding);
    }
    return index;
  }
  const add = (lists: Map<string, ResourceBinding[]>, key: string, binding: ResourceBinding) =>
    void getOrAdd(lists, key, () => []).push(binding);
  return {
    find: (key) => indexed().byKey.get(key),
    attachedTo: (binding) => indexed().attached.get(bindingKey(binding)) ?? [],
    leaving: (namespace) => indexed().leaving.get(namespace) ?? [],
  };
}

function templateKey(
  { apiVersion, kind }: { apiVersion: string; kind: string },
  { namespace = '', name }: { namespace?: string; name: string },
): string {
  return `${apiVersion} ${kind}/${namespace}/${name}`;
}
