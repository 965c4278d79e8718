import { isOtherKind, type OtherObject } from '../../karmada/api/otherKinds.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { World } from '../../karmada/world.ts';
import type { ResumableWorld } from '../store/savedSimulation.ts';
import { binaries, type Component } from '../../karmada/dialects/flags.ts';
import { formatDuration, instant } from '../../kubernetes/time.ts';

/** Components that elect a leader. */
export const ELECTING = ['controllerManager', 'scheduler'] as const satisfies readonly Component[];

/** Milliseconds within which a running leader renews its Lease many times. */
const RENEWED = 120_000;

const WITHOUT: Record<Component, string> = {
  controllerManager: 'nothing detects failures, evicts or ends eviction tasks',
  agent: 'its cluster reports no status and applies no Work',
  scheduler: 'evicted workloads are not rescheduled',
  webhook: 'the API server refuses changes of policies and bindings',
  descheduler: 'replicas that stay pending keep their cluster',
  estimator: 'karmada-scheduler uses the capacity that the cluster reports',
};

/**
 * That a component does not run, with the effect; undefined if its object has ready replicas, or does not report them.
 */
export function downText(component: Component, object: KubernetesObject | undefined): string | undefined {
  const why = whyDown(object);
  return why && `${binaries[component]} ${why}: ${WITHOUT[component]}`;
}

/** Why none of an object's replicas runs; undefined if one does, or if the object does not report them. */
export function whyDown(object: object | undefined): string | undefined {
  const { spec, status } = (object ?? {}) as {
    spec?: { replicas?: unknown };
    status?: { readyReplicas?: unknown; replicas?: unknown };
  };
  if (spec?.replicas === 0) return 'is scaled to 0';
  const { replicas, readyReplicas } = status ?? {};
  return typeof replicas === 'number' && replicas > 0 && !readyReplicas ? 'has no ready replica' : undefined;
}

/** Whether an object reports a ready replica. */
export function isRunning(object: object | undefined): boolean {
  const { status } = (object ?? {}) as { status?: { readyReplicas?: unknown } };
  return typeof status?.readyReplicas === 'number' && status.readyReplicas > 0;
}

/**
 * The leader-election Leases of a component, the last renewed first. Flags can change their namespace and name: then
 * the holder is a Pod of the component.
 */
export function leasesOf(
  component: (typeof ELECTING)[number],
  { others }: Pick<World, 'others'>,
): OtherObject<'Lease'>[] {
  const name = binaries[component];
  const pod = new RegExp(`^${name}-[a-z0-9]+-[a-z0-9]+_`);
  return others
    .filter(
      (one): one is OtherObject<'Lease'> =>
        isOtherKind(one, 'Lease') && (one.metadata.name === name || pod.test(one.spec?.holderIdentity ?? '')),
    )
    .sort((a, b) => renewedAt(b) - renewedAt(a));
}

function renewedAt({ spec }: OtherObject<'Lease'>): number {
  return spec?.renewTime ? instant(spec.renewTime) : -Infinity;
}

/** Whether a leader renewed a Lease just before `now`, in epoch milliseconds. */
export function isRenewed(lease: OtherObject<'Lease'>, now: number): boolean {
  return now - renewedAt(lease) <= RENEWED;
}

/**
 * The component whose Lease is no longer renewed, and the effect. If `now` is later than the read of the world, later
 * renewals are missing.
 */
export function staleLease(
  component: (typeof ELECTING)[number],
  { others, readAt = Infinity }: Pick<World, 'others' | 'readAt'>,
  now: number,
): { lease: KubernetesObject; renewTime: string; text: string } | undefined {
  const [lease] = leasesOf(component, { others });
  const renewTime = lease?.spec?.renewTime;
  if (!lease || !renewTime) return undefined;
  const age = Math.min(now, readAt) - instant(renewTime);
  if (!(age > RENEWED)) return undefined;
  const since = formatDuration(Math.round(age / 1000) * 1000);
  const text = `${binaries[component]} has not renewed its Lease for ${since}: is it running? ${WITHOUT[component]}`;
  return { lease, renewTime, text };
}

/** A component that does not run, and the effect. */
interface StoppedComponent {
  component: Component;
  text: string;
}

/**
 * Stopped components that evict or place workloads, by the objects of a state. In a saved simulation Leases are
 * ignored, since no leader renews them there.
 *
 * @param now epoch milliseconds
 */
export function stoppedComponents(
  world: Pick<ResumableWorld, 'others' | 'readAt' | 'simulation'>,
  now: number,
): StoppedComponent[] {
  return ELECTING.flatMap((component) => {
    const running = world.others.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === binaries[component],
    );
    const text =
      downText(component, running) ??
      (world.simulation ? undefined : staleLease(component, world, now)?.text);
    return text === undefined ? [] : [{ component, text }];
  });
}
