import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Api } from '../controlPlane/api.ts';
import { HEALTH_MARKS, markKey } from './healthMarks.ts';
import type { PlayedKind } from './playedKinds.ts';
import { adjust, broken, nextChange, readyAfter, repaired, statusOf, templateOf } from './replicas.ts';
import type { Replicas, Workload } from './replicas.ts';

export interface PlayedMember {
  name: string;
  kinds: PlayedKind[];
  /** seconds until new replicas are ready, unless the workload's annotation says otherwise */
  readyAfter: number;
}

/** Plays the kubelets and the workload controllers of a member until the signal aborts. */
export async function playMember(member: PlayedMember, api: Api, signal: AbortSignal): Promise<void> {
  const writers = member.kinds.map((kind) => new StatusWriter(member, api, kind));
  await Promise.all([
    ...writers.map((writer, i) => {
      const { group, plural } = member.kinds[i]!;
      return api.follow(
        `${group}/${plural}`,
        ({ type, object }) => writer.see(object as Workload, type === 'DELETED'),
        signal,
      );
    }),
    api.follow(
      `/api/v1/namespaces/${HEALTH_MARKS.namespace}/configmaps`,
      ({ type, object }) => {
        if (object.metadata.name !== HEALTH_MARKS.name) return;
        const { data = {} } = object as KubernetesObject & { data?: Record<string, string> };
        for (const writer of writers) writer.mark(new Set(type === 'DELETED' ? [] : Object.keys(data)));
      },
      signal,
    ),
  ]);
}

class StatusWriter {
  readonly #member: PlayedMember;
  readonly #api: Api;
  readonly #kind: PlayedKind;
  readonly #workloads = new Map<string, { workload: Workload; replicas: Replicas; timer?: NodeJS.Timeout }>();
  #marked: ReadonlySet<string> = new Set();

  constructor(member: PlayedMember, api: Api, kind: PlayedKind) {
    this.#member = member;
    this.#api = api;
    this.#kind = kind;
  }

  see(workload: Workload, deleted: boolean): void {
    const key = workload.metadata.uid ?? '';
    const known = this.#workloads.get(key);
    clearTimeout(known?.timer);
    this.#workloads.delete(key);
    if (deleted) return;
    const now = Date.now();
    // replicas that were ready before this process started stay so
    const before = known?.replicas ?? replicasOf(workload, now);
    const seconds = readyAfter(workload, this.#member.name, this.#member.readyAfter);
    this.#workloads.set(key, { workload, replicas: adjust(before, workload, seconds, now) });
    this.#write(key);
  }

  /** Breaks newly marked workloads and repairs those whose mark was removed. */
  mark(marked: ReadonlySet<string>): void {
    const before = this.#marked;
    this.#marked = marked;
    for (const [key, entry] of this.#workloads) {
      const { namespace = '', name } = entry.workload.metadata;
      const mark = markKey(this.#kind.kind, namespace, name);
      if (marked.has(mark) === before.has(mark)) continue;
      entry.replicas = marked.has(mark) ? broken(entry.replicas) : repaired(entry.replicas, Date.now());
      this.#write(key);
    }
  }

  #write(key: string): void {
    const entry = this.#workloads.get(key);
    if (!entry) return;
    const { workload, replicas } = entry;
    const now = Date.now();
    const next = nextChange(replicas, now);
    const again = (after: number) => {
      clearTimeout(entry.timer);
      entry.timer = setTimeout(() => this.#write(key), after);
    };
    if (next !== undefined) again(next - now);
    const status = statusOf(workload, replicas, now);
    if (isDeepStrictEqual({ ...workload.status, ...status }, workload.status)) return;
    const { namespace, name } = workload.metadata;
    const { group, plural } = this.#kind;
    this.#api
      .merge(`${group}/namespaces/${namespace}/${plural}/${name}/status`, { status })
      .catch(() => again(500));
  }
}

function replicasOf(workload: Workload, now: number): Replicas | undefined {
  const { status } = workload;
  const ready = Number(status?.readyReplicas ?? status?.numberReady ?? status?.ready ?? 0);
  if (ready === 0) return undefined;
  return { template: templateOf(workload), readyAt: Array.from({ length: ready }, () => now) };
}
