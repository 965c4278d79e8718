import type { KubernetesObject } from '../karmada/api/meta.ts';
import type { ApiServer, WatchEvent } from '../state/live/apiServer.ts';
import { checkAt } from '../state/live/checkedObject.ts';
import { newestOfEach } from '../state/live/newestOfEach.ts';
import { slimWork } from '../state/snapshot/slim.ts';
import { taintsWriterOf } from '../state/world/withoutHistory.ts';

/** An API server for mirrors that keep many objects: it returns only the fields that they need. */
export interface SlimServer extends ApiServer {
  slimmed<T>(object: T): T;
}

/**
 * Drops managedFields (except the last writer of a Cluster's taints, on request) and the manifests of Works: with
 * 20,000 workloads, a drain cannot afford to keep them.
 *
 * @param more removes further fields
 */
export function slimServer(
  server: ApiServer,
  more: (object: KubernetesObject) => KubernetesObject = (object) => object,
): SlimServer {
  const slimmed = (object: KubernetesObject): KubernetesObject => more(withoutHistory(object));
  const slimEvent = (event: WatchEvent): WatchEvent =>
    event.type === 'BOOKMARK' ? event : { ...event, object: slimmed(event.object) };
  return {
    url: server.url,
    context: server.context,
    now: () => server.now(),
    warn: server.warn,
    get: (...request) => server.get(...request),
    async list(path, { onPage, onRestart, ...options } = {}) {
      const items: KubernetesObject[] = [];
      const check = options.metadataOnly ? undefined : checkAt({ server, path }, options.sharing);
      const checked = (object: KubernetesObject): KubernetesObject => {
        const slim = withoutHistory(object);
        // `more` relies on fields that only checked objects are sure to have
        return more(check?.(slim) ?? slim);
      };
      // page by page: the whole list would take many times the memory of the kept fields
      const list = await server.list(path, {
        ...options,
        onPage: onPage
          ? (page) => onPage(page.map(checked))
          : (page) => void items.push(...page.map(checked)),
        onRestart() {
          items.length = 0;
          onRestart?.();
        },
      });
      return { ...list, items: newestOfEach(items, path, server.warn) };
    },
    async *watch(path, resourceVersion, options) {
      for await (const event of server.watch(path, resourceVersion, options)) yield slimEvent(event);
    },
    patch: (...request) => server.patch(...request),
    create: (...request) => server.create(...request),
    apply: (...request) => server.apply(...request),
    delete: (...request) => server.delete(...request),
    can: (access) => server.can(access),
    typed: () => server.typed(),
    close: () => server.close(),
    slimmed: (object) => slimmed(object as unknown as KubernetesObject) as unknown as typeof object,
  };
}

function withoutHistory(object: KubernetesObject): KubernetesObject {
  const { managedFields, ...metadata } = object.metadata;
  const kept = taintsWriterOf(object, managedFields);
  const slim = { ...object, metadata: kept ? { ...metadata, managedFields: kept } : metadata };
  return object.kind === 'Work' ? slimWork(slim) : slim;
}
