import type { KubernetesObject } from '../../karmada/api/meta.ts';
import {
  isComponent,
  isHostComponent,
  observeComponents,
  type ObservedComponents,
} from '../componentFlags.ts';
import { ApiError } from './apiError.ts';
import type { ApiServer } from './apiServer.ts';
import { apiPath, type ApiResource } from './resources.ts';

/** Karmada's components in the host cluster. */
export interface HostComponents extends ObservedComponents {
  objects?: readonly KubernetesObject[];
}

const DEFAULT_HOST_NAMESPACE = 'karmada-system';

/** The kinds to read in the cluster that Karmada's components run in. */
const HOST_KINDS: readonly ApiResource[] = [
  { kind: 'Deployment', group: 'apps', version: 'v1', resource: 'deployments', namespaced: true },
  { kind: 'Pod', group: '', version: 'v1', resource: 'pods', namespaced: true },
];
const [DEPLOYMENTS, PODS] = HOST_KINDS as [ApiResource, ApiResource];

/**
 * How Karmada's components were started, from the Deployments in a namespace of the host cluster. If none of them
 * runs the controller manager, also from Pods there and (static ones) in kube-system. The default namespace is
 * karmada-system, or, if nothing runs there, the only other one with components. Unreadable kinds become warnings.
 * The objects include scheduler estimators and the descheduler, which checks need.
 *
 * @param input the caller's name for the namespace, for messages
 */
export async function hostComponents(
  host: ApiServer,
  namespace?: string,
  input = 'the namespace of the components',
): Promise<HostComponents> {
  const home = namespace ?? DEFAULT_HOST_NAMESPACE;
  const warnings: string[] = [];
  const list = async (kind: ApiResource, where?: string): Promise<KubernetesObject[]> => {
    try {
      return (await host.list(apiPath(kind, where))).items.filter(isHostComponent);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      warnings.push(`${error.message}; gates and flags that it does not show are assumed`);
      return [];
    }
  };
  const hasManager = (objects: KubernetesObject[]) =>
    observeComponents(objects).commandLines.some(({ component }) => component === 'controllerManager');

  let found = await list(DEPLOYMENTS, home);
  if (!hasManager(found)) {
    const homes = home === 'kube-system' ? [home] : [home, 'kube-system'];
    found = [...found, ...(await Promise.all(homes.map((where) => list(PODS, where)))).flat()];
  }
  if (!found.some(isComponent) && warnings.length === 0 && namespace === undefined) {
    const elsewhere = (await list(DEPLOYMENTS)).filter(isComponent);
    const namespaces = [...new Set(elsewhere.map(({ metadata }) => metadata.namespace ?? ''))].sort();
    if (namespaces.length === 1) found = elsewhere;
    else if (namespaces.length > 1)
      warnings.push(
        `the host cluster has Karmada in the namespaces ${namespaces.join(', ')}; give ${input}; otherwise gates and flags are assumed`,
      );
  }
  if (!found.some(isComponent) && warnings.length === 0)
    warnings.push(
      `no component of Karmada runs in namespace ${home} of ${host.context ?? host.url}; give ${input}; otherwise gates and flags are assumed`,
    );
  const observed = observeComponents(found);
  return { ...observed, warnings: [...warnings, ...observed.warnings], objects: found };
}
