import { declaredHooks } from '../../karmada/status/healthInterpreter.ts';
import type { DeclaredHooks } from '../../karmada/controllers/view.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import {
  apiPath,
  CLUSTER_RESOURCE_BINDINGS,
  CLUSTERS,
  RESOURCE_BINDINGS,
  type ApiResource,
} from '../../state/live/resources.ts';
import { slimServer } from '../slimServer.ts';
import { readHooks } from './readHooks.ts';
import type { CancelSettings } from './uncordonDrained.ts';
import { untilAnswered } from './untilAnswered.ts';
import { clustersToRestore, type Cancelled } from './whatIsCancelled.ts';

interface Found {
  clusters: Cluster[];
  hooks: DeclaredHooks;
  bindings: ResourceBinding[];
}

/** The bindings that drains evict from the clusters, with all clusters and interpreters; undefined if stopped first. */
export async function evictedBindings(
  server: ApiServer,
  cancelled: Cancelled,
  rules: Rules,
  { pause, stop }: CancelSettings,
): Promise<Found | undefined> {
  return untilAnswered(
    server,
    async (from) => {
      const bindings: ResourceBinding[] = [];
      for (const resource of [RESOURCE_BINDINGS, CLUSTER_RESOURCE_BINDINGS])
        bindings.push(
          ...(await listed<ResourceBinding>(
            from,
            resource,
            (one) => clustersToRestore(one, cancelled).length > 0,
          )),
        );
      if (bindings.length === 0) return { clusters: [], hooks: declaredHooks([], rules), bindings };
      const hooks = await readHooks(from, rules);
      return { clusters: await listed<Cluster>(from, CLUSTERS, () => true), hooks, bindings };
    },
    { pause, stop },
  );
}

/** The objects of a kind that are wanted, read page by page, without fields that drains do not look at. */
export async function listed<T>(
  server: ApiServer,
  resource: ApiResource,
  wanted: (object: T) => boolean,
): Promise<T[]> {
  const found: T[] = [];
  await slimServer(server).list(apiPath(resource), {
    onPage: (page: KubernetesObject[]) => void found.push(...(page as unknown as T[]).filter(wanted)),
    onRestart: () => void (found.length = 0),
  });
  return found;
}
