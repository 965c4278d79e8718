import type { FailoverStatus } from '../../engine/explanation/failoverStatus.ts';
import { failoverStatusChanges as changesBetween } from '../../engine/explanation/failoverStatusChanges.ts';
import type { FailoverStatusChange } from '../../engine/explanation/failoverStatusChanges.ts';
import { INTERPRETERS } from '../../engine/status/healthInterpreter.ts';
import { slimServer } from '../../operations/drain/slimServer.ts';
import { watchWorld } from '../../operations/watchWorld.ts';
import { mirror } from '../../state/live/reflector.ts';
import { failoverStatusChanges } from '../../views/failoverStatusChanges.ts';
import { failoverSwitches, isForecast, requireCluster, statusOf } from './failoverStatus.ts';
import { openState } from '../state/openState.ts';
import { changePrinter, concerned, refuseUnwatchable, tellWhile, type WatchFlags } from '../watching.ts';

const BINDINGS = ['ResourceBinding', 'ClusterResourceBinding'];
/** Read once: they hardly ever change. Leases change all the time, and only say when a failure would be noticed. */
const READ = ['Cluster', ...BINDINGS, ...INTERPRETERS];
const FOLLOWED = ['Cluster', ...BINDINGS, 'ClusterTaintPolicy'];

/**
 * Prints the status of failover on a live control plane, and again what of it changes, until the process is ended.
 * Throws a UserError where the command line asks for what cannot be watched.
 */
export async function watchFailoverStatus(cluster: string | undefined, flags: WatchFlags): Promise<void> {
  refuseUnwatchable(flags, 'use --namespace or --field-selector');
  const concerns = concerned(undefined, flags);
  const { namespace } = flags;
  const opened = await openState(flags, new Set(READ));
  const { server, configuration, karmadaVersion, assumptions } = opened;
  requireCluster(opened.world, cluster);
  const { others, unread = [] } = opened.world;
  const forecast = isForecast(opened.world, cluster);

  let before: FailoverStatus | undefined;
  let print: ((changes: FailoverStatusChange[], now: number) => Promise<void>) | undefined;
  const slim = slimServer(server!);
  await tellWhile(server!, (telling) =>
    watchWorld((path, listener) => mirror(slim, path, { listener }), {
      ...telling,
      kinds: new Set([...FOLLOWED, ...(forecast ? ['Work'] : [])]),
      onWorld(followed, now) {
        const world = { ...followed, others, unread: [...unread, ...(followed.unread ?? [])] };
        const bindings = world.bindings.filter(
          (binding) =>
            (namespace === undefined || binding.metadata.namespace === namespace) && concerns(binding),
        );
        const state = { world, now, configuration, assumptions };
        // who began without what forecasts need goes on without
        const status = statusOf(state, bindings, cluster, forecast && isForecast(world, cluster));
        const changes = changesBetween(before, status);
        before = status;
        const switches = failoverSwitches(assumptions);
        print ??= changePrinter(
          failoverStatusChanges({ status, switches, assumptions, karmadaVersion, forecast }),
          flags,
        );
        const told = print;
        if (changes.length > 0) telling.tell(() => told(changes, now));
      },
    }),
  );
}
