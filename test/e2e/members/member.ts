import { isDeepStrictEqual } from 'node:util';
import type { Api } from '../controlPlane/api.ts';
import { adjust, nextChange, readyAfter, statusOf, type Replicas, type Workload } from './replicas.ts';

const KINDS = ['deployments', 'statefulsets'];

/** Plays the kubelets and the workload controllers of a member until the signal aborts. */
export async function playMember(
  name: string,
  api: Api,
  seconds: number,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    KINDS.map((plural) => {
      const controller = new StatusWriter(name, api, plural, seconds);
      return api.follow(
        `/apis/apps/v1/${plural}`,
        ({ type, object }) => controller.see(object as Workload, type === 'DELETED'),
        signal,
      );
    }),
  );
}

class StatusWriter {
  readonly #member: string;
  readonly #api: Api;
  readonly #plural: string;
  readonly #seconds: number;
  readonly #workloads = new Map<string, { workload: Workload; replicas: Replicas; timer?: NodeJS.Timeout }>();

  constructor(member: string, api: Api, plural: string, seconds: number) {
    this.#member = member;
    this.#api = api;
    this.#plural = plural;
    this.#seconds = seconds;
  }

  see(workload: Workload, deleted: boolean): void {
    const key = workload.metadata.uid ?? '';
    const known = this.#workloads.get(key);
    clearTimeout(known?.timer);
    this.#workloads.delete(key);
    if (deleted) return;
    const now = Date.now();
    // replicas that were ready before this process began stay so
    const before = known?.replicas ?? replicasOf(workload, now);
    const seconds = readyAfter(workload, this.#member, this.#seconds);
    this.#workloads.set(key, { workload, replicas: adjust(before, workload, seconds, now) });
    this.#write(key);
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
    this.#api
      .merge(`/apis/apps/v1/namespaces/${namespace}/${this.#plural}/${name}/status`, { status })
      .catch(() => again(500));
  }
}

function replicasOf({ spec, status }: Workload, now: number): Replicas | undefined {
  const ready = Number(status?.readyReplicas ?? 0);
  if (ready === 0) return undefined;
  return { template: JSON.stringify(spec.template), readyAt: Array.from({ length: ready }, () => now) };
}
