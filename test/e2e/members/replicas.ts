import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';

/** A Deployment or StatefulSet, as far as its controller and the kubelets are played here. */
export interface Workload extends KubernetesObject {
  spec: { replicas?: number; template?: unknown };
  status?: Record<string, unknown>;
}

/** "10s", "0.5s" or "never"; for some members only: "member1=never, 10s". */
export const READY_AFTER = 'e2e.karmada-failover/ready-after';

/** When each replica is ready (epoch milliseconds), the oldest replica first. */
export interface Replicas {
  template: string;
  readyAt: number[];
}

/** Seconds until a new replica of a workload is ready in a member; Infinity where it never is. */
export function readyAfter(workload: Workload, member: string, otherwise: number): number {
  const entries = (workload.metadata.annotations?.[READY_AFTER] ?? '')
    .split(',')
    .map((entry) => entry.trim().split('='));
  const found =
    entries.find((entry) => entry.length === 2 && entry[0] === member)?.[1] ??
    entries.find((entry) => entry.length === 1 && entry[0] !== '')?.[0];
  if (found === undefined) return otherwise;
  return found === 'never' ? Infinity : Number.parseFloat(found);
}

/** The replicas after a change: kept where the template is the same, the newest go first, new ones start. */
export function adjust(
  known: Replicas | undefined,
  workload: Workload,
  seconds: number,
  now: number,
): Replicas {
  const template = JSON.stringify(workload.spec.template);
  const kept = known?.template === template ? known.readyAt : [];
  const wanted = workload.spec.replicas ?? 1;
  const started = Array.from({ length: Math.max(0, wanted - kept.length) }, () => now + seconds * 1000);
  return { template, readyAt: [...kept.slice(0, wanted), ...started] };
}

/** What the controllers of a real member would write. */
export function statusOf(workload: Workload, { readyAt }: Replicas, now: number): Record<string, unknown> {
  const ready = readyAt.filter((time) => time <= now).length;
  const counts = {
    observedGeneration: workload.metadata.generation,
    replicas: readyAt.length,
    updatedReplicas: readyAt.length,
    readyReplicas: ready,
    availableReplicas: ready,
  };
  if (workload.kind === 'StatefulSet')
    return { ...counts, currentReplicas: readyAt.length, currentRevision: 'one', updateRevision: 'one' };
  const condition = {
    type: 'Available',
    status: ready >= readyAt.length ? 'True' : 'False',
    reason: ready >= readyAt.length ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
  };
  return { ...counts, unavailableReplicas: readyAt.length - ready, conditions: [condition] };
}

/** When the status changes next by itself. */
export function nextChange({ readyAt }: Replicas, now: number): number | undefined {
  const ahead = readyAt.filter((time) => time > now && time < Infinity);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
}
