import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../../karmada/api/work.ts';
import { worksOfBinding } from '../../objects/worksOfBinding.ts';
import { workloadGroups, type WorkloadGroups } from '../../scheduling/workloadGroups.ts';
import type { DeclaredHooks } from '../../status/healthInterpreter.ts';
import type { World } from '../../world.ts';

/** What a drain sees of a control plane when it decides. Objects are never changed in place, only replaced. */
export interface DrainView {
  /** all clusters; the same list as long as none has changed, so that what is made of it can be kept */
  readonly clusters: readonly Cluster[];
  /** all bindings of both kinds, or at least those that the drain may be about, as they are now */
  readonly bindings: Iterable<ResourceBinding>;
  /** the Works of a binding by cluster, those that are being deleted included */
  worksOf(binding: ResourceBinding): ReadonlyMap<string, Work>;
  /** the resource template of a binding, for its labels; undefined where it was not read */
  templateOf(binding: ResourceBinding): Pick<KubernetesObject, 'metadata'> | undefined;
  /** interpreters that the control plane declares in addition to Karmada's own */
  readonly hooks: DeclaredHooks;
  /** for the gate WorkloadAffinity alone */
  readonly workloads?: WorkloadGroups;
}

/** The view of a world that stays as it is. */
export function viewOfWorld({ clusters, bindings, works, others }: World): Omit<DrainView, 'hooks'> {
  const templates = new Map(others.map((object) => [templateKey(object, object.metadata), object]));
  let groups: WorkloadGroups | undefined;
  return {
    clusters,
    bindings,
    worksOf: worksOfBinding(works, bindings),
    templateOf: ({ spec: { resource } }) => templates.get(templateKey(resource, resource)),
    workloads: {
      members: (...group) => (groups ??= workloadGroups(bindings)).members(...group),
    },
  };
}

function templateKey(
  { apiVersion, kind }: { apiVersion: string; kind: string },
  { namespace = '', name }: { namespace?: string; name: string },
): string {
  return `${apiVersion} ${kind}/${namespace}/${name}`;
}
