import type { ObservedControllers, ObservedLease } from '../../analysis/overview/feed.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';

interface LeaseName {
  namespace: string;
  name: string;
}

/** The default Lease of karmada-controller-manager. */
export const MANAGER_LEASE: LeaseName = { namespace: 'karmada-system', name: 'karmada-controller-manager' };
/** The default Lease of our controllers. */
export const OUR_LEASE: LeaseName = { namespace: 'karmada-system', name: 'karmada-failover-controller' };

/** A Lease counts as held until this many durations after its last renewal. */
const EXPIRED = 2;

/** The holder of a Lease; unknown if the Lease is forbidden or the server does not respond. */
export async function observedLease(
  server: ApiServer,
  { namespace, name }: LeaseName,
  signal?: AbortSignal,
): Promise<ObservedLease> {
  try {
    const record = (await (await server.typed()).leases(namespace).read(name, signal))?.record;
    if (!record) return { state: 'absent' };
    const { holderIdentity: holder, acquireTime: since, renewTime: renewed, leaseDurationSeconds } = record;
    if (holder === '') return { state: 'free' };
    return server.now() > renewed + EXPIRED * leaseDurationSeconds * 1000
      ? { state: 'expired', holder, renewed }
      : { state: 'held', holder, since, renewed };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { state: 'unknown', why: error.message };
  }
}

/** Which controllers are running, by the Leases of their default names. */
export async function observedControllers(
  server: ApiServer,
  signal?: AbortSignal,
): Promise<ObservedControllers> {
  const [karmadas, ours] = await Promise.all([
    observedLease(server, MANAGER_LEASE, signal),
    observedLease(server, OUR_LEASE, signal),
  ]);
  return { karmadas, ours };
}
