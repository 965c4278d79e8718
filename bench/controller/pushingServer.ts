import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ApiServer, ListOptions, WatchEvent } from '../../src/state/live/apiServer.ts';

/** An API server whose lists arrive as text, as over the network, and whose watches receive pushed changes. */
export interface PushingServer extends ApiServer {
  add(object: KubernetesObject): void;
  /** Lists nothing from now on, so that only the followed state takes memory. */
  forget(): void;
  /** A new state of an object. */
  push(object: KubernetesObject): void;
}

const PAGE = 500;

export function pushingServer(): PushingServer {
  const texts = new Map<string, string[]>();
  const watches = new Map<string, { events: WatchEvent[]; wake: () => void }>();
  let version = 1_000_000;
  const never = () => Promise.reject(new Error('only lists and watches are served'));
  const pathOf = ({ apiVersion, kind }: KubernetesObject) => `/apis/${apiVersion}/${kind.toLowerCase()}s`;

  return {
    url: 'https://bench.example',
    now: () => Date.now(),
    add(object) {
      const path = pathOf(object);
      const own = texts.get(path);
      if (own) own.push(JSON.stringify(object));
      else texts.set(path, [JSON.stringify(object)]);
    },
    forget: () => texts.clear(),
    push(object) {
      const { metadata } = object;
      // parsed again, as from the network: it shares nothing with other objects
      const parsed = JSON.parse(
        JSON.stringify({ ...object, metadata: { ...metadata, resourceVersion: String(++version) } }),
      ) as KubernetesObject;
      const watch = watches.get(pathOf(object))!;
      watch.events.push({ type: 'MODIFIED', object: parsed });
      watch.wake();
    },
    list(path: string, { onPage }: ListOptions = {}) {
      const own = texts.get(path) ?? [];
      for (let at = 0; at < own.length; at += PAGE)
        onPage?.(own.slice(at, at + PAGE).map((text) => JSON.parse(text) as KubernetesObject));
      return Promise.resolve({ items: [], resourceVersion: String(version) });
    },
    async *watch(path, _from, { signal, opened } = {}) {
      let wake: () => void = () => undefined;
      const own = { events: [] as WatchEvent[], wake: () => wake() };
      watches.set(path, own);
      signal?.addEventListener('abort', () => wake(), { once: true });
      opened?.();
      while (!signal?.aborted) {
        const events = own.events;
        own.events = [];
        for (const event of events) yield event;
        if (own.events.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    get: never,
    patch: never,
    create: never,
    apply: never,
    delete: never,
    can: () => Promise.resolve(true),
    typed: never,
    close: () => undefined,
  };
}
