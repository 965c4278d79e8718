import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import type { Api } from '../e2e/controlPlane/api.ts';
import { bindingPath as path } from './checks.ts';
import type { LoadedWorkload } from './load.ts';
import type { Random } from './random.ts';

/** Retries until the server has accepted it: the server may be restarting. */
async function insist<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries > 200) throw error;
      await sleep(100);
    }
  }
}

export interface LabelWriter {
  /** what it wrote, by binding */
  readonly labels: Map<string, Record<string, string>>;
  touch(binding: string): Promise<void>;
  /** Changes the binding at an API path; other paths are left alone. */
  touchPath(apiPath: string): Promise<void>;
  /** Changes one binding after another until the signal aborts. */
  keepTouching(bindings: string[], perSecond: number, random: Random, signal: AbortSignal): Promise<void>;
}

/** A writer that increments a label on bindings, which changes their resourceVersions. */
export function labelWriter(api: Api): LabelWriter {
  const labels = new Map<string, Record<string, string>>();
  let count = 0;
  const touch = async (binding: string): Promise<void> => {
    const label = { [`chaos.example/touch-${++count}`]: String(count) };
    await insist(() => api.merge(path(binding), { metadata: { labels: label } }));
    labels.set(binding, { ...labels.get(binding), ...label });
  };
  return {
    labels,
    touch,
    async touchPath(apiPath) {
      const [, namespace, name] = /namespaces\/([^/]+)\/resourcebindings\/([^/]+)$/.exec(apiPath) ?? [];
      if (namespace && name) await touch(`${namespace}/${name}`);
    },
    async keepTouching(bindings, perSecond, random, signal) {
      while (!signal.aborted) {
        await touch(bindings[random.between(0, bindings.length - 1)] ?? '');
        await sleep(1000 / perSecond);
      }
    },
  };
}

/** Manual changes of bindings by an operator during a drain of member1. */
export interface Person {
  /** bindings that the person controls */
  readonly touched: ReadonlySet<string>;
  /** what the person wants kept: bindings with one of the person's held tasks, and its cluster */
  readonly held: ReadonlyMap<string, string>;
  work(signal: AbortSignal): Promise<void>;
}

const BY_HAND = 'by-hand';

/**
 * Evicts some workloads by hand, from member1 before the drain gets there and from member2, whose old copies are kept, and releases some of
 * the drain's tasks early.
 */
export function person(api: Api, load: LoadedWorkload[], random: Random): Person {
  const touched = new Set<string>();
  const held = new Map<string, string>();

  const change = (binding: string, decide: (spec: ResourceBinding['spec']) => object | undefined) =>
    insist(async () => {
      const { metadata, spec } = await api.get<ResourceBinding>(path(binding));
      const merge = decide(spec);
      if (!merge) return false;
      touched.add(binding);
      await api.merge(path(binding), {
        metadata: { resourceVersion: metadata.resourceVersion },
        spec: merge,
      });
      return true;
    });
  const evict = (binding: string, cluster: string, suppressDeletion: boolean) =>
    change(binding, ({ clusters = [], gracefulEvictionTasks = [] }) => {
      if (!clusters.some(({ name }) => name === cluster)) return undefined;
      const task = { fromCluster: cluster, reason: 'Maintenance', producer: BY_HAND };
      return {
        clusters: clusters.filter(({ name }) => name !== cluster),
        gracefulEvictionTasks: [
          ...gracefulEvictionTasks,
          { ...task, purgeMode: 'Gracefully', ...(suppressDeletion ? { suppressDeletion } : {}) },
        ],
      };
    });
  const letGo = (binding: string) =>
    change(binding, ({ gracefulEvictionTasks = [] }) =>
      gracefulEvictionTasks.some(({ suppressDeletion }) => suppressDeletion)
        ? {
            gracefulEvictionTasks: gracefulEvictionTasks.map((task) => ({ ...task, suppressDeletion: null })),
          }
        : undefined,
    );

  return {
    touched,
    held,
    async work(signal) {
      const of = (...kinds: string[]) =>
        load.filter(({ name }) => kinds.includes(name.replace(/-\d+$/, ''))).map(({ binding }) => binding);
      const mine = of('elsewhere').slice(0, 3);
      for (const binding of mine) if (await evict(binding, 'member2', true)) held.set(binding, 'member2');
      const others = of('one', 'grouped', 'weighted');
      while (!signal.aborted) {
        const binding = others[random.between(0, others.length - 1)] ?? '';
        if (!touched.has(binding) && touched.size < load.length / 8)
          await (random.chance(0.5) ? evict(binding, 'member1', false) : letGo(binding));
        await sleep(500);
      }
    },
  };
}
