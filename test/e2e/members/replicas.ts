import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';

/** A workload, as needed to play its controller and the kubelets. */
export interface Workload extends KubernetesObject {
  spec: { replicas?: number; parallelism?: number; template?: unknown };
  status?: Record<string, unknown>;
}

/** "10s", "0.5s" or "never"; for individual members: "member1=never, 10s". */
export const READY_AFTER = 'e2e.karmada-failover/ready-after';

/** How many replicas a workload requests; a member here has one node, so a DaemonSet requests one. */
export function wantedReplicas({ kind, spec }: Workload): number {
  if (kind === 'DaemonSet') return 1;
  return (kind === 'Job' ? spec.parallelism : spec.replicas) ?? 1;
}

/** When each replica is ready (epoch milliseconds), the oldest replica first. */
export interface Replicas {
  template: string;
  readyAt: number[];
}

/** Seconds until a new replica of a workload is ready in a member; Infinity if never. */
export function readyAfter(workload: Workload, member: string, otherwise: number): number {
  const entries = (workload.metadata.annotations?.[READY_AFTER] ?? '')
    .split(',')
    .map((entry) => entry.trim().split('='));
  const found =
    entries.find((entry) => entry.length === 2 && entry[0] === member)?.[1] ??
    entries.find((entry) => entry.length === 1 && entry[0] !== '')?.[0];
  if (found === undefined) return runsFake(workload) ? Infinity : otherwise;
  return found === 'never' ? Infinity : Number.parseFloat(found);
}

/** Whether its image exists in no registry: Karmada's own specs use "fake/" if nothing is to become ready. */
function runsFake({ spec }: Workload): boolean {
  const { template } = spec as { template?: { spec?: { containers?: { image?: string }[] } } };
  return template?.spec?.containers?.some(({ image }) => image?.startsWith('fake/')) ?? false;
}

/** What replicas run, as one text; equal for workloads without a template. */
export function templateOf({ spec }: Workload): string {
  return JSON.stringify(spec.template ?? {});
}

/** The replicas after a change: kept if the template is unchanged, the newest are removed first, new ones start. */
export function adjust(
  known: Replicas | undefined,
  workload: Workload,
  seconds: number,
  now: number,
): Replicas {
  const template = templateOf(workload);
  const kept = known && known.template === template ? known.readyAt : [];
  const wanted = wantedReplicas(workload);
  const started = Array.from({ length: Math.max(0, wanted - kept.length) }, () => now + seconds * 1000);
  return { template, readyAt: [...kept.slice(0, wanted), ...started] };
}

/** The replicas of a broken workload: none becomes ready by itself. */
export function broken(replicas: Replicas): Replicas {
  return { ...replicas, readyAt: replicas.readyAt.map(() => Infinity) };
}

/** The replicas after their repair: broken ones are ready at once. */
export function repaired(replicas: Replicas, now: number): Replicas {
  return { ...replicas, readyAt: replicas.readyAt.map((time) => Math.min(time, now)) };
}

/** What the controllers of a real member would write. */
export function statusOf(workload: Workload, replicas: Replicas, now: number): Record<string, unknown> {
  const ready = replicas.readyAt.filter((time) => time <= now).length;
  const wanted = replicas.readyAt.length;
  const observedGeneration = workload.metadata.generation;
  const counts = { observedGeneration, replicas: wanted, readyReplicas: ready };
  switch (workload.kind) {
    case 'DaemonSet':
      return {
        observedGeneration,
        currentNumberScheduled: wanted,
        desiredNumberScheduled: wanted,
        updatedNumberScheduled: wanted,
        numberMisscheduled: 0,
        numberReady: ready,
        numberAvailable: ready,
        numberUnavailable: wanted - ready,
      };
    case 'Job':
      return { active: wanted, ready, startTime: workload.metadata.creationTimestamp };
    case 'StatefulSet':
      return {
        ...counts,
        updatedReplicas: wanted,
        availableReplicas: ready,
        currentReplicas: wanted,
        currentRevision: 'one',
        updateRevision: 'one',
      };
    case 'Deployment':
      return {
        ...counts,
        updatedReplicas: wanted,
        availableReplicas: ready,
        unavailableReplicas: wanted - ready,
        conditions: [
          {
            type: 'Available',
            status: ready >= wanted ? 'True' : 'False',
            reason: ready >= wanted ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
          },
        ],
      };
    default:
      return counts;
  }
}

/** When the status next changes by itself. */
export function nextChange({ readyAt }: Replicas, now: number): number | undefined {
  const ahead = readyAt.filter((time) => time > now && time < Infinity);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
}
